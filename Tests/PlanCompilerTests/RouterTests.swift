import MappingLanguage
import PlanCompiler
import Testing

struct RouterTests {
  /// Verdicts by the endpoint's name, `-` for another path.
  private func verdicts(_ endpoints: String, _ method: String, _ path: String, _ status: Int) throws -> [String: String]
  {
    let plan = try Compiling.plan(records: "Item: {key: id, fields: [id]}", endpoints: endpoints)
    let segments = PathPattern.segments(ofPath: Substring(path))
    let found = plan.router.verdicts(method: method, path: segments, status: status)
    var texts: [String: String] = [:]
    for (descriptor, verdict) in zip(plan.router.descriptors, found) {
      let name = plan.endpoints[descriptor.endpoint].name
      let text: String? =
        switch verdict {
        case .matches: "matches"
        case .otherPath: nil
        case .otherMethod(let wanted): "takes \(wanted)"
        case .otherStatus: "other status"
        case .lessSpecific(let other): "less than \(other)"
        }
      if let text { texts[name] = text }
    }
    return texts
  }

  private static let ladder = """
    literal: {path: "/repos/apple/swift", fetch: false, records: {a: Item}},
    name: {path: "/repos/apple/:name", fetch: false, records: {a: Item}},
    both: {path: "/repos/:owner/{name}", fetch: false, records: {a: Item}},
    late: {path: "/repos/:owner/swift", fetch: false, records: {a: Item}},
    rest: {path: "/repos/*", fetch: false, records: {a: Item}},
    all: {path: "*", fetch: false, records: {a: Item}}
    """

  @Test(arguments: [
    ("/repos/apple/swift", "literal"), ("/repos/apple/swift/", "literal"), ("repos/apple/swift", "literal"),
    ("/repos/apple/llvm", "name"), ("/repos/ada/llvm", "both"), ("/repos/ada/swift", "late"),
    ("/repos/ada", "rest"), ("/repos/a/b/c", "rest"), ("/users", "all"), ("/Repos/apple/swift", "all"),
    ("/repos/%61pple/swift", "literal"), ("/repos/apple%2Fswift", "rest"), ("/repos//swift", "late"),
    ("/repos/apple/%73wift%", "name"),
  ])
  func `a literal beats a parameter beats the rest, segment by segment`(_ path: String, _ winner: String) throws {
    let found = try verdicts(Self.ladder, "GET", path, 200)
    #expect(found.filter { $0.value == "matches" }.map(\.key) == [winner])
    #expect(found.values.allSatisfy { $0 == "matches" || $0.hasPrefix("less than ") })
  }

