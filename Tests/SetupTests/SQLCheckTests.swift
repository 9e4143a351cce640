import Diagnostics
import Setup
import TestSupport
import Testing

/// SQL of a mapping, held against its own tables.
struct SQLCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let condition: String
    /// Code, message and hint; nil: nothing is found.
    var found: String?

    var testDescription: String { condition }
  }

  private static let cases = [
    Case(condition: "active = 1 AND stars > 5 -- the known ones"), Case(condition: "repos.active OR name LIKE 'a%'"),
    Case(condition: "id IN (SELECT repo_id FROM mine)"), Case(condition: "name = '?'"),
    Case(condition: "\"active\" = 1"), Case(condition: "owner_id IS NULL"),
    Case(
      condition: "actve = 1", found: "unknown-column the table 'repos' has no column 'actve', did you mean 'active'?"),
    Case(
      condition: "repos.actve = 1",
      found: "unknown-column the table 'repos' has no column 'repos.actve', did you mean 'active'?"),
    Case(condition: "unheard = 1", found: "unknown-column the table 'repos' has no column 'unheard'"),
    Case(
      condition: "name = \"Ada\"",
      found: "unknown-column the table 'repos' has no column 'Ada', a text stands in single quotes: 'Ada'"),
    Case(
      condition: "active = 1 && stars > 5",
      found: "bad-sql SQLite cannot read the condition: near \"&\": syntax error, SQL writes AND for '&&'"),
    Case(
      condition: "active = ${x}",
      found: "bad-sql SQLite cannot read the condition: unrecognized token: \"$\", nothing is filled in within SQL"),
    Case(
      condition: "active = 1 AND",
      found:
        "bad-sql the condition ends before it is whole, write SQL that could stand behind WHERE, such as id IS NOT NULL"
    ),
    Case(
      condition: "(active = 1",
      found:
        "bad-sql the condition ends before it is whole, write SQL that could stand behind WHERE, such as id IS NOT NULL"
    ),
    Case(condition: "active = ?", found: "bad-sql nothing is bound to a parameter in a condition"),
    Case(
      condition: "active = 1; DELETE FROM repos",
      found: "bad-sql SQLite cannot read the condition: it is more than one condition"),
    Case(
      condition: "lenght(name) > 1", found: "bad-sql SQLite cannot read the condition: no such function: lenght"),
    Case(
      condition: "count(*) > 1", found: "bad-sql SQLite cannot read the condition: misuse of aggregate function count()"
    ),
    forbidden("load_extension", "load_extension('x') IS NULL"),
    forbidden("load_extension", "LOAD_Extension(name, 'f')"),
    forbidden("pragma_optimize", "EXISTS (SELECT 1 FROM pragma_optimize)"),
    forbidden("pragma_journal_mode", "(SELECT count(*) FROM pragma_journal_mode) = 1"),
    forbidden("fts3_tokenizer", "fts3_tokenizer(name) = 1"),
    Case(condition: "id IN (SELECT value FROM json_each('[1, 2]'))"),
  ]

  private static func forbidden(_ name: String, _ condition: String) -> Case {
    Case(
      condition: condition,
      found: "bad-sql '\(name)' has no place in a condition: it changes something, or leads out of the "
        + "database, a condition looks at rows, by columns and functions of their values")
  }

  private func findings(_ text: String) throws -> [Diagnostic] {
    try MappingCheck.check(SourceFile(name: "m.yaml", text: text)).allFindings
  }

  private func shown(_ finding: Diagnostic) -> String {
    "\(finding.code.rawValue) \(finding.message)" + (finding.hint.map { ", \($0)" } ?? "")
  }

  private func mapping(sweep: String = "", index: String = "", each: String = "", store: String = "") -> String {
    """
    ingest: 1
    source: {name: shop, base_url: https://api.example.test}
    records:
      Repo:
        table: repos
        key: id
        fields: {id: {type: integer}, name: {type: text}, active: {type: boolean}, stars: {type: integer}}
        relationships: {owner: User}\(sweep.isEmpty ? "" : "\n    sweep:\n      where: \(sweep)")\(
          index.isEmpty ? "" : "\n    indexes:\n      - columns: [name]\n        where: \(index)")
      User: {table: users, key: id, fields: {id: {type: integer}}}
    endpoints:
      repos: {path: /repos, records: {repos: Repo}}
      users:
        path: /users
        records: {users: User}
        params: {of: "${each.name}"}
        for_each:
          record: Repo
          bind: {name: name}\(each.isEmpty ? "" : "\n      where: \(each)")
    \(store)
    """
  }

  private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

  @Test(arguments: cases)
  func `conditions of sweeps and parents are prepared`(_ example: Case) throws {
    let condition = quoted(example.condition)
    let ofSweep = try findings(mapping(sweep: condition))
    #expect(ofSweep.map(shown) == (example.found.map { [$0] } ?? []))
    #expect(ofSweep.allSatisfy { $0.span.start.line == 10 && $0.span.start.column == 14 })
    // A column that is not near to one of the mapping's may be the user's own.
    let isError = { (finding: Diagnostic) in finding.code != .unknownColumn || finding.hint != nil }
    #expect(ofSweep.allSatisfy { ($0.severity == .error) == isError($0) })
    let ofParents = try findings(mapping(each: condition))
    #expect(ofParents.map(shown) == ofSweep.map(shown))
    #expect(ofParents.allSatisfy { $0.span.start.line == 19 && $0.span.start.column == 14 })
  }

  @Test(arguments: [
    ("active = 1", nil), ("id IN (SELECT id FROM users)", "subqueries prohibited in partial index WHERE clauses"),
    ("name > random()", "non-deterministic functions prohibited in partial index WHERE clauses"),
    ("actve = 1", "the table 'repos' has no column 'actve'"), ("active = &", "near \"&\": syntax error"),
    ("active =", "the condition ends before it is whole"), ("active = 1 /* x", "the condition ends before it is whole"),
    (
      "load_extension('x')",
      "'load_extension' has no place in a condition: it changes something, or leads out of the database"
    ),
    ("active = 1) or (1", "it closes a bracket that it has not opened"), ("active = 1 -- x", nil),
  ])
  func `conditions of indexes are tried as such`(_ condition: String, _ message: String?) throws {
    let found = try findings(mapping(index: quoted(condition)))
    #expect(found.count == (message == nil ? 0 : 1))
    #expect(found.allSatisfy { $0.message.hasSuffix(message ?? "") && $0.span.start.line == 11 })
  }

  @Test func `what is written for another database is not judged, and a comment at the end does no harm`() throws {
    let store = "store: {url: 'postgres://localhost/shop'}"
    #expect(try findings(mapping(sweep: "name ~ 'a'", store: store)).filter { $0.severity == .error }.isEmpty)
  }
}
