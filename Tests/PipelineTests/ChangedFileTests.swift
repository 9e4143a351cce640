import Glibc
import Pipeline
import TestSupport
import Testing

/// A file that is changed while it is read may have lost what was at its end.
struct ChangedFileTests {
  @Test(arguments: [("json", "items: Item"), ("ndjson", ".: Item")])
  func `it fails, and nothing of its last part is kept`(_ ending: String, _ places: String) throws {
    let bench = try Bench(
      records: "Item: {table: items, key: id, fields: {id: {type: integer}}}",
      endpoints: "items: {path: /items, fetch: false, records: {\(places)}}")
    let lines = (0..<200).map { "{\"id\": \($0)}" }
    let text = ending == "json" ? "{\"items\": [\(lines.joined(separator: ","))]}" : lines.joined(separator: "\n")
    let folder = try TemporaryFolder()
    let path = try folder.write("body.\(ending)", text)
    let run = try bench.load(file: path) {
      utimes(path, nil)
      return false
    }
    #expect(run.failure?.message.contains("was changed while it was read") == true, "\(run.failure?.message ?? "")")
    #expect(try bench.rows("SELECT count(*) FROM items") == ["0"])
    #expect(try bench.load(file: path).failure == nil)
    #expect(try bench.rows("SELECT count(*) FROM items") == ["200"])
  }
}
