import Foundation

/// What the tables of `Shapes.articles` should hold, and how the rows of a body should be counted: written as plainly as
/// the contract says it, over dictionaries.
struct StoreModel {
  struct Key: Hashable {
    var table: String
    var values: [Value]
  }

  struct Counts: Equatable {
    var inserted = 0
    var updated = 0
    var unchanged = 0
  }

  /// Rows by their primary key: the values of the other columns.
  var rows: [Key: [Value]] = [:]
  /// Rows that a list of the body did not name. They go at its end, save when a later list names them.
  private var surplus: Set<Key> = []

  /// Applies a body, and counts what it makes of the rows of each table.
  mutating func apply(_ body: [Statement]) -> [String: Counts] {
    let before = rows
    var occurrences: [Key: Int] = [:]
    for statement in body {
      for key in apply(statement) { occurrences[key, default: 0] += 1 }
    }
    for key in surplus { rows[key] = nil }
    surplus = []
    var counts: [String: Counts] = [:]
    for (key, count) in occurrences where key.table != "article_tags" {
      var change = Counts(unchanged: count)
      if let row = rows[key], row != before[key] {
        change.unchanged -= 1
        if before[key] == nil { change.inserted += 1 } else { change.updated += 1 }
      }
      counts[key.table, default: Counts()].inserted += change.inserted
      counts[key.table, default: Counts()].updated += change.updated
      counts[key.table, default: Counts()].unchanged += change.unchanged
    }
    return counts
  }

  typealias ListRow = (key: [Value], values: [Value], isShield: Bool)

  enum Statement {
    case row(table: String, key: [Value], values: [Value])
    /// Rows of a list, their own keys without the parent's.
    case list(table: String, parent: Value, rows: [ListRow])

    var table: String {
      switch self {
      case .row(let table, _, _), .list(let table, _, _): table
      }
    }
  }

  /// Gives the keys of the rows that count.
  private mutating func apply(_ statement: Statement) -> [Key] {
    switch statement {
    case .row(let table, let key, let values):
      let key = Key(table: table, values: key)
      rows[key] = Self.merged(values, over: rows[key], isWhole: false)
      return [key]
    case .list(let table, let parent, let list):
      let old = rows.keys.filter { $0.table == table && $0.values[0] == parent }
      var named: Set<Key> = []
      for row in list {
        let key = Key(table: table, values: [parent] + row.key)
        let stored = surplus.remove(key) == nil ? rows[key] : nil
        if !row.isShield && !(table == "article_tags" && named.contains(key)) {
          rows[key] = Self.merged(row.values, over: stored, isWhole: table != "article_badge")
        }
        named.insert(key)
      }
      surplus.formUnion(old.filter { !named.contains($0) })
      return list.filter { !$0.isShield }.map { Key(table: table, values: [parent] + $0.key) }
    }
  }

  private static func merged(_ values: [Value], over stored: [Value]?, isWhole: Bool) -> [Value] {
    values.indices.map { index in
      let old = stored?[index]
      switch values[index] {
      case .missing: return isWhole ? .null : old ?? .null
      case .ifNew(let value): return isWhole ? value : old ?? value
      case .ifEqual(let value): return old == value ? value : .null
      case let value: return value
      }
    }
  }
}

extension Value {
  /// The value as SQL writes it.
  var literal: String {
    switch self {
    case .missing, .null, .ifNew, .ifEqual: "NULL"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): "'\(value)'"
    case .bytes(let value): "x'\(value.map { String(format: "%02x", $0) }.joined())'"
    }
  }
}

extension BatchBuilder {
  func fill(with statements: [StoreModel.Statement]) {
    for statement in statements {
      switch statement {
      case .row(let table, let key, let values): row(table, values: key + values)
      case .list(let table, let parent, let rows):
        list(
          table, of: [parent], rows.map { [parent] + $0.key + $0.values },
          shields: Set(rows.indices.filter { rows[$0].isShield }), parentRow: latestRow(of: "articles"))
      }
    }
  }
}
