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
    ("[{status: 5xx, message: fault.mesage}]", "404", nil),
    ("[{status: 4xx, message: [fault.mesage, x]}]", "404", "message"),
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

  @Test(arguments: [
    // What others only pass through may be meant by a path that goes on.
    ("a: address.city, b: addres.street", "{id: 1, address: {city: a, street: b}}", ["did you mean 'address'?"]),
    ("a: address, b: addres", "{id: 1, address: a}", []),
    ("a: address/city", "{id: 1, address: {city: a}}", ["did you mean 'address.city'?"]),
    ("a: address/town", "{id: 1, address: {city: a}}", []),
    (
      "a: tags.name", "{id: 1, tags: [{name: a}]}", ["write 'tags[*].name' for all elements, or 'tags[0].name' for one"]
    ),
    ("a: tags.1.name", "{id: 1, tags: [{name: a}, {name: b}]}", ["write 'tags[1].name'"]),
    ("a: tags.name", "{id: 1, tags: []}", []),
    ("a: $root.totl", "{id: 1, total: 5}", []),
    ("a: $root.usesr", "{id: 1}", ["did you mean 'users'?"]),
  ])
  func `lists, pointers and paths from the root are looked at`(
    _ fields: String, _ body: String, _ hints: [String]
  ) throws {
    #expect(try suggestions(user(fields), ["body: {users: [\(body)]}"]).map(hint) == hints)
  }

  private func hint(_ suggestion: String) -> String { String(suggestion.drop { $0 != " " }.dropFirst()) }

  @Test func `conditions are looked at, in records, choices and relationships`() throws {
    let records = """
      {User: {key: id, fields: [id], where: {acitve: true}, delete_when: {any: [{delted: true}, {not: {gone: {exists: true}}}]},
          relationships: {pets: {record: [Pet], complete: {moer: false}}}},
        Pet: {switch: [{when: {knid: cat}, record: Cat}, {else: skip}]}, Cat: {key: id, fields: [id]}}
      """
    let body = "body: {users: [{id: 1, active: true, deleted: false, more: true, pets: [{kind: cat, id: 1}]}]}"
    #expect(
      try suggestions(records, [body]).map(hint).sorted() == [
        "did you mean 'active'?", "did you mean 'deleted'?", "did you mean 'kind'?", "did you mean 'more'?",
      ])
  }

  @Test func `what paging reads is looked at`() throws {
    let endpoints = """
      {users: {path: /users, records: {users: User},
        paginate: {by: cursor, param: c, from: meta.nxet, has_more: mroe, total: count, stop_when: {endd: true}}}}
      """
    let body = "body: {users: [{id: 1}], meta: {next: a}, more: true, end: false, counter: 1}"
    #expect(
      try suggestions(user("a: "), [body], endpoints: endpoints).map(hint) == [
        "did you mean 'next'?", "did you mean 'more'?", "did you mean 'counter'?", "did you mean 'end'?",
      ])
  }

  /// The hints of a mapping with this rule, for tests whose answers are errors.
  private func errorHints(_ rule: String, _ bodies: [String]) throws -> [String] {
    let tests = bodies.map { "  - {name: a, endpoint: users, status: 404, body: \($0), error: {}}\n" }.joined()
    let text =
      Self.head + "records: \(user("a: "))\nendpoints: {users: {path: /users, records: {users: User}}}\n"
      + "errors: [\(rule)]\ntests:\n\(tests)"
    return try MappingCheck.check(SourceFile(name: "m.yaml", text: text)).allFindings
      .filter { $0.code == .unmatchedPath }.map { $0.hint ?? "" }
  }

  @Test func `what error rules read is looked at, of which one message is enough`() throws {
    let bodies = ["{error: {message: a, code: 5}}", "{message: b}"]
    #expect(
      try errorHints("{status: 4xx, message: [error.mesage], code: error.code}", bodies) == ["did you mean 'message'?"])
    #expect(try errorHints("{status: 4xx, message: [error.mesage, message]}", bodies) == [])
    #expect(try errorHints("{status: 4xx, when: {mesage: a}}", bodies) == ["did you mean 'message'?"])
    #expect(try errorHints("{status: 5xx, message: mesage}", bodies) == [])
  }

  @Test(arguments: [
    ("pets: [Pet]", "pets: {id: 1}", "write Pet without brackets"), ("pets: Pet", "pets: [{id: 1}]", "write [Pet]"),
    ("pets: [Pet]", "pets: [{id: 1}]", nil), ("pets: Pet", "pets: {id: 1}", nil), ("pets: Pet", "pets: []", nil),
    ("pets: {record: [Pet], from: 'all[*].pet'}", "all: [{pet: {id: 1}}]", nil),
  ])
  func `a list that is declared as one is told of, and the other way round`(
    _ relationship: String, _ member: String, _ hint: String?
  ) throws {
    let text = """
      records: {User: {key: id, fields: [id], relationships: {\(relationship)}}, Pet: {key: id, fields: [id]}}
      endpoints: {users: {path: /users, records: {users: User}}}
      tests: [{name: a, endpoint: users, body: {users: [{id: 1, \(member)}]}, expect: {}}]
      """
    let findings = try MappingCheck.check(SourceFile(name: "m.yaml", text: Self.head + text)).allFindings
    #expect(findings.filter { $0.severity == .warning }.map(\.hint) == (hint.map { [$0] } ?? []))
  }

  @Test func `a place that names what is around the records is told of`() throws {
    let endpoints = "{users: {path: /users, records: {data: User}}}"
    let fields = user("name: , mail: ")
    #expect(
      try suggestions(fields, ["body: {data: {list: [{id: 1, name: a}], page: {no: 1}}}"], endpoints: endpoints).map(
        hint)
        == ["did you mean 'data.list'?"])
    #expect(try suggestions(fields, ["body: {data: {id: 1, list: [{id: 1, name: a}]}}"], endpoints: endpoints) == [])
    #expect(try suggestions(fields, ["body: {data: {list: [{other: 1}]}}"], endpoints: endpoints) == [])
  }
}
