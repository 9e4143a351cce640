import Fetch
import Testing

struct DigestTests {
  private static let url = "http://127.0.0.1:7/dir/index.html"

  private func session(
    _ challenge: String, username: String = "ada", password: String = "pw", nonce: String = "c1"
  ) throws -> DigestSession {
    let session = DigestSession(username: username, password: password, clientNonce: { nonce })
    #expect(session.accept([HTTPHeader("WWW-Authenticate", challenge)], after: nil))
    return session
  }

  private func answer(_ session: DigestSession, to request: HTTPRequest) throws -> String {
    let headers = session.headers(for: request, at: try WebURL(request.url))
    let header = try #require(headers.first)
    #expect(headers.count == 1 && header.isNamed("Authorization") && header.isCredential)
    return header.value
  }

  struct Case: Sendable {
    var challenge: String
    var username = "ada"
    var password = "pw"
    var nonce = "c1"
    var request = HTTPRequest(url: "http://127.0.0.1:7/a")
    var parts: [String]
  }

  // RFC 7616, section 3.9.1; RFC 2617, section 3.5; the others by another implementation.
  private static let realm = #"realm="http-auth@example.org", qop="auth, auth-int", "#
  private static let nonces = """
    nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    """
  private static let old = "realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""
  private static let short = #"realm="r", nonce="n1""#

