package import Fetch
import JSONReading
import Mapper
package import MappingLanguage
package import PlanCompiler
package import Store
import Values

/// `try`: one request of an endpoint, and what each descriptor makes of the answer. Nothing is stored.
package struct EndpointTrial {
  private let run: RunContext
  private let transport: LastAnswer
  private let clock: any FetchClock
  private let asksServers: Bool

  /// Rows of each table, and rejections, that are shown.
  private static let rowLimit = 5
  private static let memberLimit = 200
  /// Larger bodies are not looked at for their members.
  private static let bodyLimit = 64 << 20

  /// `asksServers`: false for answers that were recorded.
  package init(
    mapping: Mapping, plan: Plan, scope: Interpolation, redactor: Redactor, transport: any Transport,
    clock: any FetchClock, asksServers: Bool, isInterrupted: @escaping @Sendable () -> Bool
  ) {
    run = RunContext(
      mapping: mapping, plan: plan, scope: scope, redactor: redactor, runID: 0, isInterrupted: isInterrupted)
    self.transport = LastAnswer(transport)
    self.clock = asksServers ? clock : InstantClock()
    self.asksServers = asksServers
  }

  /// Throws what forbids the request; what is wrong with the answer is in the report. `stored` has the parents of a
  /// `for_each`, and what the source remembers; `keep` is called when the source has to remember something else, a refresh
  /// token.
  package func run(
    _ name: String, stored: any Store, keep: @escaping ([StateChange]) throws(StoreError) -> Void
  ) throws(PipelineError) -> TrialReport {
    let index = try Self.index(of: name, in: run.plan)
    let scope = try scope(of: index, stored)
    let builder = RequestBuilder(mapping: run.mapping, scope: scope)
    let request = try self.request(of: index, builder)
    var report = TrialReport(request: run.shown(request), summary: RunSummary(source: run.plan.source))
    do throws(PipelineError) {
      switch try fetch(request, of: index, by: try fetcher(builder), stored, keep: keep) {
      case .page(let page): try take(page, builder, into: &report)
      case .ignored: pass("an error rule says that this answer is to be ignored: no rows", index, &report)
      case .ended: pass("an error rule says that the walk ends with this answer: no rows", index, &report)
      }
    } catch {
      if error.kind == .interrupted { throw error }
      report.failure = PipelineError(error.kind, run.redactor.redact(error.message))
      describe(transport.response, of: index, &report)
    }
    return report
  }

  package static func index(of name: String, in plan: Plan) throws(PipelineError) -> Int {
    if let index = plan.endpoints.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return index }
    let known = plan.endpoints.map { "'\($0.name)'" }.joined(separator: ", ")
    throw PipelineError(
      .refused, "no endpoint is named '\(name)'" + (known.isEmpty ? "" : "; there are \(known)"))
  }

  // MARK: the request

  /// With the values of the first parent, unless the command gives them.
  private func scope(of index: Int, _ stored: any Store) throws(PipelineError) -> Interpolation {
    let endpoint = run.plan.endpoints[index]
    if endpoint.boundNames.allSatisfy({ run.scope.bound($0) != nil }) { return run.scope }
    do throws(StoreError) {
      var planner = try WalkPlanner(index, plan: run.plan, scope: run.scope, store: stored)
      if let walk = try planner.nextWalk() {
        var scope = walk.scope
        scope.each = run.scope.each + scope.each
        return scope
      }
    } catch {
      if error.code == .interrupted { throw .interrupted }
      throw PipelineError(.refused, "endpoint '\(endpoint.name)': \(error.message)")
    }
    let names = endpoint.boundNames.map { "--set \($0)=…" }.joined(separator: " ")
    throw PipelineError(
      .refused, "the endpoint '\(endpoint.name)' walks for stored rows, and there are none yet: use \(names)")
  }

  /// The first request of a walk that begins anew.
  private func request(of index: Int, _ builder: RequestBuilder) throws(PipelineError) -> HTTPRequest {
    let endpoint = run.plan.endpoints[index]
    var extra: [(name: String, value: String)] = []
    if let plan = endpoint.incremental, let start = plan.start?.sent(format: plan.format) {
      extra.append((plan.param, start))
    }
    let ask = endpoint.paginate.map { Pager($0, limit: run.mapping.source.limits.pages).ask }
    return try builder.request(for: endpoint, extra: extra, asking: ask)
  }

  private func fetcher(_ builder: RequestBuilder) throws(PipelineError) -> PageFetcher {
    let rules = run.mapping.source.retry
    return PageFetcher(
      run: run, builder: builder, transport: transport, clock: clock,
      limiter: RateLimiter(requests: nil, per: .seconds(1), maxWait: rules.maxWait, clock: clock),
      retry: RetryPolicy(attempts: 1, backoff: .constant, wait: rules.wait, maxWait: rules.maxWait),
      authority: asksServers ? try RunAuthority(run, clock: clock) : nil)
  }

  private func fetch(
    _ request: HTTPRequest, of index: Int, by fetcher: PageFetcher, _ stored: any Store,
    keep: @escaping ([StateChange]) throws(StoreError) -> Void
  ) throws(PipelineError) -> PageFetcher.Fetched {
    try fetcher.fetch(request, endpoint: index) { note throws(PipelineError) in
      switch note {
      case .state(let name, let value):
        do throws(StoreError) {
          try keep([.set(scope: "", name: name, value: value)])
        } catch {
          throw PipelineError(error, "the new refresh token could not be kept: \(error.message)")
        }
      case .recall(let question):
        do throws(StoreError) {
          try question.answer(from: stored, source: run.plan.source)
        } catch {
          throw PipelineError(error, "what the source remembers cannot be read: \(error.message)")
        }
      case .error, .rule, .message: return
      }
    }
  }

  // MARK: the answer

  private func pass(_ reason: String, _ index: Int, _ report: inout TrialReport) {
    report.passed = reason
    describe(transport.response, of: index, &report)
  }

  private func describe(_ response: HTTPResponse?, of index: Int, _ report: inout TrialReport) {
    guard let response else { return }
    if let request = transport.request { report.request = run.shown(request) }
    report.status = response.status
    report.contentType = response.header("Content-Type").map { ContentType($0).essence }
    report.size = response.body.count
    guard let shape = shape(of: response, endpoint: run.plan.endpoints[index]) else { return }
    report.members = shape.lines(limit: Self.memberLimit)
  }

  /// Nil for what is no JSON, or too large.
  private func shape(of response: HTTPResponse, endpoint: EndpointPlan) -> BodyShape? {
    guard response.body.count > 0, response.body.count <= Self.bodyLimit else { return nil }
    let format =
      (try? response.bodyFormat(isNDJSON: endpoint.isNDJSON, isLenient: endpoint.isLenient))
      ?? BodyFormat(isLenient: endpoint.isLenient)
    var limits = run.mapping.source.limits.json
    limits.record = Self.bodyLimit
    let shape = BodyShape()
    do {
      var collector = ShapeCollector(shape: shape)
      let root = PlaceTree(places: [PlaceTree.Place(path: KeyPath(origin: .value, steps: [], text: "."))])
      if format.isNDJSON {
        try NDJSONReader(tree: root, limits: limits, format: format).readLines(
          response.body.source, into: &collector, begin: { _, _ in },
          end: { _, failure, _, _ in failure == nil })
      } else {
        let document = try JSONDocument(
          response.body.source, format: format, bound: Self.bodyLimit, limits: limits)
        withExtendedLifetime(document) { shape.add(document.root) }
      }
      return shape
    } catch {
      return nil
    }
  }

  private func take(
    _ page: Page, _ builder: RequestBuilder, into report: inout TrialReport
  ) throws(PipelineError) {
    describe(page.response, of: page.endpoint, &report)
    let endpoint = run.plan.endpoints[page.endpoint]
    let context = page.context(run, builder)
    let store = TrialStore(StoreSchema(run.plan), limit: Self.rowLimit)
    let intake = BodyIntake(
      plan: run.plan, store: store, limits: run.mapping.source.limits.json, isInterrupted: run.isInterrupted)
    var trace: TrialTrace?
    do {
      let format =
        page.response.body.count == 0
        ? BodyFormat() : try page.response.bodyFormat(isNDJSON: endpoint.isNDJSON, isLenient: endpoint.isLenient)
      if page.response.status != 204, page.response.status != 205 {
        let source = page.response.body.source
        trace = TrialTrace(
          of: source, format: format, limits: run.mapping.source.limits.json, tree: intake.mapper.begin(context),
          isInterrupted: run.isInterrupted)
        _ = try intake.take(source, format: format, context: context, name: report.request)
      }
    } catch let error as FetchError {
      if error.code == .interrupted { throw .interrupted }
      report.failure = PipelineError(run.redactor.redact(error.message))
    } catch {
      let failure = BodyFailure(error, name: report.request)
      if case .interrupted = failure.cause { throw .interrupted }
      report.failure = PipelineError(run.redactor.redact(failure.message))
    }
    report.summary = intake.summary
    report.warnings = intake.warnings
    report.rows = store.rows.filter { $0.count > 0 }
    report.places = TrialPlaces(plan: run.plan, trace: trace, shape: shape(of: page.response, endpoint: endpoint))
      .places(method: page.request.method, path: builder.routePath(of: page.request.url, for: endpoint), context)
  }
}

/// Lays the lines of NDJSON over one another.
private struct ShapeCollector: RecordReceiver {
  let shape: BodyShape

  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) {
    shape.add(record)
  }
}
