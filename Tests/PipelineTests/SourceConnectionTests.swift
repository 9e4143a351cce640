import Diagnostics
import Fetch
import Foundation
import MappingLanguage
import Pipeline
import PlanCompiler
import TestSupport
import Testing
import Values

/// `tls` and `proxy`: what is found before anything is asked.
struct SourceConnectionTests {
  private static let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
  private static let key = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"

  private struct Result {
    var connection: SourceConnection?
    var refusal: PipelineError?
    var redactor: Redactor
    var findings: [String]

    init(_ source: String, file: String, secrets: [String: String], environment: [String: String]) throws {
      let yaml = """
        ingest: 1
        source: {name: demo, base_url: "https://api.example.test", \(source)}
        records: {Item: {key: id, fields: [id]}}
        endpoints: {items: {path: /items, records: {items: Item}}}
        """
      let (mapping, _) = MappingReader.read(SourceFile(name: file, text: yaml)) { _ throws(IncludeFailure) in
        throw IncludeFailure(reason: "no such file")
      }
      let scope = Interpolation(
        variables: [], now: Instant(seconds: 0), secret: { secrets[$0] }, environment: { environment[$0] })
      redactor = Redactor(secrets: Array(secrets.values))
      let read = try #require(mapping)
      do throws(PipelineError) {
        connection = try SourceConnection(mapping: read, scope: scope, redactor: redactor)
      } catch {
        refusal = error
      }
      findings = (connection?.findings ?? []).map { finding in
        let place = finding.span.start
        return "\(place.line):\(place.column) \(finding.severity) \(finding.code.rawValue): \(finding.message)"
      }
    }
  }

  private func read(
    _ source: String, file: String = "mapping.yaml", secrets: [String: String] = [:],
    environment: [String: String] = [:]
  ) throws -> Result { try Result(source, file: file, secrets: secrets, environment: environment) }

  /// A folder with a certificate, a key of its own mode, and both in one.
  private func files(keyMode: mode_t = 0o600) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("ca.pem", Self.certificate)
    try folder.write("client.key", Self.key)
    try folder.write("both.pem", Self.certificate + Self.key)
    try folder.write("locked.key", Self.key.replacing("BEGIN PRIVATE", with: "BEGIN ENCRYPTED PRIVATE"))
    try folder.write(
      "old.key", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIB\n-----END RSA PRIVATE KEY-----\n")
    try folder.write("cut.pem", "-----BEGIN CERTIFICATE-----\nMIIB\n")
    try folder.write("garbage.pem", "garbage")
    for name in ["client.key", "both.pem", "locked.key", "old.key"] { chmod(folder.path(name), keyMode) }
    return folder
  }

  @Test func `paths are relative to the mapping's file`() throws {
    let folder = try files()
    let result = try read(
      "tls: {ca_file: ca.pem, cert: '${env.NAME}.pem', key: ./client.key}", file: folder.path("mapping.yaml"),
      environment: ["NAME": "both"])
    #expect(result.findings.isEmpty && result.refusal == nil)
    let tls = try #require(result.connection?.tls)
    #expect(tls.caFile == folder.path("ca.pem") && tls.certificate == folder.path("both.pem"))
    #expect(tls.key == folder.path("client.key") && !tls.isInsecure)
  }

  @Test(arguments: [
    (
      "ca_file: none.pem",
      "2:75 error unreadable-file: the certificate authorities cannot be read: DIR/none.pem: No such"
    ),
    ("ca_file: garbage.pem", "2:75 error bad-value: 'DIR/garbage.pem' holds no certificate in PEM"),
    ("ca_file: .", "it is no regular file"),
    ("cert: client.key", "'DIR/client.key' holds no certificate in PEM"),
    ("cert: ca.pem", "'DIR/ca.pem' holds a certificate and no key"),
    ("cert: ca.pem, key: ca.pem", "'DIR/ca.pem' holds no private key in PEM"),
    ("cert: ca.pem, key: none.key", "the client's key cannot be read: DIR/none.key"),
    ("cert: ca.pem, key: locked.key", "the key in 'DIR/locked.key' has a passphrase"),
    ("ca_file: cut.pem", "'DIR/cut.pem' breaks off within its certificate"),
    ("cert: ca.pem, key: old.key", "the key in 'DIR/old.key' has a passphrase"),
  ])
  func `a file that cannot serve is an error with its place`(_ tls: String, _ words: String) throws {
    let folder = try files()
    let result = try read("tls: {\(tls)}", file: folder.path("mapping.yaml"))
    #expect(result.findings.contains { $0.contains(words.replacing("DIR", with: folder.path)) }, "\(result.findings)")
    #expect(result.connection?.findings.containsErrors == true)
  }

