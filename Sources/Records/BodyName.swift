/// Where a body came from, as reports name it: a URL, a file, or a file's line.
package struct BodyName: Sendable, Hashable, CustomStringConvertible {
  package var source: String
  /// Of an NDJSON line, from 1.
  package var line: Int?

  package init(_ source: String, line: Int? = nil) {
    self.source = source
    self.line = line
  }

  package var description: String {
    if let line { "\(source):\(line)" } else { source }
  }
}

/// The names of a batch's bodies, in order. Lines are numbers beside the name of their source.
package struct BodyNames: RandomAccessCollection {
  private var sources: [String] = []
  private var entries: [Entry] = []

  private struct Entry {
    /// Index into `sources`.
    var source: Int
    /// 0 where the body is no line.
    var line: Int
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { entries.count }

  package subscript(_ index: Int) -> BodyName {
    let entry = entries[index]
    return BodyName(sources[entry.source], line: entry.line == 0 ? nil : entry.line)
  }

  mutating func append(_ name: BodyName) {
    sources.append(name.source)
    entries.append(Entry(source: sources.count - 1, line: name.line ?? 0))
  }

  /// A further line of the source that came last.
  mutating func append(line: Int) { entries.append(Entry(source: sources.count - 1, line: line)) }

  mutating func removeAll() {
    sources.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }
}
