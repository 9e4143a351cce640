package import JSONReading
import PlanCompiler
import Records
import Values

/// The `$…` values that were kept with a rejected record, in place of those around it.
package final class KeptContext {
  private let document: JSONDocument?
  private let paths: [KeyPath: Int]
  /// A key path that the mapping reads now, and that was not kept.
  package private(set) var lacking: KeyPath?

  /// `json`: an object of key paths and their values; nil when the record's mapping read none.
  package init(_ json: String?) {
    document = json.flatMap { try? JSONDocument(Array($0.utf8)) }
    var paths: [KeyPath: Int] = [:]
    document?.root.forEachMember { name, value in
      if let path = try? KeyPath.parse(name.stringValue) { paths[path] = value.index }
    }
    self.paths = paths
  }

  /// The value at a key path of the record that was rejected; nil when it was not kept.
  func value(at path: KeyPath) -> (value: JSONValue, owner: JSONDocument)? {
    guard let document, let node = paths[path] else {
      if lacking == nil { lacking = path }
      return nil
    }
    return (document.root.at(node), document)
  }
}

extension BodyMapper {
  /// Maps a record that was rejected before. The places are those of a `begin` before it; what the record's mapping reads
  /// around it comes from `kept`.
  package func receive(_ record: JSONDocument, at position: RecordPosition, keeping kept: KeptContext) throws {
    self.kept = kept
    defer { self.kept = nil }
    try receive(record.root, at: position, in: record)
  }

  /// A value around the record, when the record was rejected before; nil where it is to be looked for as always.
  func findKept(_ path: KeyPath) -> Found? {
    guard let kept, let wanted = path.seenFromTop(depth: frames.count - 1) else { return nil }
    guard let (value, owner) = kept.value(at: wanted) else { return .missing }
    batch.keep(owner)
    // What was missing was kept as null; only a body can have held one.
    if value.isNull, !wanted.mayBeNull { return .missing }
    return found(value)
  }
}

extension KeyPath {
  /// The same value as the top-level record names it, for a record that is nested so deep; nil when it is within the
  /// top-level record.
  fileprivate func seenFromTop(depth: Int) -> KeyPath? {
    switch origin {
    case .value: nil
    case .parent(let levels):
      levels > depth ? KeyPath(origin: .parent(levels: levels - depth), steps: steps, text: text) : nil
    case .key(let levels):
      levels >= depth ? KeyPath(origin: .key(levels: levels - depth), steps: steps, text: text) : nil
    case .index(let levels):
      levels >= depth ? KeyPath(origin: .index(levels: levels - depth), steps: steps, text: text) : nil
    default: self
    }
  }

  fileprivate var mayBeNull: Bool {
    switch origin {
    case .parent, .root, .variable: true
    default: false
    }
  }
}
