import Diagnostics
import Setup
import TestSupport
import Testing

/// Key paths held against the bodies of `tests`.
struct SampleCheckTests {
  private static let head = """
    ingest: 1
    source: {name: shop, base_url: https://api.example.test}

    """

  /// The names that are suggested, as `line:column name`.
  private func suggestions(
    _ records: String, _ bodies: [String], endpoints: String = "{users: {path: /users, records: {users: User}}}",
    files: [String: String] = [:]
  ) throws -> [String] {
    let tests = bodies.map { "  - {name: a, endpoint: users, \($0), expect: {}}\n" }.joined()
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    let path = try folder.write(
      "m.yaml", Self.head + "records: \(records)\nendpoints: \(endpoints)\ntests:\n\(tests)")
    let findings = try MappingCheck.check(path).allFindings.filter { $0.code != .failingTest }
    #expect(findings.allSatisfy { $0.code == .unmatchedPath && $0.severity == .warning }, "\(findings)")
    return findings.map { "\($0.span.start.line):\($0.span.start.column) \($0.hint ?? "")" }
  }

  private func user(_ rest: String) -> String { "{User: {table: users, key: id, fields: {id: , \(rest)}}}" }

  @Test func `a member that no body has, beside one whose name is near, is probably misspelt`() throws {
    #expect(
      try suggestions(user("url: web_ulr"), ["body: {users: [{id: 1, web_url: a}]}"]) == [
        "3:61 did you mean 'web_url'?"
      ])
    // The name of the column is the key path where there is none.
    #expect(try suggestions(user("nmae: "), ["body: {users: [{id: 1, name: a}]}"]) == ["3:56 did you mean 'name'?"])
    #expect(
      try suggestions(user("city: address.ctiy"), ["body: {users: [{id: 1, address: {city: a}}]}"]) == [
        "3:62 did you mean 'city'?"
      ])
    #expect(
      try suggestions(user("city: 'addresses[*].ctiy'"), ["body: {users: [{id: 1, addresses: [{city: a}]}]}"]).count
        == 1)
  }

  @Test(arguments: [
    // Optional: nothing is near.
    ("url: web_url", ["body: {users: [{id: 1, name: a}]}"]),
    // Another body has it, be it null.
    ("url: web_ulr", ["body: {users: [{id: 1, web_url: a}]}", "body: {users: [{id: 1, web_ulr: }]}"]),
    ("url: web_ulr", ["body: {users: [{id: 1, web_url: a}, {id: 2, web_ulr: b}]}"]),
    // What is near is read by another field.
    ("line1: , line2: ", ["body: {users: [{id: 1, line1: a}]}"]),
    // A list of key paths is there because not every body has each.
    ("url: {from: [web_ulr, link]}", ["body: {users: [{id: 1, web_url: a}]}"]),
    // Nothing is known of what is null, or of another shape, on the way.
    ("city: address.city", ["body: {users: [{id: 1, address: }]}"]),
    // Context, programs and constants are no key paths of the body.
    ("kye: $key, a: {jq: .nmae}, b: {const: nmae}", ["body: {users: [{id: 1, name: a, key: b}]}"]),
    // An error's body is none of the record's, and a list without an element says nothing.
    ("nmae: ", ["status: 404, body: {users: [{id: 1, name: a}]}", "body: {users: []}"]),
  ])
  func `a member that may be meant is not told of`(_ fields: String, _ bodies: [String]) throws {
    #expect(try suggestions(user(fields), bodies) == [])
  }

  @Test func `places and relationships are looked at, and what is nested`() throws {
    let records = """
      {User: {table: users, key: id, fields: [id], relationships: {post: {record: [Post], from: psots}, pets: [Pet]}},
        Post: {key: id, fields: [id]}, Pet: {fields: [nmae]}}
      """
    let body = "body: {users: [{id: 1, posts: [{id: 2}], pets: [{name: a}]}]}"
    #expect(
      try suggestions(records, [body]) == ["3:100 did you mean 'posts'?", "4:49 did you mean 'name'?"])
    #expect(
      try suggestions(
        user("name: "), ["body: {data: {user: [{id: 1}]}, total: 3}"],
        endpoints: "{users: {path: /users, records: {data.users: User}}}") == ["4:45 did you mean 'user'?"])
  }

  @Test(arguments: [
    ("{by: cursor, param: c, from: paging.nextCursor}", "{next_cursor: b}", "next_cursor"),
    ("{by: cursor, param: c, from: paging.cursor}", "{next_cursor: b}", "next_cursor"),
    ("{by: cursor, param: c, from: paging.next, has_more: paging.more}", "{next: b, hasMore: true}", "hasMore"),
    ("{by: page, param: p, start: 1, total: paging.total}", "{total_items: 9}", "total_items"),
    ("{by: page, param: p, start: 1, total_pages: paging.pages}", "{page_count: 9, pagse: 3}", "pagse"),
    ("{by: page, param: p, start: 1, stop_when: {paging.lst: true}}", "{last: true}", "last"),
    // What may be optional, and what another body has.
    ("{by: cursor, param: c, from: paging.next}", "{limit: 9}", nil),
    ("{by: cursor, param: c, from: paging.next, total: paging.next_total}", "{next_total: 9}", nil),
    ("{by: cursor, param: c, from: $response.headers.x-next}", "{x-nxet: b}", nil),
  ])
  func `key paths of paginate are looked at`(_ paginate: String, _ paging: String, _ suggested: String?) throws {
    let found = try suggestions(
      user("name: "), ["body: {users: [{id: 1, name: a}], paging: \(paging)}"],
      endpoints: "{users: {path: /users, records: {users: User}, paginate: \(paginate)}}")
    let hints = found.map { String($0.drop { $0 != " " }.dropFirst()) }
    #expect(hints == (suggested.map { ["did you mean '\($0)'?"] } ?? []))
  }

  @Test(arguments: [
    ("[{when: {ok: false}, message: eror}]", "200", "error"), ("[{when: {okk: false}, message: error}]", "200", "ok"),
    ("[{status: 4xx, message: fault.mesage}]", "404", "message"),
    ("[{status: 5xx, message: fault.mesage}]", "404", nil), ("[{status: 4xx, message: [fault.mesage, x]}]", "404", nil),
  ])
  func `key paths of error rules are looked at`(_ errors: String, _ status: String, _ suggested: String?) throws {
    let endpoint = "{path: /users, records: {users: User}, errors: \(errors)}"
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "m.yaml",
      Self.head + "records: \(user("name: "))\nendpoints: {users: \(endpoint)}\ntests:\n"
        + "  - {name: a, endpoint: users, status: \(status), error: {}, "
        + "body: {ok: false, error: no, fault: {message: no}}}\n")
    let found = try MappingCheck.check(path).allFindings.filter { $0.code == .unmatchedPath }
    #expect(found.map(\.hint) == (suggested.map { ["did you mean '\($0)'?"] } ?? []))
  }

  @Test func `bodies in files and lines of files count too`() throws {
    let files = ["a.json": #"{"users": [{"id": 1, "n\u0061me": "a"}]}"#, "b.ndjson": "{\"nam\": 1}\n{\"nmae\": 2}\n"]
    #expect(try suggestions(user("nmae: "), ["response: a.json"], files: files) == ["3:56 did you mean 'name'?"])
    #expect(try suggestions(user("nmae: "), ["response: [a.json, a.json]"], files: files).count == 1)
    let lines = "{users: {path: /users, records: {.: User}}}"
    #expect(try suggestions(user("nmae: "), ["response: b.ndjson"], endpoints: lines, files: files) == [])
    #expect(try suggestions(user("nmea: "), ["response: b.ndjson"], endpoints: lines, files: files).count == 1)
  }

  @Test func `a comment allows it`() throws {
    let text = """
      records:
        User:
          table: users
          key: id
          fields:
            id:
            # ingest: allow unmatched-path only old users have it
            nmae:
      endpoints: {users: {path: /users, records: {users: User}}}
      tests: [{name: a, path: "/users?a=b", body: {users: [{id: 1, name: a}]}, expect: {users: [{id: 1}]}}]
      """
    #expect(try MappingCheck.check(SourceFile(name: "m.yaml", text: Self.head + text)).allFindings.isEmpty)
    let refused = text.replacing("        # ingest", with: "        # ").replacing("      # ingest", with: "      # ")
    let findings = try MappingCheck.check(SourceFile(name: "m.yaml", text: Self.head + refused)).allFindings
    #expect(findings.map(\.code) == [.unmatchedPath])
  }
}
