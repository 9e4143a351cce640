import Records
import Store

/// The writers of all tables of a mapping, in their order.
struct TableWriters {
  let all: [any TableWriter]
  let newRows: NewRows

  init(
    _ connection: Connection, _ tables: [TableSQL], _ scope: BodyScope, _ keys: GeneratedKeys?,
    _ surroundings: Surroundings
  ) throws(StoreError) {
    let members = tables.compactMap { $0.shape.role == .membership ? $0.shape.child : nil }
    let newRows = NewRows()
    self.newRows = newRows
    var writers: [(any TableWriter)?] = try tables.enumerated().map { (index, sql) throws(StoreError) in
      switch sql.shape.role {
      case .record where sql.shape.primaryKey.isEmpty && sql.shape.write == .replace:
        return ReplaceWriter(connection, sql, index: index, keys: keys)
      case .record where sql.shape.primaryKey.isEmpty: return AppendWriter(connection, sql, index: index, keys: keys)
      case .record where sql.shape.write == .history:
        return HistoryWriter(connection, sql, index: index, scope: scope)
      case .record:
        return RecordWriter(
          connection, sql, index: index, scope: scope, hasMembers: members.contains(index),
          newRows: newRows)
      case .onlyChild, .listChild:
        return try ChildWriter(connection, sql, index: index, scope: scope, newRows: newRows)
      case .link:
        return try LinkWriter(
          connection, sql, index: index, scope: scope, newRows: newRows, surroundings: surroundings)
      case .membership: return nil
      }
    }
    for (index, sql) in tables.enumerated() where sql.shape.role == .membership {
      guard let table = sql.shape.child, let child = writers[table] as? RecordWriter else {
        preconditionFailure("a membership belongs to the table of a record with a key")
      }
      writers[index] = MembershipWriter(connection, sql.shape, index: index, child: child, scope: scope)
    }
    let references = References(tables)
    for (index, writer) in writers.enumerated() {
      if let writer = writer as? ChildWriter {
        scope.follow(writer.memory, references.keylessRows(of: index), on: connection)
      } else if let writer = writer as? MembershipWriter {
        scope.follow(writer.memory, references.children(of: index), on: connection)
      }
    }
    all = writers.compactMap { $0 }
  }
}
