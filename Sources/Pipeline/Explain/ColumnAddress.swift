import Diagnostics
package import PlanCompiler
import Records

/// A column of a mapping's tables, as a command line names it: `articles.headline`.
package struct ColumnAddress: Sendable, Hashable {
  /// Index into `Plan.tables`.
  package var table: Int
  /// Index into the table's columns; nil for the key that the store generates.
  package var column: Int?

  /// Why a text names none.
  package struct Unknown: Error, Sendable {
    package var message: String
    package var hint: String?
  }

  /// Names may hold dots: whichever parts name a table and a column of it do.
  package init(_ text: String, in plan: Plan) throws(Unknown) {
    let tables = plan.tables.enumerated().filter { $0.element.shape.role != .membership }
    for (index, table) in tables where text.utf8.starts(with: Array("\(table.shape.name).".utf8)) {
      let name = String(decoding: text.utf8.dropFirst(table.shape.name.utf8.count + 1), as: UTF8.self)
      if table.shape.primaryKey.isEmpty, name.utf8.elementsEqual(TableShape.generatedKey.utf8) {
        (self.table, column) = (index, nil)
        return
      }
      if let found = table.shape.columns.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
        (self.table, column) = (index, found)
        return
      }
    }
    let known = tables.flatMap { entry in
      entry.element.shape.columns.map { "\(entry.element.shape.name).\($0.name)" }
    }
    throw Unknown(
      message: "the mapping fills no column '\(text)'",
      hint: NearestName.nearest(to: text, among: known).map { "did you mean '\($0)'?" }
        ?? "there are the tables: \(tables.map(\.element.shape.name).joined(separator: ", "))")
  }
}
