import Records
import Store

/// What a database holds besides the mapping, as far as it has a say in the rows of the mapping's tables: triggers and
/// foreign keys that somebody else has made. It is read when a run begins.
struct Surroundings {
  /// Somebody's own SQL runs when rows change.
  let hasTriggers: Bool
  private let references: [Reference]
  /// Tables whose key is not the row's number: SQLite keeps an index of it.
  private let indexed: Set<FoldedName>

  private struct Reference {
    var table: FoldedName
    var number: Int64
    var columns: [FoldedName]
    var parent: FoldedName
  }

  init(_ connection: Connection) throws(StoreError) {
    hasTriggers =
      try connection.prepare("SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' LIMIT 1").step()
    let keys = try connection.prepare(
      """
      SELECT t.name, k.id, k."table", k."from" FROM main.sqlite_schema AS t, pragma_foreign_key_list(t.name, 'main') AS k
      WHERE t.type = 'table' ORDER BY t.name, k.id, k.seq
      """)
    var references: [Reference] = []
    while try keys.step() {
      let (table, number) = (FoldedName(keys.text(0) ?? ""), keys.integer(1))
      let (parent, column) = (FoldedName(keys.text(2) ?? ""), FoldedName(keys.text(3) ?? ""))
      if let last = references.last, last.table == table, last.number == number {
        references[references.count - 1].columns.append(column)
      } else {
        references.append(Reference(table: table, number: number, columns: [column], parent: parent))
      }
    }
    self.references = references
    let indexes = try connection.prepare(
      """
      SELECT t.name FROM main.sqlite_schema AS t, pragma_index_list(t.name, 'main') AS i
      WHERE t.type = 'table' AND i.origin = 'pk'
      """)
    var indexed: Set<FoldedName> = []
    while try indexes.step() { indexed.insert(FoldedName(indexes.text(0) ?? "")) }
    self.indexed = indexed
  }

  /// No foreign key leads from one of the tables, or to one, but those from a child to its parent.
  func leadOnlyToParents(_ shapes: [TableShape]) -> Bool {
    let own = Dictionary(shapes.map { (FoldedName($0.name), $0) }) { first, _ in first }
    let isDeclaredSo = shapes.allSatisfy { shape in shape.foreignKeys.allSatisfy { $0.columns == shape.parentKey } }
    return isDeclaredSo
      && references.allSatisfy { reference in
        if let shape = own[reference.table] { return Self.isParent(reference, of: shape) }
        return own[reference.parent] == nil
      }
  }

  /// Rows of the table go with their parent.
  func refersToParent(_ shape: TableShape) -> Bool {
    references.contains { $0.table == FoldedName(shape.name) && Self.isParent($0, of: shape) }
  }

  private static func isParent(_ reference: Reference, of shape: TableShape) -> Bool {
    guard let key = shape.foreignKeys.first(where: { $0.columns == shape.parentKey }) else { return false }
    return FoldedName(key.table) == reference.parent
      && Set(key.columns.map { FoldedName(shape.columns[$0].name) }) == Set(reference.columns)
  }

  /// The column whose values are the rows' numbers.
  func number(of shape: TableShape) -> Int? {
    guard let key = shape.primaryKey.first, shape.primaryKey.count == 1, shape.columns[key].type == .integer,
      !indexed.contains(FoldedName(shape.name))
    else { return nil }
    return key
  }
}
