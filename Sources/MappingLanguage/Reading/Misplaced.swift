import MarkedYAML

/// Where a key belongs that stands in the wrong map: most are indented a step too little or too much.
enum Misplaced {
  /// Nil for a key that is known nowhere.
  static func hint(for entry: YAMLEntry, in kind: MapKind) -> String? {
    let name = entry.key.text
    if let owner = owner(of: name, below: kind) { return "it belongs under '\(owner)'" }
    if kind == .record || kind == .inlineRecord, looksLikeField(entry.value) {
      return "a column belongs under 'fields'"
    }
    let sections = LanguageTable.keys(of: .mapping).filter { section in
      section.kind.mapKinds.contains { $0 != kind && LanguageTable.key(name, of: $0) != nil }
    }
    return sections.count == 1 ? "it belongs under '\(sections[0].name)'" : nil
  }

  /// An entry of `records` that is called like a key of a record, and has none.
  static func hint(forRecord name: String, with entries: [YAMLEntry]) -> String? {
    guard LanguageTable.key(name, of: .record) != nil,
      !entries.contains(where: { LanguageTable.key($0.key.text, of: .record) != nil })
    else { return nil }
    return "'\(name)' is a key of a record: indent it like the other keys of its record"
  }

  /// The only key of this kind of map below which the name is a key.
  private static func owner(of name: String, below kind: MapKind) -> String? {
    let owners = LanguageTable.keys(of: kind).filter { spec in
      spec.kind.mapKinds.contains { LanguageTable.key(name, of: $0) != nil }
    }
    return owners.count == 1 ? owners[0].name : nil
  }

  private static func looksLikeField(_ value: YAMLNode) -> Bool {
    guard case .mapping(let entries) = value.content, !entries.isEmpty else { return false }
    return entries.allSatisfy { LanguageTable.key($0.key.text, of: .field) != nil }
  }
}

extension ValueKind {
  /// The kinds of maps that may stand there, without those in lists and dictionaries.
  fileprivate var mapKinds: [MapKind] {
    switch self {
    case .map(let kind): [kind]
    case .optional(let inner): inner.mapKinds
    case .either(let kinds): kinds.flatMap(\.mapKinds)
    default: []
    }
  }
}
