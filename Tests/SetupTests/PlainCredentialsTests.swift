import Diagnostics
import Fetch
import MappingLanguage
import Setup
import Testing

/// Credentials over plain http (S1).
struct PlainCredentialsTests {
  private static let bearer = "auth: {bearer: {token: '${secret.TOKEN}'}}"

  private func warning(_ host: String, _ source: String, scheme: String = "http") throws -> Diagnostic? {
    let yaml = """
      ingest: 1
      source: {name: demo, base_url: "\(scheme)://\(host)/v1", \(source)}
      store: {url: "sqlite:${secret.PLACE}.db"}
      records: {Item: {key: id, fields: [id]}}
      endpoints: {items: {path: /items, records: {items: Item}}}
      """
    let (mapping, _) = MappingReader.read(SourceFile(name: "m.yaml", text: yaml)) { _ throws(IncludeFailure) in
      throw IncludeFailure(reason: "no such file")
    }
    return PlainCredentials.warning(
      try #require(mapping), to: [try WebURL("\(scheme)://\(host)/v1").origin])
  }

  @Test(arguments: [
    bearer, "auth: {basic: {username: a, password: '${secret.P}'}}", "auth: {bearer: {token: written}}",
    "auth: {netrc: true}", "headers: {X-Own: '${secret.KEY}'}", "params: {key: 'x ${secret.KEY}'}",
  ])
  func `what carries a secret warns over plain http`(_ source: String) throws {
    let found = try #require(try warning("api.example.test:8080", source))
    #expect(found.code == .insecure && found.severity == .warning)
    #expect(
      found.message == "credentials go to http://api.example.test:8080 unencrypted: anybody on the way can read them")
    #expect(found.span.start.line == 2)
  }

  @Test(arguments: [
    "timeout: 5s", "auth: {digest: {username: a, password: '${secret.P}'}}", "headers: {Accept: a}",
    "proxy: '${secret.PROXY}'",
  ])
  func `what sends no secret does not`(_ source: String) throws {
    #expect(try warning("api.example.test", source) == nil)
  }

  @Test(arguments: ["localhost", "127.0.0.1:99", "127.9.8.7", "[::1]:80", "api.localhost", "LOCALHOST"])
  func `neither does what stays on this machine`(_ host: String) throws {
    #expect(try warning(host, Self.bearer) == nil)
  }

  @Test(arguments: ["127.0.0.1.example.test", "localhost.example.test", "10.0.0.5", "127.0.0", "128.0.0.1", "[::2]"])
  func `hosts that only look like this machine do`(_ host: String) throws {
    #expect(try warning(host, Self.bearer) != nil)
  }

  @Test func `https needs no warning`() throws {
    #expect(try warning("api.example.test", Self.bearer, scheme: "https") == nil)
  }
}
