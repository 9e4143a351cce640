package import Diagnostics
package import Records

/// What Datasette shows beside the rows: descriptions, and facets of columns with few values.
package enum DatasetteMetadata {
  /// `database`: its name in Datasette, which is the file's without its ending.
  package static func node(
    _ shapes: [TableShape], title: String, database: String, bookkeeping: [String]
  ) -> JSONTree {
    let tables = shapes.filter { $0.role != .membership }.map { JSONTree.Member($0.name, node($0)) }
    let hidden = bookkeeping.map { JSONTree.Member($0, .object([.init("hidden", .boolean(true))])) }
    let content = JSONTree.object([.init("tables", .object(tables + hidden))])
    return .object([.init("title", .text(title)), .init("databases", .object([.init(database, content)]))])
  }

  private static func node(_ table: TableShape) -> JSONTree {
    var members: [JSONTree.Member] = []
    if let text = table.description { members.append(.init("description", .text(text))) }
    let columns = table.columns.enumerated().compactMap { index, column -> JSONTree.Member? in
      let refers = table.references.first { $0.column == index }.map { "refers to \($0.text)" }
      let text = [column.description, refers].compactMap(\.self).joined(separator: "; ")
      return text.isEmpty ? nil : .init(column.name, .text(text))
    }
    if !columns.isEmpty { members.append(.init("columns", .object(columns))) }
    let facets = table.columns.filter(\.hasFewValues).map { JSONTree.text($0.name) }
    if !facets.isEmpty { members.append(.init("facets", .list(facets))) }
    return .object(members)
  }
}
