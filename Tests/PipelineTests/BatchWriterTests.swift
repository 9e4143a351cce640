import Glibc
import Records
import Store
import Testing

// What is handed to it, and when, is not seen from outside of its target.
@testable import Pipeline

/// Batches are written in their order, whatever the thread that writes them makes of its time.
struct BatchWriterTests {
  private let store = SlowStore()
  private let shapes = [
    TableShape(name: "items", role: .record, columns: [ColumnShape(name: "id", type: .integer)], primaryKey: [0])
  ]

  private func fill(_ batch: RecordBatch, _ name: String) { batch.beginBody(BodyName(name)) }

  private var names: [String] { (0..<40).map { "body-\($0)" } }

  @Test func `all are written and shown in their order, and no more than a few exist`() throws {
    let writer = BatchWriter(store, shapes: shapes)
    var batch = RecordBatch(shapes: shapes)
    var (shown, seen) = ([String](), Set<ObjectIdentifier>())
    for name in names {
      fill(batch, name)
      seen.insert(ObjectIdentifier(batch))
      batch = try writer.hand(batch, endsBody: true) { shown.append($0.bodies[0].source) }
      #expect(batch.bodies.isEmpty)
    }
    #expect(writer.isAtWork)
    try writer.finish { shown.append($0.bodies[0].source) }
    #expect(!writer.isAtWork)
    #expect(store.written == names && shown == names)
    #expect(seen.count > 1 && seen.count <= BatchWriter.mostBatches)
  }

  @Test func `behind one that fails nothing is written, and after that it is as new`() throws {
    let writer = BatchWriter(store, shapes: shapes)
    store.refuses = "body-7"
    var batch = RecordBatch(shapes: shapes)
    let error = #expect(throws: StoreError.self) {
      for name in names {
        fill(batch, name)
        batch = try writer.hand(batch, endsBody: true) { _ in }
      }
      try writer.finish { _ in }
    }
    #expect(error?.message == "body-7")
    writer.abandon()
    #expect(!writer.isAtWork)
    #expect(store.written == Array(names[..<7]))
    store.refuses = nil
    batch = RecordBatch(shapes: shapes)
    fill(batch, "again")
    _ = try writer.hand(batch, endsBody: true) { _ in }
    try writer.finish { _ in }
    #expect(store.written.last == "again")
  }

  @Test func `when it is given up, the store is still as soon as it returns`() throws {
    let writer = BatchWriter(store, shapes: shapes)
    var batch = RecordBatch(shapes: shapes)
    for name in names.prefix(5) {
      fill(batch, name)
      batch = try writer.hand(batch, endsBody: true) { _ in }
    }
    writer.abandon()
    let written = store.written
    usleep(20_000)
    #expect(store.written == written && written == Array(names.prefix(written.count)))
  }
}

/// A store that takes its time, and notes which bodies it was given.
private final class SlowStore: EmptyStore {
  var written: [String] = []
  var refuses: String?

  override func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {
    usleep(UInt32(written.count % 3) * 700)
    let name = batch.bodies[0].source
    if name == refuses { throw StoreError(.failed, name) }
    written.append(name)
  }
}
