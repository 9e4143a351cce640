import Fetch
import JSONReading
import Mapper
import PlanCompiler
import Testing

@testable import Pipeline  // a pager is no other target's business, but all of its kinds can be cut at each page

/// What an API answers to one request, which is named as `GET /v1/items?page=1`, with a body and a header behind it.
struct ScriptedPage: Sendable {
  var request: String
  var body: String
  var headers: [HTTPHeader] = []

  init(_ request: String, _ body: String, _ headers: [String: String] = [:]) {
    self.request = request
    self.body = body
    self.headers = headers.map { HTTPHeader($0.key, $0.value) }
  }
}

/// A walk over scripted pages, which may be cut and resumed.
struct PagedWalk {
  let bench: Bench
  let plan: PaginatePlan
  private let builder: RequestBuilder
  private let endpoint: EndpointPlan
  var limit = 1000
  var maxPages: Int?

  init(_ endpoint: String, source: String = "", secrets: [String: String] = [:]) throws {
    bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test/v1", \(source)}
      variables: {owner: ada}
      records: {Item: {table: items, key: id, fields: {id: {type: any}}}}
      endpoints: {items: {records: {items: Item}, \(endpoint)}}
      """, secrets: secrets)
    builder = RequestBuilder(mapping: bench.mapping, scope: bench.scope)
    self.endpoint = bench.plan.endpoints[0]
    plan = try #require(self.endpoint.paginate)
  }

  /// The requests, and how the walk ended.
  struct Course: Equatable {
    var requests: [String] = []
    var end = ""
    var warnings: [String] = []
  }

  /// Walks over the pages; behind page number N the process ends, for each N of `cuts`, and the next run goes on.
  func course(over pages: [ScriptedPage], cuts: Set<Int> = []) throws -> Course {
    var pager = Pager(plan, limit: limit, maxPages: maxPages)
    var (course, marks, taken) = (Course(), [String](), 0)
    while course.end.isEmpty {
      if let blocked = pager.blocked {
        course.end = Self.name(blocked)
        break
      }
      let request = try builder.request(for: endpoint, asking: pager.ask)
      let line = Self.line(of: request)
      course.requests.append(line)
      guard let page = pages.first(where: { $0.request == line }), course.requests.count < 50 else {
        course.end = "not scripted"
        break
      }
      let digest = BodyDigest(of: .bytes(Array(page.body.utf8)))
      if pager.repeats(digest) {
        course.end = "repeated"
        break
      }
      let next = pager.next(
        records: count(page), answer: try answer(page, to: request, pager), body: digest,
        request: request)
      (marks, taken) = (marks + pager.marks, taken + 1)
      course.warnings += pager.warnings.filter { !course.warnings.contains($0) }
      guard case .page = next else {
        course.end = Self.name(next)
        break
      }
      if cuts.contains(taken) { pager = try resumed(pager, marks) }
    }
    return course
  }

  private func count(_ page: ScriptedPage) -> PageCount {
    let count = page.body.matches(of: /"id"/).count
    return PageCount(all: count, first: count)
  }

  private func resumed(_ pager: Pager, _ marks: [String]) throws -> Pager {
    try #require(
      Pager(plan, limit: limit, maxPages: maxPages, resuming: pager.saved, marks: marks), "\(pager.saved) \(marks)")
  }

  private func answer(_ page: ScriptedPage, to request: HTTPRequest, _ pager: Pager) throws -> AnswerValues {
    let body = try? BodyInspection(
      of: .memory(Array(page.body.utf8)), format: BodyFormat(), limits: JSONLimits(), paths: pager.bodyPaths)
    return AnswerValues(
      body: body,
      context: BodyContext(
        matches: [], headers: page.headers.map { ($0.name.lowercased(), $0.value) }, fetchedAt: "", runID: 1))
  }

  /// Method, path, query, and what else tells one page from another.
  static func line(of request: HTTPRequest) -> String {
    var line = request.method + " "
    line += request.url.hasPrefix("https://api.example.test") ? String(request.url.dropFirst(24)) : request.url
    if let body = request.body { line += " " + String(decoding: body, as: UTF8.self) }
    let headers = request.headers.filter { !$0.isNamed("content-type") }
    return line + headers.map { " \($0.name): \($0.value)" }.joined()
  }

  static func name(_ next: Pager.Next) -> String {
    switch next {
    case .page: "page"
    case .end: "end"
    case .incomplete(let reason): "incomplete: \(reason)"
    case .bounded(let count): "bounded \(count)"
    case .overLimit(let count): "over \(count)"
    case .failed(let reason): "failed: \(reason)"
    case .repeated: "repeated"
    case .short(let declared): "short of \(declared)"
    }
  }
}
