import JSONReading
import Testing

struct JSONValueTests {
  static func document(_ json: String) throws -> JSONDocument { try JSONDocument(Array(json.utf8)) }

  static let texts: [(json: String, value: String)] = [
    (#""""#, ""), (#""abc""#, "abc"), (#""a\"b\\c\/d""#, #"a"b\c/d"#), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u6F22\ud83d\ude00""#, "Aé漢😀"), (#""\u0000""#, "\0"), (#""é漢😀""#, "é漢😀"),
    (#""\\u0041""#, #"\u0041"#),
    ("12.50", "12.50"), ("{\"a\": 1}", "{\"a\": 1}"),
  ]

  @Test(arguments: texts.indices)
  func `a text's escapes are decoded`(_ index: Int) throws {
    let (json, value) = Self.texts[index]
    let document = try Self.document(json)
    #expect(Array(document.root.stringValue.utf8) == Array(value.utf8))
    guard document.root.kind == .string else { return }
    #expect(document.root.stringBytes == Array(value.utf8))
    #expect(document.root.isText(JSONName(value)))
    #expect(!document.root.isText(JSONName(value + "x")))
  }

  @Test func `names are compared by their bytes`() throws {
    let document = try Self.document(#"{"caf\u00e9": 1, "cafe\u0301": 2}"#)
    #expect(document.root.member(named: JSONName("caf\u{E9}"))?.stringValue == "1")
    #expect(document.root.member(named: JSONName("cafe\u{301}"))?.stringValue == "2")
  }

  @Test func `numbers keep their text, and say whether they are integers`() throws {
    let document = try Self.document("[1, -0, 1.0, 1e5, 123456789012345678901234567890, 1e400]")
    let numbers = (0..<6).compactMap { document.root.element($0) }
    #expect(numbers.map(\.stringValue) == ["1", "-0", "1.0", "1e5", "123456789012345678901234567890", "1e400"])
    #expect(numbers.map(\.isInteger) == [true, true, false, false, true, false])
    #expect(document.root.element(-1)?.stringValue == "1e400")
    #expect(document.root.element(6) == nil && document.root.element(-7) == nil)
    #expect(document.root.count == 6)
  }

  static let minified: [(json: String, text: String)] = [
    ("{ \"a\" : [ 1 , { } , [ ] , \"x y\\n\" ] ,\n\t\"b\" : null }\r\n", #"{"a":[1,{},[],"x y\n"],"b":null}"#),
    (" \" \" ", "\" \""), (" 1.50 ", "1.50"), ("[]", "[]"), ("[ true,false ]", "[true,false]"),
  ]

  @Test(arguments: minified.indices)
  func `white space between tokens goes, all else stays`(_ index: Int) throws {
    let (json, expected) = Self.minified[index]
    let document = try Self.document(json)
    var text: [UInt8] = [7]
    document.root.appendMinified(to: &text)
    #expect(String(decoding: text.dropFirst(), as: UTF8.self) == expected)
    #expect(document.root.minifiedLength == expected.utf8.count)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: json.utf8.count, alignment: 1)
    defer { memory.deallocate() }
    let start = try #require(memory.baseAddress)
    #expect(document.root.writeMinified(to: start) == expected.utf8.count)
    #expect(Array(memory.prefix(expected.utf8.count)) == Array(expected.utf8))
  }

  @Test func `a document keeps its value, and counts its errors from its start`() throws {
    let error = #expect(throws: JSONError.self) { try Self.document("{\"a\":\n  [1, x]}") }
    #expect(error?.offset == 12)
    #expect(error?.line == 2)
    #expect(throws: JSONError.self) { try Self.document(" ") }
    #expect(throws: JSONError.self) { try JSONDocument(Array("[[[1]]]".utf8), limits: JSONLimits(depth: 2)) }
    let marked = try JSONDocument([0xEF, 0xBB, 0xBF] + Array("[1]".utf8))
    #expect(marked.root.count == 1)
  }

  @Test func `a document is read from a source of bounded size`() throws {
    let text = "{\"a\": [" + String(repeating: "12345,", count: 2000) + "1]}"
    let document = try JSONDocument(.memory(Array(text.utf8)), bound: 20_000)
    #expect(document.root.member(named: JSONName("a"))?.count == 2001)
    let error = #expect(throws: JSONError.self) { try JSONDocument(.memory(Array(text.utf8)), bound: 10_000) }
    #expect(error?.code == .limitRecord)
    let wide: [UInt8] = [0xFE, 0xFF, 0, 0x5B, 0, 0x31, 0, 0x5D]
    let other = try JSONDocument(.memory(wide), bound: 100)
    #expect(other.root.element(0)?.stringValue == "1")
  }

  @Test func `a pointer escapes slashes and tildes`() {
    let steps: [RecordPosition.Step] = [.member(JSONName("a/b~c")), .element(3), .member(JSONName(""))]
    #expect(JSONPointer(steps).description == "/a~1b~0c/3/")
    #expect(JSONPointer([]).description == "")
  }
}