  @Test func `the path of nothing matches nothing but a root`() throws {
    #expect(try verdicts(Self.ladder, "GET", "/", 200).isEmpty)
    #expect(
      try verdicts("root: {path: \"/\", fetch: false, records: {a: Item}}", "GET", "/", 200) == ["root": "matches"])
    #expect(
      try verdicts("root: {path: \"/\", fetch: false, records: {a: Item}}", "GET", "", 200) == ["root": "matches"])
  }

  @Test(arguments: [
    (
      "GET", 200,
      ["get": "matches", "any": "matches", "post": "takes POST", "errors": "other status", "list": "matches"]
    ),
    (
      "POST", 201,
      ["get": "takes GET", "any": "matches", "post": "matches", "errors": "other status", "list": "matches"]
    ),
    (
      "POST", 204,
      ["get": "takes GET", "any": "matches", "post": "matches", "errors": "other status", "list": "other status"]
    ),
    (
      "GET", 404,
      ["get": "other status", "any": "other status", "post": "takes POST", "errors": "matches", "list": "other status"]
    ),
    (
      "GET", 500,
      ["get": "other status", "any": "other status", "post": "takes POST", "errors": "other status", "list": "matches"]
    ),
  ])
  func `method and status are told apart from the path`(_ method: String, _ status: Int, _ expected: [String: String])
    throws
  {
    let endpoints = """
      get: {path: /x, method: GET, fetch: false, records: {a: Item}},
      any: {path: /x, fetch: false, records: {b: Item}},
      post: {path: /x, method: POST, fetch: false, records: {a: Item}},
      errors: {path: /x, status: 4xx, fetch: false, records: {a: Item}},
      list: {path: /x, status: [200-203, 500], fetch: false, records: {c: Item}}
      """
    #expect(try verdicts(endpoints, method, "/x", status) == expected)
  }

  @Test func `a pattern of another method or status does not push out one that fits`() throws {
    let endpoints = """
      narrow: {path: "/a/b", method: POST, fetch: false, records: {a: Item}},
      wide: {path: "/a/:x", fetch: false, records: {a: Item}}
      """
    #expect(try verdicts(endpoints, "GET", "/a/b", 200) == ["narrow": "takes POST", "wide": "matches"])
    #expect(try verdicts(endpoints, "POST", "/a/b", 200) == ["narrow": "matches", "wide": "less than /a/b"])
  }

  @Test func `a list of patterns is one descriptor each, with its own parameters`() throws {
    let plan = try Compiling.plan(
      records: "Item: {key: id, fields: [id]}",
      endpoints: "e: {path: [\"/v1/:id\", \"/v2/{name}/x\"], fetch: false, records: {a: Item, b: Item}}")
    #expect(
      plan.router.descriptors.map { "\($0.pattern) \($0.place)" } == [
        "/v1/:id 0", "/v1/:id 1", "/v2/:name/x 0", "/v2/:name/x 1",
      ])
    let path = PathPattern.segments(ofPath: "/v2/a%2Fb%20%C3%A9/x")
    #expect(plan.router.descriptors[2].pattern.match(path) == [RouteParameter(name: "name", value: "a/b é")])
    #expect(plan.router.descriptors[0].pattern.match(path) == nil)
  }
}

struct PathPatternTests {
  @Test(arguments: [
    ("a b", "a%20b"), ("a/b", "a%2Fb"), (".", "%2E"), ("..", "%2E%2E"), ("...", "..."), ("a.b", "a.b"), ("é", "%C3%A9"),
    ("~-_09AZaz", "~-_09AZaz"), ("100%", "100%25"), ("a?b#c", "a%3Fb%23c"), ("", ""),
  ])
  func `one segment is encoded so that it stays one, and comes back`(_ text: String, _ encoded: String) {
    let bytes = PathPattern.percentEncoded(Array(text.utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == encoded)
    #expect(PathPattern.percentDecoded(bytes) == Array(text.utf8))
  }

  @Test(arguments: [
    ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%41%4", "A%4"), ("%25", "%"), ("%2541", "%41"), ("+", "+"),
  ])
  func `what is no escape stays as it is`(_ text: String, _ decoded: String) {
    #expect(PathPattern.percentDecoded(Array(text.utf8)) == Array(decoded.utf8))
  }

  @Test(arguments: [
    ("", 0), ("/", 0), ("/a", 1), ("a", 1), ("/a/", 1), ("/a/b", 2), ("//a", 2), ("/a//", 2), ("/a%2Fb", 1),
  ])
  func `a slash at either end is no segment`(_ path: String, _ count: Int) {
    #expect(PathPattern.segments(ofPath: Substring(path)).count == count)
  }

  @Test func `segments are compared by their bytes`() throws {
    let plan = try Compiling.plan(
      records: "Item: {key: id, fields: [id]}",
      endpoints: "e: {path: \"/caf\u{e9}\", fetch: false, records: {a: Item}}")
    let pattern = plan.router.descriptors[0].pattern
    #expect(pattern.match(PathPattern.segments(ofPath: "/caf%C3%A9")) != nil)
    #expect(pattern.match(PathPattern.segments(ofPath: "/cafe%CC%81")) == nil)
  }
}
