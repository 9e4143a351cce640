import Fetch
import JSONReading
import Testing

/// Secrets in bodies that come in parts.
struct RedactedBodyTests {
  private let secret = "plum/7f3k+quince"
  private var redactor: Redactor { Redactor(secrets: [secret]) }

  private func redacted(_ bytes: [UInt8], charset: String? = nil, isJSON: Bool = true) throws -> RedactedBody {
    try RedactedBody(.bytes(bytes), charset: charset, isJSON: isJSON, by: redactor)
  }

  @Test func `a body without a secret stays as it is, byte for byte`() throws {
    for bytes in [
      [], Array("{\"a\": 1.50}\r\n".utf8), [0xEF, 0xBB, 0xBF, 0x31], [0xFF, 0xFE, 0x31, 0x00], [0xFF, 0x80],
    ] {
      let body = try redacted(bytes)
      #expect(body.body.prefix(.max) == bytes && !body.isConverted)
    }
  }

  @Test(arguments: [
    (#"{"a": "xplum/7f3k+quincey"}"#, #"{"a": "x***y"}"#), (#"{"a": plum/7f3k+quince}"#, #"{"a": "***"}"#),
    (#"["plum\/7f3k+quince\n"]"#, #"["***\n"]"#), ("\"plum/7f3k+quince", "\"***"),
  ])
  func `JSON stays JSON`(_ body: String, _ wanted: String) throws {
    #expect(try text(of: redacted(Array(body.utf8)).body) == wanted)
  }

  @Test func `a number that is a secret becomes a text`() throws {
    let body = try RedactedBody(
      .bytes(Array("[12345678, 1]".utf8)), charset: nil, isJSON: true, by: Redactor(secrets: ["12345678"]))
    #expect(try text(of: body.body) == #"["***", 1]"#)
  }

  @Test func `a secret is found wherever the parts are cut`() throws {
    // The borders of parts lie at multiples of 64 KiB.
    for place in [0, 65_520, 65_530, 65_536, 131_070, 262_140, 262_144, 524_280] {
      for form in [secret, "plum%2F7f3k%2Bquince", "cGx1bS83ZjNrK3F1aW5jZQ=="] {
        let filler = [UInt8](repeating: UInt8(ascii: " "), count: place)
        let plain = filler + Array(form.utf8) + filler
        #expect(try text(of: redacted(plain, isJSON: false).body).contains("***"), "\(form) at \(place)")
        let body = try text(of: redacted(Array("[".utf8) + filler + Array("\"\(form)\"".utf8) + filler + [0x5D]).body)
        #expect(body.hasSuffix("]") && body.contains("\"***") && !body.contains("quince"), "\(form) at \(place)")
      }
    }
  }

  @Test func `a secret in another encoding is found, and the body becomes UTF-8`() throws {
    let utf16 = "{\"a\": \"\(secret) ü\"}".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let body = try redacted(utf16, charset: "utf-16")
    #expect(try text(of: body.body) == #"{"a": "*** ü"}"# && body.isConverted)
    // What its charset says is not so: it is searched as it is.
    let odd = try redacted(Array("\(secret)!".utf8), charset: "utf-16", isJSON: false)
    #expect(try text(of: odd.body) == "***!" && !odd.isConverted)
    let unknown = try redacted(Array(secret.utf8), charset: "ebcdic", isJSON: false)
    #expect(try text(of: unknown.body) == "***")
  }

  @Test func `a body of more than memory holds is redacted in a file`() throws {
    var large = Array("[\"".utf8)
    large += [UInt8](repeating: UInt8(ascii: "a"), count: 9 << 20)
    large += Array("\", \"\(secret)\"]".utf8)
    let body = try redacted(large).body
    #expect(body.count == large.count - secret.utf8.count + 3)
    guard case .file = body.source else {
      Issue.record("it is kept in memory")
      return
    }
    #expect(String(decoding: body.prefix(.max).suffix(8), as: UTF8.self) == #"", "***"]"#.suffix(8))
  }
}
