import Diagnostics
import MappingLanguage
import PlanCompiler
import Records
import SQLiteStore
import Store

/// SQL of a mapping that SQLite will run, prepared on the mapping's own tables: `where` of sweeps, indexes and `for_each`.
enum SQLCheck {
  /// A condition, and the table whose rows it is about.
  private struct Fragment {
    let condition: Located<String>
    let table: TableShape
    var index: IndexShape?
  }

  /// Nothing is opened, and nothing costs time, where a mapping has no SQL, and no table that is out of the ordinary. What
  /// is written for PostgreSQL is its matter.
  static func findings(in mapping: Mapping, _ plan: Plan) -> [Diagnostic] {
    guard mapping.store?.isPostgreSQL != true else { return [] }
    let fragments = fragments(of: mapping, plan)
    guard !fragments.isEmpty || !plan.tables.allSatisfy(\.shape.isOrdinary) else { return [] }
    let check: ConditionCheck
    do throws(StoreError) {
      check = try ConditionCheck(plan.shapes)
    } catch {
      let place = mapping.records.first?.name.span ?? mapping.source.name.span
      return [Diagnostic(.storeLimit, "the mapping's tables cannot be made: \(error.message)", at: place)]
    }
    let tables = check.refusals.map { refusal in
      Diagnostic(
        .storeLimit,
        "SQLite cannot make the table '\(plan.tables[refusal.table].shape.name)': \(refusal.reason)",
        at: span(ofTable: refusal.table, mapping, plan))
    }
    // Of a table that is not made nothing else can be said.
    guard tables.isEmpty else { return tables }
    return fragments.compactMap { fragment in
      let condition = fragment.condition
      let fault =
        fragment.index.map { check.fault(in: $0, of: fragment.table) }
        ?? check.fault(in: condition.value, onRowsOf: fragment.table.name)
      return fault.map { finding($0, in: fragment) }
    }
  }

  private static func fragments(of mapping: Mapping, _ plan: Plan) -> [Fragment] {
    var fragments: [Fragment] = []
    for record in mapping.records where record.sweep?.condition != nil || record.indexes.contains(where: \.hasCondition)
    {
      guard let table = table(of: record, plan) else { continue }
      if let condition = record.sweep?.condition { fragments.append(Fragment(condition: condition, table: table)) }
      for index in record.indexes {
        guard let condition = index.condition else { continue }
        let columns = index.columns.compactMap { name in
          table.columns.firstIndex { $0.name.isSame(as: name.value) }
        }
        let shape = IndexShape(columns: columns, isUnique: index.isUnique, condition: condition.value)
        fragments.append(Fragment(condition: condition, table: table, index: shape))
      }
    }
    for endpoint in mapping.endpoints {
      guard let each = endpoint.forEach, let condition = each.condition, case .record(let name) = each.source,
        let record = mapping.records.first(where: { $0.name.value.isSame(as: name.value) }),
        let table = table(of: record, plan)
      else { continue }
      fragments.append(Fragment(condition: condition, table: table))
    }
    return fragments
  }

  /// The first, of a child without a key that stands in several relationships: the columns that it names are in all.
  private static func table(of record: RecordDeclaration, _ plan: Plan) -> TableShape? {
    let row = plan.rows.first { plan.recordNames[$0.record].isSame(as: record.name.value) }
    return row.map { plan.tables[$0.table].shape }
  }

  /// The record that fills the table, or, of links, has them.
  private static func span(ofTable table: Int, _ mapping: Mapping, _ plan: Plan) -> SourceSpan {
    var record = plan.tables[table].record
    if record == nil, let key = plan.tables[table].shape.foreignKeys.first {
      record = plan.tables.first { $0.shape.name.isSame(as: key.table) }?.record
    }
    let name = record.map { plan.recordNames[$0] } ?? ""
    return mapping.records.first { $0.name.value.isSame(as: name) }?.name.span ?? mapping.source.name.span
  }

  // MARK: words

  private static func finding(_ fault: ConditionCheck.Fault, in fragment: Fragment) -> Diagnostic {
    let (condition, table) = (fragment.condition, fragment.table)
    switch fault {
    case .unknownColumn(let name):
      // The table may have columns of the user's own, which are no mistake; not when it is made, with its indexes.
      let hint = columnHint(name, condition.value, table)
      return Diagnostic(
        .unknownColumn, "the table '\(table.name)' has no column '\(name)'", at: condition.span,
        hint: hint, severity: hint == nil && fragment.index == nil ? .warning : .error)
    case .incomplete:
      return Diagnostic(
        .badSQL, "the condition ends before it is whole", at: condition.span,
        hint: "write SQL that could stand behind WHERE, such as \(example(table))")
    case .forbidden(let name):
      return Diagnostic(
        .badSQL, "'\(name)' has no place in a condition: it changes something, or leads out of the database",
        at: condition.span, hint: "a condition looks at rows, by columns and functions of their values")
    case .parameter:
      return Diagnostic(.badSQL, "nothing is bound to a parameter in a condition", at: condition.span)
    case .refused(let message):
      return Diagnostic(
        .badSQL, "SQLite cannot read the condition: \(message)", at: condition.span, hint: hint(for: condition.value))
    }
  }

  private static func columnHint(_ name: String, _ condition: String, _ table: TableShape) -> String? {
    let plain = String(name.split(separator: ".").last ?? "").filter { $0 != "\"" }
    if condition.contains("\"\(plain)\"") { return "a text stands in single quotes: '\(plain)'" }
    let columns = table.columns.map(\.name) + (table.primaryKey.isEmpty ? [TableShape.generatedKey] : [])
    return NearestName.meant(by: plain, among: columns).map { "did you mean '\($0)'?" }
  }

  /// What other languages write.
  private static func hint(for condition: String) -> String? {
    if condition.contains("&&") { return "SQL writes AND for '&&'" }
    if condition.contains("${") { return "nothing is filled in within SQL" }
    return nil
  }

  private static func example(_ table: TableShape) -> String { "\(table.columns[0].name) IS NOT NULL" }
}

extension TableShape {
  /// Few columns, with names of letters, digits and `_`: SQLite makes every table like it.
  fileprivate var isOrdinary: Bool {
    columns.count <= 100 && indexes.count <= 50 && name.isOrdinary && columns.allSatisfy(\.name.isOrdinary)
  }
}

extension String {
  fileprivate var isOrdinary: Bool {
    utf8.count <= 200
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

extension IndexDeclaration {
  fileprivate var hasCondition: Bool { condition != nil }
}
