import Diagnostics
package import Records

/// Tables as an entity relationship diagram of Mermaid.
package enum MermaidSchema {
  package static func text(_ shapes: [TableShape]) -> String {
    let tables = shapes.filter { $0.role != .membership }
    let relations = SchemaRelation.all(of: tables)
    var lines = ["erDiagram"]
    for (number, table) in tables.enumerated() {
      lines.append("  \(declaration(table.name, number)) {")
      for column in table.shownColumns {
        let isForeign = relations.contains { $0.from == number && column.index.map($0.columns.contains) ?? false }
        let marks = [table.isKey(column.index) ? "PK" : nil, isForeign ? "FK" : nil].compactMap(\.self)
        let word = word(column.name)
        let comment = [word.utf8.elementsEqual(column.name.utf8) ? nil : column.name, column.description]
          .compactMap(\.self).joined(separator: ": ")
        var line = "    \(column.type) \(word)"
        if !marks.isEmpty { line += " " + marks.joined(separator: ",") }
        if !comment.isEmpty { line += " \(quoted(comment))" }
        lines.append(line)
      }
      lines.append("  }")
    }
    for relation in relations {
      let (from, to) = (tables[relation.from], tables[relation.to])
      let one = relation.isOptional ? "|o" : "||"
      let line = relation.isEnforced ? "--" : ".."
      let label = from.names(relation.columns).joined(separator: ", ")
      lines.append(
        "  \(name(to.name, relation.to)) \(one)\(line)\(relation.isOne ? "o|" : "o{") \(name(from.name, relation.from)) "
          + ": \(quoted(label))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Words of the diagram's own language, which as a name would be taken for them.
  private static let reserved: Set<String> = [
    "accdescr", "acctitle", "class", "classdef", "direction", "erdiagram", "many", "one", "only", "optionally", "style",
    "title", "to", "u", "zero",
  ]

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
      && !reserved.contains(name.lowercased())
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func name(_ table: String, _ number: Int) -> String { isPlain(table) ? table : "table_\(number)_" }

  /// With what is shown in place of the name, where that cannot stand.
  private static func declaration(_ table: String, _ number: Int) -> String {
    isPlain(table) ? table : "table_\(number)_[\(quoted(table))]"
  }

  /// A column's name with what cannot stand in one replaced.
  private static func word(_ name: String) -> String {
    var word = ""
    for scalar in name.unicodeScalars {
      let isFine = scalar.isASCII && (isLetter(UInt8(scalar.value)) || isDigit(UInt8(scalar.value)) || scalar == "_")
      word.unicodeScalars.append(isFine ? scalar : "_")
    }
    return word.utf8.first.map { isDigit($0) } ?? true ? "_" + word : word
  }

  private static func quoted(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": shown += "#quot;"
      case "#": shown += "#35;"
      case _ where VisibleText.isInvisible(scalar): shown += " "
      case "\\", "%": shown += "#\(scalar.value);"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return "\"\(shown)\""
  }
}
