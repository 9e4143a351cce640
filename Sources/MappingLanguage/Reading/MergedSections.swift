import Diagnostics
import MarkedYAML

/// The sections of all files as one: maps are joined key by key, lists one behind the other.
struct MergedSections: Sendable {
  private var maps: [String: [YAMLEntry]] = [:]
  private var lists: [String: [YAMLNode]] = [:]
  private var spans: [String: SourceSpan] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ files: IncludedFiles) {
    for part in files.parts {
      for entry in MapView(part.root, as: .mapping)?.entries ?? [] { add(entry) }
    }
  }

  func entries(of section: String) -> [YAMLEntry] { maps[section] ?? [] }
  func items(of section: String) -> [YAMLNode] { lists[section] ?? [] }
  /// Where the section's first key stands.
  func span(of section: String) -> SourceSpan? { spans[section] }

  func map(_ section: String, as kind: MapKind) -> MapView? {
    guard let span = spans[section], let entries = maps[section] else { return nil }
    return MapView(entries, span: span, as: kind)
  }

  private mutating func add(_ section: YAMLEntry) {
    let name = section.key.text
    if spans[name] == nil { spans[name] = section.keySpan }
    switch section.value.content {
    case .scalar: return
    case .sequence(let items): lists[name, default: []] += items
    case .mapping(let entries):
      var known = maps[name] ?? []
      // Within one map, the YAML reader has seen to it.
      let before = Dictionary(known.map { (NameKey($0.key.text), $0) }, uniquingKeysWith: { first, _ in first })
      for entry in entries {
        if let first = before[NameKey(entry.key.text)] {
          diagnostics.append(.declaredTwice(entry, first: first, in: name))
        } else {
          known.append(entry)
        }
      }
      maps[name] = known
    }
  }
}

extension Diagnostic {
  /// One name in two files: the place is the second one's.
  static func declaredTwice(_ second: YAMLEntry, first: YAMLEntry, in section: String) -> Diagnostic {
    let place = first.keySpan
    return Diagnostic(
      .duplicateName,
      "'\(second.key.text)' stands twice in '\(section)': first in \(place.file.name), line \(place.start.line)",
      at: second.keySpan)
  }
}
