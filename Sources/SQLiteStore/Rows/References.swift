import Records

/// Who refers to whom among the tables of a mapping, as SQL.
///
/// A foreign key points either to the row's own parent (of a keyless child, a link, or a child by `via: child`), or to
/// a row that it is a parent of: the other side of a link, and the column of a single child.
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
      conditions.append("(" + sql.names(columns).map { "c.\($0) IS NULL" }.joined(separator: " OR ") + ")")
    }
    return "SELECT 1 FROM \(sql.table) AS c WHERE \(conditions.joined(separator: " AND "))"
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
    return "SELECT 1 FROM \(sql.table) AS x WHERE \(condition)"
  }

  /// For each table whose rows have children through the relationship, or stand above such a one: SQL whose parameter
  /// is a number of its rows, and which gives the numbers of the children.
  func children(of relationship: Int) -> [(owner: Int, sql: String)] {
    let shape = tables[relationship].shape
    guard let child = shape.child else { return [] }
    let isLink = shape.role == .link
    // The table that holds the parent's key.
    let holder = isLink ? relationship : child
    let columns = isLink ? shape.parentKey : shape.childColumns
    var found: [(owner: Int, sql: String)] = []
    var join = "\(tables[child].table) AS c"
    var number = "c"
    if isLink {
      guard let key = tables[holder].shape.foreignKeys.first(where: { $0.columns != shape.parentKey }) else {
        return []
      }
      join = "\(tables[holder].table) AS l JOIN \(join) ON \(matches(key, holder: "l", of: holder, target: "c"))"
      number = "l"
      found.append((holder, select(child, from: join, whereRowOf: holder, named: "l")))
    }
    var key = tables[holder].shape.foreignKeys.first { $0.columns == columns }
    // Each step goes one level of nesting up.
    for _ in tables.indices {
      guard let owner = key.flatMap({ key in tables.indices.first { isTable(key.table, $0) } }) else { break }
      let shape = tables[owner].shape
      let pairs = zip(shape.primaryKey, columns).map { pair in
        "\(number).\(tables[holder].names([pair.1])[0]) = p.\(tables[owner].names([pair.0])[0])"
      }
      let joined = "\(tables[owner].table) AS p JOIN \(join) "
      let condition = "p.\(tables[owner].rowNumber) = ? AND \(pairs.joined(separator: " AND "))"
      found.append((owner, "SELECT c.\(tables[child].rowNumber) FROM \(joined) WHERE \(condition)"))
      key = shape.parentKey.isEmpty ? nil : shape.foreignKeys.first { $0.columns == shape.parentKey }
    }
    return found
  }

  private func select(_ child: Int, from join: String, whereRowOf table: Int, named name: String) -> String {
    "SELECT c.\(tables[child].rowNumber) FROM \(join) WHERE \(name).\(tables[table].rowNumber) = ?"
  }

  private func matches(_ key: ForeignKey, holder: String, of table: Int, target: String) -> String {
    zip(tables[table].names(key.columns), key.referenced)
      .map { "\(holder).\($0) = \(target).\(Identifier.quoted($1))" }
      .joined(separator: " AND ")
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
