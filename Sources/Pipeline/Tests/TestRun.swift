import Fetch
import MappingLanguage
import PlanCompiler
import Store

/// The bodies of a test, taken into a store of their own.
struct TestRun {
  /// How the bodies come in.
  enum Way {
    /// All of them are handed in, as by `load`.
    case load
    /// The endpoint asks for one after the other.
    case walk
    /// As `walk`, but each walk is cut once, and then continued.
    case cutWalk(WalkCutter)
  }

  let store: TestStore
  /// Of the last run, where there were several.
  let session: RunSession
  let failure: PipelineError?
  let requests: [String]
}

/// What the answers of a test have in common.
struct TestAnswer {
  var status: Int
  var headers: [HTTPHeader]

  init(_ test: TestDeclaration) {
    status = test.status ?? 200
    headers = test.headers.map { HTTPHeader($0.name, $0.value) }
  }
}

extension TestRunner {
  func perform(
    _ test: TestDeclaration, _ bodies: [Loader.Body], way: TestRun.Way, _ coverage: TestCoverage? = nil
  ) throws(StoreError) -> TestRun {
    let store = TestStore(try makeStore())
    switch way {
    case .load:
      let (session, failure) = try session(on: store, coverage) { session throws(PipelineError) in
        try Loader(
          session: session, route: route(of: test), status: test.status, headers: TestAnswer(test).headers
        ).load(bodies.map(Loader.Input.body))
      }
      return TestRun(store: store, session: session, failure: failure, requests: [])
    case .walk:
      let transport = ScriptedTransport(bodies, of: TestAnswer(test))
      let (session, failure) = try walk(test, transport, WalkOptions(), on: store, coverage)
      return TestRun(store: store, session: session, failure: failure, requests: transport.requests)
    case .cutWalk(let cutter):
      let transport = ScriptedTransport(bodies, of: TestAnswer(test), remembers: true)
      var options = WalkOptions()
      options.cutter = cutter
      // Ends: each run but the last cuts a walk that was not cut before, and there is one for each body at most.
      while true {
        let cut = cutter.count
        let (session, failure) = try walk(test, transport, options, on: store, coverage)
        if failure?.kind == .interrupted, cutter.count > cut { continue }
        return TestRun(store: store, session: session, failure: failure, requests: transport.requests)
      }
    }
  }

  private func session(
    on store: TestStore, _ coverage: TestCoverage?, _ body: (RunSession) throws(PipelineError) -> Void
  ) throws(StoreError) -> (RunSession, PipelineError?) {
    let session = try RunSession(
      mapping: mapping, plan: plan, scope: scope, store: store, redactor: Redactor(), command: "test",
      allowingLoss: false, report: { _ in })
    session.coverage = coverage
    var failure: PipelineError?
    do throws(PipelineError) {
      try body(session)
    } catch {
      failure = error
    }
    try session.end(failure)
    return (session, failure)
  }

  private func route(of test: TestDeclaration) -> Loader.Route {
    test.path.map { .path($0.value, method: test.method ?? "GET") } ?? .endpoint(test.endpoint?.value)
  }

  private func walk(
    _ test: TestDeclaration, _ transport: ScriptedTransport, _ options: WalkOptions, on store: TestStore,
    _ coverage: TestCoverage?
  ) throws(StoreError) -> (RunSession, PipelineError?) {
    try session(on: store, coverage) { session throws(PipelineError) in
      var options = options
      let endpoint = try walked(test, &options)
      try Walker(
        session: session, transport: transport, clock: InstantClock(), asksServers: false, options: options
      ).walk(endpoints: [endpoint])
    }
  }

  /// The endpoint whose requests are looked at. A path binds its parameters, as a `for_each` would.
  private func walked(_ test: TestDeclaration, _ options: inout WalkOptions) throws(PipelineError) -> String {
    guard let path = test.path?.value else {
      return plan.endpoints[try Loader.index(of: test.endpoint?.value, in: plan)].name
    }
    let method = test.method ?? "GET"
    let status = test.status ?? 200
    let found = RouteMatches(plan: plan, method: method, path: path, status: status)
    guard let match = found.matches.first ?? found.otherStatus.first else {
      throw PipelineError(RouteExplanation.refusal(plan, method: method, path: path, status: status))
    }
    let endpoint = plan.endpoints[match.endpoint]
    if endpoint.forEach != nil || !match.parameters.isEmpty { options.binding = match.parameters }
    return endpoint.name
  }
}
