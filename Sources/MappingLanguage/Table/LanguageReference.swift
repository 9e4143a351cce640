/// The reference of all sections and keys, as Markdown, made from the table.
package enum LanguageReference {
  /// A part for each kind of map, in the order in which a reader meets them. Keys that are not available yet say so.
  package static func markdown() -> String {
    MapKind.allCases.map(part).joined(separator: "\n")
  }

  private static func part(_ kind: MapKind) -> String {
    var lines = ["### \(heading(kind))", "", "| key | value | meaning | default |", "| --- | --- | --- | --- |"]
    for spec in LanguageTable.keys(of: kind) { lines.append(row(spec)) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func heading(_ kind: MapKind) -> String {
    let title = kind.title
    if title.utf8.first == UInt8(ascii: "'") { return "`" + title.dropFirst().dropLast() + "`" }
    let start = title.prefix(1).uppercased()
    return start + title.dropFirst()
  }

  private static func row(_ spec: KeySpec) -> String {
    var meaning = spec.summary
    if spec.isRequired { meaning += "; needed" }
    if !spec.words.isEmpty { meaning += ". One of " + code(spec.words) }
    let cells = [
      "`\(spec.name)`", "\(spec.kind.title); `\(spec.example)`", meaning, spec.defaultText.map { "`\($0)`" } ?? "",
    ]
    return "| " + cells.map(escaped).joined(separator: " | ") + " |"
  }

  private static func code(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// A bar within a cell would end it.
  private static func escaped(_ cell: String) -> String {
    cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
