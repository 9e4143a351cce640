package import Diagnostics
package import MappingLanguage
import PlanCompiler
import Records

/// What can be said of a test without running it.
extension TestRunner {
  /// Names that the mapping does not have, and samples that are not there.
  package func check(_ test: TestDeclaration) -> [Diagnostic] {
    var faults: [Diagnostic] = []
    if let name = test.endpoint, !plan.endpoints.contains(where: { $0.name.isSame(as: name.value) }) {
      faults.append(
        Diagnostic(
          .unknownEndpoint, "no endpoint is named '\(name.value)'", at: name.span,
          hint: suggestion(name.value, among: plan.endpoints.map(\.name))))
    }
    if case .files(let files) = test.body {
      for file in files where read(file) == nil {
        faults.append(
          Diagnostic(.unreadableFile, "the sample '\(file.value)' is not there, or cannot be read", at: file.span))
      }
    }
    return faults + test.tables.flatMap(check)
  }

  private func check(_ table: TestDeclaration.ExpectedTable) -> [Diagnostic] {
    let shapes = plan.shapes.filter { $0.role != .membership }
    guard let shape = shapes.first(where: { $0.name.isSame(as: table.name.value) }) else {
      return [
        Diagnostic(
          .badValue, "no table is named '\(table.name.value)'", at: table.name.span,
          hint: tableOfRecord(table.name.value) ?? suggestion(table.name.value, among: shapes.map(\.name)))
      ]
    }
    let columns = shape.columns.map(\.name) + (shape.primaryKey.isEmpty ? [TableShape.generatedKey] : [])
    let values = table.rows?.items.flatMap(\.values) ?? []
    return values.filter { value in !columns.contains { $0.isSame(as: value.column.value) } }.map { value in
      Diagnostic(
        .unknownColumn, "'\(shape.name)' has no column '\(value.column.value)'", at: value.column.span,
        hint: suggestion(value.column.value, among: columns))
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
