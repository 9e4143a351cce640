import Fetch
import Foundation
import Testing

/// `openssl s_server` with a certificate for `localhost` that is its own authority.
private final class TLSServer {
  static let program = "/usr/bin/openssl"

  let folder: URL
  let port: String
  private let process = Process()

  /// `answers` are files that the server sends as they are, head and body.
  init(_ answers: [String: String] = [:], options: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for (name, text) in answers { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    try TLSServer.run([
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=DNS:localhost", "-keyout", folder.path + "/key.pem", "-out", folder.path + "/cert.pem",
    ])
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: TLSServer.program)
    process.currentDirectoryURL = folder
    process.arguments =
      ["s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem", "-HTTP"] + options
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = Pipe()
    try process.run()
    var text = ""
    while !text.contains("ACCEPT"), case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
    }
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") })
    port = try #require(line.split(separator: ":").last.map(String.init))
  }

  var certificate: String { folder.path + "/cert.pem" }

  deinit {
    // A child inherits the signals that this thread blocks, SIGTERM among them.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  static func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}

@Suite(.serialized, .enabled(if: FileManager.default.isExecutableFile(atPath: TLSServer.program)))
struct TLSTests {
  private static let answer = "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"

  private func send(_ url: String, _ change: (inout TLSSettings) -> Void = { _ in }) throws -> HTTPResponse {
    let transport = try live { change(&$0.tls) }
    return try transport.send(HTTPRequest(url: url), limits: FetchLimits(timeout: .seconds(5)))
  }

  @Test func `a certificate counts when its authority is known and its name is the host's`() throws {
    let server = try TLSServer(["x": Self.answer])
    let (right, wrong) = ("https://localhost:\(server.port)/x", "https://127.0.0.1:\(server.port)/x")
    let unknown = try failure { _ = try send(right) }
    #expect(unknown.code == .tls && !unknown.isTransient && unknown.message.contains("self-signed"), "\(unknown)")
    #expect(unknown.message.contains("localhost:\(server.port)") && unknown.message.contains("'tls.ca_file'"))
    #expect(try send(right) { $0.caFile = server.certificate }.status == 200)
    let other = try failure { _ = try send(wrong) { $0.caFile = server.certificate } }
    #expect(other.code == .tls && other.message.contains("127.0.0.1"), "\(other)")
    #expect(try send(wrong) { $0.isInsecure = true }.status == 200)
    let missing = try failure { _ = try send(right) { $0.caFile = server.folder.path + "/none.pem" } }
    #expect(missing.code == .tls && missing.message.contains("none.pem"), "\(missing)")
  }

  @Test func `an authority of the mapping's own stands in place of the system's`() throws {
    let (server, other) = (try TLSServer(["x": Self.answer]), try TLSServer())
    let error = try failure {
      _ = try send("https://localhost:\(server.port)/x") { $0.caFile = other.certificate }
    }
    #expect(error.code == .tls && error.message.contains("localhost:\(server.port)"), "\(error)")
    #expect(error.message.contains("'tls.ca_file' does not hold its authority"), "\(error)")
  }

  @Test func `a client certificate is shown to the origins that are declared, and to no other`() throws {
    let options = ["-Verify", "1", "-verify_return_error", "-CAfile", "cert.pem"]
    let server = try TLSServer(["x": Self.answer], options: options)
    let url = "https://localhost:\(server.port)/x"
    let origin = try WebURL(url).origin
    func send(to origins: Set<Origin>?, key: String? = nil) throws -> HTTPResponse {
      let transport = try live { settings in
        settings.tls = TLSSettings(
          caFile: server.certificate, certificate: server.certificate, key: key ?? server.folder.path + "/key.pem")
        settings.certificateOrigins = origins
      }
      return try transport.send(HTTPRequest(url: url), limits: FetchLimits(timeout: .seconds(5)))
    }
    #expect(try send(to: nil).status == 200)
    #expect(try send(to: [origin]).status == 200)
    let elsewhere = try failure { _ = try send(to: [try WebURL("https://localhost:1/").origin]) }
    #expect([.tls, .dropped].contains(elsewhere.code), "\(elsewhere)")
    let nobody = try failure { _ = try self.send(url) { $0.caFile = server.certificate } }
    #expect([.tls, .dropped].contains(nobody.code) && nobody.message.contains("'tls.cert'"), "\(nobody)")
    let wrong = try failure { _ = try send(to: nil, key: server.certificate) }
    #expect(wrong.code == .tls && wrong.message.contains("client certificate or its key cannot be used"), "\(wrong)")
  }

  @Test func `a key with a passphrase is refused at once, and nobody is asked`() throws {
    let server = try TLSServer(["x": Self.answer])
    let locked = server.folder.path + "/locked.pem"
    try TLSServer.run([
      "pkey", "-in", server.folder.path + "/key.pem", "-aes256", "-passout", "pass:kiwi", "-out", locked,
    ])
    let error = try failure {
      _ = try send("https://localhost:\(server.port)/x") { tls in
        (tls.caFile, tls.certificate, tls.key) = (server.certificate, server.certificate, locked)
      }
    }
    #expect(error.code == .tls && error.message.contains("cannot be used"), "\(error)")
  }

  @Test func `a redirect to another origin gets no client certificate`() throws {
    let options = ["-Verify", "1", "-verify_return_error", "-CAfile", "cert.pem"]
    let other = try TLSServer(["x": Self.answer], options: options)
    let redirect = "HTTP/1.0 302 Found\r\nLocation: https://localhost:\(other.port)/x\r\nContent-Length: 0\r\n\r\n"
    let home = try TLSServer(["x": redirect])
    // Both authorities are known, and the certificate would do.
    let both =
      try String(contentsOfFile: home.certificate, encoding: .utf8)
      + String(
        contentsOfFile: other.certificate, encoding: .utf8)
    let file = home.folder.path + "/both.pem"
    try Data(both.utf8).write(to: URL(fileURLWithPath: file))
    func send(_ port: String) throws -> HTTPResponse {
      let transport = try live { settings in
        settings.tls = TLSSettings(
          caFile: file, certificate: other.certificate, key: other.folder.path + "/key.pem")
      }
      return try transport.send(
        HTTPRequest(url: "https://localhost:\(port)/x"), limits: FetchLimits(timeout: .seconds(5)))
    }
    #expect(try send(other.port).status == 200)
    let error = try failure { _ = try send(home.port) }
    #expect([.tls, .dropped].contains(error.code), "\(error)")
  }

  @Test func `TLS older than 1_2 is refused, even when certificates are not looked at`() throws {
    let server = try TLSServer(["x": Self.answer], options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
    let error = try failure { _ = try send("https://localhost:\(server.port)/x") { $0.isInsecure = true } }
    #expect(error.code == .tls && !error.isTransient, "\(error)")
  }

  @Test func `a redirect from https to http is refused`() throws {
    try withServer({ _ in [.answer("[]")] }) { plain in
      let redirect = "HTTP/1.0 302 Found\r\nLocation: \(plain.url)/y\r\nContent-Length: 0\r\n\r\n"
      let server = try TLSServer(["x": redirect])
      let error = try failure { _ = try send("https://localhost:\(server.port)/x") { $0.caFile = server.certificate } }
      #expect(error.code == .redirect && error.message.contains("https to http"), "\(error)")
      #expect(plain.accepted == 0)
    }
  }

  @Test func `http on a port of https, and the reverse, are told apart`() throws {
    try withServer({ _ in [.answer("[]")] }) { plain in
      let error = try failure { _ = try send("https://127.0.0.1:\(plain.port)/") }
      #expect(error.code == .tls && error.message.contains("http://"), "\(error)")
    }
    let server = try TLSServer(["x": Self.answer])
    let error = try failure { _ = try send("http://127.0.0.1:\(server.port)/x") }
    #expect([.dropped, .badAnswer].contains(error.code), "\(error)")
  }
}
