import Records
import Store

/// The SQL that reads and writes the rows of one table, made once from its shape.
///
/// Rows are told apart by their row number, which all tables have: it is found by the key once, and is cheap after.
struct TableSQL {
  let shape: TableShape
  /// Columns that are no part of the primary key, in order; the key's own never change.
  let values: [Int]
  /// Places in `values`: those that tell one state of a row from another, and those of `track: true`, which do not.
  let compared: [Int]
  let tracking: [Int]
  let rowNumber: String
  let table: String
  private let columns: [String]

  init(_ shape: TableShape, storedColumns: Set<FoldedName>) throws(StoreError) {
    self.shape = shape
    values = shape.columns.indices.filter { !shape.primaryKey.contains($0) }
    let values = values
    compared = values.indices.filter { !shape.tracking.contains(values[$0]) }
    tracking = values.indices.filter { shape.tracking.contains(values[$0]) }
    table = Identifier.quoted(shape.name)
    columns = shape.columns.map { Identifier.quoted($0.name) }
    guard let free = Self.rowNumber(beside: storedColumns) else {
      throw StoreError(.refused, Self.hiddenRowNumber(of: shape.name))
    }
    rowNumber = free
  }

  /// A name of the row's number that no column hides; nil when all are hidden.
  static func rowNumber(beside columns: Set<FoldedName>) -> String? {
    ["rowid", "_rowid_", "oid"].first { !columns.contains(FoldedName($0)) }
  }

  static func hiddenRowNumber(of table: String) -> String {
    "table '\(table)' has columns named rowid, _rowid_ and oid: rename one, they hide the row number"
  }

  /// Parameters: all columns. A row whose key is there already changes nothing.
  var insert: String {
    guard !columns.isEmpty else { return "INSERT INTO \(table) DEFAULT VALUES" }
    let key = names(shape.primaryKey).joined(separator: ", ")
    return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks(columns.count)))"
      + (key.isEmpty ? "" : " ON CONFLICT (\(key)) DO NOTHING")
  }

  /// Parameters: rows, for the table-valued function of that name. Ends at the first one that does not fit in, such as
  /// one whose key is there.
  func insertAll(from source: String) -> String {
    "INSERT OR FAIL INTO \(table) (\(columns.joined(separator: ", "))) SELECT * FROM \(source)(?)"
  }

  /// Parameters: the primary key. Gives the row number and the values.
  var find: String { "SELECT \(numbered(values)) FROM \(table) WHERE \(equal(shape.primaryKey))" }

  /// Parameters: the columns of `key`. Gives the row number and the shown columns.
  func find(by key: [Int], showing shown: [Int]) -> String {
    "SELECT \(numbered(shown)) FROM \(table) WHERE \(equal(key))"
  }

  /// Parameters: the parent's key. Gives the row number, the rest of the key, and the values, by position.
  var list: String {
    "SELECT \(numbered(ownKey + values)) FROM \(table) WHERE \(equal(shape.parentKey))"
      + (shape.position.map { " ORDER BY \(columns[$0])" } ?? "")
  }

  /// The columns of the primary key that are not the parent's.
  var ownKey: [Int] { shape.primaryKey.filter { !shape.parentKey.contains($0) } }

  /// Parameters: the changed columns, then the row number.
  func update(_ changed: [Int]) -> String {
    let assignments = names(changed).map { "\($0) = ?" }.joined(separator: ", ")
    return "UPDATE \(table) SET \(assignments) WHERE \(rowNumber) = ?"
  }

  /// Parameters: the row number. Makes the columns null.
  func clear(_ cleared: [Int]) -> String {
    "UPDATE \(table) SET \(names(cleared).map { "\($0) = NULL" }.joined(separator: ", ")) WHERE \(rowNumber) = ?"
  }

  /// Parameters: the row number.
  var delete: String { "DELETE FROM \(table) WHERE \(rowNumber) = ?" }

  /// Parameters: the row number.
  var exists: String { "SELECT 1 FROM \(table) WHERE \(rowNumber) = ?" }

  /// Parameters: the lowest row number that counts.
  var countFrom: String { "SELECT count(*) FROM \(table) WHERE \(rowNumber) >= ?" }

  /// Gives a row if there is one.
  var any: String { "SELECT 1 FROM \(table) LIMIT 1" }

  var highestRowNumber: String { "SELECT max(\(rowNumber)) FROM \(table)" }

  /// A copy of rows, by their key: see `BodyMemory`.
  func createImages(_ images: String) -> String {
    let key = shape.primaryKey.indices.map { "k\($0)" }
    let all = key + values.indices.map { "v\($0)" }
    return "CREATE TEMP TABLE IF NOT EXISTS \(images) "
      + "(\(all.joined(separator: ", ")), PRIMARY KEY (\(key.joined(separator: ", ")))) WITHOUT ROWID"
  }

  /// Parameters: the row number. Does nothing when there is an image of the row.
  func keepImage(_ images: String) -> String {
    "INSERT OR IGNORE INTO temp.\(images) "
      + "SELECT \(names(shape.primaryKey + values).joined(separator: ", ")) FROM \(table) WHERE \(rowNumber) = ?"
  }

  func names(_ indexes: [Int]) -> [String] { indexes.map { columns[$0] } }

  func numbered(_ indexes: [Int]) -> String { ([rowNumber] + names(indexes)).joined(separator: ", ") }

  func equal(_ indexes: [Int]) -> String { names(indexes).map { "\($0) = ?" }.conjunction }

  private func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }
}
