package import Diagnostics
package import MappingLanguage
package import PlanCompiler
import Records

/// The names that a test gives to things of its mapping: endpoints, tables, columns.
package struct TestNames {
  private let endpoints: [String]
  private let columns: [NameKey: [String]]
  private let tables: [String]
  private let plan: Plan

  package init(plan: Plan) {
    self.plan = plan
    endpoints = plan.endpoints.map(\.name)
    let shapes = plan.shapes.filter { $0.role != .membership }
    tables = shapes.map(\.name)
    columns = Dictionary(
      shapes.map { shape in
        (NameKey(shape.name), shape.columns.map(\.name) + (shape.primaryKey.isEmpty ? [TableShape.generatedKey] : []))
      },
      uniquingKeysWith: { first, _ in first })
  }

  package func findings(of test: TestDeclaration) -> [Diagnostic] {
    var faults: [Diagnostic] = []
    if let name = test.endpoint, !endpoints.contains(where: { $0.isSame(as: name.value) }) {
      faults.append(
        Diagnostic(
          .unknownEndpoint, "no endpoint is named '\(name.value)'", at: name.span,
          hint: suggestion(name.value, among: endpoints)))
    }
    return faults + test.tables.flatMap(tableFindings)
  }

  /// Of tables and their columns alone.
  package func tableFindings(of table: TestDeclaration.ExpectedTable) -> [Diagnostic] {
    guard let columns = columns[NameKey(table.name.value)] else {
      return [
        Diagnostic(
          .badValue, "no table is named '\(table.name.value)'", at: table.name.span,
          hint: tableOfRecord(table.name.value) ?? suggestion(table.name.value, among: tables))
      ]
    }
    let known = Set(columns.map { NameKey($0) })
    return (table.rows?.items ?? []).flatMap(\.values).filter { !known.contains(NameKey($0.column.value)) }.map {
      entry in
      Diagnostic(
        .unknownColumn, "'\(table.name.value)' has no column '\(entry.column.value)'", at: entry.column.span,
        hint: suggestion(entry.column.value, among: columns))
    }
  }

  /// Where a record is named in place of its table.
  private func tableOfRecord(_ name: String) -> String? {
    guard let record = plan.recordNames.firstIndex(where: { $0.isSame(as: name) }) else { return nil }
    let tables = plan.tables.filter { $0.record == record && $0.shape.role != .membership }.map { "'\($0.shape.name)'" }
    return tables.isEmpty ? nil : "rows of the record '\(name)' are in \(tables.joined(separator: ", "))"
  }

  private func suggestion(_ name: String, among names: [String]) -> String? {
    NearestName.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
  }
}
