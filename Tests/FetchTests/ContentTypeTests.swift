import Fetch
import JSONReading
import Testing

struct ContentTypeTests {
  private func response(_ type: String?) -> HTTPResponse {
    HTTPResponse(status: 200, headers: type.map { [HTTPHeader("content-type", $0)] } ?? [], body: .bytes([]))
  }

  @Test(
    arguments: [
      (nil, false, nil), ("", false, nil), ("application/json", false, nil), ("text/JSON", false, nil),
      ("application/vnd.shop.v3+json; profile=\"x;charset=no\"", false, nil),
      ("application/json; Charset=\"UTF-16BE\"", false, "utf-16be"),
      ("application/json;charset=utf-8 ", false, "utf-8"),
      ("application/x-ndjson", true, nil), ("application/jsonl; charset=utf-8", true, "utf-8"),
    ] as [(String?, Bool, String?)])
  func `types of JSON and NDJSON are read`(_ type: String?, _ isNDJSON: Bool, _ charset: String?) throws {
    #expect(try response(type).bodyFormat() == BodyFormat(isNDJSON: isNDJSON, charset: charset))
    #expect(
      try response(type).bodyFormat(isNDJSON: true, isLenient: true)
        == BodyFormat(isNDJSON: true, isLenient: true, charset: charset))
  }

  @Test(arguments: [
    "text/html; charset=utf-8", "text/plain", "application/octet-stream", "application/xml", "json",
    "application/jsonp",
    "application/json-seq", "a/b/json", "application/+json",
  ])
  func `any other type is an error that names it`(_ type: String) throws {
    let error = try failure { _ = try response(type).bodyFormat() }
    #expect(error.code == .badContentType)
    #expect(error.message.contains("'\(type.split(separator: ";")[0])'"), "\(error.message)")
  }

  @Test func `format ndjson reads text lines, but no page for people`() throws {
    #expect(try response("text/plain").bodyFormat(isNDJSON: true).isNDJSON)
    #expect(try failure { _ = try response("text/html").bodyFormat(isNDJSON: true) }.code == .badContentType)
  }

  @Test func `a type that is meant for a terminal is made harmless`() throws {
    let error = try failure { _ = try response("text/\u{1B}[31m\u{202E}x").bodyFormat() }
    #expect(error.message.contains("'text/?[31m?x'"), "\(error.message)")
  }
}
