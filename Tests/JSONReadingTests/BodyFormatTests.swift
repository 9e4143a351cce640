import JSONReading
import Testing

struct BodyFormatTests {
  static let tree = PlaceTree(places: [PlaceTree.Place(path: path("a"))])
  static let json = #"{"a": ["é", "漢", "😀", "x"]}"#
  static let lines = [#"0 /a/0 "é""#, #"0 /a/1 "漢""#, #"0 /a/2 "😀""#, #"0 /a/3 "x""#]

  static func utf16(_ text: String, isBig: Bool) -> [UInt8] {
    text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
  }

  static func utf32(_ text: String, isBig: Bool) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      let bytes = (0..<4).map { UInt8(scalar.value >> ($0 * 8) & 255) }
      return isBig ? bytes.reversed() : bytes
    }
  }

  static let encodings: [(name: String, bytes: [UInt8], charset: String?)] = [
    ("UTF-8", Array(json.utf8), nil),
    ("UTF-8, named", Array(json.utf8), "utf-8"),
    ("UTF-8, marked", [0xEF, 0xBB, 0xBF] + Array(json.utf8), nil),
    ("UTF-16LE, marked", [0xFF, 0xFE] + utf16(json, isBig: false), nil),
    ("UTF-16BE, marked", [0xFE, 0xFF] + utf16(json, isBig: true), "utf-16"),
    ("UTF-16LE, named", utf16(json, isBig: false), "utf-16le"),
    ("UTF-16, named", utf16(json, isBig: true), "utf-16"),
    ("UTF-32LE, marked", [0xFF, 0xFE, 0, 0] + utf32(json, isBig: false), nil),
    ("UTF-32BE, marked", [0, 0, 0xFE, 0xFF] + utf32(json, isBig: true), nil),
    ("UTF-32BE, named", utf32(json, isBig: true), "utf-32be"),
  ]

  @Test(arguments: encodings.indices)
  func `text in each encoding is read`(_ index: Int) {
    let sample = Self.encodings[index]
    for window in [1, 7, 1 << 20] {
      let (lines, _, error) = trace(
        sample.bytes, Self.tree, format: BodyFormat(charset: sample.charset), window: window)
      #expect(error == nil, "\(sample.name): \(error?.message ?? "")")
      #expect(lines == Self.lines, "\(sample.name)")
    }
  }

  @Test func `half a pair of surrogates, half a unit and no scalar are errors with their place`() {
    let start = [0xFF, 0xFE] + Self.utf16(#"{"a": "é"#, isBig: false)
    for tail: [UInt8] in [[0x3D, 0xD8, 0x41, 0], [0, 0xDC], [0x3D, 0xD8], [0x41]] {
      let error = trace(start + tail, Self.tree, window: 64).error
      #expect(error?.code == .invalidText)
      #expect(error?.offset == 9)
    }
    let wide = [0xFF, 0xFE, 0, 0] + Self.utf32("[1,", isBig: false) + [0, 0, 0x11, 0]
    #expect(trace(wide, Self.tree, window: 64).error?.offset == 3)
  }

  @Test func `a charset that is not known is refused by name`() {
    let error = trace(Self.json.utf8, Self.tree, format: BodyFormat(charset: "iso-8859-1"), window: 64).error
    #expect(error?.message.contains("iso-8859-1") == true)
  }

  @Test func `long text in UTF-16 is read`() {
    let text = "[" + String(repeating: #"{"k": "😀漢é"}, "#, count: 20_000) + "1]"
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("."))])
    let (lines, _, error) = trace([0xFE, 0xFF] + Self.utf16(text, isBig: true), tree, window: 1 << 12)
    #expect(error == nil)
    #expect(lines.count == 20_001)
    #expect(lines[19_999] == #"0 /19999 {"k": "😀漢é"}"#)
  }

  static let lenient: [(json: String, lines: [String])] = [
    ("// a list\n{\"a\": [{\"id\": 1,}, /* two */ {\"id\": 2},],}\n", [#"0 /a/0 {"id": 1 }"#, #"0 /a/1 {"id": 2}"#]),
    (#"{"a": ["// no /* comment", "\"//", 1/**/]}"#, [#"0 /a/0 "// no /* comment""#, #"0 /a/1 "\"//""#, "0 /a/2 1"]),
    ("{\"x\": [1,[2,],{\"y\":3 , } ,] , \"a\": 4, /***/ }//", ["0 /a 4"]),
    ("{\"a\": [[1, /* , */ ] , ]}", ["0 /a/0 [1          ]"]),
  ]

  @Test(arguments: lenient.indices)
  func `lenient text may hold comments and trailing commas`(_ index: Int) {
    let sample = Self.lenient[index]
    for window in [1, 2, 3, 7, 1 << 20] {
      let (lines, _, error) = trace(sample.json.utf8, Self.tree, format: BodyFormat(isLenient: true), window: window)
      #expect(error == nil, "window of \(window): \(error?.message ?? "")")
      #expect(lines == sample.lines, "window of \(window)")
    }
    #expect(trace(sample.json.utf8, Self.tree, window: 64).error?.code == .syntax)
  }

  @Test(arguments: ["{\"a\": [,]}", "{,}", "{\"a\": 1,,}", "{\"a\": [1,,]}", "/", "{\"a\": 1} /* x", "{\"a\": 1 / 2}"])
  func `lenient text is refused where it is broken otherwise`(_ json: String) {
    for window in [1, 1 << 20] {
      let error = trace(json.utf8, Self.tree, format: BodyFormat(isLenient: true), window: window).error
      #expect(error?.code == .syntax)
    }
  }

  @Test func `a record that holds another place may be lenient too`() {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path(".")), PlaceTree.Place(path: path("a"))])
    let json = #"{"x": {"y": [1,],}, "a": [{"b": 1,},],}"#
    for window in [1, 1 << 20] {
      let (lines, _, error) = trace(json.utf8, tree, format: BodyFormat(isLenient: true), window: window)
      #expect(error == nil)
      #expect(lines == [#"0  {"x": {"y": [1 ] }, "a": [{"b": 1 } ] }"#, #"1 /a/0 {"b": 1 }"#])
    }
  }
}
