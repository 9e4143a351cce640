import Records

/// Who refers to whom among the tables of a mapping, as SQL.
///
/// A foreign key points either to the row's own parent (of a keyless child, a link, or a child by `via: child`), or to
/// a row that it is a parent of: the other side of a link, and the column of a single child. Of a record that keeps its
/// history the current version is the parent; those before it are its past.
struct References {
  private let tables: [TableSQL]

  init(_ tables: [TableSQL]) { self.tables = tables }

  /// Parameters: a row number of the table. Gives a row when nothing refers to that row, and it has no parent.
  func isOrphan(_ table: Int) -> String {
    let sql = tables[table]
    var conditions = ["c.\(sql.rowNumber) = ?"]
    for index in tables.indices where tables[index].shape.role != .membership {
      for key in tables[index].shape.foreignKeys where isTable(key.table, table) && !isParent(key, of: index) {
        conditions.append("NOT EXISTS (\(holders(key, in: index, of: table)))")
      }
    }
    for columns in memberships(of: table) {
      conditions.append("(" + sql.names(columns).map { "c.\($0) IS NULL" }.disjunction + ")")
    }
    return "SELECT 1 FROM \(sql.table) AS c WHERE \(conditions.conjunction)"
  }

  /// Rows that refer to `c`, other than itself.
  private func holders(_ key: ForeignKey, in index: Int, of table: Int) -> String {
    let sql = tables[index]
    var condition = matches(key, holder: "x", of: index, target: "c")
    if index == table { condition += " AND x.\(sql.rowNumber) <> c.\(sql.rowNumber)" }
    let parent = sql.shape.foreignKeys.first { $0.columns == sql.shape.parentKey && isTable($0.table, table) }
    if sql.shape.role == .link, let parent {
      condition += " AND NOT (\(matches(parent, holder: "x", of: index, target: "c")))"
    }
    condition += sql.currentVersion("x")
    return "SELECT 1 FROM \(sql.table) AS x WHERE \(condition)"
  }

  /// SQL for the rows that hang on a row of some table: the number of that one is the parameter, their numbers come out.
  struct Descent {
    /// The table of the row that they hang on.
    var owner: Int
    var numbers: String
  }

  /// For each table whose rows have children through the relationship, or stand above such a one: the children.
  func children(of relationship: Int) -> [Descent] {
    let shape = tables[relationship].shape
    guard let child = shape.child else { return [] }
    guard shape.role == .link else {
      return rows(of: child, from: "\(tables[child].table) AS c", holder: child, "c", shape.childColumns)
    }
    guard let key = shape.foreignKeys.first(where: { $0.columns != shape.parentKey }) else { return [] }
    let join =
      "\(tables[relationship].table) AS l JOIN \(tables[child].table) AS c "
      + "ON \(matches(key, holder: "l", of: relationship, target: "c"))"
    let ofLink = Descent(owner: relationship, numbers: select(child, from: join, whereRowOf: relationship, named: "l"))
    return [ofLink] + rows(of: child, from: join, holder: relationship, "l", shape.parentKey)
  }

  /// For the table whose rows refer to a single child by the key, and for each table above it: the children. The table
  /// itself comes first.
  func children(by key: ForeignKey, of table: Int) -> (child: Int, descents: [Descent])? {
    guard let child = tables.indices.first(where: { isTable(key.table, $0) }) else { return nil }
    let join =
      "\(tables[table].table) AS h JOIN \(tables[child].table) AS c "
      + "ON \(matches(key, holder: "h", of: table, target: "c"))"
    let ofRow = Descent(owner: table, numbers: select(child, from: join, whereRowOf: table, named: "h"))
    let parent = tables[table].shape.parentKey
    return (child, [ofRow] + (parent.isEmpty ? [] : rows(of: child, from: join, holder: table, "h", parent)))
  }

  /// For each table above a keyless child's: its rows.
  func keylessRows(of table: Int) -> [Descent] {
    rows(of: table, from: "\(tables[table].table) AS c", holder: table, "c", tables[table].shape.parentKey)
  }

  /// Goes up from the table whose `columns` hold its parent's key.
  private func rows(
    of table: Int, from join: String, holder: Int, _ name: String, _ columns: [Int]
  ) -> [Descent] {
    var found: [Descent] = []
    var key = tables[holder].shape.foreignKeys.first { $0.columns == columns }
    // Each step goes one level of nesting up.
    for _ in tables.indices {
      guard let known = key, let owner = tables.indices.first(where: { isTable(known.table, $0) }) else { break }
      let shape = tables[owner].shape
      // The key of a keyless row begins with its parent's.
      let pairs = zip(known.referenced.map { Identifier.quoted($0) }, tables[holder].names(columns))
      let condition = pairs.map { "p.\($0) = \(name).\($1)" }.conjunction
      let numbers = select(
        table, from: "\(tables[owner].table) AS p JOIN \(join)", whereRowOf: owner, named: "p", condition)
      found.append(Descent(owner: owner, numbers: numbers))
      key = shape.parentKey.isEmpty ? nil : shape.foreignKeys.first { $0.columns == shape.parentKey }
    }
    return found
  }

  private func select(
    _ table: Int, from join: String, whereRowOf owner: Int, named name: String, _ condition: String = "1"
  ) -> String {
    "SELECT c.\(tables[table].rowNumber) FROM \(join) WHERE \(name).\(tables[owner].rowNumber) = ? AND \(condition)"
  }

  private func matches(_ key: ForeignKey, holder: String, of table: Int, target: String) -> String {
    zip(tables[table].names(key.columns), key.referenced)
      .map { "\(holder).\($0) = \(target).\(Identifier.quoted($1))" }
      .conjunction
  }

  /// Whether the key says who the row's own parent is.
  private func isParent(_ key: ForeignKey, of table: Int) -> Bool {
    let shape = tables[table].shape
    return (!shape.parentKey.isEmpty && key.columns == shape.parentKey) || memberships(of: table).contains(key.columns)
  }

  /// The columns in which rows of the table hold their parents, by `via: child`.
  private func memberships(of table: Int) -> [[Int]] {
    tables.filter { $0.shape.role == .membership && $0.shape.child == table }.map(\.shape.childColumns)
  }

  private func isTable(_ name: String, _ table: Int) -> Bool {
    tables[table].shape.role != .membership && FoldedName(name) == FoldedName(tables[table].shape.name)
  }
}
