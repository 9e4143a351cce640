import Records

/// What a column holds, by its type in the mapping that filled it.
struct StoredType: Hashable {
  var type: ColumnType
  var takesAnyText: Bool

  /// As `_ingest_schema` has it; nil for a word that is none.
  init?(noted: String) {
    let suffix = " or text"
    takesAnyText = noted.hasSuffix(suffix)
    guard let type = ColumnType(rawValue: takesAnyText ? String(noted.dropLast(suffix.count)) : noted) else {
      return nil
    }
    self.type = type
  }

  init(_ column: ColumnShape) {
    type = column.type
    takesAnyText = column.takesAnyText
  }

  /// What a column of a table that is not ingest's can hold.
  init(declared: String) {
    takesAnyText = false
    switch declared.uppercased() {
    case "INT", "INTEGER": type = .integer
    case "REAL": type = .real
    case "TEXT": type = .text
    case "BLOB": type = .bytes
    default: type = .any
    }
  }

  var name: String { takesAnyText ? type.rawValue + " or text" : type.rawValue }
}

/// A column's change of type, by the table of widenings in docs/mapping-language.md.
struct TypeChange: Hashable {
  var from: StoredType
  var to: StoredType

  private static let widenings: [ColumnType: Set<ColumnType>] = [
    .integer: [.decimal, .text], .boolean: [.integer, .text], .real: [.text], .decimal: [.text], .date: [.text],
    .time: [.text], .timestamp: [.text], .uuid: [.text], .url: [.text],
  ]

  /// No value is lost, whatever is stored.
  var isWidening: Bool {
    if to.type == .any { return true }
    if to.takesAnyText { return from.type == to.type }
    let isWider = Self.widenings[from.type]?.contains(to.type) == true
    // Texts that are no value of their type are texts all the same.
    return from.takesAnyText ? to.type == .text && (isWider || from.type == .text) : isWider
  }

  /// Values stay as they are stored.
  var keepsValues: Bool {
    if to.type == .any || (to.takesAnyText && from.type == to.type) { return true }
    return isWidening && (from.type == .boolean ? to.type == .integer : ![.integer, .real].contains(from.type))
  }
}
