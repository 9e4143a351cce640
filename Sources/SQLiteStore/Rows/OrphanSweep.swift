import Records
import Store

/// `sweep` of a relationship: children that lost their last parent through it are deleted at the end of the body.
///
/// Who lost a parent is noted on the way, by row number; at the end those go that nothing refers to any more: no link,
/// no column of a foreign key, and no parent of their own. What a body itself brings stays, or reading it again would
/// bring it again; so does what may be a rejected element, whose key is not known. A child that goes can take the last parent from its own children, so it goes on until none is left;
/// each round but the first needs a deletion in the one before.
final class OrphanSweep {
  /// The statements for the children of one record.
  private struct Child {
    let table: Int
    let isOrphan: LazyStatement
    let delete: LazyStatement
    var noted: RowNumberSet
    var next: RowNumberSet
  }

  /// Gives the numbers of the children that a row of some table has through one relationship.
  private struct Descent {
    let child: Int
    let numbers: LazyStatement
  }

  /// A foreign key by which rows of a table refer to a single child.
  private struct Single {
    let columns: [Int]
    let descent: Descent
  }

  private var children: [Child] = []
  /// By table.
  private var descents: [[Descent]]
  private var singles: [[Single]]
  /// By table: says what the body at hand has brought.
  private var memories: [BodyMemory?]
  /// At the end of a walk: whether it has seen the row of that number and table, which then stays.
  var isSeen: ((Int64, Int) throws(StoreError) -> Bool)?

  /// Nil when no relationship sweeps.
  init?(_ connection: Connection, _ tables: [TableSQL]) {
    let references = References(tables)
    descents = tables.map { _ in [] }
    singles = tables.map { _ in [] }
    memories = tables.map { _ in nil }
    var swept: [Int] = []
    func follow(_ found: [References.Descent], to child: Int) -> [Descent] {
      if !swept.contains(child) { swept.append(child) }
      return found.map { found in
        let descent = Descent(child: child, numbers: LazyStatement(found.numbers, on: connection))
        descents[found.owner].append(descent)
        return descent
      }
    }
    for table in tables.indices {
      if tables[table].shape.sweepsOrphans {
        guard let child = tables[table].shape.child else {
          preconditionFailure("a relationship that sweeps knows its child's table")
        }
        _ = follow(references.children(of: table), to: child)
      }
      for key in tables[table].shape.foreignKeys where key.sweepsOrphans {
        guard let (child, found) = references.children(by: key, of: table) else {
          preconditionFailure("a foreign key refers to a table of the schema")
        }
        singles[table].append(Single(columns: key.columns, descent: follow(found, to: child)[0]))
      }
    }
    if swept.isEmpty { return nil }
    children = swept.map { table in
      Child(
        table: table, isOrphan: LazyStatement(references.isOrphan(table), on: connection),
        delete: LazyStatement(tables[table].delete, on: connection),
        noted: RowNumberSet(),
        next: RowNumberSet())
    }
  }

  /// Whether rows of the table can be swept.
  func follows(_ table: Int) -> Bool { children.contains { $0.table == table } }

  func follow(_ memory: BodyMemory, of table: Int) { memories[table] = memory }

  /// A row has lost a parent.
  func note(_ number: Int64, in table: Int) throws(StoreError) {
    guard let child = children.first(where: { $0.table == table }) else { return }
    try child.noted.insert(number)
  }

  /// The children of a row, or the child of a link, are about to lose it.
  func noteChildren(of number: Int64, in table: Int) throws(StoreError) {
    for descent in descents[table] {
      let numbers = try descent.numbers.prepared()
      try numbers.bind(number, at: 0)
      while try numbers.step() { try note(numbers.integer(0), in: descent.child) }
    }
  }

  /// The child of a link may be a rejected element.
  func spareChildren(of number: Int64, in table: Int) throws(StoreError) {
    for descent in descents[table] {
      let numbers = try descent.numbers.prepared()
      try numbers.bind(number, at: 0)
      while try numbers.step() { try memories[descent.child]?.spare(numbers.integer(0)) }
    }
  }

  /// A row is about to be changed: its single children may lose it. `change` says what becomes of the columns of a
  /// reference.
  func noteSingleChildren(
    of number: Int64, in table: Int, _ change: (_ columns: [Int]) -> RowWriter.ReferenceChange
  ) throws(StoreError) {
    for single in singles[table] {
      let change = change(single.columns)
      if case .stays = change { continue }
      let numbers = try single.descent.numbers.prepared()
      try numbers.bind(number, at: 0)
      while try numbers.step() {
        let child = numbers.integer(0)
        if case .isUnknown = change {
          try memories[single.descent.child]?.spare(child)
        } else {
          try note(child, in: single.descent.child)
        }
      }
    }
  }

  func sweep() throws(StoreError) {
    while children.contains(where: { !$0.noted.isEmpty }) {
      for index in children.indices where !children[index].noted.isEmpty {
        // What the deletions note is for the next round.
        var child = children[index]
        swap(&child.noted, &child.next)
        children[index] = child
        try child.next.forEach { number throws(StoreError) in try sweep(number, of: child) }
        child.next.removeAll()
      }
    }
  }

  private func sweep(_ number: Int64, of child: Child) throws(StoreError) {
    if let memory = memories[child.table], try memory.hasBrought(number) { return }
    if let isSeen, try isSeen(number, child.table) { return }
    let isOrphan = try child.isOrphan.prepared()
    try isOrphan.bind(number, at: 0)
    guard try isOrphan.step() else { return }
    isOrphan.reset()
    try noteChildren(of: number, in: child.table)
    let delete = try child.delete.prepared()
    try delete.bind(number, at: 0)
    try delete.run()
  }

  /// Forgets what a rollback has undone.
  func forget() {
    for child in children {
      child.noted.removeAll()
      child.next.removeAll()
    }
  }
}
