import Fetch
import Foundation
import Testing

/// Corpora lie beside the repository, or where `INGEST_CORPORA` says.
private enum NaughtyStrings {
  static let file: String = {
    if let folder = ProcessInfo.processInfo.environment["INGEST_CORPORA"] { return folder + "/naughty-strings.json" }
    var root = URL(fileURLWithPath: #filePath)
    while root.path != "/", !FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path) {
      root.deleteLastPathComponent()
    }
    return root.appendingPathComponent("../shared/corpora/naughty-strings.json").standardized.path
  }()

  static var isThere: Bool { FileManager.default.fileExists(atPath: file) }

  static func all() throws -> [String] {
    try JSONDecoder().decode([String].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
  }
}

@Suite(.enabled(if: NaughtyStrings.isThere))
struct NaughtyStringTests {
  @Test func `a server reads back the same bytes from a path, a query and a form`() throws {
    let strings = try NaughtyStrings.all()
    try #require(strings.count > 500)
    try withServer({ _ in [.answer("{}")] }) { server throws in
      let transport = try live()
      for string in strings {
        let path = "/a/\(PercentEncoding.segment(string))/b"
        let parameters = [(name: "q", value: string), (name: string, value: "v")]
        let url = try URLBuilder.url(base: server.url, path: path, query: parameters)
        let form = Array(URLBuilder.encoded(parameters).utf8)
        let request = HTTPRequest(method: "PUT", url: url, body: form)
        #expect(try transport.send(request, limits: FetchLimits()).status == 200)
      }
      for (string, request) in zip(strings, server.requests) {
        let target = request.line.dropFirst(4).split(separator: "?", omittingEmptySubsequences: false)
        let segments = target[0].split(separator: "/", omittingEmptySubsequences: false)
        #expect(segments.count == 4 && PercentEncoding.decode(segments[2].utf8) == Array(string.utf8))
        #expect(segments[2] != "." && segments[2] != "..")
        for query in [String(target[1]), String(decoding: request.body, as: UTF8.self)] {
          let pairs = query.split(separator: "&").map { $0.split(separator: "=", omittingEmptySubsequences: false) }
          #expect(pairs.count == 2 && PercentEncoding.decode(pairs[0][1].utf8) == Array(string.utf8))
          #expect(PercentEncoding.decode(pairs[1][0].utf8) == Array(string.utf8))
        }
      }
    }
  }

  @Test func `a redactor finds any of them behind any escape`() throws {
    for string in try NaughtyStrings.all() where !Redactor.isTooShort(string) {
      let redactor = Redactor(secrets: [string])
      let json = String(decoding: try JSONEncoder().encode([string]), as: UTF8.self)
      #expect(redactor.redact("<" + PercentEncoding.segment(string) + ">") == "<***>")
      #expect(redactor.redact(json) == "[\"***\"]")
      #expect(redactor.redact("<" + string + ">") == "<***>")
    }
  }
}
