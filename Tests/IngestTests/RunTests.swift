import Foundation
import Ingest
import TestSupport
import Testing

struct RunTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var store: Store { .sqlite(folder.path("boats.db")) }

  /// Three pages of two boats, and an empty one.
  private static func page(_ request: HTTPRequest) -> HTTPResponse {
    let number = request.url.split(separator: "page=").last.flatMap { Int($0) } ?? 0
    let boats = (1...3).contains(number) ? [number * 2 - 1, number * 2] : []
    let list = boats.map {
      "{\"id\": \($0), \"name\": \"b\($0)\", \"sails\": true, \"crew\": [{\"name\": \"n\($0)\"}]}"
    }
    return HTTPResponse(status: 200, json: "{\"data\": {\"boats\": [\(list.joined(separator: ","))]}}")
  }

  private func pages() -> Answering { Answering { request, _ in Self.page(request) } }

  private func run(_ transport: any Transport, _ yaml: String = Boats.yaml) throws -> Run {
    Run(mapping: try Mapping(yaml: yaml), store: store, transport: transport)
  }

  private func ids(_ table: String = "boat") throws -> [Int] {
    try store.records(of: table, mapping: try Boats.mapping()).map { try $0.value("id", as: Int.self) }
  }

  /// The error that a run ends with.
  private func failure(_ body: () async throws -> RunReport) async -> IngestError? {
    await #expect(throws: IngestError.self) { try await body() }
  }

  // MARK: Fetching

  @Test func `paged answers of a transport become rows, and stay when they come again`() async throws {
    let transport = pages()
    let run = try run(transport)
    let report = try await run.fetch()
    #expect(report.source == "boats" && report["Boat"]?.inserted == 6 && report["Boat.crew"]?.inserted == 6)
    #expect(report.received == 12 && report.rejected == 0 && report.warnings.isEmpty)
    #expect(transport.requests.map(\.url) == (1...4).map { "https://boats.example.test/v1/boats?page=\($0)" })
    #expect(transport.requests.allSatisfy { $0.method == "GET" && $0.body == nil && $0.timeout == .seconds(30) })
    #expect(try ids() == [1, 2, 3, 4, 5, 6])
    let again = try await run.fetch(endpoints: ["boats"])
    #expect(again["Boat"]?.unchanged == 6 && again["Boat"]?.inserted == 0)
    #expect(again.description.contains("Boat: 6 received, 6 unchanged"))
  }

  @Test func `rows of a store are typed by the mapping, and have no relationships`() async throws {
    _ = try await run(pages()).fetch()
    let mapping = try Boats.mapping()
    let boat = try #require(try store.records(of: "boat", mapping: mapping).first)
    #expect(boat["sails"] == .boolean(true) && boat["name"] == .text("b1") && boat["built"] == .null)
    #expect(boat.relationships.isEmpty && !boat.isDeleted && boat.descendants.count == 1)
    #expect(throws: IngestError.self) { try boat.children("crew") }
    #expect(try store.records(of: "boat_crew", mapping: mapping).count == 6)
    let empty = Store.sqlite(folder.path("none.db"))
    #expect(try empty.records(of: "boat", mapping: mapping).isEmpty)
    let unknown = #expect(throws: IngestError.self) { try store.records(of: "sqlite_master", mapping: mapping) }
    #expect(unknown?.code == .unknownName)
  }

  @Test func `a run without tasks does the same on its thread`() throws {
    let transport = pages()
    var run = try run(transport)
    run.maxPages = 2
    let report = try run.fetchAndWait()
    #expect(report["Boat"]?.inserted == 4 && transport.requests.count == 2)
    #expect(report.warnings.count == 1)
    #expect(try run.loadAndWait([.text(#"{"data": {"boats": [{"id": 9}]}}"#)])["Boat"]?.inserted == 1)
    #expect(try ids() == [1, 2, 3, 4, 9])
  }

  @Test func `several requests at a time go through one transport`() async throws {
    let yaml = Boats.yaml.replacing("name: boats,", with: "name: boats, concurrency: 4,")
      .replacing("paginate: {by: page, param: page, start: 1}", with: "params: {list: '${each.list}'}, \(Self.lists)")
    let transport = Answering { request, _ in
      let list = request.url.split(separator: "list=").last.flatMap { Int($0) } ?? 0
      return HTTPResponse(status: 200, json: "{\"data\": {\"boats\": [{\"id\": \(list)}]}}")
    }
    let report = try await run(transport, yaml).fetch()
    #expect(report["Boat"]?.inserted == 12 && transport.requests.count == 12)
    #expect(try ids() == Array(1...12))
  }

  private static let lists = "for_each: {values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], bind: list}"

  // MARK: Credentials

  @Test func `a transport gets what proves who asks, and nothing says it`() async throws {
    let auth = "auth: {basic: {username: ada, password: '${secret.PASSWORD}'}}, headers: {X-Key: '${secret.KEY}'}"
    let yaml = Boats.yaml.replacing("name: boats,", with: "name: boats, \(auth),")
    let mapping = try Mapping(yaml: yaml, secrets: ["PASSWORD": "open sesame", "KEY": "quince-77"])
    let transport = Answering { request, _ in
      throw TransportError("no answer for \(request.header("x-key") ?? "nobody")")
    }
    let error = await failure { try await Run(mapping: mapping, store: store, transport: transport).fetch() }
    let request = try #require(transport.requests.first)
    #expect(request.header("authorization") == "Basic YWRhOm9wZW4gc2VzYW1l" && request.header("X-KEY") == "quince-77")
    #expect(request.header("Accept")?.hasPrefix("application/json") == true)
    #expect(request.description == "GET https://boats.example.test/v1/boats")
    #expect(error?.code == .failed && error?.message.contains("no answer for ***") == true)
  }

  @Test func `a transport gets the signature of a request that is signed`() async throws {
    let auth = "auth: {aws_sigv4: {access_key: a, secret_key: '${secret.KEY}', region: r, service: s}}"
    let mapping = try Mapping(
      yaml: Boats.yaml.replacing("name: boats,", with: "name: boats, \(auth),"), secrets: ["KEY": "quince-77"])
    let transport = pages()
    _ = try await Run(mapping: mapping, store: store, transport: transport).fetch()
    #expect(transport.requests.count == 4)
    #expect(
      transport.requests.allSatisfy { $0.header("Authorization")?.hasPrefix("AWS4-HMAC-SHA256 Credential=a/") == true })
    #expect(Set(transport.requests.map { $0.header("Authorization") }).count == 4)
  }

  @Test func `a secret without a value is refused before anything is asked`() async throws {
    let yaml = Boats.yaml.replacing(
      "name: boats,", with: "name: boats, headers: {X-Key: '${secret.INGEST_TEST_NONE}'},")
    let transport = pages()
    let error = await failure { try await run(transport, yaml).fetch() }
    #expect(error?.code == .refused && error?.message.contains("INGEST_TEST_NONE") == true)
    #expect(transport.requests.isEmpty && error?.report == nil)
  }

  // MARK: Failures

  @Test func `what has a chance is tried again, what has none is not`() async throws {
    let yaml = Boats.yaml.replacing("name: boats,", with: "name: boats, retry: {attempts: 3, wait: 0s},")
    let transport = Answering { request, number in
      if number < 2 { throw TransportError("the line is dead", isTransient: true) }
      return Self.page(request)
    }
    #expect(try await run(transport, yaml).fetch()["Boat"]?.inserted == 6)
    #expect(transport.requests.count == 6)
    let dead = Answering { _, _ in throw TransportError("the line is dead") }
    let error = await failure { try await run(dead, yaml).fetch() }
    #expect(error?.code == .failed && dead.requests.count == 1)
    #expect(error?.message.contains("the line is dead") == true && error?.report?.received == 0)
  }

  @Test func `a failure in the middle keeps what came before, and says what that was`() async throws {
    let transport = Answering { request, number in
      number == 2 ? HTTPResponse(status: 404, json: #"{"why": "gone"}"#) : Self.page(request)
    }
    let error = await failure { try await run(transport).fetch() }
    #expect(error?.code == .failed && error?.message.contains("404") == true)
    #expect(error?.report?["Boat"]?.inserted == 4)
    #expect(try ids() == [1, 2, 3, 4])
    let resumed = pages()
    #expect(try await run(resumed).fetch().rejected == 0)
    #expect(try ids() == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [
    HTTPResponse(status: 0), HTTPResponse(status: -1), HTTPResponse(status: .max),
    HTTPResponse(status: 302, headers: [HTTPHeader("Location", "/v2")]),
    HTTPResponse(status: 200, body: [0xFF, 0xFE, 0]),
    HTTPResponse(
      status: 200, headers: [HTTPHeader("", "\u{0}\r\n"), HTTPHeader("Content-Type", ";;=\"")], body: [0x7B]),
    HTTPResponse(status: 200, headers: [HTTPHeader("Content-Type", "text/html")], body: Array("<html>".utf8)),
  ])
  func `an answer that is none ends the run with an error`(_ answer: HTTPResponse) async throws {
    let error = await failure { try await run(Answering { _, _ in answer }).fetch() }
    #expect(error?.code == .failed && error?.message.isEmpty == false)
  }

  @Test func `a body beyond the limit is not taken`() async throws {
    let yaml = Boats.yaml.replacing("name: boats,", with: "name: boats, limits: {body: 1KB},")
    let long = Answering { _, _ in HTTPResponse(status: 200, json: String(repeating: " ", count: 2000) + "{}") }
    #expect(await failure { try await run(long, yaml).fetch() }?.message.contains("limits.body") == true)
  }

  @Test func `a run that cannot begin is refused`() async throws {
    let mapping = try Boats.mapping()
    let transport = pages()
    let unknown = await failure { try await run(transport).fetch(endpoints: ["ships"]) }
    #expect(unknown?.code == .refused && unknown?.message.contains("'boats'") == true)
    for url in ["", "sqlite:", "sqlite::memory:", "mysql://h/d", "boats.db", "sqlite:/dev/null"] {
      let error = await failure {
        try await Run(mapping: mapping, store: Store(url: url), transport: transport).fetch()
      }
      #expect(error?.code == .refused, "\(url)")
    }
    var none = try run(transport)
    none.maxPages = 0
    #expect(await failure { try await none.fetch() }?.code == .invalidArgument)
    #expect(transport.requests.isEmpty)
  }

  @Test func `a step that loses data is refused until it is allowed`() async throws {
    let text = #"{"data": {"boats": [{"id": 1, "name": "b"}]}}"#
    try await Run(mapping: Boats.mapping(), store: store).load([.text(text)])
    let narrower = try Mapping(
      yaml: Boats.yaml.replacing("integer: id\n      date", with: "integer: [id, name]\n      date"))
    var run = Run(mapping: narrower, store: store)
    #expect(await failure { try await run.load([.text(#"{"data": {"boats": []}}"#)]) }?.code == .refused)
    run.allowsDataLoss = true
    #expect(try await run.load([.text(#"{"data": {"boats": []}}"#)]).received == 0)
    #expect(try store.records(of: "boat", mapping: narrower).first?["name"] == .null)
  }

  // MARK: Progress

  @Test func `progress is told page by page`() async throws {
    let told = Told<Run.Progress>()
    var run = try run(pages())
    run.onProgress = { told.add($0) }
    _ = try await run.fetch()
    let pages = told.values.map(\.pages)
    #expect(pages == pages.sorted() && Set(pages) == [0, 1, 2, 3, 4])
    let last = try #require(told.values.last)
    let endpoint = try #require(last.endpoints.first)
    #expect(last.endpoints.count == 1 && last.records == 6 && last.wait == nil)
    #expect(endpoint.name == "boats" && endpoint.walks == 1 && endpoint.isFinished && endpoint.share == nil)
    #expect(told.values.dropLast().allSatisfy { !$0.endpoints[0].isFinished })
  }

  @Test func `progress tells how much there is, and what is waited for`() async throws {
    let yaml = Boats.yaml.replacing("start: 1}", with: "start: 1, total: total}")
      .replacing("name: boats,", with: "name: boats, retry: {wait: 1ms},")
    let transport = Answering { request, number in
      if number == 1 { throw TransportError("dead", isTransient: true) }
      let page = String(decoding: Self.page(request).body, as: UTF8.self)
      return HTTPResponse(status: 200, json: page.dropLast() + ", \"total\": 6}")
    }
    let told = Told<Run.Progress>()
    var run = try run(transport, yaml)
    run.onProgress = { told.add($0) }
    _ = try await run.fetch()
    let shares = told.values.compactMap { $0.endpoints.first?.share }
    #expect(shares.map(\.completed).max() == 6 && shares.allSatisfy { $0.total == 6 && $0.unit == .records })
    #expect(told.values.contains { $0.wait == .nextTry })
  }

  @Test func `messages are told, and warnings are in the report`() async throws {
    let told = Told<Run.Message>()
    var run = try run(pages())
    run.maxPages = 1
    run.onMessage = { told.add($0) }
    let report = try await run.fetch()
    #expect(told.values.filter { $0.level == .warning }.map(\.text) == report.warnings && !report.warnings.isEmpty)
  }

  // MARK: Cancellation

  @Test func `a token ends a run between pages, and the next run continues`() async throws {
    let token = CancellationToken()
    var run = try run(pages())
    run.cancellation = token
    run.onProgress = { if $0.pages == 2 { token.cancel() } }
    let error = await failure { try await run.fetch() }
    #expect(error?.code == .cancelled && error?.report?["Boat"]?.inserted == 4)
    #expect(try ids() == [1, 2, 3, 4])
    let rest = pages()
    _ = try await self.run(rest).fetch()
    #expect(try ids() == [1, 2, 3, 4, 5, 6] && rest.requests.first?.url.hasSuffix("page=1") == false)
  }

  @Test(.timeLimit(.minutes(1))) func `the cancellation of its task ends a run that waits for an answer`() async throws
  {
    let (sends, sent) = AsyncStream.makeStream(of: Void.self)
    let cancelled = Told<Bool>()
    let transport = Answering { _, _ in
      sent.yield()
      do { try await Task.sleep(for: .seconds(20)) } catch { cancelled.add(true) }
      throw CancellationError()
    }
    let run = try run(transport)
    let task = Task { try await run.fetch() }
    var iterator = sends.makeAsyncIterator()
    await iterator.next()
    task.cancel()
    #expect(await failure { try await task.value }?.code == .cancelled)
    while cancelled.values.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    #expect(transport.requests.count == 1)
  }

  @Test func `a task that is cancelled already asks nothing`() async throws {
    let transport = pages()
    let run = try run(transport)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await run.fetch()
    }
    task.cancel()
    #expect(await failure { try await task.value }?.code == .cancelled)
    #expect(transport.requests.isEmpty)
  }

  // MARK: Loading, and recorded answers

  @Test func `bodies are loaded in their order, and the first that fails ends the run`() async throws {
    let run = Run(mapping: try Boats.mapping(), store: store)
    let path = try folder.write("one.json", #"{"data": {"boats": [{"id": 1}]}}"#)
    let bodies: [Body] = [.file(path), .text("{", name: "two.json"), .text(#"{"data": {"boats": [{"id": 3}]}}"#)]
    let error = await failure { try await run.load(bodies) }
    #expect(error?.code == .failed && error?.message.contains("two.json") == true && error?.report?.received == 1)
    #expect(try ids() == [1])
    let missing = await failure { try await run.load([.file(folder.path("none.json"))]) }
    #expect(missing?.code == .unreadableFile && missing?.report == nil)
  }

  @Test func `recorded answers need neither a server nor a secret`() async throws {
    let mapping = try Mapping(
      contentsOfFile: PackageRoot.folder.appendingPathComponent("mappings/nyt.yaml").path)
    let recorded = PackageRoot.folder.appendingPathComponent("samples/nyt/recorded").path
    let store = Store.sqlite(folder.path("nyt.db"))
    let report = try await Run(mapping: mapping, store: store, recordedAnswers: recorded).fetch()
    #expect(report["Article"]?.inserted == 25 && report.rejected == 0)
    #expect(try store.records(of: "articles", mapping: mapping).count == 25)
    let none = await failure { try await Run(mapping: mapping, store: store, recordedAnswers: "/nowhere").fetch() }
    #expect(none?.code == .refused && none?.message.contains("/nowhere") == true)
  }

  @Test func `the store of a mapping is the one that it names`() throws {
    #expect(try Boats.mapping().defaultStore() == .sqlite("boats.db"))
    #expect(try Mapping(yaml: Boats.yaml + "store: {url: 'sqlite:other.db'}\n").defaultStore().url == "sqlite:other.db")
  }
}
