import Records
import Store

/// A cell, written shortly.
indirect enum Value: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral,
  ExpressibleByNilLiteral
{
  case missing
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
  /// `Cell.Rule.onlyInsert`
  case ifNew(Value)
  /// `Cell.Rule.keepIfEqual`
  case ifEqual(Value)

  init(integerLiteral value: Int64) { self = .integer(value) }
  init(floatLiteral value: Double) { self = .real(value) }
  init(stringLiteral value: String) { self = .text(value) }
  init(nilLiteral: ()) { self = .null }

  func cell(in arena: ByteArena) -> Cell {
    switch self {
    case .missing: return .missing
    case .null: return .null
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .text(let value): return .text(arena.copy(value))
    case .bytes(let value): return value.withUnsafeBytes { .bytes(arena.copy($0)) }
    case .ifNew(let value):
      var cell = value.cell(in: arena)
      cell.rule = .onlyInsert
      return cell
    case .ifEqual(let value):
      var cell = value.cell(in: arena)
      cell.rule = .keepIfEqual
      return cell
    }
  }
}

/// Fills batches for the tables of a schema.
final class BatchBuilder {
  let batch: RecordBatch
  let schema: StoreSchema

  init(_ schema: StoreSchema) {
    self.schema = schema
    batch = RecordBatch(shapes: schema.tables.map(\.shape))
    batch.beginBody(BodyName("body.json"))
  }

  /// Starts another body.
  func body(_ name: String = "body.json", line: Int? = nil) { batch.beginBody(BodyName(name, line: line)) }

  func row(_ table: String, _ values: Value...) { row(table, values: values) }

  func row(_ table: String, values: [Value]) { add(values, to: index(of: table), isShield: false) }

  /// What a parent says about its children; the rows of `shields` are rejected ones.
  func list(
    _ table: String, of parent: [Value], _ rows: [[Value]], shields: Set<Int> = [], parentRow: RowReference = .none
  ) {
    let index = index(of: table)
    let first = batch.tables[index].rows.count
    for (number, row) in rows.enumerated() { add(row, to: index, isShield: shields.contains(number)) }
    let cells = parent.map { $0.cell(in: batch.arena) }
    batch.tables[index].listKeys.append(contentsOf: cells)
    batch.tables[index].lists.append(
      ListStatement(body: batch.body, rows: first..<batch.tables[index].rows.count, parent: parentRow))
  }

  /// The row of that key is to go.
  func tombstone(_ table: String, key: [Value]) {
    let index = index(of: table)
    let rest = Array(repeating: Value.missing, count: batch.tables[index].columnCount - key.count)
    add(key + rest, to: index, isShield: false)
    batch.tables[index].rows[batch.tables[index].rows.count - 1].isTombstone = true
  }

  /// The row that was added last.
  func latestRow(of table: String) -> RowReference {
    let index = index(of: table)
    return RowReference(table: index, row: batch.tables[index].rows.count - 1)
  }

  func add(_ values: [Value], to index: Int, isShield: Bool) {
    precondition(values.count == batch.tables[index].columnCount, "a row has a value for each column")
    let cells = values.map { $0.cell(in: batch.arena) }
    batch.tables[index].cells.append(contentsOf: cells)
    batch.tables[index].rows.append(RowHeader(body: batch.body, isShield: isShield))
  }

  func index(of table: String) -> Int {
    guard let index = schema.tables.firstIndex(where: { $0.shape.name == table }) else {
      preconditionFailure("the schema has no table '\(table)'")
    }
    return index
  }
}
