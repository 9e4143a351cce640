import Records

extension ColumnShape {
  /// The type that the column is declared with in a STRICT table.
  var declaredType: String {
    if takesAnyText { return "ANY" }
    switch type {
    case .any: return "ANY"
    case .text, .decimal, .date, .time, .timestamp, .uuid, .url, .json: return "TEXT"
    case .integer, .boolean: return "INTEGER"
    case .real: return "REAL"
    case .bytes: return "BLOB"
    }
  }

  /// The type as the mapping says it, for messages and for `_ingest_schema`.
  var mappingType: String { takesAnyText ? type.rawValue + " or text" : type.rawValue }
}