  private static let cases = [
    Case(
      challenge: "Digest \(realm)algorithm=MD5, \(nonces)", username: "Mufasa", password: "Circle of Life",
      nonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", request: HTTPRequest(url: url),
      parts: [
        #"response="8ca523f5e9506fed4657c9700eebdbec""#, "algorithm=MD5", "qop=auth", "nc=00000001",
        #"uri="/dir/index.html""#, #"username="Mufasa""#, #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
        #"cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ""#, #"realm="http-auth@example.org""#,
      ]),
    Case(
      challenge: "Digest \(realm)algorithm=SHA-256, \(nonces)", username: "Mufasa", password: "Circle of Life",
      nonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", request: HTTPRequest(url: url),
      parts: [#"response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1""#, "algorithm=SHA-256"]),
    Case(
      challenge: #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, "#
        + #"nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", charset=UTF-8, userhash=true"#,
      username: "Jäsøn Doe", password: "Secret, or not?", nonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm",
      request: HTTPRequest(url: "http://127.0.0.1:7/doe.json"),
      parts: [
        #"username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b""#, "userhash=true",
        #"response="7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c""#,
      ]),
    Case(
      challenge: "Digest \(old), qop=\"auth,auth-int\"", username: "Mufasa", password: "Circle Of Life",
      nonce: "0a4f113b", request: HTTPRequest(url: url), parts: [#"response="6629fae49393a05397450978507c4ef1""#]),
    Case(
      challenge: "digest \(old)", username: "Mufasa", password: "Circle Of Life", request: HTTPRequest(url: url),
      parts: [#"response="670fd8c2df070c60b045671b8b24ff02""#]),
    Case(
      challenge: "Digest \(short), qop=auth, algorithm=MD5-sess",
      request: HTTPRequest(url: "http://127.0.0.1:7/a?b=c%20d"),
      parts: [#"response="1f1b1a6da0825cf4093811d0e7ab0dbb""#, "algorithm=MD5-sess", #"uri="/a?b=c%20d""#]),
    Case(
      challenge: "Digest \(short), qop=\"auth-int\", algorithm=sha-256",
      request: HTTPRequest(method: "POST", url: "http://127.0.0.1:7/a", body: Array(#"{"q":1}"#.utf8)),
      parts: [#"response="cd45c190e69d1c255e540a59ab56cb33921236dd8d8700cfdde5a6ba3fce5c1d""#, "qop=auth-int"]),
    Case(
      challenge: "Digest \(short), qop=auth, algorithm=\"SHA-256-sess\"",
      parts: [#"response="f83d343a25846758c77261d7b5e5b46636ef443f86910102f54048c791339ac4""#]),
    Case(
      challenge: #"Digest realm="the \"realm\"", nonce="n1", qop="auth""#, username: #"a"b\c"#,
      request: HTTPRequest(url: "http://127.0.0.1:7"),
      parts: [#"username="a\"b\\c""#, #"realm="the \"realm\"""#, #"response="8815be10f45ac39f158937bcdddc6275""#]),
    Case(
      challenge: "Digest \(short), qop=auth, charset=\"utf-8\"", username: "Jäsøn",
      parts: [#"username*=UTF-8''J%C3%A4s%C3%B8n"#]),
    // Among several, the strongest; other schemes and unknown sums aside.
    Case(
      challenge: "Negotiate YWJj==, Basic realm=\"x, y\", Digest \(short), qop=auth, "
        + #"Digest realm="s", nonce = "n2",algorithm=SHA-256 , qop=auth, Digest realm="t", nonce="n3", algorithm=SHA-9"#,
      parts: [#"realm="s""#, #"nonce="n2""#, "algorithm=SHA-256"]),
  ]

  @Test(arguments: cases)
  func `a challenge is answered as the standard says`(_ test: Case) throws {
    let session = try session(test.challenge, username: test.username, password: test.password, nonce: test.nonce)
    let parts = try answer(session, to: test.request).dropFirst("Digest ".count).split(separator: ", ").map(String.init)
    for part in test.parts { #expect(parts.contains(part), "\(parts)") }
  }

  @Test func `an answer without qop says nothing of what only qop has`() throws {
    let text = try answer(session("Digest \(Self.old)"), to: HTTPRequest(url: Self.url))
    for name in ["qop=", "nc=", "cnonce=", "algorithm=", "opaque=", "userhash="] { #expect(!text.contains(name)) }
  }

  @Test func `requests under one challenge are counted`() throws {
    let session = try session("Digest \(Self.short), qop=auth")
    _ = try answer(session, to: HTTPRequest(url: "http://127.0.0.1:7/b"))
    let second = try answer(session, to: HTTPRequest(url: "http://127.0.0.1:7/a"))
    #expect(second.contains("nc=00000002") && second.contains("a18d36a7a9566eed3507fe3990ceaed8"))
    session.note([HTTPHeader("authentication-info", #"rspauth="x", nextnonce="n9""#)])
    let third = try answer(session, to: HTTPRequest(url: "http://127.0.0.1:7/a"))
    #expect(third.contains("nc=00000001") && third.contains(#"nonce="n9""#))
  }

  @Test func `a challenge is taken up only when its answer may be another one`() {
    func fresh(_ challenge: String, after nonce: String?) -> Bool {
      DigestSession(username: "ada", password: "pw").accept([HTTPHeader("WWW-Authenticate", challenge)], after: nonce)
    }
    #expect(fresh("Digest \(Self.short)", after: nil))
    #expect(!fresh("Digest \(Self.short)", after: "n1"), "the password is wrong")
    #expect(fresh("Digest \(Self.short), stale=TRUE", after: "n1"))
    #expect(fresh("Digest \(Self.short)", after: "n0"))
    for challenge in [
      "Basic realm=\"Digest\"", "Digest", "Digest realm=\"r\"", "Digest nonce=\"n\"", "Bearer", "",
      "Digest \(Self.short), algorithm=SHA-1", "Digest \(Self.short), qop=\"none\"", "Digest \"\\",
    ] { #expect(!fresh(challenge, after: nil), "\(challenge)") }
  }

  @Test func `what is asked for instead is said`() {
    func asked(_ value: String) -> String? { DigestSession.otherwiseAsked([HTTPHeader("www-authenticate", value)]) }
    #expect(asked("Basic realm=\"x\", Bearer") == "'Basic', 'Bearer'")
    #expect(asked("Digest \(Self.short), algorithm=SHA-1") == "Digest by 'SHA-1'")
    #expect(asked("Digest \(Self.short)") == nil)
    #expect(DigestSession.otherwiseAsked([]) == nil)
  }

  // MARK: on the wire

  private func signed(_ url: String, by session: DigestSession) -> HTTPRequest {
    var request = HTTPRequest(url: url)
    request.signer = session
    return request
  }

  @Test func `each redirect on the own origin is signed anew, and none on another`() throws {
    let session = try session("Digest \(Self.short), qop=auth")
    try withServer({ _ in [.answer("{}")] }) { other throws in
      let target = other.url + "/away"
      try withServer({ request in
        request.line == "GET /a" ? [.redirect(302, to: "/b?c=1")] : [.redirect(307, to: target)]
      }) { home throws in
        #expect(try live().send(signed(home.url + "/a", by: session), limits: FetchLimits()).status == 200)
        let uris = home.requests.map { $0.header("Authorization")?.contains(#"uri="\#($0.line.dropFirst(4))""#) }
        #expect(uris == [true, true])
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
      }
    }
  }

  @Test func `a user name that breaks a line is refused before anything is sent`() throws {
    try withServer({ _ in [.answer("{}")] }) { server throws in
      let session = try session("Digest \(Self.short), qop=auth", username: "ada\r\nX-Injected: 1")
      let error = try failure { _ = try live().send(signed(server.url, by: session), limits: FetchLimits()) }
      #expect(error.code == .badHeader && error.nothingSent && server.accepted == 0)
      let keys = AWSSignature(accessKey: "a\nb", secretKey: "k", region: "r", service: "s", epoch: { .zero })
      var request = HTTPRequest(url: server.url)
      request.signer = keys
      #expect(try failure { _ = try live().send(request, limits: FetchLimits()) }.code == .badHeader)
    }
  }

  @Test func `before a challenge nothing is sent`() throws {
    try withServer({ _ in [.answer("{}", status: 401)] }) { server throws in
      let session = DigestSession(username: "ada", password: "pw")
      #expect(try live().send(signed(server.url, by: session), limits: FetchLimits()).status == 401)
      #expect(session.nonce == nil && server.requests.map { $0.header("Authorization") } == [nil])
    }
  }
}
