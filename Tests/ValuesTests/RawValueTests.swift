import JSONReading
import Records
import Testing

@testable import Values  // numbers, patterns and rules are not seen by other targets

struct RawValueTests {
  /// A scalar's node, as a reader would make it.
  private func value<Result>(_ json: String, _ kind: JSONKind, special: Bool, _ body: (JSONValue) -> Result) -> Result {
    let bytes = Array(json.utf8)
    let nodes = [JSONNode(start: 0, end: UInt32(bytes.count), next: 1, kind: kind, isSpecial: special)]
    return bytes.withUnsafeBufferPointer { bytes in
      nodes.withUnsafeBufferPointer { nodes in
        guard let text = bytes.baseAddress, let first = nodes.baseAddress else {
          preconditionFailure("a scalar has bytes")
        }
        return body(JSONValue(bytes: text, nodes: first, index: 0))
      }
    }
  }

  @Test func `a JSON value keeps its text and its source`() {
    let table: [(String, JSONKind, Bool, RawValue.Kind, String, Bool)] = [
      ("null", .null, false, .null, "", false), ("true", .true, false, .boolean, "", true),
      ("false", .false, false, .boolean, "", false),
      ("15", .number, false, .number, "15", true), ("1.50", .number, true, .number, "1.50", false),
      ("\"a\"", .string, false, .text, "a", false),
      (#""a\n\"\\\/\u00e9\ud83d\ude00\b\f\r\t""#, .string, true, .text, "a\n\"\\/é😀\u{8}\u{C}\r\t", false),
      ("\"\"", .string, false, .text, "", false),
      ("[]", .array, false, .structure, "[]", false), (#"{"a": 1}"#, .object, false, .structure, #"{"a": 1}"#, false),
    ]
    for (json, kind, special, expectedKind, text, flag) in table {
      value(json, kind, special: special) { value in
        let arena = ByteArena()
        let raw = RawValue(value, arena: arena)
        #expect(raw.kind == expectedKind && raw.flag == flag, "\(json)")
        #expect(String(decoding: raw.text, as: UTF8.self) == text, "\(json)")
        #expect(String(decoding: raw.source, as: UTF8.self) == json)
      }
    }
  }

  @Test func `values of the context are texts and whole numbers`() {
    let arena = ByteArena()
    let number = RawValue.integer(-204, arena)
    #expect(number.kind == .number && number.flag && number.source.isEmpty)
    #expect(String(decoding: number.text, as: UTF8.self) == "-204")
    #expect(RawValue.text(arena.copy("ada")).kind == .text)
  }

  @Test func `white space is Unicode's, at both ends`() {
    let spaces =
      "\u{9}\u{A}\u{B}\u{C}\u{D} \u{85}\u{A0}\u{1680}\u{2000}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}"
    for (text, expected) in [
      (spaces + "x y" + spaces, "x y"), (spaces, ""), ("", ""), ("\u{200B}é\u{FEFF}", "\u{200B}é\u{FEFF}"), ("à", "à"),
    ] {
      let found = Array(text.utf8).withUnsafeBytes { String(decoding: $0.trimmed, as: UTF8.self) }
      #expect(Array(found.utf8) == Array(expected.utf8), "\(text)")
    }
  }
}
