import Diagnostics
import MarkedYAML
import Testing

struct AnchorsTests {
  @Test(arguments: [
    ("a: &x {k: 1}\nb: *x\n", "{a: {k: int 1}, b: {k: int 1}}"),
    ("&k a: *k\n", "{a: 'a'}"), ("[&x 1, *x, &x 2, *x]", "[int 1, int 1, int 2, int 2]"),
    ("a: &x\nb: *x\n", "{a: null, b: null}"), ("- &a b\n- *a : c\n", "['b', {b: 'c'}]"),
    ("&a [&a x, *a]", "['x', 'x']"),
  ])
  func `an alias stands for its anchor's value`(_ text: String, _ value: String) {
    let outline = Outline(text)
    #expect(outline.findings == [])
    #expect(outline.value == value)
  }

  @Test(arguments: [
    ("b: &b {x: 1, y: 2}\nm: {<<: *b, y: 3}\n", "{x: int 1, y: int 3}"),
    ("b: &b {x: 1, y: 2}\nm: {y: 3, <<: *b, z: 4}\n", "{y: int 3, x: int 1, z: int 4}"),
    ("b: &b {x: 1}\nc: &c {x: 2, y: 3}\nm: {<<: [*b, *c]}\n", "{x: int 1, y: int 3}"),
    ("b: &b {x: 1}\nc: &c {<<: *b, y: 3}\nm: {<<: *c, z: 1}\n", "{x: int 1, y: int 3, z: int 1}"),
    ("m: {<<: {x: 1}, \"<<\": 2}\n", "{x: int 1, <<: int 2}"), ("m: {<<: []}\n", "{}"),
    ("m: {'<<': 1}\n", "{<<: int 1}"),
    ("b: &b {é: 1}\nm: {<<: *b, e\u{301}: 2}\n", "{é: int 1, e\u{301}: int 2}"),
  ])
  func `a merge gives what the map's own keys do not`(_ text: String, _ value: String) {
    let outline = Outline(text)
    #expect(outline.findings == [])
    #expect(outline.value.hasSuffix("m: \(value)}"), "\(outline.value)")
  }

  @Test(arguments: [
    ("a: 1\n<<: 2\n", "2:5"), ("a: 1\n<<: [{b: 1}, 2]\n", "2:5"), ("a: 1\n<<:\n", "2:4"),
    ("a: &a 1\n<<: *a\n", "2:5"), ("a: 1\n<<: [[{b: 1}]]\n", "2:5"),
  ])
  func `a merge of something else is an error at its value`(_ text: String, _ place: String) {
    let outline = Outline(text)
    #expect(outline.findings == ["\(place) yaml-syntax"])
    #expect(outline.value == "{a: int 1}")
  }

  @Test func `an alias without an anchor, or within its own, is an error at the alias`() {
    let outline = Outline("c: &common 1\na: *comon\nb: &b [1, *b]\nd: *zzz\n")
    #expect(outline.findings == ["2:4 unknown-alias", "3:11 unknown-alias", "4:4 unknown-alias"])
    #expect(outline.diagnostics.map(\.message).first == "no anchor above is named 'comon'")
    #expect(outline.diagnostics.map(\.hint).first == "did you mean '*common'?")
    #expect(outline.value == "{c: int 1, a: null, b: [int 1, null], d: null}")
  }

  @Test(arguments: ["{?foo: bar}", "[?x]", "key: &an:chor value", "&a: key: 1", "[&a:b c]", "{?*a : 1}"])
  func `signs that libyaml would drop are errors`(_ text: String) {
    #expect(Outline(text).findings.first?.hasSuffix(" yaml-syntax") == true)
  }
}
