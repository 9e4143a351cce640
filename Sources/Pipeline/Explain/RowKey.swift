import JSONReading
import Records
import Store
import Values

/// The key of one row, as the words of a command line give it.
struct RowKey {
  /// Columns of the key, in order; of a history the time at which a version begins may be left out.
  let columns: [ColumnShape]
  let words: [String]

  /// Of `_id`.
  private static let generated = ColumnShape(name: TableShape.generatedKey, type: .integer)

  init(_ words: [String], of shape: TableShape) throws(PipelineError) {
    let whole = shape.primaryKey.isEmpty ? [Self.generated] : shape.primaryKey.map { shape.columns[$0] }
    let isHistory = shape.write == .history
    guard words.count == whole.count || isHistory && words.count == whole.count - 1 else {
      let names = whole.map(\.name).joined(separator: ", ")
      let last = isHistory ? " (without the last: the latest version)" : ""
      throw PipelineError(
        .refused,
        "the key of '\(shape.name)' is \(names)\(last): give \(whole.count == 1 ? "a value" : "a value for each")")
    }
    columns = Array(whole.prefix(words.count))
    self.words = words
  }

  /// What each column may hold: the word as its type takes it, and as it is.
  var values: [ColumnValues] { values(of: words) }

  /// The words that are JSON texts, in quotes, read as such; nil when there is none.
  var unquotedValues: [ColumnValues]? {
    let unquoted = words.map(Self.unquoted)
    guard unquoted.contains(where: { $0 != nil }) else { return nil }
    return zip(zip(columns, words), unquoted).map { entry, text in
      // In quotes it is a text, whatever it looks like.
      text.map { ColumnValues(column: entry.0.name, values: Self.texts($0, entry.0)) }
        ?? ColumnValues(column: entry.0.name, values: Self.values(entry.1, entry.0))
    }
  }

  private func values(of words: [String]) -> [ColumnValues] {
    zip(columns, words).map { ColumnValues(column: $0.name, values: Self.values($1, $0)) }
  }

  private static func values(_ word: String, _ column: ColumnShape) -> [StoredValue] {
    var values = texts(word, column)
    if column.type == .any {
      if let number = Int64(word), String(number) == word { values.append(.integer(number)) }
      if !values.contains(where: { if case .integer = $0 { true } else { false } }), let number = Double(word) {
        values.append(.real(number))
      }
    }
    return values
  }

  private static func texts(_ word: String, _ column: ColumnShape) -> [StoredValue] {
    var values: [StoredValue] = []
    let arena = ByteArena()
    if let conversion = Conversion.compile(ConversionSpec(type: column.type)).conversion,
      case .cell(let cell) = conversion.convert(Literal.text(word), into: arena)
    {
      values.append(StoredValue(cell))
    }
    withExtendedLifetime(arena) {}
    let holdsText = ![ColumnType.integer, .boolean, .real, .bytes].contains(column.type) || column.takesAnyText
    if holdsText, !values.contains(.text(word)) { values.append(.text(word)) }
    return values
  }

  private static func unquoted(_ word: String) -> String? {
    guard word.utf8.first == UInt8(ascii: "\""), let document = try? JSONDocument(Array(word.utf8)) else { return nil }
    defer { withExtendedLifetime(document) {} }
    return document.root.kind == .string ? document.root.stringValue : nil
  }
}

extension StoredValue {
  /// As a store would hold it.
  init(_ cell: Cell) {
    switch cell.kind {
    case .missing, .null: self = .null
    case .integer: self = .integer(cell.integerValue)
    case .real: self = .real(cell.realValue)
    case .text: self = .text(cell.stringValue)
    case .bytes: self = .bytes(Array(cell.rawBytes))
    }
  }
}
