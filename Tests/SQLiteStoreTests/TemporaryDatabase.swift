import Foundation
import Records
import SQLiteStore
import Store

/// A folder of its own with a database file, removed at the end.
final class TemporaryDatabase {
  let folder: URL
  let path: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("test.db").path
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A store that is ready for rows of a run.
  func store(_ schema: StoreSchema, fewestNewRows: Int? = nil) throws -> SQLiteStore {
    try store(schema, on: Connection(path: path), fewestNewRows: fewestNewRows)
  }

  /// The same over a connection that the test keeps.
  func store(
    _ schema: StoreSchema, on connection: Connection, fewestNewRows: Int? = nil
  ) throws -> SQLiteStore {
    let store = SQLiteStore(connection)
    if let fewestNewRows { store.fewestNewRows = fewestNewRows }
    try store.prepare(schema, allowingLoss: false)
    _ = try store.beginRun(RunEntry(source: "demo", command: "load", mapping: "mapping.yaml"))
    return store
  }

  /// The rows of a query, each value as SQL writes it, joined by commas.
  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path)
    let outer = try connection.prepare("SELECT * FROM (\(sql))")
    var rows: [String] = []
    while try outer.step() {
      rows.append((0..<outer.columnCount).map { outer.literal($0) }.joined(separator: ","))
    }
    return rows
  }

  func run(_ sql: String) throws { try Connection(path: path).run(sql) }

  /// Size and content of the files that hold the data.
  func contents() throws -> [Data] {
    try [path, path + "-wal"].map {
      FileManager.default.fileExists(atPath: $0) ? try Data(contentsOf: URL(filePath: $0)) : Data()
    }
  }

  /// What `foreign_key_check` and `integrity_check` find.
  func faults() throws -> [String] {
    try rows("SELECT * FROM pragma_foreign_key_check")
      + rows("SELECT * FROM pragma_integrity_check").filter { $0 != "'ok'" }
  }
}

extension Statement {
  /// The value as SQL writes it.
  func literal(_ column: Int) -> String {
    switch kind(column) {
    case .null, .missing: "NULL"
    case .integer: String(integer(column))
    case .real: String(real(column))
    case .text: "'\(text(column) ?? "")'"
    case .bytes: "x'\((bytes(column)).map { String(format: "%02x", $0) }.joined())'"
    }
  }
}

extension Store {
  /// Writes one batch in a transaction of its own, whose last body is whole.
  @discardableResult
  func write(_ schema: StoreSchema, _ fill: @escaping (BatchBuilder) -> Void) throws -> [String: String] {
    try writeBody(schema, [fill])
  }

  /// Writes a body that spans batches in a transaction of its own.
  @discardableResult
  func writeBody(_ schema: StoreSchema, _ batches: [(BatchBuilder) -> Void]) throws -> [String: String] {
    try writeBatches(
      schema,
      batches.map { fill in
        let builder = BatchBuilder(schema)
        fill(builder)
        return builder
      })
  }

  /// Writes batches in a transaction of their own; the last body of each goes on in the next.
  @discardableResult
  func writeBatches(_ schema: StoreSchema, _ batches: [BatchBuilder]) throws -> [String: String] {
    var received = schema.tables.compactMap(\.record).map { ReceivedCounts(record: $0) }
    try begin()
    do {
      for (number, builder) in batches.enumerated() {
        for index in received.indices { received[index].received += builder.received(schema)[index].received }
        try write(builder.batch, endsBody: number == batches.count - 1)
      }
      return try outcomes(commit(received))
    } catch {
      try rollback()
      throw error
    }
  }

  /// Inserted, updated and unchanged rows of each record that has any.
  private func outcomes(_ outcomes: [RecordOutcome]) -> [String: String] {
    var texts: [String: String] = [:]
    for outcome in outcomes where outcome != RecordOutcome(record: outcome.record) {
      texts[outcome.record] = "+\(outcome.inserted) ~\(outcome.updated) =\(outcome.unchanged)"
    }
    return texts
  }
}

extension BatchBuilder {
  /// What a mapper would have counted of the batch's rows.
  func received(_ schema: StoreSchema) -> [ReceivedCounts] {
    var counts: [ReceivedCounts] = []
    for (index, table) in schema.tables.enumerated() {
      guard let record = table.record else { continue }
      var count = ReceivedCounts(record: record)
      count.received = batch.tables[index].rows.count { !$0.isShield }
      counts.append(count)
    }
    return counts
  }
}
