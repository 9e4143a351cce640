import Fetch
import Testing

struct ProxyTests {
  private func send(_ url: String, through proxy: String) throws -> HTTPResponse {
    try live { $0.proxy = proxy }.send(HTTPRequest(url: url), limits: FetchLimits(timeout: .seconds(5)))
  }

  @Test func `a request goes to the proxy whole, with the proxy's name and password`() throws {
    try withServer({ _ in [.answer("{}")] }) { proxy throws in
      let url = proxy.url.replacing("http://", with: "http://ada:p%40ss-kiwi@")
      #expect(try send("http://api.example.test/a?b=1", through: url).status == 200)
      let seen = try #require(proxy.requests.first)
      #expect(seen.line == "GET http://api.example.test/a?b=1" && seen.header("Host") == "api.example.test")
      #expect(seen.header("Proxy-Authorization") == "Basic YWRhOnBAc3Mta2l3aQ==")
    }
  }

  @Test(arguments: ["http", "https"])
  func `a proxy that is not there is named, without its password`(_ scheme: String) throws {
    let server = try RawServer { _ in [] }
    server.stop()
    let error = try failure {
      _ = try send("\(scheme)://api.example.test/", through: "http://ada:kiwi@127.0.0.1:\(server.port)")
    }
    #expect(error.code == .connect && error.isTransient)
    #expect(error.message.contains("the proxy of api.example.test") && error.message.contains(":\(server.port)"))
    #expect(!error.message.contains("kiwi"))
  }

  @Test(arguments: ["http", "https"])
  func `a proxy that wants to know who asks is told apart from the API`(_ scheme: String) throws {
    try withServer({ _ in
      [.text("HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n"), .close]
    }) { proxy throws in
      let error = try failure { _ = try send("\(scheme)://api.example.test/", through: proxy.url) }
      #expect(error.code == .proxy && !error.isTransient, "\(error)")
      #expect(error.message.contains("(407)") && error.message.contains(proxy.url))
      #expect(proxy.requests.count == 1)
    }
  }

  @Test(arguments: [403, 502])
  func `a proxy that lets nobody through says its status`(_ status: Int) throws {
    try withServer({ _ in [.answer("", status: status), .close] }) { proxy throws in
      let error = try failure { _ = try send("https://api.example.test/", through: proxy.url) }
      #expect(
        error.code == .connect && error.message.contains("refuses to connect to api.example.test:443 (\(status))"))
      #expect(error.message.contains(proxy.url))
      #expect(proxy.lines == ["CONNECT api.example.test:443"])
    }
  }

  @Test func `no header of the request, and no credential, is said to the proxy of a tunnel`() throws {
    try withServer({ _ in [.answer("", status: 502), .close] }) { proxy throws in
      var request = HTTPRequest(
        url: "https://api.example.test/?key=query-kiwi", headers: [HTTPHeader("X-Api-Key", "hdr-kiwi")])
      request.basic = ("ada", "basic-kiwi")
      _ = try failure { _ = try live { $0.proxy = proxy.url }.send(request, limits: FetchLimits()) }
      #expect(proxy.requests.count == 1 && !proxy.requests.contains { $0.has("kiwi") || $0.has("Authorization") })
    }
  }

  @Test func `the environment's proxies are found as libcurl looks for them`() {
    func find(_ scheme: String, _ variables: [String: String]) -> String? {
      EnvironmentProxy.find(for: scheme, host: "api.example.test") { variables[$0] }.map { "\($0.variable)=\($0.url)" }
    }
    #expect(find("http", ["http_proxy": "a", "https_proxy": "b", "ALL_PROXY": "c"]) == "http_proxy=a")
    #expect(find("https", ["http_proxy": "a", "HTTPS_PROXY": "b", "all_proxy": "c"]) == "HTTPS_PROXY=b")
    #expect(find("http", ["HTTP_PROXY": "a", "https_proxy": "b", "all_proxy": "c"]) == "all_proxy=c")
    #expect(find("http", ["http_proxy": "", "HTTP_PROXY": "a"]) == nil)
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "localhost", false), ("api.example.test", "*", true),
    ("api.example.test", "a.test, example.test", true), ("api.example.test", ".example.test", true),
    ("api.example.test", "ample.test", false), ("example.test", ".example.test", true),
    ("API.Example.test.", "api.EXAMPLE.test", true), ("10.1.2.3", "10.0.0.0/8", true),
    ("11.1.2.3", "10.0.0.0/8", false),
    ("10.1.2.3", "10.1.2.0/23", true), ("10.1.4.3", "10.1.2.0/23", false), ("[::1]", "::1", true),
    ("[2001:db8::1]", "2001:db8::/32", true), ("[2001:db9::1]", "2001:db8::/32", false),
    ("10.1.2.3", "0.0.0.0/0", true),
    ("api.example.test", "", false), ("10.1.2.3", "2.3", false), ("10.1.2.3", "10.0.0.0/99", false),
  ])
  func `no_proxy excepts hosts, domains, addresses and networks`(_ host: String, _ list: String, _ isExcepted: Bool) {
    let found = EnvironmentProxy.find(for: "http", host: host) { ["ALL_PROXY": "a", "no_proxy": list][$0] }
    #expect((found == nil) == isExcepted)
  }
}
