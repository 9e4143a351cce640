import Diagnostics
import MappingLanguage
import Testing
import Values

struct TemplateTests {
  private func template(_ yaml: String) throws -> Template {
    let mapping = try Reading.clean(
      """
      ingest: 1
      variables: {city: Lima, day: {type: date, default: 2015-07-01}}
      store: {url: "${city}${day}"}
      source:
        name: shop
        params:
          p: \(yaml)
      """)
    return try #require(mapping.source.params.first?.values.first).value
  }

  static let texts: [(yaml: String, pieces: [Template.Piece])] = [
    ("plain", [.text("plain")]),
    ("\"\"", []),
    ("${city}", [.variable("city", pattern: nil)]),
    ("\"in ${city}!\"", [.text("in "), .variable("city", pattern: nil), .text("!")]),
    ("\"${day:yyyyMMdd}\"", [.variable("day", pattern: "yyyyMMdd")]),
    ("\"${day:HH:mm}\"", [.variable("day", pattern: "HH:mm")]),
    ("${env.HOME}", [.environment("HOME")]),
    ("${secret.KEY}", [.secret("KEY")]),
    ("${now}", [.now(pattern: nil)]),
    ("\"${now:yyyy}\"", [.now(pattern: "yyyy")]),
    ("${today}", [.today(offset: 0, pattern: nil)]),
    ("${today-7d}", [.today(offset: -7, pattern: nil)]),
    ("\"${today+1d:yyyy}\"", [.today(offset: 1, pattern: "yyyy")]),
    ("\"$${city}\"", [.text("${city}")]),
    ("\"a$${b}${city}$\"", [.text("a${b}"), .variable("city", pattern: nil), .text("$")]),
    ("$town", [.text("$town")]),
    ("\"{city}\"", [.text("{city}")]),
  ]

  @Test(arguments: texts.indices)
  func `a text is read into pieces`(_ index: Int) throws {
    #expect(try template(Self.texts[index].yaml).pieces == Self.texts[index].pieces)
  }

  @Test func `a scalar without a reference keeps its type`() throws {
    #expect(try template("5").core == .number("5"))
    #expect(try template("1.50").core == .number("1.50"))
    #expect(try template("true").core == .boolean(true))
    #expect(try template("'5'").core == .text("5"))
    #expect(try template("no").core == .text("no"))
    #expect(try template("\"$${x}\"").core == .text("${x}"))
  }

  @Test func `one reference alone keeps the type of what it names`() throws {
    #expect(try template("${city}").isSingleReference)
    #expect(try !template("\" ${city}\"").isSingleReference)
    #expect(try !template("plain").isSingleReference)
    #expect(try template("plain").constantText == "plain")
    #expect(try template("${secret.A}").holdsSecret)
    #expect(try template("${city}").constantText == nil)
  }

  static let patterns: [(path: String, segments: [PathSegment])] = [
    ("/users/:id", [.literal([.text("users")]), .parameter("id")]),
    ("users/{id}/", [.literal([.text("users")]), .parameter("id")]),
    ("/", []),
    ("/files/*", [.literal([.text("files")]), .rest]),
    ("/v1/items:search", [.literal([.text("v1")]), .literal([.text("items:search")])]),
    (
      "/api/${city}/a", [.literal([.text("api")]), .literal([.variable("city", pattern: nil)]), .literal([.text("a")])]
    ),
    ("/v${city}.json", [.literal([.text("v"), .variable("city", pattern: nil), .text(".json")])]),
    ("${city}", [.literal([.variable("city", pattern: nil)])]),
  ]

  @Test(arguments: patterns.indices)
  func `a path pattern is cut into segments`(_ index: Int) throws {
    let mapping = try Reading.clean(
      """
      ingest: 1
      variables: {city: Lima}
      records: {User: {key: id, fields: [id]}}
      store: {url: "${city}"}
      endpoints: {users: {path: "\(Self.patterns[index].path)", records: {users: User}}}
      """)
    let path = try #require(mapping.endpoints.first?.paths.first)
    #expect(try path.value.pathSegments() == Self.patterns[index].segments)
  }

  @Test(arguments: [
    "/a/*/b", "/:", "/{}", "/:a/:a", "/{a", "/{a}.json", "/a}b", "/a*", "/:a.b", "/a?b=c", "/a#b", "https://a.test/b",
    "\"/a\\x00\"",
  ])
  func `what is no path pattern is refused`(_ path: String) {
    let quoted = path.hasPrefix("\"") ? path : "'\(path)'"
    let (mapping, found) = Reading.text(
      """
      ingest: 1
      records: {User: {key: id, fields: [id]}}
      endpoints: {users: {path: \(quoted), fetch: false, records: {users: User}}}
      """)
    #expect(found.map(\.code) == [.badPattern])
    #expect(mapping?.endpoints.first?.paths.isEmpty == true)
  }
}
