/// Rows of all tables, mapped from one stretch of a body or from several small bodies: what crosses from the mapper to
/// a store.
///
/// A batch is filled by one thread and read by one; it is handed over, never shared. Its cells stay valid until `reset`.
/// What is used for every row is not checked for overlapping access at run time; from another target it is, whatever the
/// property says, so whoever fills a batch does it by the methods of `RecordBatch+Filling.swift`.
package final class RecordBatch {
  /// In the order of the plan's tables.
  @exclusivity(unchecked) package var tables: [TableRows]
  @exclusivity(unchecked) package var rejections: [Rejection] = []
  /// All rows in document order, when the plan needs it: a skipped or rejected row takes its children with it.
  @exclusivity(unchecked) package var order: [RowReference] = []
  /// What a row would be rejected as, when its table has unique indexes; `RowHeader.origin` is an index into it.
  @exclusivity(unchecked) package var origins: [Rejection] = []
  /// Bytes that mapping made.
  package let arena = ByteArena()
  /// Windows of the response that cells point into.
  @exclusivity(unchecked) package private(set) var owners: [AnyObject] = []
  /// The bodies that rows, lists and rejections refer to by their index, in order; see `beginBody`.
  @exclusivity(unchecked) package private(set) var bodies = BodyNames()

  /// Starts a body: rows that are added from now on belong to it. A body that spans batches starts in each of them.
  package func beginBody(_ name: BodyName) { bodies.append(name) }

  /// The same for the body behind the last one, a line of the same source.
  package func beginLine(_ line: Int) { bodies.append(line: line) }

  /// Index of the current body.
  package var body: UInt32 { UInt32(bodies.count) - 1 }

  package init(shapes: [TableShape]) {
    tables = shapes.map { TableRows(columnCount: $0.columns.count, parentKeyCount: $0.parentKey.count) }
  }

  /// Keeps `owner` alive until the next `reset`.
  package func keep(_ owner: AnyObject) {
    if owners.last !== owner { owners.append(owner) }
  }

  package var rowCount: Int {
    var count = 0
    for index in tables.indices { count += tables[index].rows.count }
    return count
  }

  package var isEmpty: Bool { rejections.isEmpty && tables.allSatisfy { $0.rows.isEmpty && $0.lists.isEmpty } }

  /// Forgets all rows; memory of the tables is kept for the next filling.
  package func reset() {
    for index in tables.indices { tables[index].reset() }
    rejections.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    origins.removeAll(keepingCapacity: true)
    owners.removeAll(keepingCapacity: true)
    arena.reset()
    bodies.removeAll()
  }

  /// How far the batch is filled; see `truncate(to:)`.
  package struct Mark {
    fileprivate(set) var tables: [(rows: Int, lists: Int)] = []
    fileprivate(set) var rejections = 0
    fileprivate(set) var order = 0
    fileprivate(set) var origins = 0

    package init() {}
  }

  package var mark: Mark {
    var mark = Mark()
    set(&mark)
    return mark
  }

  /// Brings a mark up to date; one that was set before asks for no memory.
  package func set(_ mark: inout Mark) {
    if mark.tables.count != tables.count { mark.tables = Array(repeating: (0, 0), count: tables.count) }
    for index in tables.indices { mark.tables[index] = (tables[index].rows.count, tables[index].lists.count) }
    (mark.rejections, mark.order, mark.origins) = (rejections.count, order.count, origins.count)
  }

  /// The number that the next row of the table had at the mark.
  package func rowNumber(in table: Int, at mark: Mark) -> Int { mark.tables[table].rows }

  /// How many rejections there were at the mark.
  package func rejectionCount(at mark: Mark) -> Int { mark.rejections }

  /// Takes back what was added since the mark: a record whose child fails it, a line that is broken.
  package func truncate(to mark: Mark, keepingRejections: Bool = false) {
    for (index, count) in mark.tables.enumerated() { tables[index].truncate(rows: count.rows, lists: count.lists) }
    order.removeSubrange(mark.order...)
    origins.removeSubrange(mark.origins...)
    if !keepingRejections { rejections.removeSubrange(mark.rejections...) }
  }
}

