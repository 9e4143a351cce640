import Fetch
import Foundation
import Testing

struct RecordedTransportTests {
  /// A folder with these files, for the length of a closure.
  private func folder(_ files: [String: [UInt8]], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recorded-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
    try body(folder.path)
  }

  private func file(_ request: String, _ body: String, head: String = "HTTP/1.1 200 OK\n") -> [UInt8] {
    Array("\(request)\n\(head)Content-Type: application/json\n\n\(body)".utf8)
  }

  private func get(
    _ transport: RecordedTransport, _ url: String, _ params: [String] = [], limits: FetchLimits = FetchLimits()
  ) throws -> String {
    try text(of: transport.send(HTTPRequest(url: url, credentialParams: params), limits: limits).body)
  }

  @Test func `a request is answered from the file of its method and URL`() throws {
    let files = [
      "a.http": file("GET https://h/items?page=1", "[1]\n\n[2]"),
      "b.http": Array("POST https://h/items?page=1\r\nHTTP/1.1 404 Not Found\r\nX-A:  b \r\n\r\n\r\n\0".utf8),
      "notes.txt": Array("no answer".utf8), ".hidden.http": Array("no answer".utf8),
    ]
    try folder(files) { folder throws in
      let transport = try RecordedTransport(directory: folder)
      #expect(try get(transport, "https://H:443/items?page=1") == "[1]\n\n[2]")
      let post = HTTPRequest(method: "POST", url: "https://h/items?page=1")
      let response = try transport.send(post, limits: FetchLimits())
      #expect(response.status == 404 && response.header("x-a") == "b")
      #expect(try text(of: response.body) == "\r\n\0")
    }
  }

  @Test func `a pipe is no recorded answer, and nobody waits for it`() throws {
    try folder(["a.http": file("GET https://h/items", "[1]")]) { folder throws in
      #expect(mkfifo(folder + "/b.http", 0o600) == 0)
      let failure = try failure { _ = try RecordedTransport(directory: folder) }
      #expect(
        failure.code == .badRecording && failure.message == "\(folder)/b.http cannot be read: it is no regular file")
    }
  }

  @Test func `credentials do not count, nor does how a URL is encoded`() throws {
    try folder(["a.http": file("GET https://h/T***/a%2fb/~x?q=%c3%bc&page=1", "[1]")]) { folder throws in
      let transport = try RecordedTransport(directory: folder, redactor: Redactor(secrets: ["kiwi/1"]))
      #expect(try get(transport, "https://h/Tkiwi%2F1/a%2Fb/%7Ex?q=%C3%BC&api-key=K&page=1", ["api-key"]) == "[1]")
      // A placeholder in place of a secret that is not there.
      #expect(try get(transport, "https://h/T%2A%2A%2A/a%2Fb/%7Ex?q=ü&page=1") == "[1]")
      #expect(try failure { _ = try get(transport, "https://h/Tx/a%2Fb/~x?q=%C3%BC&page=1") }.code == .notRecorded)
      #expect(try failure { _ = try get(transport, "https://h/T***/a/b/~x?q=%C3%BC&page=1") }.code == .notRecorded)
    }
  }

  @Test func `separators count where they separate, and nowhere else`() throws {
    try folder(["a.http": file("GET https://h:8/a:b,c/d?ids=1,2&at=10:00/11?&e=a=b&s=x+y", "[1]")]) { folder throws in
      let transport = try RecordedTransport(directory: folder)
      let same = "https://h:8/a%3Ab%2Cc/d?ids=1%2C2&at=10%3A00%2F11%3F&e=a%3Db&s=x+y"
      #expect(try get(transport, same) == "[1]")
      for (part, other) in [("/d", "%2Fd"), ("ids=", "ids%3D"), ("&at", "%26at"), ("x+y", "x%2By"), ("h:8", "h:9")] {
        #expect(
          try failure { _ = try get(transport, same.replacing(part, with: other)) }.code == .notRecorded, "\(other)")
      }
    }
  }

  @Test func `several answers come in the order of their names, the last one again`() throws {
    let files = Dictionary(uniqueKeysWithValues: ["10", "2", "01"].map { ("\($0).http", file("GET http://h/", $0)) })
    try folder(files) { folder throws in
      let transport = try RecordedTransport(directory: folder)
      #expect(try (0..<5).map { _ in try get(transport, "http://h") } == ["01", "10", "2", "2", "2"])
    }
  }

  @Test func `a request that is not recorded is named without its secrets, with the folder`() throws {
    try folder(["a.http": file("GET https://h/", "[]")]) { folder throws in
      let transport = try RecordedTransport(directory: folder, redactor: Redactor(secrets: ["quince"]))
      let error = try failure { _ = try get(transport, "https://h/quince/x?q=1&api-key=K9&r=2", ["api-key"]) }
      #expect(error.code == .notRecorded && error.nothingSent && !error.isTransient)
      #expect(error.message == "no answer to GET https://h/***/x?q=1&r=2 is recorded in \(folder)")
    }
  }

  @Test func `compressed bodies and limits are as live`() throws {
    let head = Array("GET http://h/\nHTTP/1.1 200\nContent-Encoding: gzip\n\n".utf8)
    let packed = Packed.gzip(Array("[1, 2, 3]".utf8))
    try folder(["a.http": head + packed, "b.http": head + packed.dropLast()]) { folder throws in
      let transport = try RecordedTransport(directory: folder)
      #expect(try get(transport, "http://h/") == "[1, 2, 3]")
      #expect(try failure { _ = try get(transport, "http://h/") }.code == .truncated)
    }
    try folder(["a.http": file("GET http://h/", "[1, 2, 3]")]) { folder throws in
      let transport = try RecordedTransport(directory: folder)
      let error = try failure { _ = try get(transport, "http://h/", limits: FetchLimits(body: 8)) }
      #expect(error.code == .limitBody)
    }
  }

  @Test(arguments: [
    ("", ":0"), ("GET\nHTTP/1.1 200\n\n", ":1"), ("GET http://h/\n", ":1"), ("GET http://h/\n200 OK\n\n", ":2"),
    ("GET http://h/\nHTTP/1.1 2xx\n\n", ":2"), ("GET http://h/\nHTTP/1.1 200\nnope\n\n", ":3"),
    ("GET http://h/\nHTTP/1.1 200\nA: b\n", ":4"),
  ])
  func `a file that is no recorded answer is named with its line`(_ text: String, _ place: String) throws {
    try folder(["a.http": Array(text.utf8)]) { folder throws in
      let error = try failure { _ = try RecordedTransport(directory: folder) }
      #expect(error.code == .badRecording && error.message.hasPrefix("\(folder)/a.http\(place):"), "\(error.message)")
    }
  }

  @Test func `a folder without answers is an error`() throws {
    try folder(["a.json": []]) { folder throws in
      #expect(try failure { _ = try RecordedTransport(directory: folder) }.message.contains(folder))
      #expect(try failure { _ = try RecordedTransport(directory: folder + "/none") }.code == .badRecording)
    }
  }
}