  @Test func `a key that others can read, and no verification, are warned of`() throws {
    let folder = try files(keyMode: 0o644)
    let open = try read("tls: {cert: ca.pem, key: client.key, insecure: true}", file: folder.path("m.yaml"))
    #expect(open.connection?.tls.isInsecure == true && open.connection?.findings.containsErrors == false)
    #expect(open.findings.count == 2 && open.findings.allSatisfy { $0.contains("warning insecure: ") })
    #expect(open.findings[1].contains("can be read by other users (mode 644)"))
    #expect(try read("tls: {insecure: false}").findings.isEmpty)
  }

  @Test func `a certificate goes to the API and to the endpoint of tokens`() throws {
    let origins = { (source: String) throws -> [String] in
      try read(source).connection?.certificateOrigins.map(\.text).sorted() ?? []
    }
    #expect(try origins("lenient: true") == ["https://api.example.test"])
    let oauth2 =
      "auth: {oauth2: {grant: client_credentials, client_id: a, token_url: 'https://mtls.example.test:8443/t'}}"
    #expect(try origins(oauth2) == ["https://api.example.test", "https://mtls.example.test:8443"])
  }

  // MARK: proxy

  @Test(arguments: [
    ("http://proxy.example.test:3128", "http://proxy.example.test:3128"),
    ("http://ada:${secret.P}@proxy.example.test", "http://ada:p%40s%2Fs%3Akiwi@proxy.example.test"),
    ("http://${env.NAME}:${secret.P}@${env.PLACE}", "http://a%20b:p%40s%2Fs%3Akiwi@proxy:3128"),
    ("${secret.URL}", "socks5h://ada:url-kiwi@proxy:1080"), ("proxy.example.test", "proxy.example.test"),
  ])
  func `a password in a proxy's URL may hold anything`(_ written: String, _ url: String) throws {
    let result = try read(
      "proxy: '\(written)'", secrets: ["P": "p@s/s:kiwi", "URL": "socks5h://ada:url-kiwi@proxy:1080"],
      environment: ["NAME": "a b", "PLACE": "proxy:3128"])
    #expect(result.connection?.proxy == url && result.connection?.notes == [])
    #expect(
      !result.redactor.redact("via url-kiwi p@s/s:kiwi p%40s%2Fs%3Akiwi").contains(
        written == "${secret.URL}" ? "kiwi " : "s:kiwi"))
  }

  @Test(arguments: ["ftp://x", "http://", "http://a b", ""])
  func `what is no proxy is refused, without its value`(_ url: String) throws {
    let result = try read(
      "proxy: '${secret.URL}'", secrets: ["URL": url.isEmpty ? "" : url + "kiwi".prefix(url == "http://" ? 0 : 4)])
    #expect(result.refusal?.kind == .refused && result.refusal?.message.contains("kiwi") == false)
  }

  @Test(arguments: ["mapping", "environment"])
  func `a line end in the password of a proxy is refused, without it`(_ place: String) throws {
    let secrets = ["P": "kiwi\nX-Other: 1"]
    let result =
      place == "mapping"
      ? try read("proxy: 'http://ada:${secret.P}@proxy:3128'", secrets: secrets)
      : try read("", environment: ["https_proxy": "http://ada:kiwi%0a@proxy:3128"])
    let refusal = try #require(result.refusal)
    #expect(refusal.kind == .refused && refusal.message.contains("hold a line break"), "\(refusal)")
    #expect(refusal.message.contains(place == "mapping" ? "'proxy'" : "https_proxy"))
    #expect(!refusal.message.contains("kiwi"))
  }

  @Test func `of a host that no_proxy excepts, nothing is said of a proxy`() throws {
    let variables = ["https_proxy": "http://ada:env-kiwi@proxy:3128", "no_proxy": "example.test"]
    #expect(try read("", environment: variables).connection?.notes == [])
  }

  @Test func `a proxy that the environment names is said, without its password`() throws {
    let variables = ["https_proxy": "http://ada:env-kiwi@proxy:3128", "http_proxy": "http://other"]
    let result = try read("lenient: true", environment: variables)
    #expect(result.connection?.proxy == nil, "it is libcurl's to find, with its exceptions")
    let note = try #require(result.connection?.notes.first)
    #expect(note.contains("http://***@proxy:3128") && note.contains("(https_proxy)") && !note.contains("kiwi"))
    #expect(result.redactor.redact("x env-kiwi") == "x ***")
    #expect(try read("proxy: 'http://own'", environment: variables).connection?.notes == [])
  }
}
