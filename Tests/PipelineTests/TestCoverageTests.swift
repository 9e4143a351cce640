import Diagnostics
import MappingLanguage
import Pipeline
import Testing

/// What tests reach of a mapping, and the lines that they do not.
struct TestCoverageTests {
  private static let mapping = """
    ingest: 1
    source: {name: demo}
    records:
      User:
        table: users
        key: id
        where: {hidden: {not: true}}
        fields:
          id:
          name:
          nick: {default: none}
          kind: {const: user}
          upper: {jq: '.upper // empty'}
          either: {from: [first, second]}
        relationships:
          tags: [{fields: {tag: .}}]
      Team:
        table: teams
        key: id
        fields:
          id:
          title:
      Actor:
        switch:
          - {when: {type: user}, record: User}
          - {when: {type: team}, record: Team}
          - {else: skip}
    endpoints:
      actors:
        path: /actors
        fetch: false
        records:
          actors: Actor
          users: User
        errors: [{status: 418, action: ignore}]
      other:
        path: /other
        fetch: false
        records:
          teams: Team
    errors:
      - {status: 404, message: m}
      - {status: 4xx, message: m}
    tests:

    """

  /// `LINE: text` of each gap, and the counts.
  private func gaps(_ tests: String) throws -> (gaps: [String], counts: [String]) {
    let tested = try TestedYAML(Self.mapping + tests)
    let coverage = TestCoverage()
    for test in tested.mapping.tests {
      #expect(tested.runner.outcome(of: test, noting: coverage).failures.map(\.text) == [])
    }
    let parts = coverage.parts(of: tested.mapping, tested.plan)
    return (
      parts.flatMap(\.gaps).map { "\($0.span.start.line): \($0.text)" },
      parts.map { "\($0.reachedCount)/\($0.total) \($0.name)" }
    )
  }

  @Test func `what finds no value is not reached, whatever takes its place`() throws {
    let (gaps, counts) = try gaps(
      """
        - name: a user
          endpoint: actors
          body: {actors: [{type: user, id: 1, name: null, tags: [], second: x}], users: []}
          expect: {users: [{id: 1, nick: none}]}
      """)
    #expect(
      gaps == [
        "11: field 'nick' of 'User'", "13: field 'upper' of 'User'", "16: field 'tag' of 'User.tags'",
        "17: record 'Team', all of its 2 fields", "26: case 2 of 'Actor'", "27: case 3 of 'Actor'",
        "34: descriptor 'users' → User of the endpoint 'actors'",
        "40: descriptor 'teams' → Team of the endpoint 'other'", "35: error rule 1 of the endpoint 'actors'",
        "42: error rule 1", "43: error rule 2",
      ])
    #expect(counts == ["4/9 fields", "1/3 cases", "1/3 descriptors", "0/3 error rules"])
  }

  @Test func `tests that reach everything leave no gap`() throws {
    let (gaps, counts) = try gaps(
      """
        - name: all fields
          endpoint: actors
          body:
            actors: [{type: team, id: 1, title: x}, {type: none}]
            users: [{type: user, id: 1, name: x, nick: y, upper: A, first: b, tags: [t]}]
          expect: {users: {count: 1}}
        - name: the first case
          endpoint: actors
          body: {actors: [{type: user, id: 1}]}
          expect: {users: {count: 1}}
        - name: the other endpoint
          path: /other
          body: {teams: [{id: 1}]}
          expect: {teams: {count: 1}}
        - {name: ignored, endpoint: actors, status: 418, body: {}, error: {}}
        - {name: gone, endpoint: actors, status: 404, body: {m: gone}, error: {message: gone}}
        - {name: wrong, endpoint: actors, status: 400, body: {m: wrong}, error: {message: wrong}}
      """)
    #expect(gaps.isEmpty)
    #expect(counts == ["9/9 fields", "3/3 cases", "3/3 descriptors", "3/3 error rules"])
  }

  @Test func `a record that is filtered reaches none of its fields`() throws {
    let (_, counts) = try gaps(
      """
        - name: hidden
          endpoint: actors
          body: {users: [{id: 1, name: x, hidden: true}]}
          expect: {users: []}
      """)
    #expect(counts == ["0/9 fields", "0/3 cases", "1/3 descriptors", "0/3 error rules"])
  }

  @Test func `a rule that fits an answer of a walk is reached`() throws {
    let yaml = """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Item: {table: items, key: id, fields: [id]}}
      endpoints: {items: {path: /items, records: {items: Item}}}
      errors: [{status: 404, action: stop}, {status: 500}]
      tests:
        - {name: one, endpoint: items, status: 404, body: {}, expect: {requests: [GET /items]}, error: {}}
      """
    let tested = try TestedYAML(yaml)
    let coverage = TestCoverage()
    #expect(tested.runner.outcome(of: tested.mapping.tests[0], noting: coverage).holds)
    #expect(coverage.parts(of: tested.mapping, tested.plan)[3].gaps.map(\.text) == ["error rule 2"])
  }
}
