/// Takes items out of a YAML list, and adds others, in the style in which it is written.
struct ListEditor {
  enum Item {
    case scalar(String)
    /// `key: value` each.
    case map([String])

    var flowText: String {
      switch self {
      case .scalar(let text): text
      case .map(let entries): "{" + entries.joined(separator: ", ") + "}"
      }
    }
  }

  let bytes: [UInt8]
  /// The list's value.
  let range: Range<Int>
  /// Behind the key whose value it is.
  let keyEnd: Int
  let items: [Range<Int>]

  func edits(removing: Set<Int>, adding: [Item]) throws(UpdateRefusal) -> [TextEdit] {
    guard bytes[range.lowerBound] != UInt8(ascii: "[") else {
      return try flowEdits(removing: removing, adding: adding.map(\.flowText))
    }
    return try blockEdits(removing: removing, adding: adding)
  }

  private func hasComment(_ range: Range<Int>) -> Bool { bytes[range].contains(UInt8(ascii: "#")) }

  // MARK: [a, b]

  private func flowEdits(removing: Set<Int>, adding: [String]) throws(UpdateRefusal) -> [TextEdit] {
    let kept = items.indices.filter { !removing.contains($0) }
    guard let last = kept.last else {
      let inner = range.lowerBound + 1..<range.upperBound - 1
      if isCommented(between: range.lowerBound + 1, items.first) || isCommented(behindAll: range.upperBound) {
        throw Self.commented
      }
      return [TextEdit(inner, adding.joined(separator: ", "))]
    }
    var edits: [TextEdit] = []
    var index = 0
    while index < last {
      guard removing.contains(index), let next = kept.first(where: { $0 > index }) else {
        index += 1
        continue
      }
      for number in index..<next where isCommented(between: items[number].upperBound, items[number + 1]) {
        throw Self.commented
      }
      edits.append(TextEdit(items[index].lowerBound..<items[next].lowerBound, ""))
      index = next
    }
    let separator = separator
    let added = adding.map { separator + $0 }.joined()
    for number in last..<items.count - 1 where isCommented(between: items[number].upperBound, items[number + 1]) {
      throw Self.commented
    }
    let tail = items[last].upperBound..<items[items.count - 1].upperBound
    if !tail.isEmpty || !added.isEmpty { edits.append(TextEdit(tail, added)) }
    return edits
  }

  /// As the author's items are set apart.
  private var separator: String {
    guard items.count > 1 else { return ", " }
    let gap = items[items.count - 2].upperBound..<items[items.count - 1].lowerBound
    return hasComment(gap) ? ", " : String(decoding: bytes[gap], as: UTF8.self)
  }

  private func isCommented(between end: Int, _ next: Range<Int>?) -> Bool {
    next.map { hasComment(end..<$0.lowerBound) } ?? false
  }

  private func isCommented(behindAll end: Int) -> Bool {
    hasComment((items.last?.upperBound ?? range.lowerBound)..<end)
  }

  private static let commented = UpdateRefusal("a comment stands between the items that would go")

  // MARK: - a

  private func blockEdits(removing: Set<Int>, adding: [Item]) throws(UpdateRefusal) -> [TextEdit] {
    var edits: [TextEdit] = []
    var lines: [BlockItem] = []
    for item in items { lines.append(try BlockItem(item, in: bytes)) }
    if removing.count == items.count, adding.isEmpty {
      guard let colon = bytes[keyEnd...].firstIndex(of: UInt8(ascii: ":")) else {
        throw UpdateRefusal("the list cannot be emptied in place")
      }
      edits.append(TextEdit(colon + 1..<colon + 1, " []"))
    }
    for index in removing.sorted() { edits.append(TextEdit(lines[index].lines, "")) }
    guard let model = lines.last, !adding.isEmpty else { return edits }
    let end = model.lines.upperBound
    let isClosed = end > 0 && bytes[end - 1] == UInt8(ascii: "\n")
    let text = adding.map { model.text(of: $0) }.joined(separator: model.lineBreak)
    edits.append(TextEdit(end..<end, isClosed ? text + model.lineBreak : model.lineBreak + text))
    return edits
  }
}

/// An item of a block list, with the lines that are its own.
private struct BlockItem {
  /// From the beginning of the dash's line to behind the line break of the last.
  let lines: Range<Int>
  let lineBreak: String
  /// What stands before the content in its first line.
  private let lead: String
  private let isFlow: Bool

  init(_ item: Range<Int>, in bytes: [UInt8]) throws(UpdateRefusal) {
    var dash = item.lowerBound - 1
    while dash >= 0, bytes[dash] == UInt8(ascii: " ") { dash -= 1 }
    let start = dash < 0 ? 0 : (bytes[..<dash].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    guard dash >= 0, bytes[dash] == UInt8(ascii: "-"), bytes[start..<dash].allSatisfy({ $0 == UInt8(ascii: " ") })
    else { throw UpdateRefusal("an item of the list does not begin with a dash on its own line") }
    let lastByte = max(item.lowerBound, item.upperBound - 1)
    let rest = bytes[lastByte...].firstIndex(of: UInt8(ascii: "\n"))
    let behind = bytes[item.upperBound..<max(item.upperBound, rest ?? bytes.count)].first { $0 != UInt8(ascii: " ") }
    guard behind.map({ "#\r".utf8.contains($0) }) ?? true else {
      throw UpdateRefusal("something else stands behind an item of the list, in its line")
    }
    lines = start..<(rest.map { $0 + 1 } ?? bytes.count)
    let first = bytes[..<item.lowerBound].lastIndex(of: UInt8(ascii: "\n"))
    lineBreak = first.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false ? "\r\n" : "\n"
    lead = String(decoding: bytes[start..<item.lowerBound], as: UTF8.self)
    isFlow = bytes[item.lowerBound] == UInt8(ascii: "{")
  }

  /// Without a line break at its end.
  func text(of item: ListEditor.Item) -> String {
    guard case .map(let entries) = item, !isFlow else { return lead + item.flowText }
    let indent = String(repeating: " ", count: lead.utf8.count)
    return lead + entries.joined(separator: lineBreak + indent)
  }
}

/// Adds an entry at the end of a YAML map, in the style in which it is written.
struct MapEditor {
  let bytes: [UInt8]
  let range: Range<Int>

  func adding(_ entry: String) -> TextEdit {
    guard bytes[range.lowerBound] != UInt8(ascii: "{") else {
      var end = range.upperBound - 1
      while end > range.lowerBound, " \n\r\t".utf8.contains(bytes[end - 1]) { end -= 1 }
      let isFirst = bytes[end - 1] == UInt8(ascii: "{") || bytes[end - 1] == UInt8(ascii: ",")
      return TextEdit(end..<end, isFirst ? entry : ", " + entry)
    }
    let start = (bytes[..<range.lowerBound].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    let indent = String(repeating: " ", count: range.lowerBound - start)
    let lineEnd = bytes[(range.upperBound - 1)...].firstIndex(of: UInt8(ascii: "\n"))
    let isCRLF = lineEnd.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false
    let lineBreak = isCRLF ? "\r\n" : "\n"
    guard let lineEnd else { return TextEdit(bytes.count..<bytes.count, lineBreak + indent + entry) }
    return TextEdit(lineEnd + 1..<lineEnd + 1, indent + entry + lineBreak)
  }
}
