import Fetch
import Testing

struct RedirectTests {
  private func send(_ request: HTTPRequest) throws -> HTTPResponse { try live().send(request, limits: FetchLimits()) }

  private static let secrets = ["hdr-kiwi", "bearer-kiwi", "cookie-kiwi", "query-kiwi", "basic-kiwi"]

  private func request(_ url: String, method: String = "GET", body: [UInt8]? = nil) -> HTTPRequest {
    HTTPRequest(
      method: method, url: url + "?page=2&api-key=query-kiwi",
      headers: [
        HTTPHeader("X-Api-Key", "hdr-kiwi", isCredential: true), HTTPHeader("authorization", "Bearer bearer-kiwi"),
        HTTPHeader("Cookie", "sid=cookie-kiwi"), HTTPHeader("X-Plain", "plain"), HTTPHeader("Content-Type", "x/y"),
      ],
      body: body, credentialParams: ["api-key"])
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `no credential follows a redirect to another port`(_ status: Int) throws {
    try withServer({ _ in [.answer("{}")] }) { other throws in
      let target = other.url + "/copy?q=1&api-key=query-kiwi"
      try withServer({ _ in [.redirect(status, to: target)] }) { home throws in
        let response = try send(request(home.url + "/items"))
        #expect(response.status == 200 && response.redirectedURL == "\(other.url)/copy?…")
        let first = try #require(home.requests.first)
        let second = try #require(other.requests.first)
        for secret in Self.secrets.dropLast() { #expect(first.has(secret) && !second.has(secret)) }
        #expect(second.line == "GET /copy?q=1" && second.header("X-Plain") == "plain")
        #expect(second.header("Host") == "127.0.0.1:\(other.port)")
      }
    }
  }

  @Test func `a failure after a redirect names where it led to`() throws {
    let gone = try RawServer { _ in [] }
    gone.stop()
    try withServer({ _ in [.redirect(302, to: "http://127.0.0.1:\(gone.port)/there?sig=kiwi")] }) { home throws in
      let error = try failure { _ = try send(HTTPRequest(url: home.url + "/items")) }
      #expect(error.message.hasSuffix("(redirected to http://127.0.0.1:\(gone.port)/there?…)"), "\(error)")
    }
  }

  @Test func `basic credentials stay at home, also on the way back`() throws {
    let other = Box("")
    try withServer({ request in
      request.line == "GET /back" ? [.answer("{}")] : [.redirect(302, to: other.value + "/away")]
    }) { home throws in
      let homeURL = home.url
      try withServer({ _ in [.redirect(307, to: homeURL + "/back")] }) { away throws in
        other.value = away.url
        var request = HTTPRequest(url: home.url + "/items")
        request.basic = ("ada", "basic-kiwi")
        #expect(try send(request).status == 200)
        #expect(home.requests.map { $0.header("Authorization") != nil } == [true, false])
        #expect(away.requests.map { $0.header("Authorization") } == [nil])
      }
    }
  }

  @Test func `a credential that the server puts into another origin's path stays out of it`() throws {
    try withServer({ _ in [.answer("{}")] }) { other throws in
      let target = other.url + "/for/hdr%2Dkiwi"
      try withServer({ _ in [.redirect(302, to: target)] }) { home throws in
        let error = try failure { _ = try send(request(home.url + "/items")) }
        #expect(error.code == .redirect && other.requests.isEmpty)
        #expect(!error.message.contains("kiwi") && error.message.contains("127.0.0.1:\(other.port)"))
      }
    }
  }

  @Test func `on one origin credentials go along, also a parameter that the redirect left out`() throws {
    try withServer({ request in
      switch request.line.split(separator: "?")[0] {
      case "GET /items": [.redirect(302, to: "/moved/items?v=2")]
      case "GET /moved/items": [.redirect(301, to: "../new?api-key=other")]
      default: [.answer("{}")]
      }
    }) { server throws in
      #expect(try send(request(server.url + "/items")).status == 200)
      #expect(
        server.lines == [
          "GET /items?page=2&api-key=query-kiwi", "GET /moved/items?v=2&api-key=query-kiwi", "GET /new?api-key=other",
        ])
      #expect(server.requests.allSatisfy { $0.has("hdr-kiwi") && $0.has("bearer-kiwi") && $0.has("cookie-kiwi") })
    }
  }

  @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func `a redirected POST keeps or loses its method as the status says`(_ status: Int, _ method: String) throws {
    try withServer({ $0.line == "POST /a?page=2&api-key=query-kiwi" ? [.redirect(status, to: "/b")] : [.answer("{}")] })
    {
      server throws in
      _ = try send(request(server.url + "/a", method: "POST", body: Array("{\"q\":1}".utf8)))
      let second = try #require(server.requests.last)
      #expect(second.line == "\(method) /b?api-key=query-kiwi")
      #expect(second.body == (method == "POST" ? Array("{\"q\":1}".utf8) : []))
      #expect(second.header("Content-Type") == (method == "POST" ? "x/y" : nil))
    }
  }

  @Test func `a body that holds a credential goes to no other origin`() throws {
    try withServer({ _ in [.answer("{}")] }) { other throws in
      let target = other.url
      try withServer({ _ in [.redirect(308, to: target)] }) { home throws in
        var request = HTTPRequest(method: "POST", url: home.url, body: Array("password=kiwi".utf8))
        request.bodyIsCredential = true
        #expect(try failure { _ = try send(request) }.code == .redirect)
        #expect(other.requests.isEmpty)
      }
    }
  }

  @Test(arguments: [
    "ftp://127.0.0.1/x", "file:///etc/passwd", "gopher://127.0.0.1:70/", "http://u:p@127.0.0.1/", "http:/\\x",
    "javascript:alert(1)", "http://127.0.0.1:99999/",
  ])
  func `a redirect to what is not fetched is refused before any connection`(_ location: String) throws {
    try withServer({ _ in [.redirect(302, to: location)] }) { server throws in
      let error = try failure { _ = try send(HTTPRequest(url: server.url)) }
      #expect(error.code == .redirect && !error.nothingSent, "\(error)")
    }
  }

  @Test func `ten redirects are followed, and not an eleventh`() throws {
    try withServer({ request in
      let step = Int(request.line.dropFirst(5)) ?? 0
      return [step == 11 ? .answer("{}") : .redirect(302, to: "/\(step + 1)")]
    }) { server throws in
      #expect(try send(HTTPRequest(url: server.url + "/1")).status == 200)
      #expect(server.requests.count == 11)
      let error = try failure { _ = try send(HTTPRequest(url: server.url + "/0")) }
      #expect(error.code == .redirect && error.message.contains("10"))
      #expect(server.requests.count == 22)
    }
  }

  @Test func `a circle is found at once`() throws {
    try withServer({ [.redirect(307, to: $0.line == "GET /a" ? "/b" : "/a")] }) { server throws in
      let error = try failure { _ = try send(HTTPRequest(url: server.url + "/a")) }
      #expect(error.code == .redirect && error.message.contains("circle"))
      #expect(server.requests.count == 2)
    }
  }

  @Test func `an answer of 3xx without a place is an answer`() throws {
    try withServer({ _ in [.answer("{}", status: 302), .close] }) { server throws in
      #expect(try send(HTTPRequest(url: server.url)).status == 302)
    }
    try withServer({ _ in [.text("HTTP/1.1 304 X\r\nLocation: /x\r\n\r\n")] }) { server throws in
      #expect(try send(HTTPRequest(url: server.url)).status == 304)
    }
  }
}
