import Diagnostics
import Fetch
import Pipeline
import Testing

/// What `-v` says beside the rest.
struct DetailTests {
  private func bench(_ isVerbose: Bool) throws -> Bench {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Item: {key: id, fields: [{id: {type: integer}}]}}
      endpoints:
        items:
          path: /items/:kind
          records: {items: Item}
          params: {key: "${secret.KEY}"}
          for_each: {values: [a], bind: kind}
          incremental: {column: id, param: after}
          paginate: {by: page, param: page, start: 1}
      """, secrets: ["KEY": "quince-1"])
    bench.isVerbose = isVerbose
    return bench
  }

  private func details(_ run: Bench.Run) -> [String] { run.messages.filter { $0.level == .debug }.map(\.text) }

  private static let bodies = [#"{"items": [{"id": 1}, {"id": 2}]}"#, #"{"items": []}"#]

  @Test func `each walk and each page is told, without secrets`() throws {
    let bench = try bench(true)
    let first = try bench.run(Script(bodies: Self.bodies))
    #expect(first.failure == nil)
    let url = "https://api.example.test/items/a?key=***"
    #expect(
      details(first) == [
        "endpoint 'items': a walk begins for kind=a",
        "endpoint 'items': GET \(url)&page=1 answered 200: 2 records, 33 bytes",
        "endpoint 'items': GET \(url)&page=2 answered 200: 0 records, 13 bytes",
      ])
    let second = try bench.run(Script(bodies: [#"{"items": []}"#]))
    #expect(details(second).first == "endpoint 'items': a walk begins for kind=a at its cursor (after=2)")
    let cut = try bench.run(Script(bodies: [Self.bodies[0]]))
    #expect(cut.failure != nil)
    let continued = try bench.run(Script(bodies: [#"{"items": []}"#]))
    #expect(details(continued).first?.hasPrefix("endpoint 'items': a walk begins for kind=a where it was cut") == true)
  }

  @Test func `each body that is loaded is told`() throws {
    let bench = try bench(true)
    let run = try bench.load([Self.bodies[0]])
    #expect(details(run).count == 1 && details(run)[0].hasSuffix("as endpoint 'items': 2 records"), "\(details(run))")
  }

  @Test func `nobody is told who has not asked`() throws {
    let run = try bench(false).run(Script(bodies: Self.bodies))
    #expect(run.failure == nil && details(run).isEmpty)
  }
}
