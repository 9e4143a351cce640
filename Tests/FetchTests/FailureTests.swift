import Fetch
import Foundation
import Testing

struct FailureTests {
  private func send(_ url: String, timeout: Duration = .seconds(5), method: String = "GET") throws -> HTTPResponse {
    try live().send(HTTPRequest(method: method, url: url), limits: FetchLimits(timeout: timeout))
  }

  private func failing(_ steps: [RawServer.Step], timeout: Duration = .seconds(5)) throws -> FetchError {
    try withServer({ _ in steps }) { server throws in
      let error = try failure { _ = try send(server.url + "/x?key=kiwi", timeout: timeout) }
      #expect(!error.message.contains("kiwi") && error.message.contains("127.0.0.1:\(server.port)"), "\(error)")
      return error
    }
  }

  @Test func `a refused connection says so, and that nothing was sent`() throws {
    let server = try RawServer { _ in [] }
    let url = server.url
    server.stop()
    Thread.sleep(forTimeInterval: 0.1)
    let error = try failure { _ = try send(url) }
    #expect(error.code == .connect && error.nothingSent)
    #expect(error.message.contains("127.0.0.1:\(server.port)") && error.message.contains("refused"))
  }

  @Test func `a name that cannot be resolved is named`() throws {
    // A label of more than 63 letters is refused by the resolver itself: nobody is asked.
    let host = String(repeating: "a", count: 64) + ".test"
    let error = try failure { _ = try send("http://\(host)/") }
    #expect(error.code == .resolve && error.nothingSent && error.message.contains(host))
  }

  @Test func `a connection that drops before or within the answer is transient`() throws {
    for steps in [[RawServer.Step.close], [.reset], [.text("HTTP/1.1 200 OK\r\nContent-Le"), .close]] {
      let error = try failing(steps)
      #expect(error.code == .dropped && error.isTransient && !error.nothingSent, "\(error)")
    }
  }

  @Test(arguments: [
    ["hello\r\n\r\n"], ["HTTP/1.1 abc OK\r\n\r\n"], ["SSH-2.0-OpenSSH_9\r\n"], ["HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n"],
    ["HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: x\r\n\r\n"],
  ])
  func `what is not HTTP is told apart from a failed connection`(_ texts: [String]) throws {
    let error = try failing(texts.map { .text($0) } + [.close])
    #expect(error.code == .badAnswer && !error.isTransient, "\(error)")
  }

  @Test func `headers have limits, alone and together`() throws {
    let long = String(repeating: "x", count: 65_536)
    let huge = String(repeating: "x", count: 120_000)
    let many = (0..<6000).map { "X-Header-\($0): \(String(repeating: "y", count: 50))\r\n" }.joined()
    for headers in ["X-Long: \(long)\r\n", "X-Huge: \(huge)\r\n", many] {
      let error = try failing([.text("HTTP/1.1 200 OK\r\n\(headers)Content-Length: 0\r\n\r\n"), .close])
      #expect(error.code == .limitHeader, "\(error)")
    }
    let early = String(
      repeating: "HTTP/1.1 103 Early Hints\r\nX: \(String(repeating: "y", count: 1000))\r\n\r\n", count: 400)
    #expect(try failing([.text(early), .hang]).code == .limitHeader)
    let allowed = "X-Long: \(String(repeating: "x", count: 60_000))\r\n"
    try withServer({ _ in [.answer("[]", headers: allowed)] }) { server throws in
      let response = try send(server.url)
      #expect(response.status == 200)
    }
  }

