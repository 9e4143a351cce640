import Pipeline
import Testing

/// `--endpoint` says which endpoint has answered, and not which request.
struct UnroutedValuesTests {
  private static func bench(_ record: String) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Review: {\(record)}}
      endpoints: {reviews: {path: "/properties/:property/reviews", fetch: false, records: {reviews: Review}}}
      """)
  }

  private static let body = #"{"reviews": [{"id": 1}]}"#

  @Test(arguments: [
    ("key: id, fields: {id: {type: integer}, p: {from: $route.property}}", "'Review.p' ($route.property) has no value"),
    (
      "key: id, fields: {id: {type: integer}, p: {from: [$route.property, $query.p]}, u: $request.url}",
      "'Review.p' ($route.property), 'Review.u' ($request.url) have no value"
    ),
    (
      "key: id, fields: {id: {type: integer}}, relationships: {tags: [{fields: {p: $query.p}}]}",
      "'Review.tags.p' ($query.p) has no value"
    ),
    // Another source, or a default.
    ("key: id, fields: {id: {type: integer}, p: {from: [$route.property, id]}}", nil),
    ("key: id, fields: {id: {type: integer}, p: {from: $route.property, default: x}}", nil),
  ])
  func `what a column reads of the request is told to be missing`(_ record: String, _ told: String?) throws {
    let bench = try Self.bench(record)
    let run = try bench.load([Self.body], route: .endpoint("reviews"))
    let advice =
      "say which request the bodies answer, as --path /properties/:property/reviews with its values, and the query"
    #expect(run.warnings == (told.map { ["\($0) by '--endpoint' alone: \(advice)"] } ?? []))
    #expect(try bench.load([Self.body], route: .path("/properties/7/reviews?p=1", method: "GET")).warnings.isEmpty)
  }

  @Test func `a key that reads it is refused before anything is stored`() throws {
    let bench = try Self.bench("key: [p, id], fields: {id: {type: integer}, p: {from: $route.property, type: integer}}")
    let error = #expect(throws: PipelineError.self) { try Loader.check(.endpoint("reviews"), in: bench.plan) }
    #expect(error?.kind == .refused)
    #expect(error?.message.hasPrefix("'Review.p' is a part of the key and reads '$route.property'") == true)
    try Loader.check(.path("/properties/7/reviews", method: "GET"), in: bench.plan)
  }
}
