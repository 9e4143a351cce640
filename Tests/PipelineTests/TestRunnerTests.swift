import Diagnostics
import Foundation
import Pipeline
import TestSupport
import Testing

/// `tests` of a mapping: what is compared, and what a finding says.
struct ExpectedOutcome: Sendable, CustomTestStringConvertible {
  /// Keys of the test, within braces.
  let test: String
  /// The finding's message behind `test 'one': `, or its beginning; nil: the test holds.
  var fault: String?

  var testDescription: String { test }
}

struct TestRunnerTests {
  private static let mapping = """
    ingest: 1
    source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 3}}
    records:
      Item:
        table: items
        key: id
        fields: {id: {type: integer}, text: {type: text}, sum: {type: decimal}, share: {type: real}, flag: {type: boolean}, any: , raw: {type: bytes}, kind: $response.headers.x-kind}
    endpoints:
      items: {path: "/items", records: {items: Item}, paginate: {by: page, param: p, start: 1}}
      owned: {path: "/of/:owner/items", for_each: {record: Item, bind: {owner: kind}}, records: {items: Item}}
      other: {path: "/other", status: 2xx, fetch: false, records: {others: Item}}
    errors: [{status: 4xx, message: m, code: c}]
    """

  /// The findings of a mapping with this test.
  private func findings(_ test: String, files: [String: String] = [:]) throws -> [Diagnostic] {
    let text = Self.mapping + "\ntests: [{name: one, \(test)}]\n"
    return try TestedYAML(text, files: files).runner.run()
  }

  private static let one =
    "endpoint: items, body: {items: [{id: 1, text: a, sum: 1.50, share: 0.5, flag: true, any: {b: [1]}}]}"
  private static let two = "endpoint: items, body: {items: [{id: 1, text: a}, {id: 2, text: b}]}"

