import Fetch
import Pipeline
import Testing

/// An API that gives the same records again, in bodies that are never the same.
struct RepeatedPageTests {
  private func bench(
    _ paging: String, record: String = "key: id", fields: String = "id: {type: integer}",
    places: String = "items: Item", source: String = ""
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}, \(source)}
      records: {Item: {table: items, \(record), fields: {\(fields)}}}
      endpoints: {items: {path: /items, records: {\(places)}, paginate: {\(paging)}}}
      """)
  }

  /// Each with a stamp of its own.
  private func pages(_ items: [String]) -> [Script.Answer] {
    items.enumerated().map { .ok(#"{"at": "\#($0)", "items": \#($1), "next": "c\#($0)"}"#) }
  }

  private static let two = #"[{"id": 1}, {"id": 2}]"#
  private static let same = "it gave the same records as a page before"

  @Test(arguments: [
    ("by: page, param: p, start: 1", "key: id"), ("by: offset, param: o", "key: id"),
    ("by: page, param: p, start: 1, size: 2, stop_when: short", "write: append"),
    ("by: offset, param: o", "write: append"),
    ("by: page, param: p, start: 1", "key: id, write: replace"),
    ("by: page, param: p, start: 1", "key: id, where: {id: {gt: 9}}"),
  ])
  func `a number that is ignored is noticed, and the page is not stored twice`(
    _ paging: String, _ record: String
  ) throws {
    let bench = try bench(paging, record: record)
    let script = Script(pages(Array(repeating: Self.two, count: 9)))
    let run = try bench.run(script)
    #expect(run.failure?.message.hasSuffix(Self.same) == true, "\(run.failure?.message ?? "")")
    #expect(script.requests.count == 2)
    let isKept = !record.contains("replace") && !record.contains("where")
    #expect(try bench.rows("SELECT id FROM items") == (isKept ? ["1", "2"] : []))
    #expect(try bench.rows("SELECT code FROM _ingest_errors") == ["repeated-page"] && bench.faults().isEmpty)
    #expect(try bench.rows("SELECT name FROM _ingest_state WHERE name = 'walk'").isEmpty, "it is not continued")
  }

  @Test func `those that fetch ahead notice it, too`() throws {
    let bench = try bench("by: page, param: p, start: 1", source: "concurrency: 4")
    let crowd = Crowd { line, _ throws(FetchError) in Crowd.json(#"{"at": "\#(line)", "items": \#(Self.two)}"#) }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure?.message.hasSuffix(Self.same) == true, "\(run.failure?.message ?? "")")
    #expect(crowd.lines == ["GET /items?p=1", "GET /items?p=2"])
  }

  @Test func `a walk that goes on after a cut knows the records of before`() throws {
    let bench = try bench("by: page, param: p, start: 1")
    let third = #"[{"id": 3}]"#
    _ = try bench.run(Script(pages([Self.two, third]) + [.failure(FetchError(.interrupted, "cut"))]))
    // One page earlier, which is not what came before.
    let script = Script(pages([third, third.replacing("3", with: "4"), Self.two]))
    #expect(try bench.run(script).failure?.message.hasSuffix(Self.same) == true)
    #expect(script.requests.count == 3)
    #expect(try bench.rows("SELECT id FROM items ORDER BY id") == ["1", "2", "3", "4"])
  }

  @Test(arguments: [
    // What an API leads to may be the same change twice.
    (["[{\"id\": 1}]", "[{\"id\": 1}]", "[{\"id\": 2}]", "[{\"id\": 1}]", "[]"], 5, true),
    (["[{\"id\": 1}]", "[{\"id\": 1}]", "[{\"id\": 1}]", "[]"], 3, false),
  ])
  func `a cursor is noticed that leads to the same for ever`(
    _ items: [String], _ requests: Int, _ isWhole: Bool
  ) throws {
    let bench = try bench("by: cursor, param: c, from: next")
    let script = Script(pages(items))
    let run = try bench.run(script)
    #expect((run.failure == nil) == isWhole && script.requests.count == requests, "\(run.failure?.message ?? "")")
  }

  @Test(arguments: [
    // What stands around records makes rows of its own.
    ("write: append", "id: {type: integer}, at: $parent.at", "items: Item", Self.two),
    ("write: append", "id: {type: integer}, name: $key", "\"items.*\": Item", #"{"a": {"id": 1}, "b": {"id": 1}}"#),
  ])
  func `records that are not all that a page brings may come again`(
    _ record: String, _ fields: String, _ places: String, _ items: String
  ) throws {
    let bench = try bench("by: page, param: p, start: 1", record: record, fields: fields, places: places)
    let end = places.contains("*") ? "{}" : "[]"
    let run = try bench.run(Script(pages([items, items, end])))
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(try bench.rows("SELECT count(*) FROM items") == ["4"])
  }

  @Test func `equal pages without records are none that repeats`() throws {
    let bench = try bench("by: page, param: p, start: 1, total_pages: pages")
    let script = Script((0..<3).map { .ok(#"{"at": \#($0), "pages": 3, "items": []}"#) })
    #expect(try bench.run(script).failure == nil && script.requests.count == 3)
  }
}
