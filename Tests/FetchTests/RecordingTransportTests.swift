import Fetch
import Glibc
import JSONReading
import Synchronization
import TestSupport
import Testing

/// Answers that are kept, and given again by `RecordedTransport`.
struct RecordingTransportTests {
  /// Answers each request by what a closure says.
  private final class Server: Transport {
    private let answer: (HTTPRequest) throws(FetchError) -> HTTPResponse

    init(_ answer: @escaping (HTTPRequest) throws(FetchError) -> HTTPResponse) { self.answer = answer }

    func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse { try answer(request) }
  }

  private static let json = HTTPHeader("Content-Type", "application/json")
  private let redactor = Redactor(secrets: ["plum/7f3k+quince", "sorb: rowan"])

  private func recording(
    into path: String, _ answer: @escaping (HTTPRequest) throws(FetchError) -> HTTPResponse
  ) throws -> RecordingTransport {
    RecordingTransport(Server(answer), into: try RecordingFolder(path: path, redactor: redactor))
  }

  private func response(_ body: String, status: Int = 200, headers: [HTTPHeader] = [json]) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: .bytes(Array(body.utf8)))
  }

  private func send(_ transport: any Transport, _ request: HTTPRequest) throws -> String {
    try text(of: transport.send(request, limits: FetchLimits()).body)
  }

  private func files(in path: String) throws -> [String] { try names(in: path).filter { $0.hasSuffix(".http") } }

  private func names(in path: String) throws -> [String] {
    guard let directory = opendir(path) else { throw FixtureError("no folder \(path)") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private func contents(_ path: String) throws -> String {
    var all: [UInt8] = []
    for name in try names(in: path) { all += try bytes(of: path + "/" + name) }
    return String(decoding: all, as: UTF8.self)
  }

  private func bytes(of path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try ResponseBody(.file(path), count: .max).forEachPart { bytes += $0 }
    return bytes
  }

  @Test func `what was answered is answered again, each request by its own`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("answers")
    let live = try recording(into: path) { request in
      response(
        "{\"asked\": \"\(request.method) \(request.url) \(String(decoding: request.body ?? [], as: UTF8.self))\"}")
    }
    let requests = [
      HTTPRequest(url: "https://h/items?page=1"), HTTPRequest(url: "https://h/items?page=2"),
      HTTPRequest(method: "POST", url: "https://h/items"),
      HTTPRequest(method: "POST", url: "https://h/items", body: Array(#"{"page":1}"#.utf8)),
      HTTPRequest(method: "POST", url: "https://h/items", body: Array(#"{"page":2}"#.utf8)),
      HTTPRequest(method: "POST", url: "https://h/items", body: Array("a\nb".utf8)),
      HTTPRequest(method: "POST", url: "https://h/items", body: [0xFF, 0x00]),
    ]
    let answers = try requests.map { try send(live, $0) }
    let recorded = try RecordedTransport(directory: path, redactor: redactor)
    for (request, answer) in zip(requests, answers).reversed() { #expect(try send(recorded, request) == answer) }
    let other = HTTPRequest(method: "POST", url: "https://h/items", body: Array(#"{"page":3}"#.utf8))
    let error = try failure { _ = try send(recorded, other) }
    #expect(error.code == .notRecorded)
    #expect(error.message == #"no answer to POST https://h/items with the body {"page":3} is recorded in \#(path)"#)
  }

  @Test func `no credential is kept, in whatever form the server repeats it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("answers")
    let echo =
      #"{"raw": "plum/7f3k+quince", "url": "plum%2F7f3k%2Bquince", "json": "plum\/7f3k+quince", "base64": "#
      + #""cGx1bS83ZjNrK3F1aW5jZQ==", "n": 1.50}"#
    let live = try recording(into: path) { _ in
      response(
        echo,
        headers: [
          Self.json, HTTPHeader("Set-Cookie", "session=oak"), HTTPHeader("X-Echo", "plum/7f3k+quince"),
          HTTPHeader("Content-Encoding", "gzip"), HTTPHeader("Content-Length", "9"),
          HTTPHeader("X-plum/7f3k+quince", "named"), HTTPHeader("X-sorb", "rowan"),
        ])
    }
    let request = HTTPRequest(
      method: "POST", url: "https://h/plum%2F7f3k%2Bquince/items?key=K9&page=1",
      headers: [HTTPHeader("X-Key", "plum/7f3k+quince", isCredential: true)],
      body: Array(#"{"key":"plum\/7f3k+quince"}"#.utf8), credentialParams: ["key"])
    #expect(try send(live, request) == echo)
    let kept = try contents(path)
    for part in ["plum", "quince", "cGx1bS83ZjNrK3F1aW5jZQ", "K9", "oak", "Encoding", "Length", "rowan"] {
      #expect(!kept.contains(part), "\(part) in \(kept)")
    }
    let wanted = #"{"raw": "***", "url": "***", "json": "***", "base64": "***==", "n": 1.50}"#
    let recorded = try RecordedTransport(directory: path, redactor: redactor)
    let answer = try recorded.send(request, limits: FetchLimits())
    #expect(try text(of: answer.body) == wanted && answer.isRecorded && answer.isRedacted)
    #expect(kept.contains("\nRedacted-Body: true\nHTTP/1.1 200\n"))
    // Without the secret, what stands in its place is a mark.
    var marked = request
    marked.url = "https://h/***/items?key=***&page=1"
    marked.body = Array(#"{"key":"***"}"#.utf8)
    #expect(try send(try RecordedTransport(directory: path), marked) == wanted)
  }

  @Test func `neither requests for tokens nor answers that ask for credentials are kept`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("answers")
    let statuses = Mutex([401, 200, 401, 200, 503, 200])
    let live = try recording(into: path) { request in
      if request.asksForCredential { return response(#"{"access_token": "elm"}"#) }
      return response("[]", status: statuses.withLock { $0.removeFirst() })
    }
    var token = HTTPRequest(method: "POST", url: "https://h/token", body: Array("refresh_token=ash".utf8))
    token.asksForCredential = true
    let request = HTTPRequest(url: "https://h/a")
    for request in [token, request, request, token, request, request, request, request] { _ = try send(live, request) }
    #expect(try !contents(path).contains("ash") && !contents(path).contains("elm"))
    let recorded = try RecordedTransport(directory: path)
    let given = try (0..<4).map { _ in try recorded.send(request, limits: FetchLimits()).status }
    #expect(given == [200, 200, 503, 200])
  }

  @Test func `several answers to one request keep their order, and a later recording takes their place`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("answers")
    let count = Mutex(0)
    func answers() -> HTTPResponse {
      response("\(count.withLock { count in count += 1; return count })", status: 200)
    }
    let (one, other) = (HTTPRequest(url: "https://h/a"), HTTPRequest(url: "https://h/b"))
    let first = try recording(into: path) { _ in answers() }
    for request in [one, one, other, one] { _ = try send(first, request) }
    let recorded = try RecordedTransport(directory: path)
    #expect(try (0..<4).map { _ in try send(recorded, one) } == ["1", "2", "4", "4"])
    // A file of any name is known by what it answers.
    #expect(rename("\(path)/\(try files(in: path)[0])", "\(path)/by-hand.http") == 0)
    let second = try recording(into: path) { _ in answers() }
    _ = try send(second, one)
    #expect(try files(in: path).count == 2)
    let again = try RecordedTransport(directory: path)
    #expect(try send(again, one) == "5" && send(again, one) == "5" && send(again, other) == "3")
  }

  @Test func `what has no answer leaves nothing, and files are for their owner`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("answers")
    let live = try recording(into: path) { request throws(FetchError) in
      if request.url.hasSuffix("no") { throw FetchError(.dropped, "gone") }
      return response("[]", status: 503)
    }
    #expect(throws: FetchError.self) { _ = try send(live, HTTPRequest(url: "https://h/no")) }
    #expect(try names(in: path) == [])
    let request = HTTPRequest(url: "https://h/../../x%2F..%2Fy?q=1")
    _ = try send(live, request)
    let names = try names(in: path)
    #expect(names.count == 1 && names[0].hasPrefix("get-x-2f-2fy-") && names[0].hasSuffix("-000001.http"), "\(names)")
    var status = stat()
    #expect(stat("\(path)/\(names[0])", &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try RecordedTransport(directory: path).send(request, limits: FetchLimits()).status == 503)
  }

  @Test func `a folder that cannot be written, or holds what is no answer, is named`() throws {
    let folder = try TemporaryFolder()
    let none = try failure { _ = try RecordingFolder(path: folder.path("a/b"), redactor: redactor) }
    #expect(none.message.contains(folder.path("a/b")) && none.code == .badRecording)
    try folder.write("x.http", "nothing")
    let broken = try failure { _ = try RecordingFolder(path: folder.path(""), redactor: redactor) }
    #expect(broken.message.contains("x.http:") && broken.code == .badRecording)
  }

  @Test func `a file that names no body answers requests with any`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.http", "POST https://h/a\nHTTP/1.1 200\n\nany")
    try folder.write("b.http", "POST https://h/a\nrequest-body: x=1\nHTTP/1.1 200\n\none")
    try folder.write("c.http", "POST https://h/a\nRequest-Body-Base64: //8=\nHTTP/1.1 200\n\nbytes")
    try folder.write("d.http", "POST https://h/a\nRequest-Body:\nHTTP/1.1 200\n\nnone")
    let recorded = try RecordedTransport(directory: folder.path(""))
    func post(_ body: [UInt8]?) throws -> String {
      try send(recorded, HTTPRequest(method: "POST", url: "https://h/a", body: body))
    }
    #expect(try post(Array("x=1".utf8)) == "one" && post([0xFF, 0xFF]) == "bytes" && post(nil) == "none")
    #expect(try post(Array("x=2".utf8)) == "any")
    try folder.write("e.http", "POST https://h/a\nRequest-Body-Base64: /8=\nHTTP/1.1 200\n\nbytes")
    #expect(try failure { _ = try RecordedTransport(directory: folder.path("")) }.message.contains("e.http:2"))
  }
}
