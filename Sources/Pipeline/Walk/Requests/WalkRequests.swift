import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler
import Values

/// What the requests of a walk are made from; which page they ask for comes from its pager.
struct WalkRequests: Sendable {
  let builder: RequestBuilder
  let endpoint: EndpointPlan
  /// Index into `Plan.endpoints`.
  let index: Int
  /// Parameters that ask for what is newer than the cursor.
  let parameters: [(name: String, value: String)]
  /// Of the rows that are stored, if nothing but another answer is wanted.
  let validators: WalkMemory.Validators?

  init(_ walk: Walk, _ start: WalkStart, _ run: RunContext) {
    var scope = walk.scope
    if let cut = start.cut { scope.now = cut.now }
    builder = RequestBuilder(mapping: run.mapping, scope: scope)
    endpoint = run.plan.endpoints[walk.endpoint]
    index = walk.endpoint
    parameters = start.parameters
    validators = start.cut == nil && !endpoint.pagesByHeaders ? start.validated?.validators : nil
  }

  /// Those of an answer that may be sent with the next walk's first request.
  func validators(of page: Page, _ run: RunContext) -> WalkMemory.Validators? {
    endpoint.pagesByHeaders ? nil : WalkMemory.Validators(page, run)
  }

  /// `isFirst`: no page of the walk has been taken in. Conditional is a request that a 304 may answer.
  func next(
    _ pager: Pager?, isFirst: Bool, _ run: RunContext
  ) throws(PipelineError) -> (request: HTTPRequest, isConditional: Bool) {
    var request = try builder.request(for: endpoint, extra: parameters, asking: pager?.ask)
    guard isFirst, addValidators(to: &request, run) else { return (request, false) }
    return (request, true)
  }

  /// Asks for an answer only if it is another than the one whose rows are stored: the same request, the same mapping.
  private func addValidators(to request: inout HTTPRequest, _ run: RunContext) -> Bool {
    guard request.method == "GET", let known = validators, known.url == run.shownURL(of: request) else { return false }
    let headers = [("If-None-Match", known.etag), ("If-Modified-Since", known.lastModified)]
    for case (let name, let value?) in headers where !request.headers.contains(where: { $0.isNamed(name) }) {
      request.headers.append(HTTPHeader(name, value))
    }
    return true
  }
}

extension EndpointPlan {
  /// Headers say whether there are more pages. A server may make an ETag of the body alone, and then a 304 would hide
  /// pages that were added behind one that is full.
  fileprivate var pagesByHeaders: Bool {
    paginate.map { $0.declaration.by == .linkHeader || !$0.paths.allSatisfy(\.isInBody) } ?? false
  }
}

extension Pager {
  /// Where the paging of a walk begins: anew, or where it was cut. Nil without paging.
  static func beginning(_ walk: Walk, _ start: WalkStart, _ run: RunContext, _ options: WalkOptions) -> Pager? {
    guard let plan = run.plan.endpoints[walk.endpoint].paginate else { return nil }
    let limit = run.mapping.source.limits.pages
    if let cut = start.cut,
      let pager = Pager(
        plan, limit: limit, maxPages: options.maxPages, resuming: cut.pager, marks: cut.marks,
        isOneEarlier: start.appended.isEmpty)
    {
      return pager
    }
    return Pager(plan, limit: limit, maxPages: options.maxPages)
  }
}
