/// One thing to do to the database so that it is as the mapping wants it.
enum SchemaStep: Hashable {
  case createTable(table: String, sql: String)
  case addColumn(table: String, sql: String)
  case createIndex(table: String, columns: [String], sql: String)
  /// Notes a column's type of the mapping in `_ingest_schema`.
  case note(table: String, column: String, type: String)
}

/// What there is to do, and what cannot be done.
struct SchemaPlan {
  var steps: [SchemaStep] = []
  /// Sentences for people, one for each step that would lose data or that this version cannot take.
  var refusals: [String] = []
}
