import Records
import SQLiteStore
import Store
import TestSupport
import Testing

struct SQLScriptTests {
  /// Numbers of which the decimal with the fewest digits is read back as another one by some versions of SQLite.
  @Test(arguments: [
    1.6283980681928241e-295, -1.6283980681928241e-295, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, 1e23,
    123.0,
  ])
  func `a real is read back as it was`(_ number: Double) throws {
    let shape = TableShape(name: "t", role: .record, columns: [ColumnShape(name: "r", type: .real)])
    let store = try SQLiteStore.temporary()
    try store.prepare(StoreSchema(tables: [.init(shape: shape, record: "T")]), allowingLoss: false)
    let batch = RecordBatch(shapes: [shape])
    batch.tables[0].cells = [.real(number)]
    batch.tables[0].rows = [RowHeader(body: 0)]
    batch.beginBody(BodyName("b"))
    _ = try store.beginRun(RunEntry(source: "s", command: "map", mapping: "m"))
    try store.begin()
    try store.write(batch, endsBody: true)
    var received = ReceivedCounts(record: "T")
    received.received = 1
    _ = try store.commit([received])
    var script: [UInt8] = []
    try store.writeScript(of: [shape]) { part in
      script += part
      return true
    }
    try store.endRun(status: "done", message: nil)
    try store.close()
    let folder = try TemporaryFolder()
    let other = try Connection(path: folder.path("other.db"))
    try other.run(String(decoding: script, as: UTF8.self))
    let row = try other.prepare("SELECT r FROM t")
    #expect(try row.step())
    #expect(row.real(0).bitPattern == number.bitPattern)
  }
}
