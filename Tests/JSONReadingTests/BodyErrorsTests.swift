import JSONReading
import Testing

struct BodyErrorsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var json: String
    var code: JSONError.Code
    var offset: Int
    var line = 1
    var testDescription: String { json }
  }

  static let cases: [Case] = [
    Case(json: #"{"items":[{"id": 01}]}"#, code: .syntax, offset: 17),
    Case(json: #"{'items': []}"#, code: .syntax, offset: 1),
    Case(json: #"{"items": [NaN]}"#, code: .syntax, offset: 11),
    Case(json: #"{"items": []} x"#, code: .syntax, offset: 14),
    Case(json: #"{"items": [1.]}"#, code: .syntax, offset: 11),
    Case(json: "{\"items\":\n [\"\t\"]}", code: .syntax, offset: 13, line: 2),
    Case(json: "{\"items\":\n [1\n2]}", code: .syntax, offset: 14, line: 3),
    Case(json: #"{"items": [1,]}"#, code: .syntax, offset: 13),
    Case(json: #"{"items": [1], }"#, code: .syntax, offset: 15),
    Case(json: #"{"items": [1]"#, code: .syntax, offset: 13),
    Case(json: #"{"items": [1"#, code: .syntax, offset: 12),
    Case(json: #"{"items": ["x"#, code: .syntax, offset: 11),
    Case(json: #"{"x": {"y" 1}}"#, code: .syntax, offset: 11),
    Case(json: #"{"x": ["\q"]}"#, code: .syntax, offset: 8),
    Case(json: #"{"x": ["\ud83d"]}"#, code: .invalidText, offset: 8),
    Case(json: #"{"\udc00": 1}"#, code: .invalidText, offset: 2),
    Case(json: #"{"items": ["a\ud83dx"]}"#, code: .invalidText, offset: 13),
    Case(json: #"{"items": [tru]}"#, code: .syntax, offset: 11),
    Case(json: #"{"items": [truex]}"#, code: .syntax, offset: 11),
    Case(json: "{\"items\": [1\0]}", code: .syntax, offset: 11),
    Case(json: "{\"items\": [\0]}", code: .syntax, offset: 11),
    Case(json: #"{"items": 1, "x": [[[[[[1]]]]]]}"#, code: .limitDepth, offset: 22),
    Case(json: #"{"items": [[[[[[1]]]]]]}"#, code: .limitDepth, offset: 14),
    Case(json: #"{"items": 1, "items": 2}"#, code: .duplicateMember, offset: 13),
    Case(json: #"{"items": 1, "\u0069tems": 2}"#, code: .duplicateMember, offset: 13),
  ]

  @Test(arguments: cases)
  func `an error of a body has its code, offset and line, at every size of window`(_ sample: Case) {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("items"))])
    for window in [1, 2, 5, 8, 1 << 20] {
      let (_, _, error) = trace(sample.json.utf8, tree, limits: JSONLimits(depth: 5), window: window)
      #expect(error?.code == sample.code, "window of \(window): \(error?.message ?? "")")
      #expect(error?.offset == sample.offset, "window of \(window): \(error?.message ?? "")")
      #expect(error?.line == sample.line, "window of \(window)")
    }
  }

  /// What `lenient` would read over is said to be so, wherever it stands: in records, in what is skipped, on the way.
  static let lenient: [(json: String, offset: Int, what: String)] = [
    (#"{"items": [1,]}"#, 13, "a comma before ']'"), (#"{"items": [[1, ]]}"#, 15, "a comma before ']'"),
    (#"{"x": [1,], "items": []}"#, 9, "a comma before ']'"), (#"{"items": [{"a": 1},]}"#, 20, "a comma before ']'"),
    (#"{"items": [{"a": 1,}]}"#, 19, "a comma before '}'"), (#"{"items": [],}"#, 13, "a comma before '}'"),
    ("{\"items\": [1//c\n]}", 12, "a comment"), (#"{"items": [1 /*c*/]}"#, 13, "a comment"),
    (#"{"items": [null/*c*/]}"#, 15, "a comment"), (#"{"items" /*c*/: []}"#, 9, "a comment"),
    (#"{"items": [/*c*/]}"#, 11, "a comment"), (#"{"items": []} //c"#, 14, "a comment"),
    (#"{"items": ["a"/*c*/]}"#, 14, "a comment"), (#"{/*c*/"items": []}"#, 1, "a comment"),
  ]

  @Test(arguments: lenient.indices)
  func `what lenient reads over says so`(_ index: Int) {
    let sample = Self.lenient[index]
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("items"))])
    for window in [7, 1 << 20] {
      let (_, _, error) = trace(sample.json.utf8, tree, window: window)
      #expect(error?.offset == sample.offset, "\(sample.json)")
      if window == 7, sample.what.hasSuffix("comment") { continue }
      #expect(error?.message.hasPrefix(sample.what) == true, "\(sample.json): \(error?.message ?? "none")")
      #expect(error?.message.contains("lenient: true") == true, "\(sample.json): \(error?.message ?? "none")")
    }
  }

  static let dictionaries: [(path: String, json: String, isError: Bool)] = [
    ("a.*.u", #"{"a": {"x": {"u": 1}, "x": {"u": 2}}}"#, true), ("a.*", #"{"a": {"x": 1, "y": 2, "\u0078": 3}}"#, true),
    ("a.*[*]", #"{"a": {"x": [1], "x": [2]}}"#, true), ("a[*].*", #"{"a": [{"x": 1}, {"x": 1}]}"#, false),
    ("a.*.*", #"{"a": {"x": {"k": 1}, "y": {"k": 2, "z": 1, "k": 3}}}"#, true),
    ("a.*.*", #"{"a": {"x": {"k": 1}, "y": {"k": 2}}}"#, false), ("a.*", #"{"a": {"x": {"k": 1, "k": 2}}}"#, false),
    ("a.*", #"{"b": {"x": 1, "x": 2}, "a": {"x": 1}}"#, false),
    ("a.*", #"{"a": {"\u00e9": 1, "e\u0301": 2}}"#, false),
  ]

  @Test(arguments: dictionaries.indices)
  func `a second member among those that a place steps through is an error of the body`(_ index: Int) {
    let sample = Self.dictionaries[index]
    let tree = PlaceTree(places: [PlaceTree.Place(path: path(sample.path))])
    for window in [1, 8, 1 << 20] {
      let (_, _, error) = trace(sample.json.utf8, tree, window: window)
      #expect((error?.code == .duplicateMember) == sample.isError, "\(sample.json)")
      #expect((error != nil) == sample.isError, "\(sample.json)")
    }
  }

  @Test func `bytes that are not UTF-8 are an error with their place`() {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("a"))])
    for bytes: [UInt8] in [[0xC3, 0x28], [0xED, 0xA0, 0x80], [0xFF], [0xE2, 0x82]] {
      for window in [1, 5, 1 << 20] {
        let (_, _, error) = trace(
          Array("{\"x\": 1,\n\"a\": \"é".utf8) + bytes + Array("\"}".utf8), tree, window: window)
        #expect(error?.code == .invalidText)
        #expect(error?.offset == 17)
        #expect(error?.line == 2)
      }
    }
  }

  @Test func `an error before bytes that are not UTF-8 is the one that is reported`() {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("a"))])
    let (_, _, error) = trace(Array("{\"a\": nope, \"".utf8) + [0xFF, UInt8(ascii: "\"")], tree, window: 1 << 20)
    #expect(error?.code == .syntax)
    #expect(error?.offset == 6)
  }

  @Test(arguments: [1, 16, 1 << 20])
  func `a record that is too large is an error that names the limit`(_ window: Int) {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("a"))])
    let limits = JSONLimits(record: 20)
    let fits = #"{"x": [1, 2, 3, 4, 5, 6, 7, 8, 9], "a": ["123456789012345678"]}"#
    #expect(trace(fits.utf8, tree, limits: limits, window: window).error == nil)
    let (lines, _, error) = trace(#"{"a": [1, "1234567890123456789"]}"#.utf8, tree, limits: limits, window: window)
    #expect(lines == ["0 /a/0 1"])
    #expect(error?.code == .limitRecord)
    #expect(error?.message.contains("record") == true)
    #expect(error?.offset == 10)
  }

  @Test func `one text without an end does not fill the memory`() {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("a"))])
    let json = #"{"x": ""# + String(repeating: "y", count: 100_000) + #"", "a": 1}"#
    #expect(trace(json.utf8, tree, limits: JSONLimits(record: 200_000), window: 64).lines == ["0 /a 1"])
    let error = trace(json.utf8, tree, limits: JSONLimits(record: 10_000), window: 64).error
    #expect(error?.code == .limitRecord)
    #expect(error?.offset == 6)
    // Nor does white space where a value cannot be told yet.
    let wide = #"{"a""# + String(repeating: " ", count: 100_000) + ": 1}"
    #expect(trace(wide.utf8, tree, limits: JSONLimits(record: 10_000), window: 64).error?.code == .limitRecord)
    #expect(trace(wide.utf8, tree, limits: JSONLimits(record: 200_000), window: 64).lines == ["0 /a 1"])
  }

  static let duplicates: [(json: String, isError: Bool)] = [
    (#"{"data":{"items":[{"id":1}]},"meta":{"at":1},"data":{"total":1}}"#, true),
    (#"{"data":{"items":[{"id":2}]},"meta":{"at":1,"at":2}}"#, true),
    (#"{"data":{"items":[{"id":2}]},"meta":{"at":1},"meta":3}"#, true),
    (#"{"data":{"items":[],"items":[]}}"#, true),
    (#"{"links":1,"data":{"items":[{"x":1,"x":2}],"n":1,"n":2},"links":2,"meta":{"at":5,"by":1,"by":2}}"#, false),
  ]

  @Test(arguments: duplicates.indices)
  func `two members of one name are an error where a place or a capture is looked for`(_ index: Int) {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("data.items"))], captures: [capture(nil, 1, "meta", "at")])
    let (_, _, error) = trace(Self.duplicates[index].json.utf8, tree, window: 1 << 20)
    #expect((error?.code == .duplicateMember) == Self.duplicates[index].isError)
    #expect((error != nil) == Self.duplicates[index].isError)
  }

  @Test func `the summary names the members of the root`() throws {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("x"))])
    for window in [1, 1 << 20] {
      let summary = try #require(trace(#"{"a":1,"b\u00e9":{"x":1},"c":[]}"#.utf8, tree, window: window).summary)
      #expect(summary.members == ["a", "bé", "c"])
      #expect(summary.rootKind == .object)
      #expect(!summary.isEmpty)
    }
    let whole = PlaceTree(places: [PlaceTree.Place(path: path("."))])
    #expect(trace(#"{"a":1,"b":2}"#.utf8, whole, window: 64).summary?.members == ["a", "b"])
    let many = "{" + (0..<200).map { #""m\#($0)":0"# }.joined(separator: ",") + "}"
    #expect(trace(many.utf8, tree, window: 64).summary?.members.count == 50)
    for (json, kind) in [("[1]", JSONKind.array), ("\"x\"", .string), ("1", .number), ("true", .true)] {
      #expect(trace(json.utf8, tree, window: 64).summary?.rootKind == kind)
    }
    for json in ["", "  \n ", "[]", " [ ] ", "{}", " { }\n"] {
      let summary = try #require(trace(json.utf8, whole, window: 1).summary)
      #expect(summary.isEmpty && summary.records == 0, "'\(json)'")
    }
  }
}
