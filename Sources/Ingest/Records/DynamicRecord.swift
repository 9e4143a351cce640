import Pipeline
import Store

/// A row of a table, as a mapping made it, with the records nested in it.
///
/// Values are read by the names of columns, as any of the types that ``RecordValueConvertible`` lists, and relationships
/// are followed by their names:
///
/// ```swift
/// for boat in try mapping.records(in: .file("boats.json")).records {
///   let id = try boat.value("id", as: Int.self)
///   let built = try boat.value("built", as: String?.self)
///   for member in try boat.children("crew") { print(id, built ?? "?", member["name"] ?? .missing) }
/// }
/// ```
public struct DynamicRecord: Sendable, CustomStringConvertible {
  private struct Relationship: Sendable {
    let name: String
    let children: [DynamicRecord]
  }

  /// The table whose row it is.
  public let table: Table
  /// One value for each of the table's columns, in their order.
  public let values: [RecordValue]
  /// The mapping's `delete_when` holds for it: it stands for a row that is to go, and only its key has values.
  public let isDeleted: Bool
  /// Nil for a row of a store.
  private let nested: [Relationship]?

  init(_ collected: CollectedRecord, _ mapping: Mapping) {
    let table = mapping.planTables[collected.table]
    self.table = table
    values = zip(collected.values, table.columns).map { RecordValue($0, in: $1) }
    isDeleted = collected.isDeleted
    nested = collected.relationships.map { relationship in
      Relationship(name: relationship.name, children: relationship.records.map { DynamicRecord($0, mapping) })
    }
  }

  init(table: Table, stored: [StoredValue?]) {
    self.table = table
    values = zip(stored, table.columns).map { RecordValue($0, in: $1) }
    isDeleted = false
    nested = nil
  }

  /// The value of a column; nil when the table has no column of that name.
  public subscript(column: String) -> RecordValue? { table.index(of: column).map { values[$0] } }

  /// The value of a column as a Swift type.
  ///
  /// ```swift
  /// let id = try boat.value("id", as: Int.self)
  /// let built: String? = try boat.value("built")
  /// ```
  ///
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/unknownName`` when the table has no such column, or
  ///   ``IngestError/Code/typeMismatch`` when the value is none of that type: also for one that is null or missing,
  ///   unless the type is optional.
  public func value<Value: RecordValueConvertible>(
    _ column: String, as type: Value.Type = Value.self
  ) throws(IngestError) -> Value {
    guard let index = table.index(of: column) else {
      throw .unknown("column of '\(table.name)'", column, among: table.columns.map(\.name))
    }
    guard let value = Value(recordValue: values[index]) else {
      // The value itself is nobody else's business.
      let found =
        values[index].isPresent ? "is no \(type)" : "is \(values[index]), which \(type) has no value for"
      throw IngestError(
        .typeMismatch, "the value of '\(table.name).\(column)' (\(table.columns[index].type.rawValue)) \(found)")
    }
    return value
  }

  /// The names of the record's relationships, in the order of the mapping; none of a row that was read from a store.
  public var relationships: [String] { nested?.map(\.name) ?? [] }

  /// The records that a relationship leads to, in the order of the response; empty when there is none.
  ///
  /// They are those of this occurrence of the record, without those that were rejected, filtered or deleted.
  ///
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/unknownName`` when the record has no relationship of that
  ///   name, as a row that was read from a store never has.
  public func children(_ relationship: String) throws(IngestError) -> [DynamicRecord] {
    guard let nested else {
      throw IngestError(
        .unknownName, "a row of '\(table.name)' that was read from a store has no relationships: read the other table")
    }
    guard let found = nested.first(where: { $0.name.utf8.elementsEqual(relationship.utf8) }) else {
      throw .unknown("relationship of '\(table.name)'", relationship, among: relationships)
    }
    return found.children
  }

  /// The record that a relationship to one leads to; nil when there is none.
  ///
  /// - Throws: as ``children(_:)``, and ``IngestError`` with the code ``IngestError/Code/typeMismatch`` when it leads to
  ///   several.
  public func child(_ relationship: String) throws(IngestError) -> DynamicRecord? {
    let found = try children(relationship)
    guard found.count <= 1 else {
      throw IngestError(
        .typeMismatch, "'\(relationship)' of '\(table.name)' leads to \(found.count) records: use children(_:)")
    }
    return found.first
  }

  /// The record and all that are nested in it, each before its own children.
  public var descendants: [DynamicRecord] {
    [self] + (nested ?? []).flatMap { $0.children.flatMap(\.descendants) }
  }

  /// The table and the values: `boat(id: 12, name: Lark)`.
  public var description: String {
    let pairs = zip(table.columns, values).map { "\($0.name): \($1)" }
    return "\(table.name)(\(pairs.joined(separator: ", ")))"
  }
}
