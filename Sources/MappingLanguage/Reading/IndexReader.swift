import MarkedYAML

/// Reads an entry of `indexes`: a list of columns, or a map.
enum IndexReader {
  static func index(_ node: YAMLNode) -> IndexDeclaration? {
    var index = IndexDeclaration(columns: [], span: node.span)
    if let view = MapView(node, as: .index) {
      index.columns = view.list("columns").compactMap(\.plainText)
      index.isUnique = view.boolean("unique") ?? false
      index.condition = view.text("where")
    } else if case .sequence(let items) = node.content {
      index.columns = items.compactMap(\.plainText)
    }
    return index.columns.isEmpty ? nil : index
  }
}
