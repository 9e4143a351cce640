import Diagnostics
package import Records

/// Tables as a graph for Graphviz.
package enum DotSchema {
  package static func text(_ shapes: [TableShape]) -> String {
    let tables = shapes.filter { $0.role != .membership }
    var lines = [
      "digraph schema {", "  graph [rankdir=LR];", "  node [shape=plain, fontname=\"Helvetica\"];",
      "  edge [arrowsize=0.7];",
    ]
    for (number, table) in tables.enumerated() {
      lines.append("  t\(number) [label=<")
      lines.append("    <table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">")
      lines.append("    <tr><td bgcolor=\"#dddddd\" colspan=\"2\"><b>\(escaped(table.name))</b></td></tr>")
      for (place, column) in table.shownColumns.enumerated() {
        let name = escaped(column.name)
        lines.append(
          "    <tr><td align=\"left\" port=\"c\(place)\">\(table.isKey(column.index) ? "<u>\(name)</u>" : name)</td>"
            + "<td align=\"left\">\(column.type)</td></tr>")
      }
      lines.append("    </table>>];")
    }
    for relation in SchemaRelation.all(of: tables) {
      let (from, to) = (tables[relation.from], tables[relation.to])
      for (column, referenced) in zip(relation.columns, relation.referenced) {
        guard let port = from.shownColumns.firstIndex(where: { $0.index == column }),
          let target = to.shownColumns.firstIndex(where: { $0.name.utf8.elementsEqual(referenced.utf8) })
        else { continue }
        let style = relation.isEnforced ? "" : " [style=dashed]"
        lines.append("  t\(relation.from):c\(port) -> t\(relation.to):c\(target)\(style);")
      }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// As text of XML, which has no control characters, and without what turns its direction round; no name is empty.
  private static func escaped(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": shown += "&amp;"
      case "<": shown += "&lt;"
      case ">": shown += "&gt;"
      case "\"": shown += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": shown += "\u{FFFD}"
      case _ where VisibleText.isInvisible(scalar): shown += "\u{FFFD}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