  @Test(arguments: [
    [RawServer.Step.hang], [.text("HTTP/1.1 200 OK\r\n"), .hang],
    [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1,"), .hang],
  ])
  func `a silence longer than the timeout ends the request`(_ steps: [RawServer.Step]) throws {
    let begin = ContinuousClock.now
    let error = try failing(steps, timeout: .milliseconds(600))
    let took = ContinuousClock.now - begin
    #expect(error.code == .timeout && error.isTransient && !error.nothingSent)
    #expect(error.message.contains("600 ms"))
    #expect(took >= .milliseconds(600) && took < .seconds(4), "\(took)")
  }

  @Test func `a slow but steady answer is allowed, however long it takes`() throws {
    let head: [RawServer.Step] = [
      .pause(0.3), .text("HTTP/1.1 200 OK\r\n"), .pause(0.3), .text("Content-Length: 6\r\n\r\n"),
    ]
    let body = "[1, 2]".flatMap { [RawServer.Step.pause(0.3), .text(String($0))] }
    try withServer({ _ in head + body }) { server throws in
      let begin = ContinuousClock.now
      let response = try send(server.url, timeout: .milliseconds(1200))
      #expect(try text(of: response.body) == "[1, 2]")
      #expect(ContinuousClock.now - begin > .milliseconds(1500))
    }
  }

  @Test func `a run that is asked to stop does not wait for the answer`() throws {
    let stop = Box(false)
    try withServer({ _ in
      stop.value = true
      return [.hang]
    }) { server throws in
      let transport = try live { $0.isInterrupted = { stop.value } }
      let begin = ContinuousClock.now
      let error = try failure { _ = try transport.send(HTTPRequest(url: server.url), limits: FetchLimits()) }
      #expect(error.code == .interrupted && ContinuousClock.now - begin < .seconds(3))
    }
  }

  @Test func `one connection serves many requests, and one that was closed meanwhile is not a failure`() throws {
    try withServer({ $0.line == "GET /last" ? [.answer("[]"), .close] : [.answer("[]")] }) { server throws in
      let transport = try live()
      for path in ["/a", "/b", "/last", "/c"] {
        #expect(try transport.send(HTTPRequest(url: server.url + path), limits: FetchLimits()).status == 200)
        Thread.sleep(forTimeInterval: 0.05)
      }
      #expect(server.accepted == 2 && server.requests.count == 4)
    }
  }

  @Test func `a POST on a connection that drops is sent once`() throws {
    try withServer({ $0.line.hasPrefix("POST") ? [.close] : [.answer("[]")] }) { server throws in
      let transport = try live()
      _ = try transport.send(HTTPRequest(url: server.url), limits: FetchLimits())
      let post = HTTPRequest(method: "POST", url: server.url, body: [0x31])
      let error = try failure { _ = try transport.send(post, limits: FetchLimits()) }
      #expect(error.code == .dropped && !error.nothingSent)
      #expect(server.lines == ["GET /", "POST /"])
    }
  }

  @Test func `a transport that failed serves the next request`() throws {
    try withServer({
      $0.line == "GET /bad" ? [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[]"), .close] : [.answer("[]")]
    }) {
      server throws in
      let transport = try live()
      _ = try failure { _ = try transport.send(HTTPRequest(url: server.url + "/bad"), limits: FetchLimits()) }
      #expect(try transport.send(HTTPRequest(url: server.url), limits: FetchLimits()).status == 200)
    }
  }

  @Test(arguments: [
    HTTPHeader("X-A", "v\r\nInjected: 1"), HTTPHeader("X-A", "v\nInjected: 1"), HTTPHeader("X-A", "v\u{0}"),
    HTTPHeader("X-A", "\u{7F}"), HTTPHeader("X A", "v"), HTTPHeader("X:A", "v"), HTTPHeader("", "v"),
    HTTPHeader("Ü", "v"),
    HTTPHeader("content-length", "3"), HTTPHeader("Transfer-Encoding", "chunked"), HTTPHeader("X\r\nB", "v"),
  ])
  func `a header that would break out is refused before anything is sent`(_ header: HTTPHeader) throws {
    try withServer({ _ in [.answer("[]")] }) { server throws in
      let error = try failure {
        _ = try live().send(HTTPRequest(url: server.url, headers: [header]), limits: FetchLimits())
      }
      #expect(error.code == .badHeader && error.nothingSent && server.accepted == 0)
    }
  }

  @Test func `a method or user name that would break out is refused`() throws {
    for method in ["", "GET /x HTTP/1.1\r\nA: b\r\n\r\nGET", "GE T"] {
      #expect(try failure { _ = try send("http://127.0.0.1:9/", method: method) }.code == .badHeader)
    }
    for basic in [("a:b", "p"), ("a\n", "p"), ("a", "p\r")] {
      let request = HTTPRequest(url: "http://127.0.0.1:9/", basic: (username: basic.0, password: basic.1))
      #expect(try failure { _ = try live().send(request, limits: FetchLimits()) }.code == .badHeader)
    }
    #expect(try failure { _ = try send("http://ada:pw@127.0.0.1:9/") }.code == .badURL)
    #expect(try failure { _ = try send("file:///etc/passwd") }.code == .badURL)
  }

  @Test func `a declared proxy is used whatever the environment says, and its password stays out of messages`() throws {
    try withServer({ _ in [.answer("[]")] }) { server throws in
      let transport = try live { $0.proxy = server.url }
      let request = HTTPRequest(url: "http://api.example.test/items")
      #expect(try transport.send(request, limits: FetchLimits()).status == 200)
      #expect(server.lines == ["GET http://api.example.test/items"])
    }
    let transport = try live { $0.proxy = "http://ada:kiwi@127.0.0.1:1" }
    let error = try failure {
      _ = try transport.send(HTTPRequest(url: "http://api.example.test/"), limits: FetchLimits())
    }
    #expect(error.code == .connect && error.message.contains("http://***@127.0.0.1:1"))
    #expect(!error.message.contains("kiwi"))
  }
}
