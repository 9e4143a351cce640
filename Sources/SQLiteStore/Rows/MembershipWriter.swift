import Records
import Store

/// `via: child`: the rows of a keyed child hold their parent's key in columns of their own.
///
/// A list says which children a parent has: they get its key, whoever they belonged to, and stored ones that it does not
/// name lose it. It is applied when the children's own rows are written.
final class MembershipWriter: TableWriter {
  private let shape: TableShape
  private let child: RecordWriter
  private let childTable: Int
  private let scope: BodyScope
  private let isReal: [Bool]
  private let connection: Connection
  private let find: LazyStatement
  private let members: LazyStatement
  private let assignment: LazyStatement
  private let trackedAssignment: LazyStatement
  private let parent: ParentCheck
  /// Stored children that the list at hand names.
  private let named: RowNumberSet
  private var lost: [Int64] = []
  /// The child's key, in the order of its primary key.
  private let childKey: [Int]

  init(_ connection: Connection, _ shape: TableShape, index: Int, child: RecordWriter, scope: BodyScope) {
    guard let table = shape.child else { preconditionFailure("a membership knows its child's table") }
    self.shape = shape
    self.child = child
    self.scope = scope
    self.connection = connection
    childTable = table
    let sql = child.sql
    isReal = shape.childColumns.map { sql.shape.columns[$0].declaredType == "REAL" }
    childKey = shape.columns.indices.filter { !shape.parentKey.contains($0) }
    let columns = shape.childColumns
    find = LazyStatement(sql.find(by: sql.shape.primaryKey, showing: columns), on: connection)
    members = LazyStatement(sql.find(by: columns, showing: []), on: connection)
    assignment = LazyStatement(sql.update(columns), on: connection)
    trackedAssignment = LazyStatement(sql.update(columns + sql.shape.tracking), on: connection)
    parent = ParentCheck(connection, sql.shape.foreignKeys.first { $0.columns == columns })
    named = RowNumberSet()
  }

  /// That of the children's table.
  var memory: BodyMemory { child.memory }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    try child.memory.open()
    for list in lists { try apply(list, of: table) }
  }

  private func apply(_ index: Int, of table: TableRows) throws(StoreError) {
    let key = table.parentKey(ofList: index)
    if scope.hasDeletions, try !parent.exists(key) { return }
    let list = table.lists[index]
    for row in list.rows { try write(row, of: table, parent: key) }
    if !list.isPartial { try removeOthers(from: key, areSpared: list.hasUnknown) }
    named.removeAll()
  }

  private func write(_ row: Int, of table: TableRows, parent key: ArraySlice<Cell>) throws(StoreError) {
    let find = try find.prepared()
    for (parameter, column) in childKey.enumerated() {
      let cell = table.cells[row * table.columnCount + column]
      // The key of a rejected element may be what is wrong with it.
      guard cell.isPresent else { return }
      try find.bind(cell, at: parameter)
    }
    guard try find.step() else { return }
    defer { find.reset() }
    let number = find.integer(0)
    try named.insert(number)
    if table.rows[row].isShield { return }
    let isMember = zip(isReal.indices, key).allSatisfy { find.holds($1, in: 1 + $0, isReal: isReal[$0]) }
    if isMember { return }
    if try staysAsItIs(number) { return }
    try assign(key, to: number)
  }

  private func removeOthers(from key: ArraySlice<Cell>, areSpared: Bool) throws(StoreError) {
    lost.removeAll(keepingCapacity: true)
    let members = try members.prepared()
    for (parameter, cell) in key.enumerated() { try members.bind(cell, at: parameter) }
    while try members.step() {
      if try !named.contains(members.integer(0)) { lost.append(members.integer(0)) }
    }
    let none = ArraySlice(key.map { _ in Cell.null })
    for number in lost where try !staysAsItIs(number) {
      try assign(none, to: number)
      if areSpared { try memory.spare(number) }
      if shape.sweepsOrphans { try scope.orphans?.note(number, in: childTable) }
    }
  }

  /// Stored rows of `write: insert` are never changed.
  private func staysAsItIs(_ number: Int64) throws(StoreError) -> Bool {
    guard child.sql.shape.write == .insert else { return false }
    return try !child.memory.hasInserted(number)
  }

  private func assign(_ key: ArraySlice<Cell>, to number: Int64) throws(StoreError) {
    try child.memory.keepImage(of: number)
    let tracking = child.tracking?.cells ?? []
    let assignment = try tracking.isEmpty ? assignment.prepared() : trackedAssignment.prepared()
    for (parameter, cell) in (key + tracking).enumerated() { try assignment.bind(cell, at: parameter) }
    try assignment.bind(number, at: key.count + tracking.count)
    try assignment.run()
  }

  func endBody(_ outcome: inout RecordOutcome) {}

  func forget() { named.removeAll() }
}
