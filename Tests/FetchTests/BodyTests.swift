import Fetch
import Foundation
import JSONReading
import Testing

struct BodyTests {
  private static let json = Array(#"{"items": [{"id": 1, "name": "crème ☂"}]}"#.utf8)

  private func send(_ steps: [RawServer.Step], _ limits: FetchLimits = FetchLimits()) throws -> HTTPResponse {
    try withServer({ _ in steps }) { try live().send(HTTPRequest(url: $0.url + "/items?key=kiwi"), limits: limits) }
  }

  /// An answer with these bytes, of which as many as `sent` arrive before the connection closes.
  private func steps(_ body: [UInt8], _ headers: String = "", length: Int? = nil, sent: Int? = nil) -> [RawServer.Step]
  {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(headers)Content-Length: \(length ?? body.count)\r\n\r\n"
    return [.text(head), .bytes(Array(body.prefix(sent ?? body.count))), .close]
  }

  @Test(arguments: [
    ("Content-Encoding: gzip\r\n", Packed.gzip(json)), ("content-encoding: X-GZIP\r\n", Packed.gzip(json)),
    ("Content-Encoding: deflate\r\n", Packed.zlib(json)), ("Content-Encoding: deflate\r\n", Packed.rawDeflate(json)),
    ("Content-Encoding: identity\r\n", json), ("Content-Encoding:\r\n", json),
    ("Content-Encoding: gzip\r\n", Packed.gzip(Array(json[..<9])) + Packed.gzip(Array(json[9...]))),
  ])
  func `a compressed body is unpacked`(_ headers: String, _ body: [UInt8]) throws {
    #expect(try text(of: send(steps(body, headers)).body) == String(decoding: Self.json, as: UTF8.self))
    // Byte by byte, in chunks of one.
    let chunks = body.flatMap { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) }
    let head = "HTTP/1.1 200 OK\r\n\(headers)Transfer-Encoding: chunked\r\n\r\n"
    let response = try send([.text(head), .bytes(chunks), .text("0\r\n\r\n"), .close])
    #expect(try text(of: response.body) == String(decoding: Self.json, as: UTF8.self))
  }

  @Test(arguments: 1..<Packed.gzip(json).count)
  func `a gzip stream that breaks off is no answer, even when its length is right`(_ count: Int) throws {
    let cut = Array(Packed.gzip(Self.json).prefix(count))
    let error = try failure { _ = try send(steps(cut, "Content-Encoding: gzip\r\n")) }
    #expect(error.code == .truncated && error.isTransient)
  }

  @Test(
    arguments: [
      ("gzip, gzip", Packed.gzip(Packed.gzip(json))), ("br", json), ("gzip", json),
      ("gzip", Packed.gzip(json) + [0x78]),
      ("deflate", Packed.zlib(json) + [1]), ("gzip\r\nContent-Encoding: gzip", Packed.gzip(Packed.gzip(json))),
      ("gzip", Packed.gzip(json).dropLast(8) + [UInt8](repeating: 7, count: 8)),
    ] as [(String, [UInt8])])
  func `an encoding that is unknown, broken or doubled is an error`(_ name: String, _ body: [UInt8]) throws {
    let error = try failure { _ = try send(steps(body, "Content-Encoding: \(name)\r\n")) }
    #expect(error.code == .badEncoding && !error.isTransient, "\(error)")
  }

  @Test func `a body that is shorter than announced is no answer`() throws {
    for sent in 0..<Self.json.count {
      let error = try failure { _ = try send(steps(Self.json, sent: sent)) }
      #expect(error.code == .truncated, "\(sent): \(error)")
      #expect(!error.message.contains("kiwi"))
    }
  }

