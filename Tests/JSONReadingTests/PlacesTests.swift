import JSONReading
import Testing

struct PlacesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var places: [String]
    var json: String
    var lines: [String]
    /// For each place `f`ound, `n`ull or `a`bsent, then the number of nulls.
    var states: String
    var testDescription: String { "\(places) in \(json)" }
  }

  static let cases: [Case] = [
    Case(
      places: ["items"], json: #"{"items":[{"a":1},{"a":2}]}"#,
      lines: [
        #"0 /items/0 {"a":1}"#, #"0 /items/1 {"a":2}"#,
      ], states: "f0"),
    Case(
      places: ["items"], json: #"{"x":{"items":[1]},"items":{"a":1},"y":[[],{}]}"#,
      lines: [
        #"0 /items {"a":1}"#
      ], states: "f0"),
    Case(
      places: ["a.b.c"], json: #"{"a":{"b":{"c":["x",1.5e3,true]}}}"#,
      lines: [
        #"0 /a/b/c/0 "x""#, "0 /a/b/c/1 1.5e3", "0 /a/b/c/2 true",
      ], states: "f0"),
    Case(places: ["."], json: #"[1,[2],null,{"a":3}]"#, lines: ["0 /0 1", "0 /1 [2]", #"0 /3 {"a":3}"#], states: "f1"),
    Case(places: ["."], json: #"{"a":3}"#, lines: [#"0  {"a":3}"#], states: "f0"),
    Case(places: ["."], json: " 12 ", lines: ["0  12"], states: "f0"),
    Case(places: ["."], json: "[]", lines: [], states: "f0"),
    Case(places: ["."], json: "{}", lines: [], states: "f0"),
    Case(places: ["."], json: "null", lines: [], states: "n1"),
    Case(places: ["a"], json: "[]", lines: [], states: "a0"),
    Case(places: ["a"], json: "{}", lines: [], states: "a0"),
    Case(places: ["a"], json: "  ", lines: [], states: "a0"),
    Case(places: ["a"], json: #"{"a":null}"#, lines: [], states: "n1"),
    Case(places: ["a"], json: #"{"a":[]}"#, lines: [], states: "f0"),
    Case(places: ["a"], json: #"{"a":[null,null]}"#, lines: [], states: "f2"),
    Case(places: ["a"], json: #"{"a":{}}"#, lines: ["0 /a {}"], states: "f0"),
    Case(places: ["a.b"], json: #"{"a":null}"#, lines: [], states: "a0"),
    Case(places: ["a.b"], json: #"{"a":5}"#, lines: [], states: "a0"),
    Case(places: ["a.b"], json: #"{"a":[{"b":1}]}"#, lines: [], states: "a0"),
    Case(
      places: ["a[*].b"], json: #"{"a":[{"b":1},{},null,{"b":[2,3]},{"b":null}]}"#,
      lines: [
        "0 /a/0/b 1", "0 /a/3/b/0 2", "0 /a/3/b/1 3",
      ], states: "f2"),
    Case(places: ["a[*].b"], json: #"{"a":{"b":1}}"#, lines: ["0 /a/b 1"], states: "f0"),
    Case(places: ["a[*].b"], json: #"{"a":[]}"#, lines: [], states: "f0"),
    Case(places: ["a[*].b"], json: #"{"a":[{}]}"#, lines: [], states: "a0"),
    Case(places: ["a[*].b"], json: #"{"a":null}"#, lines: [], states: "n1"),
    Case(places: ["rows[*]"], json: #"{"rows":[[1],null,2]}"#, lines: ["0 /rows/0 [1]", "0 /rows/2 2"], states: "f1"),
    Case(
      places: ["rows[*][*]"], json: #"{"rows":[[1,2],[],[[3]],4]}"#,
      lines: [
        "0 /rows/0/0 1", "0 /rows/0/1 2", "0 /rows/2/0 [3]", "0 /rows/3 4",
      ], states: "f0"),
    Case(
      places: ["u.*"], json: #"{"u":{"a":[1,2],"b":null,"\u0063":3}}"#, lines: ["0 /u/a [1,2]", "0 /u/c 3"],
      states: "f1"),
    Case(places: ["u.*"], json: #"{"u":{}}"#, lines: [], states: "f0"),
    Case(places: ["u.*"], json: #"{"u":[1]}"#, lines: [], states: "a0"),
    Case(places: ["*"], json: #"{"a/b":1,"c~d":2}"#, lines: ["0 /a~1b 1", "0 /c~0d 2"], states: "f0"),
    Case(
      places: ["g.*[*]"], json: #"{"g":{"a":[1],"b":[2,3]}}"#, lines: ["0 /g/a/0 1", "0 /g/b/0 2", "0 /g/b/1 3"],
      states: "f0"),
    Case(
      places: ["t.*.u.*"], json: #"{"t":{"x":{"u":{"a":1}},"y":{"u":{"b":2}},"z":{}}}"#,
      lines: [
        "0 /t/x/u/a 1", "0 /t/y/u/b 2",
      ], states: "f0"),
    Case(places: ["a[1]"], json: #"{"a":[[1],[2,3]]}"#, lines: ["0 /a/1/0 2", "0 /a/1/1 3"], states: "f0"),
    Case(places: ["a[-1].b"], json: #"{"a":[{"b":1},{"b":2}]}"#, lines: ["0 /a/1/b 2"], states: "f0"),
    Case(places: ["a[-3].b"], json: #"{"a":[{"b":1},{"b":2}]}"#, lines: [], states: "a0"),
    Case(places: ["a[0]"], json: #"{"a":{}}"#, lines: [], states: "a0"),
    Case(places: ["[0]"], json: #"[{"a":1},2]"#, lines: [#"0 /0 {"a":1}"#], states: "f0"),
    Case(
      places: ["p", "c"], json: #"{"c":[1],"p":[2,3]}"#, lines: ["1 /c/0 1", "0 /p/0 2", "0 /p/1 3"], states: "ff0"),
    Case(
      places: ["p", "p"], json: #"{"p":[2,3]}"#, lines: ["0 /p/0 2", "1 /p/0 2", "0 /p/1 3", "1 /p/1 3"], states: "ff0"),
    Case(
      places: [".", "p", "p[*].q"], json: #"{"x":[1],"p":[{"q":[7]},{"q":8}]}"#,
      lines: [
        #"0  {"x":[1],"p":[{"q":[7]},{"q":8}]}"#, #"1 /p/0 {"q":[7]}"#, "2 /p/0/q/0 7", #"1 /p/1 {"q":8}"#,
        "2 /p/1/q 8",
      ], states: "fff0"),
    Case(
      places: ["p", "p[-1].q", "p[0].q"], json: #"{"p":[{"q":1},{"q":2}]}"#,
      lines: [
        #"0 /p/0 {"q":1}"#, "2 /p/0/q 1", #"0 /p/1 {"q":2}"#, "1 /p/1/q 2",
      ], states: "fff0"),
    Case(
      places: ["a.*", "a.x"], json: #"{"a":{"x":[1],"y":2}}"#, lines: ["0 /a/x [1]", "1 /a/x/0 1", "0 /a/y 2"],
      states: "ff0"),
  ]

  @Test(arguments: cases)
  func `places give their records at every size of window`(_ sample: Case) throws {
    let tree = PlaceTree(places: sample.places.map { PlaceTree.Place(path: path($0)) })
    for window in [1, 2, 3, 5, 7, 16, 64, 1 << 20] {
      let (lines, summary, error) = trace(sample.json.utf8, tree, window: window)
      #expect(error == nil)
      #expect(lines == sample.lines, "window of \(window)")
      let states = summary?.places.map { $0 == .found ? "f" : $0 == .null ? "n" : "a" }.joined() ?? ""
      #expect(states + String(summary?.nulls ?? -1) == sample.states, "window of \(window)")
      #expect(summary?.records == sample.lines.count)
    }
  }
}
