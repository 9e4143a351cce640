import Diagnostics
package import Records

/// What a mapping says of a table in words, as comments of SQL: SQLite has no place for them.
package enum SchemaComments {
  /// Lines, without line ends.
  package static func lines(on table: TableShape) -> [String] {
    var lines = table.description.map { comment("\(table.name): \($0)") } ?? []
    for (index, column) in table.columns.enumerated() {
      if let text = column.description { lines += comment("\(table.name).\(column.name): \(text)") }
      if let reference = table.references.first(where: { $0.column == index }) {
        lines += comment("\(table.name).\(column.name) refers to \(reference.text), not enforced")
      }
    }
    return lines
  }

  /// A line end in the text must not end the comment, and nothing in it upset a terminal.
  private static func comment(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline).map { line in
      "-- " + VisibleText.escaped(String(line), keepingTabs: true)
    }
  }
}