  @Test(arguments: ["5\r\n[1,2,", "5\r\n[1,2", "5\r\n[1,2,\r\n", "5\r\n[1,2,\r\n0\r\n", "5\r\n[1,2,\r\nzz\r\n", ""])
  func `a body in chunks without its last one is no answer`(_ chunks: String) throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let error = try failure { _ = try send([.text(head + chunks), .close]) }
    #expect([.truncated, .dropped].contains(error.code) && error.isTransient, "\(error)")
    let reset = try failure { _ = try send([.text(head + chunks), .pause(0.05), .reset]) }
    #expect([.truncated, .dropped].contains(reset.code) && reset.isTransient, "\(reset)")
  }

  @Test(arguments: ["2\r\nContent-Length: 3", "2, 3", "-1", "two", "99999999999999999999", "0x2", "2 2"])
  func `lengths that differ or are none make no answer`(_ length: String) throws {
    let error = try failure { _ = try send([.text("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n[]"), .close]) }
    #expect(error.code == .badAnswer || error.code == .truncated, "\(error)")
  }

  @Test(arguments: [
    "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Encoding: gzip\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.0 205 Reset\r\n\r\n", "HTTP/1.1 304 X\r\nContent-Length: 7\r\n\r\n",
    "HTTP/1.1 200\r\nContent-Length: 0, 0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
  ])
  func `an empty body is a body`(_ answer: String) throws {
    let response = try send([.text(answer), .close])
    #expect(response.body.count == 0 && [200, 204, 205, 304].contains(response.status))
    #expect(response.header("X-A") == nil)
  }

  @Test func `an empty gzip body without any length is a cut one`() throws {
    let error = try failure { _ = try send([.text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), .close]) }
    #expect(error.code == .truncated)
  }

  private func sendUnframed(
    _ body: [UInt8], _ head: String, readsLines: Bool = false
  ) throws -> HTTPResponse {
    try withServer({ _ in [.text("HTTP/1.\(head)\r\n\r\n"), .bytes(body), .close] }) { server throws in
      var request = HTTPRequest(url: server.url + "/items?key=kiwi")
      request.readsLines = readsLines
      return try live().send(request, limits: FetchLimits())
    }
  }

  private static let lines = "1 200 OK\r\nContent-Type: application/x-ndjson"

  @Test(
    arguments: [
      (Array("{\"id\": 1}\n".utf8), lines),
      (Packed.gzip(Array("{\"id\": 1}\n".utf8)), lines + "\r\nContent-Encoding: gzip"),
      ([], "0 200 OK"), ([], "1 200 OK"), ([], "1 200 OK\r\nContent-Type: text/plain"),
      ([], "1 200 OK\r\nTransfer-Encoding: identity"), (Array(" \r\n".utf8), "1 200 OK"),
      (Array("12".utf8), "1 200 OK"),
      (Array("-1".utf8), "0 200 OK"), (Array("/* {".utf8), "0 200 OK"), ([0xFF, 0xFE, 0x31, 0], "1 200 OK"),
      (Packed.gzip(Array("12".utf8)), "1 200 OK\r\nContent-Encoding: gzip"),
    ] as [([UInt8], String)])
  func `a body that ends with the connection is no answer, unless it tells itself that it is whole`(
    _ body: [UInt8], _ head: String
  ) throws {
    let error = try failure { _ = try sendUnframed(body, head) }
    #expect(error.code == .truncated && error.isTransient && !error.message.contains("kiwi"), "\(error)")
    #expect(error.message.contains("of a body without a length"), "\(error)")
  }

  @Test(
    arguments: [
      (json, "0 200 OK"), (json, "1 200 OK\r\nContent-Type: application/json"), (Array("[]".utf8), "1 201 X"),
      (Packed.gzip(json), "1 200 OK\r\nContent-Encoding: gzip"), (Array("\"a\"".utf8), "1 200 OK"),
      ([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], "1 200 OK"), (Array("<p>".utf8), "1 200 OK\r\nContent-Type: text/html"),
      // These are not taken for their bodies.
      ([], "0 404 X"), (Array("1".utf8), "1 503 X"), ([], "1 302 X"),
    ] as [([UInt8], String)])
  func `a body that ends with the connection serves where it can be told from a cut one`(
    _ body: [UInt8], _ head: String
  ) throws {
    #expect(try sendUnframed(body, head).status > 0)
  }

  @Test func `whatever its type, a body of lines needs an end of its own`() throws {
    let lines = Array("{\"id\": 1}\n".utf8)
    #expect(try sendUnframed(lines, "1 200 OK").status == 200)
    #expect(try failure { _ = try sendUnframed(lines, "1 200 OK", readsLines: true) }.code == .truncated)
    // What the caller does not take is nobody's page.
    try withServer({ _ in [.text("HTTP/1.1 404 X\r\n\r\n"), .close] }) { server throws in
      var request = HTTPRequest(url: server.url)
      request.takes = { $0 == 404 }
      let taken = request
      #expect(try failure { _ = try live().send(taken, limits: FetchLimits()) }.code == .truncated)
    }
  }

  @Test func `limits body counts what is unpacked, and names itself`() throws {
    let body = [UInt8](repeating: 0x20, count: 5000)
    let limits = FetchLimits(body: 4999)
    for (headers, bytes) in [("", body), ("Content-Encoding: gzip\r\n", Packed.gzip(body))] {
      let error = try failure { _ = try send(steps(bytes, headers), limits) }
      #expect(error.code == .limitBody && !error.isTransient)
      #expect(error.message.contains("limits.body") && error.message.contains("4999"))
      #expect(try send(steps(bytes, headers), FetchLimits(body: 5000)).body.count == 5000)
    }
  }

  @Test func `limits ratio holds beyond the first mebibyte, and names itself`() throws {
    let packed = Packed.gzip([UInt8](repeating: 0x20, count: 4 << 20))
    let headers = "Content-Encoding: gzip\r\n"
    let error = try failure { _ = try send(steps(packed, headers)) }
    #expect(error.code == .limitRatio && error.message.contains("limits.ratio"))
    #expect(try send(steps(packed, headers), FetchLimits(ratio: 2000)).body.count == 4 << 20)
    let small = Packed.gzip([UInt8](repeating: 0x20, count: 1 << 20))
    #expect(try send(steps(small, headers)).body.count == 1 << 20)
  }

  @Test func `an endless body ends at its limit`() throws {
    let part = String(repeating: "x", count: 1 << 16)
    let chunks = (0..<64).map { _ in RawServer.Step.text("10000\r\n\(part)\r\n") }
    let head = RawServer.Step.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    #expect(try failure { _ = try send([head] + chunks + [.hang], FetchLimits(body: 1 << 20)) }.code == .limitBody)
  }

  @Test func `a large body waits in a file that has no name and is gone with it`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("spool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let body = (0..<(9 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    try withServer({ _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"), .bytes(body)] }) {
      server throws in
      let transport = try live { $0.spoolFolder = folder.path }
      var response: HTTPResponse? = try transport.send(HTTPRequest(url: server.url), limits: FetchLimits())
      guard case .file(let path) = response?.body.source else {
        Issue.record("a body of 9 MiB stayed in memory")
        return
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      #expect(FileManager.default.contents(atPath: path).map(Array.init) == body)
      #expect(response?.body.prefix(1000) == Array(body.prefix(1000)))
      response = nil
      #expect(FileManager.default.contents(atPath: path).map(Array.init) != body)
    }
  }
}
