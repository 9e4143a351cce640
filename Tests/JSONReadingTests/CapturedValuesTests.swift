import Testing

@testable import JSONReading  // windows are made small, so that values cross their borders

/// Values that are captured without any record: single elements too, and what stands in the way of them.
struct CapturedValuesTests {
  /// The captured JSON, `-` for missing, or the kind that stands on the way.
  private func captured(_ paths: [String], in json: String, window: Int) throws -> [String] {
    let captures = paths.map { PlaceTree.Capture(place: nil, steps: path($0).steps) }
    let tree = PlaceTree(places: [], captures: captures)
    return try BodyReader(tree: tree, limits: JSONLimits(), format: BodyFormat(), windowSize: window)
      .captures(of: .memory(Array(json.utf8))).map { found in
        switch found {
        case .missing: return "-"
        case .wrongShape(let kind): return kind.spoken
        case .value(let document): return String(decoding: document.root.rawText, as: UTF8.self)
        }
      }
  }

  @Test(arguments: [
    (["a.b"], #"{"a":{"b":"x"}}"#, ["\"x\""]),
    (["a.b", "a", "c"], #"{"a":{"b":null},"c":[1, 2]}"#, ["null", #"{"b":null}"#, "[1, 2]"]),
    (
      ["a[0].b", "a[-1].b", "a[1].b", "a[5].b", "a[-9].b"], #"{"a":[{"b":1},{"b":2},{"b":3}]}"#,
      ["1", "3", "2", "-", "-"]
    ),
    (["[-1].id", "[0].id"], #"[{"id":1},{"id":"\u00e9"}]"#, [#""\u00e9""#, "1"]),
    (["a[-1][-1]"], #"{"a":[[1],[2,[3]]]}"#, ["[3]"]),
    (["a[-1].b"], #"{"a":[]}"#, ["-"]), (["a[-1].b"], #"{"a":null}"#, ["-"]), (["a[-1].b"], "{}", ["-"]),
    (["a[-1].b"], #"{"a":[{"b":1},null]}"#, ["-"]), (["a.b"], #"{"a":[]}"#, ["-"]), (["a.b"], "[]", ["-"]),
    (["a.b"], "{\"a\":[ \n ]}", ["-"]),
    (["a.b"], #"{"a":[1]}"#, ["an array"]), (["a.b"], #"{"a":""}"#, ["a text"]), (["a.b"], #"{"a":7}"#, ["a number"]),
    (["a.b"], #"{"a":false}"#, ["a boolean"]), (["a[0]"], #"{"a":{"0":1}}"#, ["an object"]),
    (["a[0].b"], #"{"a":["x"]}"#, ["a text"]), (["a.b.c"], #"{"a":{"b":[2]}}"#, ["an array"]),
    (["a"], "5", ["a number"]),
    (["a[-1].b", "a.b"], #"{"a":[{"b":1}]}"#, ["1", "an array"]),
  ])
  func `single values are captured`(_ paths: [String], _ json: String, _ values: [String]) throws {
    for window in [1, 2, 5, 1 << 20] {
      #expect(try captured(paths, in: json, window: window) == values, "window of \(window)")
    }
  }

  @Test func `the last element of a long list needs no room for the list`() throws {
    let json = "[" + String(repeating: #"{"id":"padding"},"#, count: 200_000) + #"{"id":7}]"#
    #expect(json.utf8.count > 3 << 20)
    #expect(try captured(["[-1].id"], in: json, window: 1 << 20) == ["7"])
  }

  @Test func `a member that stands twice on the way is an error`() {
    for json in [#"{"a":[{"b":1,"b":2}]}"#, #"{"a":[{"b":1}],"a":[]}"#] {
      let error = #expect(throws: JSONError.self) { try captured(["a[-1].b"], in: json, window: 64) }
      #expect(error?.code == .duplicateMember)
    }
    #expect(throws: Never.self) { try captured(["a[-1].b"], in: #"{"a":[{"c":1,"c":2},{"b":1}]}"#, window: 64) }
  }

  @Test func `a list whose last element is read has a limit, which the error names`() {
    let tree = PlaceTree(places: [], captures: [PlaceTree.Capture(place: nil, steps: path("a[-1]").steps)])
    let reader = BodyReader(tree: tree, limits: JSONLimits(record: 100), format: BodyFormat(), windowSize: 64)
    let json = #"{"a":["# + String(repeating: "1,", count: 100) + "1]}"
    let error = #expect(throws: JSONError.self) { try reader.captures(of: .memory(Array(json.utf8))) }
    #expect(
      error?.code == .limitRecord && error?.message.hasPrefix("a list of more than 100 bytes (limits.record)") == true)
  }
}
