import JSONReading
import Testing

struct CapturesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var place: String
    var captures: [PlaceTree.Capture]
    var json: String
    var lines: [String]
    var testDescription: String { "\(place) in \(json)" }
  }

  static let cases: [Case] = [
    Case(
      place: "items", captures: [capture(nil, 1, "meta", "at"), capture(0, 1, "page"), capture(nil, 1, "none")],
      json: #"{"items":[1,2],"page":4,"meta":{"at":"x","by":[]}}"#,
      lines: ["0 /items/0 1 <x|4|->", "0 /items/1 2 <x|4|->"]),
    Case(
      place: "t.*.u.*", captures: [capture(0, 1, "n"), capture(0, 2, "n"), capture(0, 3, "n")],
      json: #"{"t":{"a":{"u":{"p":1,"q":2},"n":"A"},"b":{"n":"B","u":{"r":3}},"c":{"u":{"s":4}}},"n":"R"}"#,
      lines: [
        "0 /t/a/u/p 1 <A|R|->", "0 /t/a/u/q 2 <A|R|->", "0 /t/b/u/r 3 <B|R|->", "0 /t/c/u/s 4 <-|R|->",
      ]),
    Case(
      place: "e[*].node", captures: [capture(0, 1, "cursor"), capture(0, 2, "total")],
      json: #"{"e":[{"node":{"a":1},"cursor":"c1"},{"cursor":"c2"},{"node":2}],"total":7}"#,
      lines: [#"0 /e/0/node {"a":1} <c1|7>"#, "0 /e/2/node 2 <-|7>"]),
    Case(
      place: "r[*][*]", captures: [capture(0, 1, "n")], json: #"{"r":[[1],[2]],"n":null}"#,
      lines: ["0 /r/0/0 1 <null>", "0 /r/1/0 2 <null>"]),
    Case(place: ".", captures: [capture(0, 1, "n")], json: "[1]", lines: ["0 /0 1 <->"]),
    Case(
      place: ".", captures: [capture(nil, 1, "n", "m")], json: #"{"n":{"m":{"k":1}}}"#,
      lines: [#"0  {"n":{"m":{"k":1}}} <{"k":1}>"#]),
    Case(
      place: "a[-1].b", captures: [capture(0, 1, "n")], json: #"{"a":[{"b":1,"n":2},{"b":3,"n":4}]}"#,
      lines: ["0 /a/1/b 3 <4>"]),
    // A capture that holds the place.
    Case(
      place: "a.b", captures: [capture(nil, 1, "a"), capture(0, 1)], json: #"{"a":{"b":[1],"c":2}}"#,
      lines: [#"0 /a/b/0 1 <{"b":[1],"c":2}|{"b":[1],"c":2}>"#]),
    Case(
      place: "a.b", captures: [capture(nil, 1, "x", "y")], json: #"{"x":5,"a":{"b":1}}"#, lines: ["0 /a/b 1 <->"]),
  ]

  @Test(arguments: cases)
  func `a value outside of the record is read wherever it stands`(_ sample: Case) throws {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path(sample.place))], captures: sample.captures)
    for window in [1, 4, 9, 1 << 20] {
      let (lines, _, error) = trace(sample.json.utf8, tree, window: window)
      #expect(error == nil)
      #expect(lines == sample.lines, "window of \(window)")
    }
  }

  @Test func `a capture belongs to the records of its place`() {
    let tree = PlaceTree(
      places: [PlaceTree.Place(path: path("a")), PlaceTree.Place(path: path("b"))],
      captures: [capture(0, 1, "n"), capture(nil, 1, "n")])
    let (lines, _, _) = trace(#"{"a":1,"b":2,"n":3}"#.utf8, tree, window: 64)
    #expect(lines == ["0 /a 1 <3|3>", "1 /b 2 <-|3>"])
  }

  @Test func `a capture of more than 1 MiB is an error that names it`() {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("a"))], captures: [capture(nil, 1, "meta", "big")])
    let json = #"{"a":1,"meta":{"big":["# + String(repeating: "1,", count: 600_000) + "1]}}"
    let (lines, _, error) = trace(json.utf8, tree, window: 1 << 16)
    #expect(lines == [])
    #expect(error?.code == .limitRecord)
    #expect(error?.message.contains("meta.big") == true)
  }

  @Test func `a stream whose records read what stands behind them is refused`() throws {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("a"))], captures: [capture(nil, 1, "n")])
    let reader = BodyReader(tree: tree)
    #expect(reader.readsTwice)
    var receiver = BodyTrace()
    #expect(throws: JSONError.self) { _ = try reader.read(.stream(0), into: &receiver) }
  }

  static let pruned: [(places: [(String, [String]?)], json: String, lines: [String])] = [
    (
      [(".", ["id", "meta.at"]), ("items", nil)],
      #"{"items":[{"id":1},{"id":2}],"meta":{"by":[1,2],"at":{"x":[]}},"id":5,"more":"y"}"#,
      [#"0  {"meta":{"at":{"x":[]}},"id":5}"#, #"1 /items/0 {"id":1}"#, #"1 /items/1 {"id":2}"#]
    ),
    // Shapes on the way are kept as they are.
    (
      [(".", ["a.b", "c.d", "e.f", "n"]), ("items", nil)], #"{"a":[1],"c":"x","e":null,"items":[7],"c":{"d":1}}"#,
      [#"0  {"a":[1],"c":"x","e":null,"c":{"d":1}}"#, "1 /items/0 7"]
    ),
    // Elements of a list at the root are records; each has the place.
    (
      [("g", ["n"]), ("g[*].l", ["k"])], #"{"g":[{"l":[1,2],"n":"A"},{"n":"B"},5]}"#,
      [#"0 /g/0 {"n":"A"}"#, "1 /g/0/l/0 1", "1 /g/0/l/1 2", #"0 /g/1 {"n":"B"}"#, "0 /g/2 5"]
    ),
    // Three levels.
    (
      [(".", ["n"]), ("d", ["n"]), ("d.l", nil)], #"{"d":{"l":[1],"n":2},"n":3}"#,
      [#"0  {"n":3}"#, #"1 /d {"n":2}"#, "2 /d/l/0 1"]
    ),
    ([(".", []), ("l", nil)], #"{"l":[1],"n":2}"#, ["0  {}", "1 /l/0 1"]),
    ([(".", ["l"]), ("l", nil)], #"{"l":[1],"n":2}"#, [#"0  {"l":[1]}"#, "1 /l/0 1"]),
    ([(".", ["l[0].x"]), ("l", nil)], #"{"n":2, "l": [1]}"#, [#"0  {"l":[1]}"#, "1 /l/0 1"]),
    // A record that holds no other place comes whole.
    ([(".", ["n"]), ("l", nil)], #"[{"n":1,"m":2}]"#, [#"0 /0 {"n":1,"m":2}"#]),
  ]

  @Test(arguments: pruned.indices)
  func `a record that holds another place comes first, pruned to what its mapping reads`(_ index: Int) throws {
    let sample = Self.pruned[index]
    let places = sample.places.map { PlaceTree.Place(path: path($0.0), reads: $0.1.map { $0.map(path) }) }
    for window in [1, 4, 9, 1 << 20] {
      let (lines, _, error) = trace(sample.json.utf8, PlaceTree(places: places), window: window)
      #expect(error == nil)
      #expect(lines == sample.lines, "window of \(window)")
    }
  }

  @Test func `a pruned record does not need the memory of its list`() throws {
    let places = [PlaceTree.Place(path: path("."), reads: [path("n")]), PlaceTree.Place(path: path("l"))]
    let json = #"{"l":["# + String(repeating: #"{"a":1},"#, count: 10_000) + #"1],"n":2}"#
    let limits = JSONLimits(record: 100)
    let (lines, summary, error) = trace(json.utf8, PlaceTree(places: places), limits: limits, window: 64)
    #expect(error == nil)
    #expect(lines.first == #"0  {"n":2}"#)
    #expect(summary?.records == 10_002)
    let whole = [PlaceTree.Place(path: path(".")), PlaceTree.Place(path: path("l"))]
    #expect(trace(json.utf8, PlaceTree(places: whole), limits: limits, window: 64).error?.code == .limitRecord)
  }
}
