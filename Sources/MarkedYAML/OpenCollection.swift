import Diagnostics

/// A list or map whose end is not read yet.
struct OpenCollection {
  enum Kind {
    case sequence, mapping
  }

  /// What the last key of a map asks of the value to come.
  private enum PendingKey {
    case entry(YAMLScalar, SourceSpan)
    case merge
    /// The key is in error: its value is read and left out.
    case ignored
  }

  let start: Int
  let anchor: String?
  let isFlow: Bool
  /// Where its last child ends, in bytes.
  private(set) var end = 0
  private(set) var size = 1
  private(set) var height = 0

  private let kind: Kind
  private var items: [YAMLNode] = []
  private var entries: [YAMLEntry] = []
  private var merge: MergeKey?
  private var pending: PendingKey?
  /// The line of each key, by the bytes of its text.
  private var keyLines: [[UInt8]: Int] = [:]
  private var mergeLine: Int?

  init(_ kind: Kind, start: Int, anchor: String?, isFlow: Bool) {
    self.kind = kind
    self.start = start
    self.anchor = anchor
    self.isFlow = isFlow
  }

  /// Where the key ends whose value comes next; nil when no value is due.
  var endOfPendingKey: Int? { pending == nil ? nil : end }

  /// Is it a map in braces whose next child is a key?
  var awaitsFlowKey: Bool { kind == .mapping && isFlow && pending == nil }

  /// Takes the next child; gives a finding when it cannot stand where it does.
  mutating func add(_ child: BuiltNode, _ places: PlaceFinder) -> Diagnostic? {
    end = child.place.upperBound
    size += child.size
    height = max(height, child.height)
    guard kind == .mapping else {
      items.append(child.node)
      return nil
    }
    guard let key = pending else { return takeKey(child, places.span(child.place)) }
    pending = nil
    switch key {
    case .entry(let scalar, let span): entries.append(YAMLEntry(key: scalar, keySpan: span, value: child.node))
    case .merge:
      merge = MergeKey(child.node, at: entries.count)
      if merge == nil { return .badMerge(at: places.span(child.place)) }
    case .ignored: break
    }
    return nil
  }

  /// What the collection holds, merged keys among its own.
  func content() -> YAMLNode.Content {
    switch kind {
    case .sequence: .sequence(items)
    case .mapping: .mapping(merge?.merged(into: entries) ?? entries)
    }
  }

  private mutating func takeKey(_ key: BuiltNode, _ span: SourceSpan) -> Diagnostic? {
    pending = .ignored
    guard case .scalar(let scalar) = key.node.content else { return .collectionAsKey(at: span) }
    if key.isMergeKey {
      if let line = mergeLine { return .duplicateKey("<<", at: span, firstLine: line) }
      mergeLine = span.start.line
      pending = .merge
    } else {
      let bytes = Array(scalar.text.utf8)
      if let line = keyLines[bytes] { return .duplicateKey(scalar.text, at: span, firstLine: line) }
      keyLines[bytes] = span.start.line
      pending = .entry(scalar, span)
    }
    return nil
  }
}

extension Diagnostic {
  /// A map has a key twice: the place is the second's, the message names the first one's line.
  fileprivate static func duplicateKey(_ key: String, at span: SourceSpan, firstLine: Int) -> Diagnostic {
    Diagnostic(
      .duplicateKey, "\(ShortName(key)) stands twice in this map, first on line \(firstLine)", at: span,
      hint: key == "<<" ? "several maps can be merged by a list: '<<: [*a, *b]'" : nil)
  }

  fileprivate static func collectionAsKey(at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .yamlSyntax, "a key must be a text, not a list or a map", at: span,
      hint: "a text that begins with '{' or '[' goes in quotes")
  }

  fileprivate static func badMerge(at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .yamlSyntax, "'<<' merges a map, or a list of maps, and this is neither", at: span,
      hint: "in quotes, '<<' is a key like any other")
  }
}