  @Test(arguments: [
    ExpectedOutcome(
      test: "\(one), expect: {items: [{id: 1, text: a, sum: 1.50, share: 0.5, flag: true, any: '{\"b\":[1]}'}]}"),
    ExpectedOutcome(test: "\(one), expect: {items: [{id: 1}]}"),
    ExpectedOutcome(test: "\(one), expect: {items: {count: 1}}"),
    ExpectedOutcome(test: "\(one), expect: {items: [{id: 2}]}", fault: "'items' has no row {id: 2} among {id: 1, "),
    ExpectedOutcome(test: "\(one), expect: {items: [{id: '1'}]}", fault: "'items' has no row {id: \"1\"} among"),
    ExpectedOutcome(test: "\(one), expect: {items: [{sum: 1.5}]}", fault: "'items' has no row {sum: 1.5} among"),
    ExpectedOutcome(test: "\(one), expect: {items: [{text: null}]}", fault: "'items' has no row {text: null} among"),
    ExpectedOutcome(test: "\(one), expect: {items: []}", fault: "'items' has 1 row, expected are 0: {id: 1, "),
    ExpectedOutcome(test: "\(one), expect: {items: {count: 2}}", fault: "'items' has 1 row, expected are 2"),
    ExpectedOutcome(test: "\(two), expect: {items: [{id: 2}, {id: 1}]}"),
    ExpectedOutcome(test: "\(two), expect: {items: {count: 2, rows: [{id: 2}]}}"),
    ExpectedOutcome(test: "\(two), expect: {items: [{id: 2}]}", fault: "'items' has 2 rows, expected are 1"),
    ExpectedOutcome(test: "\(two), expect: {items: [{id: 2}, {id: 2}]}", fault: "'items' has no row {id: 2} among"),
    // An expected row that fits two takes the one that the other leaves.
    ExpectedOutcome(test: "\(two), expect: {items: [{share: null}, {id: 1}]}"),
    ExpectedOutcome(test: "\(two), expect: {items: {ordered: true, rows: [{id: 1}, {id: 2}]}}"),
    ExpectedOutcome(
      test: "\(two), expect: {items: {ordered: true, rows: [{id: 2}, {id: 1}]}}", fault: "row 1 of 'items' is {id: 1, "),
    // Rejects.
    ExpectedOutcome(test: "endpoint: items, body: {items: [{id: x}]}, expect: {rejects: 1, items: []}"),
    ExpectedOutcome(
      test: "endpoint: items, body: {items: [{id: x}]}, expect: {items: []}",
      fault: "1 record was rejected, none was expected: /items/0: "),
    ExpectedOutcome(test: "\(one), expect: {rejects: 1}", fault: "0 records were rejected, expected are 1"),
    // Errors.
    ExpectedOutcome(test: "endpoint: items, status: 404, body: {m: gone, c: 7}, error: {message: gone, code: '7'}"),
    ExpectedOutcome(
      test: "endpoint: items, status: 404, body: {m: gone, c: 7}, error: {message: here}",
      fault: "the error has message 'gone' and code '7', expected is message 'here'"),
    ExpectedOutcome(
      test: "\(one), error: {message: gone}", fault: "no error came, expected is one with message 'gone'"),
    ExpectedOutcome(
      test: "endpoint: items, status: 404, body: {m: gone}, expect: {items: []}",
      fault: "endpoint 'items': GET body answered 404: gone"),
    ExpectedOutcome(
      test: "endpoint: items, body: {wrong: []}, expect: {items: []}", fault: "body: none of the key paths is there"),
    ExpectedOutcome(test: "endpoint: items, status: 404, body: {m: gone}, error: {}"),
    ExpectedOutcome(test: "\(one), error: {}", fault: "no error came, expected is one"),
    ExpectedOutcome(
      test: "path: '/none', body: {}, error: {message: gone}",
      fault: "no error came, expected is one with message 'gone'; nothing matches GET /none: "),
    // Order.
    ExpectedOutcome(test: "\(two), ordered: true, expect: {items: [{id: 1}, {id: 2}]}"),
    ExpectedOutcome(
      test: "\(two), ordered: true, expect: {items: [{id: 2}, {id: 1}]}", fault: "row 1 of 'items' is {id: 1, "),
    // Bytes are compared by their base64.
    ExpectedOutcome(
      test: "endpoint: items, body: {items: [{id: 1, raw: _-8}]}, expect: {items: [{raw: /+8=}]}"),
    ExpectedOutcome(
      test: "endpoint: items, body: {items: [{id: 1, raw: _-8}]}, expect: {items: [{raw: /+9=}]}",
      fault: "'items' has no row {raw: \"/+9=\"} among {id: 1, "),
    // The answer's headers.
    ExpectedOutcome(test: "\(one), headers: {X-Kind: new}, expect: {items: [{kind: new}]}"),
    ExpectedOutcome(
      test: "\(one), headers: {X-Kind: new}, expect: {items: [{kind: new}], requests: [GET /items?p=1, GET /items?p=2]}"
    ),
    ExpectedOutcome(
      test: "\(one), headers: {content-type: text/html}, error: {code: bad-content-type}"),
    ExpectedOutcome(
      test: "\(one), headers: {content-type: text/html}, expect: {items: []}",
      fault: "body: the answer is 'text/html', where JSON is expected"),
    // Ways to the descriptors.
    ExpectedOutcome(test: "path: '/other', body: {others: [{id: 1}]}, expect: {items: [{id: 1}]}"),
    ExpectedOutcome(
      test: "path: '/none', body: {others: []}, expect: {items: []}", fault: "nothing matches GET /none: "),
    // Files and requests.
    ExpectedOutcome(
      test:
        "endpoint: items, response: [a.json, b.json], expect: {items: [{id: 1}, {id: 2}], requests: [GET /items?p=1, GET /items?p=2, GET /items?p=3]}"
    ),
    ExpectedOutcome(test: "endpoint: items, response: [a.json, b.json], expect: {items: [{id: 1}, {id: 2}]}"),
    ExpectedOutcome(
      test: "path: /of/ada/items, response: a.json, expect: {items: [{id: 1}], requests: [GET /of/ada/items]}"),
    ExpectedOutcome(
      test: "path: /items, response: a.json, expect: {requests: [GET /items?p=1, GET /items?p=2]}"),
    ExpectedOutcome(
      test: "path: /nowhere, response: a.json, expect: {requests: []}", fault: "nothing matches GET /nowhere: "),
    ExpectedOutcome(
      test: "endpoint: owned, response: a.json, expect: {items: [], requests: []}"),
    ExpectedOutcome(
      test:
        "endpoint: items, response: a.ndjson, expect: {items: [{id: 3}, {id: 4}], requests: [GET /items?p=1, GET /items?p=2]}"
    ),
    ExpectedOutcome(
      test:
        "endpoint: items, status: 404, body: {m: gone}, expect: {items: [], requests: [GET /items?p=1]}, error: {message: gone}"
    ),
    // An error stays one, however often it is asked for.
    ExpectedOutcome(
      test:
        "endpoint: items, status: 503, body: {m: gone}, expect: {requests: [GET /items?p=1, GET /items?p=1, GET /items?p=1]}, error: {message: busy}",
      fault: "the error has message '' and code '', expected is message 'busy'"),
    ExpectedOutcome(
      test: "endpoint: items, response: a.json, expect: {requests: [GET /items?p=1]}",
      fault: "the requests were [\"GET /items?p=1\", \"GET /items?p=2\"], expected are [\"GET /items?p=1\"]"),
  ])
  func `a test holds, or its finding says what came instead`(_ test: ExpectedOutcome) throws {
    let files = [
      "a.json": #"{"items": [{"id": 1}]}"#, "b.json": #"{"items": [{"id": 2}]}"#,
      "a.ndjson": "{\"items\": [{\"id\": 3}]}\n{\"items\": [{\"id\": 4}]}\n",
    ]
    let found = try findings(test.test, files: files)
    guard let fault = test.fault else {
      #expect(found.isEmpty, "\(found.map(\.message))")
      return
    }
    #expect(found.map(\.code) == [.failingTest])
    #expect(found.first?.message.hasPrefix("test 'one': " + fault) == true, "\(found.first?.message ?? "")")
    let span = try #require(found.first?.span)
    #expect(span.start.line == Self.mapping.components(separatedBy: "\n").count + 1 && span.start.column == 16)
  }

  @Test(arguments: [
    ("endpoint: itms, body: {}", DiagnosticCode.unknownEndpoint),
    ("endpoint: items, response: none.json, expect: {items: []}", .unreadableFile),
    ("endpoint: items, body: {}, expect: {itms: []}", .badValue),
    ("endpoint: items, body: {}, expect: {Item: []}", .badValue),
    ("endpoint: items, body: {}, expect: {items: [{txt: 1}]}", .unknownColumn),
  ])
  func `a test that cannot be run is a finding at what is wrong with it`(_ test: String, _ code: DiagnosticCode) throws
  {
    let found: [Diagnostic]
    do {
      found = try findings(test)
    } catch let error as FixtureError {
      #expect(error.description.contains("[\(code.rawValue)]"), "the reader finds it already")
      return
    }
    #expect(found.map(\.code) == [code])
  }

  @Test func `a record's name in place of its table's is told where its rows are`() throws {
    let found = try findings("endpoint: items, body: {}, expect: {Item: []}")
    #expect(found.map(\.hint) == ["rows of the record 'Item' are in 'items'"])
  }
}
