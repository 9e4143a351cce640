import Pipeline
import Testing
import Values

/// A value that is all of a path's segment, and empty: the URL would be another one, such as that of the collection.
struct EmptySegmentTests {
  private static func yaml(_ path: String, _ more: String) -> String {
    """
    ingest: 1
    source: {name: demo, base_url: "https://api.example.test"}
    variables: {v: ""}
    records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
    endpoints: {items: {path: \(path), records: {items: Item}, \(more)}}
    """
  }

  private static let each = #"for_each: {values: ["a", "", "b"], bind: x}, on_failure: continue"#

  @Test(arguments: [
    ("/u/:x", 2), ("/u/:x/items", 2), ("\"/u/{x}/items\"", 2), ("\"/u/${each.x}\"", 2), ("\"/u/${each.x}/items\"", 2),
    ("\"/u/i${each.x}\"", 3),
  ])
  func `a walk that is bound to nothing fails, and asks nothing`(_ path: String, _ asked: Int) throws {
    let script = Script((1...3).map { _ in .ok(#"{"items": []}"#) })
    let run = try Bench(Self.yaml(path, Self.each)).run(script)
    #expect(script.requests.count == asked)
    #expect((run.failure == nil) == (asked == 3))
    let errors = run.messages.filter { $0.level == .error }.map(\.text)
    #expect(errors.count == 3 - asked)
    #expect(errors.allSatisfy { $0.hasPrefix("endpoint 'items': ") && $0.contains("is empty") })
  }

  @Test(arguments: ["/u/:v", "\"/u/${v}\"", "\"/u/${v}/items\""])
  func `a variable without a text is refused likewise`(_ path: String) throws {
    let script = Script([.ok(#"{"items": []}"#)])
    let run = try Bench(Self.yaml(path, "status: 2xx")).run(script)
    #expect(run.failure?.message.contains("is empty") == true)
    #expect(script.requests.isEmpty)
  }
}
