import Records
import Store

/// Which rows a seen row refers to: they count as seen, and so do those that they refer to.
///
/// A row with a key refers to others by columns of its own, by links, by what its keyless children refer to, and by the
/// columns in which children hold its key (`via: child`).
struct SightingGraph {
  /// From a seen row of one table to a row of another. The SQL adds the latter's key to what the walk has seen; its
  /// parameter is the number in the owner's TEMP table after which rows are looked at.
  struct Edge {
    let owner: Int
    let target: Int
    /// The key of the target, from the joined tables `s` (seen rows of the owner) and `h` (what refers).
    let source: String
    let values: [String]
  }

  private(set) var edges: [Edge] = []
  private let tables: [TableSQL]

  init(_ tables: [TableSQL]) {
    self.tables = tables
    for index in tables.indices {
      if tables[index].shape.role == .membership { addMembership(index) } else { addReferences(of: index) }
    }
  }

  /// The given tables, and all whose rows lead to theirs.
  func tables(leadingTo swept: Set<Int>) -> Set<Int> {
    var found = swept
    // Ends: each round but the last adds a table.
    while true {
      let owners = edges.filter { found.contains($0.target) }.map(\.owner)
      if found.isSuperset(of: owners) { return found }
      found.formUnion(owners)
    }
  }

  private mutating func addReferences(of index: Int) {
    let sql = tables[index]
    guard let (owner, columns) = root(of: index) else { return }
    let memberships = tables.filter { $0.shape.role == .membership && $0.shape.child == index }.map(
      \.shape.childColumns)
    for key in sql.shape.foreignKeys where !memberships.contains(key.columns) {
      if sql.shape.role != .record, key.columns == sql.shape.parentKey { continue }
      guard let target = table(named: key.table) else { continue }
      let values = tables[target].names(tables[target].shape.primaryKey).compactMap { name in
        key.referenced.firstIndex { Identifier.quoted($0) == name }.map { "h.\(sql.names([key.columns[$0]])[0])" }
      }
      add(from: owner, by: columns, in: index, to: target, values)
    }
  }

  private mutating func addMembership(_ index: Int) {
    let shape = tables[index].shape
    guard let child = shape.child,
      let key = tables[child].shape.foreignKeys.first(where: { $0.columns == shape.childColumns }),
      let parent = table(named: key.table), let (owner, columns) = root(of: parent)
    else { return }
    // The parent's key begins with that of the record that it is nested in.
    let values = tables[child].names(tables[child].versionedKey).map { "h.\($0)" }
    add(from: owner, by: Array(shape.childColumns.prefix(columns.count)), in: child, to: child, values)
  }

  private mutating func add(from owner: Int, by columns: [Int], in holder: Int, to target: Int, _ values: [String]) {
    let key = tables[target].versionedKey
    guard !values.isEmpty, values.count == key.count else { return }
    let join = tables[holder].names(columns).enumerated().map { "h.\($1) = s.k\($0)" }
    edges.append(
      Edge(
        owner: owner, target: target,
        source: "\(tables[holder].table) AS h ON \(join.conjunction)", values: values))
  }

  /// The record with a key that a row of the table belongs to, and the columns that hold its key.
  private func root(of table: Int) -> (owner: Int, columns: [Int])? {
    if tables[table].shape.role == .record {
      let key = tables[table].versionedKey
      return key.isEmpty ? nil : (table, key)
    }
    var owner = table
    // Each step goes one level of nesting up.
    for _ in tables.indices {
      let shape = tables[owner].shape
      guard let key = shape.foreignKeys.first(where: { $0.columns == shape.parentKey }),
        let parent = self.table(named: key.table)
      else { return nil }
      owner = parent
      guard tables[owner].shape.role == .record else { continue }
      let count = tables[owner].versionedKey.count
      return count == 0 ? nil : (owner, Array(tables[table].shape.parentKey.prefix(count)))
    }
    return nil
  }

  private func table(named name: String) -> Int? {
    tables.indices.first {
      tables[$0].shape.role != .membership && FoldedName(tables[$0].shape.name) == FoldedName(name)
    }
  }
}