/// The rows of one table in a batch, in document order, a record before its nested ones.
package struct TableRows {
  package let columnCount: Int
  package let parentKeyCount: Int
  /// Row after row, `columnCount` cells each.
  package var cells: [Cell] = []
  package var rows: [RowHeader] = []
  /// What each parent says about its children or links of this table. Every row of a child or link table is in one.
  package var lists: [ListStatement] = []
  /// The parents' keys of `lists`, `parentKeyCount` cells each.
  package var listKeys: [Cell] = []

  package init(columnCount: Int, parentKeyCount: Int) {
    self.columnCount = columnCount
    self.parentKeyCount = parentKeyCount
  }

  /// The cells of a row.
  @inlinable package func row(_ index: Int) -> ArraySlice<Cell> {
    cells[index * columnCount..<(index + 1) * columnCount]
  }

  /// The parent's key of a list.
  @inlinable package func parentKey(ofList index: Int) -> ArraySlice<Cell> {
    listKeys[index * parentKeyCount..<(index + 1) * parentKeyCount]
  }

  mutating func reset() {
    cells.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    lists.removeAll(keepingCapacity: true)
    listKeys.removeAll(keepingCapacity: true)
  }

  mutating func truncate(rows count: Int, lists listCount: Int) {
    rows.removeSubrange(count...)
    cells.removeSubrange((count * columnCount)...)
    lists.removeSubrange(listCount...)
    listKeys.removeSubrange((listCount * parentKeyCount)...)
  }
}

/// What a row is for, beside its cells.
@frozen package struct RowHeader {
  /// The body that the row comes from, counted within the batch.
  package var body: UInt32
  /// A rejected element of a list: it is not written, but what is stored at its position (list children) or under its
  /// key (links) stays. Only its key columns and its position hold values; of a link they may be null.
  package var isShield: Bool
  /// The row with this key is to be deleted; only its key columns hold values.
  package var isTombstone: Bool
  /// The row that this one is nested in, when the plan needs it; table -1 for a top-level record.
  package var parent: RowReference
  /// Index into `RecordBatch.origins`; -1 where there is none.
  package var origin: Int32

  @inlinable package init(
    body: UInt32, isShield: Bool = false, isTombstone: Bool = false, parent: RowReference = .none, origin: Int32 = -1
  ) {
    self.body = body
    self.isShield = isShield
    self.isTombstone = isTombstone
    self.parent = parent
    self.origin = origin
  }
}

/// The children or links that one occurrence of a parent has now. What is stored for the parent beyond them goes.
package struct ListStatement {
  package var body: UInt32
  /// Rows of the table that belong to it: none when the parent has null or `[]`.
  package var rows: Range<Int>
  /// The list is only added to: nothing that is stored goes, and new links get positions after the largest
  /// (`policy: union`, or a list whose `complete` does not hold).
  package var isPartial: Bool
  /// An element was rejected whose key is not known: what leaves the list may be that one, so no `sweep` of the
  /// relationship deletes it.
  package var hasUnknown: Bool
  /// The parent's row, when the plan needs it.
  package var parent: RowReference

  package init(
    body: UInt32, rows: Range<Int>, isPartial: Bool = false, hasUnknown: Bool = false, parent: RowReference = .none
  ) {
    self.body = body
    self.rows = rows
    self.isPartial = isPartial
    self.hasUnknown = hasUnknown
    self.parent = parent
  }
}

/// A row of a batch: its table, and its number there.
@frozen package struct RowReference: Hashable {
  package var table: Int32
  package var row: Int32

  @inlinable package init(table: Int, row: Int) {
    self.table = Int32(table)
    self.row = Int32(row)
  }

  @inlinable package static var none: RowReference { RowReference(table: -1, row: -1) }
}
