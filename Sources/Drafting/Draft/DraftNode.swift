/// A value of a YAML text on its way to paper.
indirect enum DraftNode: Sendable {
  /// Text, in quotes where it would be read as something else.
  case text(String)
  /// A number, a boolean or null.
  case bare(String)
  case list([DraftNode])
  case map([Entry])

  struct Entry: Sendable {
    var key: String
    var value: DraftNode
    /// Behind the value, where that fits on a line, else above it.
    var remark: String?
    /// Lines above it.
    var comments: [String]

    init(_ key: String, _ value: DraftNode, remark: String? = nil, comments: [String] = []) {
      self.key = key
      self.value = value
      self.remark = remark
      self.comments = comments
    }
  }

  static func words(_ texts: [String]) -> DraftNode { .list(texts.map { .text($0) }) }

  /// The value on one line; nil where it holds comments, or is empty and cannot be told from nothing.
  var flow: String? {
    switch self {
    case .text(let text): return YAMLText.quotedIfNeeded(text)
    case .bare(let text): return text
    case .list(let items):
      let parts = items.map(\.flow)
      guard !parts.contains(nil) else { return nil }
      return "[" + parts.compactMap(\.self).joined(separator: ", ") + "]"
    case .map(let entries):
      var parts: [String] = []
      for entry in entries {
        guard entry.remark == nil, entry.comments.isEmpty, let value = entry.value.flow else { return nil }
        parts.append("\(YAMLText.quotedIfNeeded(entry.key)): \(value)")
      }
      return "{" + parts.joined(separator: ", ") + "}"
    }
  }
}

/// Writes nodes: small ones on a line, others in blocks.
struct DraftWriter {
  private static let width = 110
  private(set) var text = ""

  mutating func write(_ entries: [DraftNode.Entry], indent: Int = 0) {
    for entry in entries { write(entry, indent: indent) }
  }

  mutating func comment(_ line: String, indent: Int = 0) {
    text += String(repeating: " ", count: indent) + "# " + YAMLText.comment(line) + "\n"
  }

  mutating func blank() { text += "\n" }

  private mutating func write(_ entry: DraftNode.Entry, indent: Int) {
    for line in entry.comments { comment(line, indent: indent) }
    let start = String(repeating: " ", count: indent) + YAMLText.quotedIfNeeded(entry.key) + ":"
    if let flow = entry.value.flow, fits(entry.value, start.count + 1 + flow.count) {
      let line = flow.isEmpty ? start : start + " " + flow
      let remark = entry.remark.map { "  # " + YAMLText.comment($0) } ?? ""
      text += line + remark + "\n"
      return
    }
    if let remark = entry.remark { comment(remark, indent: indent) }
    text += start + "\n"
    switch entry.value {
    case .map(let entries): write(entries, indent: indent + 2)
    case .list(let items): for item in items { write(item, indent: indent + 2) }
    case .text, .bare: preconditionFailure("a scalar stands on its line")
    }
  }

  private func fits(_ value: DraftNode, _ length: Int) -> Bool {
    switch value {
    case .text, .bare: true
    case .list(let items): length <= Self.width || items.isEmpty
    case .map(let entries): length <= Self.width && entries.count <= 6 || entries.isEmpty
    }
  }

  /// An item of a list in a block.
  private mutating func write(_ item: DraftNode, indent: Int) {
    let start = String(repeating: " ", count: indent) + "- "
    if let flow = item.flow, fits(item, start.count + flow.count) {
      text += start + flow + "\n"
      return
    }
    guard case .map(let entries) = item else {
      text += start + (item.flow ?? "null") + "\n"
      return
    }
    // The first entry stands behind the hyphen, the others below it.
    var inner = DraftWriter()
    inner.write(entries, indent: indent + 2)
    let lines = inner.text
    text += start + lines.dropFirst(indent + 2)
  }
}
