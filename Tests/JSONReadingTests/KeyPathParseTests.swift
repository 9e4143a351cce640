import JSONReading
import Testing

struct KeyPathParseTests {
  private static let a = KeyPath.Step.member(JSONName("a"))
  private static let b = KeyPath.Step.member(JSONName("b"))

  private static func name(_ text: String) -> KeyPath.Step { .member(JSONName(text)) }

  static let readable: [(text: String, origin: KeyPath.Origin, steps: [KeyPath.Step])] = [
    (".", .value, []),
    ("a", .value, [a]),
    ("a.b", .value, [a, b]),
    ("first-name", .value, [name("first-name")]),
    ("@id", .value, [name("@id")]),
    ("dc:title", .value, [name("dc:title")]),
    ("3h", .value, [name("3h")]),
    ("rain.3h", .value, [name("rain"), name("3h")]),
    ("caf\u{E9}", .value, [name("caf\u{E9}")]),
    (#"a."x.y".b"#, .value, [a, name("x.y"), b]),
    (#""x.y""#, .value, [name("x.y")]),
    (#""""#, .value, [name("")]),
    (#""say \"hi\"""#, .value, [name("say \"hi\"")]),
    (#""\\\/\b\f\n\r\t""#, .value, [name("\\/\u{8}\u{C}\n\r\t")]),
    (#""caf\u00e9""#, .value, [name("caf\u{E9}")]),
    (#""\ud83d\ude00""#, .value, [name("\u{1F600}")]),
    (#"a."*"[0]"#, .value, [a, name("*"), .element(0)]),
    (#"box."m[0]".v"#, .value, [name("box"), name("m[0]"), name("v")]),
    ("a[0]", .value, [a, .element(0)]),
    ("a[-1].b", .value, [a, .element(-1), b]),
    ("[0]", .value, [.element(0)]),
    ("[-2]", .value, [.element(-2)]),
    ("[*].a", .value, [.eachElement, a]),
    ("a[*][*]", .value, [a, .eachElement, .eachElement]),
    ("a.*", .value, [a, .eachMember]),
    ("a.*[*].b", .value, [a, .eachMember, .eachElement, b]),
    (".*", .value, [.eachMember]),
    ("*.a", .value, [.eachMember, a]),
    ("_id.$oid", .value, [name("_id"), name("$oid")]),
    ("a.$parent", .value, [a, name("$parent")]),
    (#""$oid".x"#, .value, [name("$oid"), name("x")]),
    ("$key", .key(levels: 0), []),
    ("$index", .index(levels: 0), []),
    ("$parent", .parent(levels: 1), []),
    ("$parent.a", .parent(levels: 1), [a]),
    ("$parent[0]", .parent(levels: 1), [.element(0)]),
    ("$parent.$parent.a", .parent(levels: 2), [a]),
    ("$parent.$key", .key(levels: 1), []),
    ("$parent.$parent.$key", .key(levels: 2), []),
    ("$parent.$index", .index(levels: 1), []),
    ("$parent.$oid", .parent(levels: 1), [name("$oid")]),
    (#"$parent."$key""#, .parent(levels: 1), [name("$key")]),
    ("$parent.a.$parent", .parent(levels: 1), [a, name("$parent")]),
    ("$root", .root, []),
    ("$root.a.b", .root, [a, b]),
    ("$root[0]", .root, [.element(0)]),
    ("$root.$x", .root, [name("$x")]),
    ("$route.owner", .route("owner"), []),
    ("$query.page", .query("page"), []),
    (#"$query."page[size]""#, .query("page[size]"), []),
    ("$request.url", .requestURL, []),
    ("$response.status", .responseStatus, []),
    ("$response.headers.X-Next", .responseHeader("x-next"), []),
    ("$fetched_at", .fetchedAt, []),
    ("$run.id", .runID, []),
    ("$var.city", .variable("city"), []),
  ]

  @Test(arguments: readable.indices)
  func `a key path is read as it is written`(_ index: Int) throws {
    let (text, origin, steps) = Self.readable[index]
    let path = try KeyPath.parse(text)
    #expect(path.origin == origin)
    #expect(path.steps == steps)
    #expect(path.text == text)
  }

  static let unreadable: [(text: String, offset: Int)] = [
    ("", 0), ("a.", 2), (".a", 0), ("..", 0), ("a..b", 2), (".[0]", 0), ("a[", 1), ("a[1", 1), ("a[one]", 1),
    ("a[]", 1),
    ("a[1.5]", 1), ("a[+1]", 1), ("a[99999999999999999999]", 1), ("a]", 1), ("a*", 1), ("a[0]b", 4), ("a\"b\"", 1),
    ("\"a\"b", 3), ("\"a", 0), ("a.\"b", 2), (#""\x""#, 1), (#""\u12""#, 1), (#""\ud83d""#, 1), (#""\ude00""#, 1),
    ("full name", 4), ("a.full name", 6), ("a\u{A0}b", 1), (" a", 0), ("a ", 1), ("$", 0), ("$oid", 0),
    ("$paernt.id", 0),
    ("$key.a", 4), ("$index[0]", 6), ("$parent.$key.a", 12), ("$route", 6), ("$route.", 7), ("$route.a.b", 8),
    ("$route[0]", 6), ("$route.*", 8), ("$request", 8), ("$request.uri", 8), ("$response.body", 9),
    ("$response.headers", 9),
    ("$response.status.a", 16), ("$run", 4), ("$var", 4), ("$fetched_at.a", 11),
  ]

  @Test(arguments: unreadable.indices)
  func `what is no key path is refused where it goes wrong`(_ index: Int) {
    let (text, offset) = Self.unreadable[index]
    let error = #expect(throws: KeyPathError.self) { try KeyPath.parse(text) }
    #expect(error?.offset == offset, "\(text): \(error?.message ?? "")")
    if !text.isEmpty { #expect(error?.message.contains(text) == true, "\(error?.message ?? "")") }
  }

  @Test(arguments: [
    ("full name", #"write '"full name"'"#), ("a.full name.b", #"write 'a."full name".b'"#),
    ("it's a[0]", #"write '"it''s a"[0]'"#), ("say \"hi\"", #"write '"say \"hi\""'"#),
  ])
  func `white space brings the path with quotes`(_ text: String, _ hint: String) {
    let error = #expect(throws: KeyPathError.self) { try KeyPath.parse(text) }
    #expect(error?.hint == hint)
  }

  @Test func `an unknown context name is told apart from other faults`() {
    let error = #expect(throws: KeyPathError.self) { try KeyPath.parse("$paernt.id") }
    #expect(error?.unknownContext == "$paernt")
    #expect(error?.hint?.contains(#"'"$paernt".id'"#) == true)
    let other = #expect(throws: KeyPathError.self) { try KeyPath.parse("$key.id") }
    #expect(other?.unknownContext == nil)
  }

  @Test(arguments: [
    "a", "a.b", "full name", "", "$key", "say \"hi\"", "a\\b\n\t\r\u{1}", "*", "caf\u{E9}", "cafe\u{301}",
  ])
  func `the path of one member reads back as that member`(_ name: String) throws {
    let path = KeyPath.member(named: name)
    #expect(path.steps == [Self.name(name)])
    #expect(try KeyPath.parse(path.text) == path)
  }

  @Test func `names are compared by their bytes`() throws {
    #expect(try KeyPath.parse("caf\u{E9}") != KeyPath.parse("cafe\u{301}"))
    #expect(try KeyPath.parse(#""caf\u00e9""#) == KeyPath.parse("caf\u{E9}"))
  }
}
