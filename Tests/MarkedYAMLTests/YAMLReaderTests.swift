import Diagnostics
import MarkedYAML
import Testing

struct YAMLReaderTests {
  @Test(arguments: ["", "\n\n", "# nothing yet\n", "\u{FEFF}", "\u{FEFF}# a\n", "   \n  # b"])
  func `a text without a document has no root and no finding`(_ text: String) {
    let outline = Outline(text)
    #expect(outline.root == nil)
    #expect(outline.findings == [])
  }

  @Test(arguments: [
    ("---\na: 1\n...\n", "{a: int 1}"), ("%YAML 1.2\n---\na: 1\n", "{a: int 1}"), ("---\n", "null"),
    ("\u{FEFF}a: 1\r\nb: [x,\r\n y]\r\n", "{a: int 1, b: ['x', 'y']}"), ("a: 1\rb: 2\r", "{a: int 1, b: int 2}"),
    ("{a: 1, b: {c: [d, {e: f}]}, g}", "{a: int 1, b: {c: ['d', {e: 'f'}]}, g: null}"),
    ("[a: 1, b]", "[{a: int 1}, 'b']"), ("1: a\n~: b\ntrue: c\n", "{1: 'a', ~: 'b', true: 'c'}"),
    ("? a\n: 1\n? b\n", "{a: int 1, b: null}"), ("a: \"x\\0y\\u00e9\\U0001F600\"", "{a: 'x\0yé😀'}"),
    ("{base: https://a.test/b?c=d}", "{base: 'https://a.test/b?c=d'}"), ("a: ${query}", "{a: '${query}'}"),
    ("é: 1\ne\u{301}: 2\n", "{é: int 1, e\u{301}: int 2}"),
  ])
  func `a document is read to its value`(_ text: String, _ value: String) {
    let outline = Outline(text)
    #expect(outline.findings == [])
    #expect(outline.value.utf8.elementsEqual(value.utf8), "\(outline.value)")
  }

  @Test func `characters that libyaml takes for line breaks, or refuses, come through`() {
    let text = "a\u{85}b\u{2028}c \u{2029} d"
    #expect(Outline("x: \(text) # e\u{2028}f: g\n").value == "{x: '\(text)'}")
    let quoted = "\u{FEFF}\u{7F}\u{80}\u{9F}\u{2028}\u{FFFE}\u{FFFF}\u{100000}\u{10FFFD}"
    #expect(Outline("x: \"\(quoted)\"\ny: 'k\(quoted)'\n").value == "{x: '\(quoted)', y: 'k\(quoted)'}")
    #expect(Outline("x: a\u{FEFF}b\n").findings == ["1:4 yaml-syntax"])
    #expect(Outline("x: |\n  a\u{7F}b\n").findings == ["1:4 yaml-syntax"])
  }

  @Test(arguments: [
    ([UInt8]("a: b\0c".utf8), "1:5"), ([UInt8]("a: 1\nb: \u{1B}[0m\n".utf8), "2:4"), ([0x61, 0x3A, 0x20, 0xFF], "1:4"),
    ([UInt8]("é: ".utf8) + [0xC3, 0x28], "1:4"), ([0xED, 0xA0, 0x80], "1:1"), ([0xC0, 0x80], "1:1"),
    ([0xFF, 0xFE, 0x61, 0x00], "1:1"), ([0xFE, 0xFF, 0x00, 0x61], "1:1"), ([UInt8]("a: b".utf8) + [0xF0, 0x9F], "1:5"),
    ([0xF4, 0x90, 0x80, 0x80], "1:1"),
  ])
  func `bytes that are no text are an error at their place`(_ bytes: [UInt8], _ place: String) {
    let outline = Outline(bytes)
    #expect(outline.root == nil)
    #expect(outline.findings == ["\(place) yaml-syntax"])
  }

  @Test func `duplicate keys are all reported at the second, and the first stays`() {
    let outline = Outline("a: 1\n\"b\": 2\n'a': 3\nb: {c: 1, c: 2}\n1: x\n\"1\": y\n")
    #expect(outline.findings == ["3:1 duplicate-key", "4:1 duplicate-key", "4:11 duplicate-key", "6:1 duplicate-key"])
    #expect(outline.value == "{a: int 1, b: int 2, 1: 'x'}")
    #expect(outline.diagnostics.first?.message == "'a' stands twice in this map, first on line 1")
    #expect(Outline("[{a: 1}, {a: 2}]").findings == [])
    #expect(Outline("<<: {x: 1}\na: 1\n<<: {y: 1}\n").findings == ["3:1 duplicate-key"])
  }

  @Test(arguments: [
    ("[a]: b\nc: 1\n", "1:1"), ("{a: b}: c\nc: 1\n", "1:1"), ("? - a\n: b\nc: 1\n", "1:3"),
    ("c: 1\nx: &x [a]\n*x : 2\n", "3:1"),
  ])
  func `a collection as a key is an error at its place, and is left out`(_ text: String, _ place: String) {
    let outline = Outline(text)
    #expect(outline.findings == ["\(place) yaml-syntax"])
    #expect(outline.value.contains("c: int 1"))
  }

  @Test(arguments: [("a: 1\n---\nb: 2\n", "2:1"), ("a: 1\n...\n# c\nb: 2\n", "4:1"), ("---\n---\n", "2:1")])
  func `a second document is an error at its start`(_ text: String, _ place: String) {
    #expect(Outline(text).findings == ["\(place) yaml-syntax"])
  }

  @Test func `findings before the place where a text breaks off are kept`() {
    let outline = Outline("a: 1\na: 2\nb: [\n")
    #expect(outline.root == nil)
    #expect(outline.findings == ["2:1 duplicate-key", "3:4 yaml-syntax"])
  }
}
