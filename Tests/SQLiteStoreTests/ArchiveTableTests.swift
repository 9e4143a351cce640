import Foundation
import Records
import SQLiteStore
import Store
import Testing

/// `_ingest_responses`: answers as the store keeps them.
struct ArchiveTableTests {
  private static let query = ArchiveQuery(source: "demo")

  private func response(_ endpoint: String = "items", file: String? = nil) -> ArchivedResponse {
    var response = ArchivedResponse(
      endpoint: endpoint, status: 200, headers: #"[["a","b"]]"#, variables: "[]", fetchedAt: "2015-07-04T10:00:00Z")
    response.method = "GET"
    response.url = "https://h/caf\u{e9}"
    response.path = "/caf\u{e9}"
    response.file = file
    return response
  }

  private func bytes(of store: SQLiteStore, _ id: Int64, part: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = try store.archivedBytes(of: id, from: all.count, count: part)
      if bytes.isEmpty { return all }
      all += bytes
    }
  }

  @Test func `bodies come out as they went in, whether from memory or from a file`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(Shapes.articles)
    let large = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    let file = database.folder.appendingPathComponent("packed")
    try Data(large).write(to: file)
    try store.begin()
    try store.archive(response(), ArchivedBody(packed: .memory([1, 2, 3]), size: 9))
    try store.archive(response(file: "f"), ArchivedBody(packed: .file(file.path, count: large.count), size: 8))
    try store.archive(response("others"), ArchivedBody(packed: .memory([]), size: 0))
    _ = try store.commit([])
    #expect(try bytes(of: store, 1, part: 2) == [1, 2, 3])
    #expect(try bytes(of: store, 2, part: 100_000) == large)
    #expect(try bytes(of: store, 3, part: 10) == [])
    let first = try #require(try store.archived(Self.query, after: 0))
    #expect(first.id == 1 && first.run == 1 && first.size == 9 && first.packedSize == 3 && first.scope == nil)
    #expect(first.response.url.map { Array($0.utf8) } == Array("https://h/caf\u{e9}".utf8))
    #expect(first.response.headers == #"[["a","b"]]"# && first.response.file == nil)
    #expect(try store.archived(Self.query, after: 1)?.response.file == "f")
    #expect(try store.archived(ArchiveQuery(source: "demo", endpoint: "others"), after: 0)?.id == 3)
    #expect(try store.archived(ArchiveQuery(source: "another"), after: 0) == nil)
    #expect(try database.faults() == [])
  }

  @Test func `what is undone leaves no answer, and a file that is gone is an error`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(Shapes.articles)
    try store.begin()
    try store.archive(response(), ArchivedBody(packed: .memory([1]), size: 1))
    try store.rollback()
    try store.begin()
    let gone = database.folder.appendingPathComponent("gone").path
    #expect(throws: StoreError.self) {
      try store.archive(response(), ArchivedBody(packed: .file(gone, count: 4), size: 1))
    }
    try store.rollback()
    try store.begin()
    let error = #expect(throws: StoreError.self) {
      try store.archive(response(), ArchivedBody(packed: .file(gone, count: 2_000_000_000), size: 1))
    }
    #expect(error?.message.contains("too large for the archive") ?? false)
    try store.rollback()
    #expect(try database.rows("SELECT count(*) FROM _ingest_responses") == ["0"])
  }
}
