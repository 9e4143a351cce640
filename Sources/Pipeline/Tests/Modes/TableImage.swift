import JSONReading
import MappingLanguage
import PlanCompiler
import Records
import Store

/// The rows of a table, whatever order they were stored in, without what tells when and by which run they came.
struct TableImage {
  /// How often each row is there.
  private(set) var rows: [String: Int] = [:]

  init(of shape: TableShape, in stored: StoredRows, without volatile: Set<String>) {
    let isHistory = shape.write == .history
    let left = Set(shape.tracking.map { shape.columns[$0].name }).union(volatile)
    for row in stored.rows {
      let cells = zip(stored.columns, row).compactMap { column, value -> String? in
        if left.contains(column) || isHistory && column == "valid_from" { return nil }
        if isHistory, column == "valid_to", value != .null { return "valid_to: later" }
        return "\(column): \(Self.shown(value))"
      }
      rows["{" + cells.joined(separator: ", ") + "}", default: 0] += 1
    }
  }

  /// Those that are here more often than there.
  func surplus(over other: TableImage) -> [String] {
    rows.flatMap { row, count in
      Array(repeating: row, count: max(0, count - (other.rows[row] ?? 0)))
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The order of members is no difference between two values of JSON.
  private static func shown(_ value: StoredValue) -> String {
    guard case .text(let text) = value, let first = text.utf8.first, "[{".utf8.contains(first),
      let document = try? JSONDocument(Array(text.utf8))
    else { return value.shown }
    return withExtendedLifetime(document) { ordered(document.root) }
  }

  private static func ordered(_ value: JSONValue) -> String {
    switch value.kind {
    case .array:
      var items: [String] = []
      value.forEachElement { items.append(ordered($0)) }
      return "[" + items.joined(separator: ",") + "]"
    case .object:
      var members: [(name: String, text: String)] = []
      value.forEachMember { name, value in
        let raw = String(decoding: name.rawText, as: UTF8.self)
        members.append((name.stringValue, raw + ":" + ordered(value)))
      }
      // Not stable by nature, so members with one name are told apart by what they hold.
      members.sort { a, b in
        a.name.isSame(as: b.name)
          ? a.text.utf8.lexicographicallyPrecedes(b.text.utf8) : a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
      }
      return "{" + members.map(\.text).joined(separator: ",") + "}"
    default: return String(decoding: value.rawText, as: UTF8.self)
    }
  }
}

extension Plan {
  /// Columns of a table whose values tell the time or the run.
  func volatileColumns(of table: Int) -> Set<String> {
    var names: Set<String> = []
    for row in rows where row.table == table {
      for field in row.fields {
        guard case .paths(let paths) = field.source else { continue }
        if paths.contains(where: { $0.path.origin == .fetchedAt || $0.path.origin == .runID }) {
          names.insert(field.name)
        }
      }
    }
    return names
  }
}
