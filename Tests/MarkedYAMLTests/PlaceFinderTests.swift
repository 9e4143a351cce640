import MarkedYAML
import Testing

struct PlaceFinderTests {
  private static let plain: [(text: String, places: [String])] = [
    (
      "é😀: 'ü' \n", ["1:1-1:8 é😀: 'ü'", "1:1-1:3 é😀", "1:5-1:8 'ü'"]
    ),
    (
      "a: { é: [ü, \"x y\"], b: }\nc: 1\n",
      [
        "1:1-2:5 a: { é: [ü, \"x y\"], b: }\nc: 1", "1:1-1:2 a", "1:4-1:25 { é: [ü, \"x y\"], b: }", "1:6-1:7 é",
        "1:9-1:19 [ü, \"x y\"]", "1:10-1:11 ü", "1:13-1:18 \"x y\"", "1:21-1:22 b", "1:23-1:23 ", "2:1-2:2 c",
        "2:4-2:5 1",
      ]
    ),
    (
      "é:\n  b:\n    - ü\n    -\n\n# c\nd: 2\n",
      [
        "1:1-7:5 é:\n  b:\n    - ü\n    -\n\n# c\nd: 2", "1:1-1:2 é", "2:3-4:6 b:\n    - ü\n    -", "2:3-2:4 b",
        "3:5-4:6 - ü\n    -", "3:7-3:8 ü", "4:6-4:6 ", "7:1-7:2 d", "7:4-7:5 2",
      ]
    ),
    ("id:   # none\nb: 1\n", ["1:1-2:5 id:   # none\nb: 1", "1:1-1:3 id", "1:4-1:4 ", "2:1-2:2 b", "2:4-2:5 1"]),
    ("{id  :   , b}", ["1:1-1:14 {id  :   , b}", "1:2-1:4 id", "1:7-1:7 ", "1:12-1:13 b", "1:13-1:13 "]),
    ("a: &x !!str  é\n", ["1:1-1:15 a: &x !!str  é", "1:1-1:2 a", "1:14-1:15 é"]),
    (
      "a: &x # c\n  b: 1\n", ["1:1-2:7 a: &x # c\n  b: 1", "1:1-1:2 a", "2:3-2:7 b: 1", "2:3-2:4 b", "2:6-2:7 1"]
    ),
    (
      "a: |\n  é\n  b\n\nc: 1",
      ["1:1-5:5 a: |\n  é\n  b\n\nc: 1", "1:1-1:2 a", "1:4-3:4 |\n  é\n  b", "5:1-5:2 c", "5:4-5:5 1"]
    ),
    ("a: é\n  b\n", ["1:1-2:4 a: é\n  b", "1:1-1:2 a", "1:4-2:4 é\n  b"]),
    ("a:\n- é\n- b\n", ["1:1-3:4 a:\n- é\n- b", "1:1-1:2 a", "2:1-3:4 - é\n- b", "2:3-2:4 é", "3:3-3:4 b"]),
    ("é: 1\r\nb: 2\r\n", ["1:1-2:5 é: 1\r\nb: 2", "1:1-1:2 é", "1:4-1:5 1", "2:1-2:2 b", "2:4-2:5 2"]),
    ("\u{FEFF}é: 1", ["1:1-1:5 é: 1", "1:1-1:2 é", "1:4-1:5 1"]),
    ("# \u{2028}é\u{85}\né: 1", ["2:1-2:5 é: 1", "2:1-2:2 é", "2:4-2:5 1"]),
    ("? é\n: b\n", ["1:1-2:4 ? é\n: b", "1:3-1:4 é", "2:3-2:4 b"]),
    ("[é: b]", ["1:1-1:7 [é: b]", "1:2-1:6 é: b", "1:2-1:3 é", "1:5-1:6 b"]),
  ]

  @Test(arguments: plain)
  func `each node knows its place from the first to behind the last character`(_ text: String, _ places: [String]) {
    let outline = Outline(text)
    #expect(outline.findings == [])
    #expect(outline.places == places)
  }

  @Test func `what comes from an alias has the place where it was written`() {
    let outline = Outline("é: &é1\n")
    #expect(outline.findings == ["1:4 yaml-syntax"])
    let places = Outline("x: &x {é: 1}\ny: *x\nz: {<<: *x}\nw: &w é\n*w : 2\n").places
    #expect(places.filter { $0.hasSuffix(" {é: 1}") } == ["1:7-1:13 {é: 1}", "1:7-1:13 {é: 1}"])
    #expect(places.filter { $0.hasSuffix(" é") } == ["1:8-1:9 é", "1:8-1:9 é", "1:8-1:9 é", "4:7-4:8 é"])
    // A key that is an alias stands where the alias does: a key at fault is at fault there.
    #expect(places.suffix(2) == ["5:1-5:3 *w", "5:6-5:7 2"])
  }

  @Test func `a place in a line of hundreds of thousands of characters is found quickly`() {
    let outline = Outline("[" + String(repeating: "é, ", count: 100_000) + "ü]")
    #expect(outline.places.last == "1:300002-1:300003 ü")
  }
}
