import Records

/// A table that a mapping fills.
public struct Table: Sendable, Hashable {
  /// The table's name in the database.
  public let name: String
  /// The name of the record whose rows it holds, such as `Boat`, or `Boat.crew` for a child without a key of its own; nil
  /// for a table of links between two others.
  public let record: String?
  /// The columns, in the order of the table.
  public let columns: [Column]
  /// The names of the columns of the primary key; empty for a record that is only appended, whose rows a store numbers.
  public let primaryKey: [String]

  init(_ shape: TableShape, record: String?) {
    name = shape.name
    self.record = record
    columns = shape.columns.map { Column($0) }
    primaryKey = shape.primaryKey.map { shape.columns[$0].name }
  }

  /// The place of a column among ``columns``; nil when there is none of that name. Names are compared by their bytes.
  public func index(of column: String) -> Int? {
    columns.firstIndex { $0.name.utf8.elementsEqual(column.utf8) }
  }
}

/// A column of a table.
public struct Column: Sendable, Hashable {
  /// The types of the mapping language; see `docs/mapping-language.md`, "Types".
  public enum DataType: String, Sendable, Hashable, CaseIterable {
    /// Whatever the response has: numbers stay numbers, texts stay texts, structures are JSON text.
    case any
    /// Any text.
    case text
    /// A whole number of 64 bits.
    case integer
    /// A binary floating-point number.
    case real
    /// An exact decimal number, as text.
    case decimal
    /// True or false.
    case boolean
    /// A day, as text: `2015-07-04`.
    case date
    /// A time of day, as text: `16:30:00`.
    case time
    /// A point in time in UTC, as text: `2015-07-04 16:30:00`.
    case timestamp
    /// A UUID, as text in lower case.
    case uuid
    /// An absolute URL, as text.
    case url
    /// JSON text.
    case json
    /// Bytes.
    case bytes

    init(_ type: ColumnType) {
      self =
        switch type {
        case .any: .any
        case .text: .text
        case .integer: .integer
        case .real: .real
        case .decimal: .decimal
        case .boolean: .boolean
        case .date: .date
        case .time: .time
        case .timestamp: .timestamp
        case .uuid: .uuid
        case .url: .url
        case .json: .json
        case .bytes: .bytes
        }
    }
  }

  /// The column's name in the database.
  public let name: String
  /// The type that the mapping declares.
  public let type: DataType
  /// The mapping's `description` of the column.
  public let description: String?

  init(_ shape: ColumnShape) {
    name = shape.name
    type = DataType(shape.type)
    description = shape.description
  }
}
