package import Fetch
package import JSONReading
import Mapper
import MappingLanguage
package import PlanCompiler
import Store
import Values

/// `load` and `map`: bodies that are handed in, one after the other.
package struct Loader {
  /// Where a body comes from.
  package enum Input: Sendable {
    case file(String)
    case standardInput
    case body(Body)

    package var name: String {
      switch self {
      case .file(let path): path
      case .standardInput: "-"
      case .body(let body): body.name
      }
    }
  }

  /// A body that is at hand, with the name that reports give it.
  package struct Body: Sendable {
    package var name: String
    package var source: BodySource

    package init(name: String, source: BodySource) {
      self.name = name
      self.source = source
    }
  }

  /// How bodies are routed: by an endpoint's name, or as the response of a path.
  package enum Route: Sendable, Hashable {
    case endpoint(String?)
    case path(String, method: String)
  }

  private let session: RunSession
  private let status: Int
  private let headers: [HTTPHeader]
  private let path: String?
  private let method: String?
  private let matches: [BodyContext.Match]
  private let endpoint: EndpointPlan
  private let identity: WalkIdentity

  /// `headers`: of the answers; a content type says how they are read, as it does of fetched ones.
  package init(
    session: RunSession, route: Route, status: Int?, headers: [HTTPHeader] = []
  ) throws(PipelineError) {
    self.session = session
    self.status = status ?? 200
    self.headers = headers
    let plan = session.plan
    switch route {
    case .endpoint(let name):
      (path, method) = (nil, nil)
      let index = try Self.index(of: name, in: plan)
      matches = [BodyContext.Match(endpoint: index)]
      identity = WalkIdentity(endpoint: plan.endpoints[index].name)
    case .path(let text, let verb):
      (path, method) = (text, verb)
      let found = RouteMatches(plan: plan, method: verb, path: text, status: self.status)
      let fitting = found.matches.isEmpty ? found.otherStatus : found.matches
      guard !fitting.isEmpty else {
        throw PipelineError(
          RouteExplanation.refusal(plan, method: verb, path: text, status: self.status)
            + "; or name the endpoint by --endpoint")
      }
      matches = fitting.map { BodyContext.Match(endpoint: $0.endpoint, parameters: $0.parameters) }
      identity = WalkIdentity(
        path: text, of: plan.endpoints[fitting[0].endpoint], parameters: fitting[0].parameters,
        mapping: session.mapping, scope: session.scope)
    }
    endpoint = plan.endpoints[matches[0].endpoint]
  }

  /// Is it said which endpoint answered? To be asked before anything is stored.
  package static func check(_ route: Route, in plan: Plan) throws(PipelineError) {
    guard case .endpoint(let name) = route else { return }
    let endpoint = plan.endpoints[try index(of: name, in: plan)]
    if let refusal = UnroutedValues(of: endpoint, in: plan).refusal { throw PipelineError(.refused, refusal) }
  }

  static func index(of name: String?, in plan: Plan) throws(PipelineError) -> Int {
    if plan.endpoints.isEmpty { throw PipelineError(.refused, "the mapping has no endpoint that could have answered") }
    let names = plan.endpoints.map { "'\($0.name)'" }.joined(separator: ", ")
    guard let name else {
      if plan.endpoints.count == 1 { return 0 }
      throw PipelineError(.refused, "the mapping has several endpoints: choose one by --endpoint or --path (\(names))")
    }
    guard let index = plan.endpoints.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw PipelineError(.refused, "no endpoint is named '\(name)'; there are \(names)")
    }
    return index
  }

  /// Loads the bodies in the order given; the first that fails ends it, the earlier ones stay. Together they are one
  /// complete walk, unless `isPartial`: then nothing is swept or replaced.
  package func load(_ inputs: [Input], isPartial: Bool = false) throws(PipelineError) {
    if path == nil, let warning = UnroutedValues(of: endpoint, in: session.plan).warning {
      session.report(Message(.warning, warning))
    }
    do throws(PipelineError) {
      try session.walk(identity, endpoints: matches.map(\.endpoint)) { () throws(PipelineError) in
        try take(inputs, isPartial: isPartial)
      }
    } catch {
      throw session.redacted(error)
    }
  }

  private func take(_ inputs: [Input], isPartial: Bool) throws(PipelineError) -> RunSession.WalkClose {
    var close = isPartial ? RunSession.WalkClose.partial("the files are not all there is (--partial)") : .complete
    for input in inputs {
      try session.checkInterruption()
      switch try take(input) {
      case .taken: continue
      case .ignored: if close.obstacle == nil { close = .partial("an answer was ignored") }
      case .ended: return close
      }
    }
    return close
  }

  private func take(_ input: Input) throws(PipelineError) -> AnswerIntake.Taken {
    let format = try format(of: input)
    // Before it is read: a change meanwhile is one.
    let context = context()
    let file = loadedFile(input, context)
    var answer = HandedAnswer(
      source: .memory([]), format: format, context: context, endpoint: endpoint, name: input.name, method: method,
      url: path)
    let (source, holder) = try open(input, as: answer)
    defer { withExtendedLifetime(holder) {} }
    answer.source = source
    var (count, isBlank) = (0, false)
    let outcome = try AnswerIntake(session: session).take(answer) { taken in
      count = taken.records.reduce(0, +)
      isBlank = taken.isBlank
      try checkUnchanged(input, since: file)
      if let file { try session.store.keep(file) }
      if endpoint.isArchived { try session.archive(answer, file: input.name) }
    }
    if isBlank {
      session.report(Message(.warning, "\(input.name): the body is empty: it brings no rows, and nothing is swept"))
    }
    if case .taken = outcome { session.detail { told(input, records: count, size: file?.size) } }
    return outcome
  }

  /// What was cut or written meanwhile is not known to be whole.
  private func checkUnchanged(_ input: Input, since file: LoadedFile?) throws(FetchError) {
    guard case .file(let name) = input, let file, let size = file.size, let modified = file.modified else { return }
    if let stamp = FileStamp(of: name), stamp.size == size, stamp.modified == modified { return }
    throw FetchError(
      .truncated, "the file was changed while it was read: nothing tells whether all of it has come; load it once more")
  }

  private func told(_ input: Input, records count: Int, size: Int64?) -> String {
    "\(input.name), as endpoint '\(endpoint.name)': \(count.counted("record"))"
      + (size.map { ", \($0) bytes" } ?? "")
  }

  /// What is kept of where a body came from; nothing of one that was at hand.
  private func loadedFile(_ input: Input, _ context: BodyContext) -> LoadedFile? {
    if case .body = input { return nil }
    var file = LoadedFile(
      name: session.redactor.redact(input.name), endpoint: endpoint.name, status: status,
      variables: ArchivedValues.text(of: context.variables, by: session.redactor), readAt: context.fetchedAt)
    (file.method, file.url) = (method, path.map { session.redactor.redact($0) })
    guard case .file(let name) = input, let stamp = FileStamp(of: name) else { return file }
    (file.path, file.size, file.modified) = (session.redactor.redact(stamp.path), stamp.size, stamp.modified)
    return file
  }

  private func format(of input: Input) throws(PipelineError) -> BodyFormat {
    let endpoints = matches.map { session.plan.endpoints[$0.endpoint] }
    let format = BodyFormat(ofFile: input.name, endpoints)
    guard headers.contains(where: { $0.isNamed("Content-Type") }) else { return format }
    do throws(FetchError) {
      return try HTTPResponse(status: status, headers: headers, body: .bytes([]))
        .bodyFormat(isNDJSON: format.isNDJSON, isLenient: format.isLenient)
    } catch {
      try session.record(
        ErrorEntry(
          endpoint: endpoint.name, method: method, url: path, status: status, code: error.code.rawValue,
          message: error.message, action: "fail"))
      throw PipelineError("\(input.name): \(error.message)")
    }
  }

  private func context() -> BodyContext {
    BodyContext(
      matches: matches, query: path.map(QueryText.parameters) ?? [], url: path, status: status,
      headers: headers.map { ($0.name.lowercased(), $0.value) }, fetchedAt: Instant.now().rfc3339 ?? "",
      runID: session.runID, variables: session.context.variables)
  }

  private func open(_ input: Input, as answer: HandedAnswer) throws(PipelineError) -> (BodySource, InputBody?) {
    let ratio = session.mapping.source.limits.ratio
    do throws(FetchError) {
      let body: InputBody
      switch input {
      case .body(let body): return (body.source, nil)
      case .file(let path):
        body = try InputBody(
          file: path, ratio: ratio, isKept: keepsStream(answer.format), isInterrupted: session.isInterrupted)
      case .standardInput:
        body = try InputBody(
          ratio: ratio, isKept: keepsStream(answer.format), isInterrupted: session.isInterrupted)
      }
      return (body.source, body)
    } catch {
      if error.code == .interrupted { throw .interrupted }
      throw try AnswerIntake(session: session).failed(BodyFailure(error, name: input.name), answer)
    }
  }

  /// Has a pipe or standard input to be read twice, be it for the archive?
  private func keepsStream(_ format: BodyFormat) -> Bool {
    let judge = AnswerJudge(endpoint: endpoint, plan: session.plan)
    let places = matches.flatMap { session.plan.endpoints[$0.endpoint].places }
    let looksAhead =
      places.contains { !$0.captures.isEmpty } || places.count > 1 || judge.looksInto(status: status)
      || !endpoint.declaration.status.contains(status)
    let isKept = endpoint.isArchived && session.store.hasArchive
    return isKept || session.intake.drift != nil || looksAhead && !format.isNDJSON
  }
}
