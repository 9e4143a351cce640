import MarkedYAML

/// What a mapping declares, part by part, as texts that stay as they are when comments, quotes, the order of keys, or the
/// files change in which it is written.
package struct DeclaredParts: Sendable {
  package struct Part: Sendable {
    /// Where it stands: `endpoints.items.paginate`.
    package var name: String
    package var text: String
    /// All that is written in it, to find what it refers to.
    fileprivate var scalars: Set<NameKey> = []
  }

  private let sections: MergedSections

  init(_ sections: MergedSections) { self.sections = sections }

  /// The keys of `source`.
  package func source(_ keys: [String]) -> [Part] { parts(of: sections.entries(of: "source"), "source", only: keys) }

  /// The keys of an endpoint. Bounds are no part of them: `max_pages`.
  package func endpoint(_ name: String, _ keys: [String]) -> [Part] {
    guard let entry = entry(named: name, in: "endpoints"), case .mapping(let entries) = entry.value.content else {
      return []
    }
    return parts(of: entries, "endpoints.\(name)", only: keys)
  }

  /// The records that these parts name, those that are nested in them, and so on.
  package func records(namedIn parts: [Part]) -> [Part] {
    let all = sections.entries(of: "records")
    var found: [Part] = []
    var wanted = parts.reduce(into: Set<NameKey>()) { $0.formUnion($1.scalars) }
    var rest = all.map { (key: NameKey($0.key.text), entry: $0) }
    // Ends: each turn finds a record that was not found before.
    while let index = rest.firstIndex(where: { wanted.contains($0.key) }) {
      let entry = rest.remove(at: index).entry
      let part = Self.part("records.\(entry.key.text)", entry.value, without: "description")
      wanted.formUnion(part.scalars)
      found.append(part)
    }
    return found
  }

  /// The variables that these parts use: `${name}`, `$var.name`, or a parameter of a path.
  package func variables(usedIn parts: [Part]) -> [Part] {
    sections.entries(of: "variables").filter { entry in
      let name = entry.key.text
      let forms = ["${\(name)}", "${\(name):", "$var.\(name)", "/:\(name)", "{\(name)}"]
      return parts.contains { part in forms.contains(where: part.text.contains) }
    }.map { Self.part("variables.\($0.key.text)", $0.value) }
  }

  /// The error rules of the top level.
  package var errors: Part {
    let items = sections.items(of: "errors")
    return Part(name: "errors", text: items.map { $0.steadyText() }.joined(separator: ","))
  }

  private func entry(named name: String, in section: String) -> YAMLEntry? {
    sections.entries(of: section).first { $0.key.text.isSame(as: name) }
  }

  private func parts(of entries: [YAMLEntry], _ place: String, only keys: [String]) -> [Part] {
    entries.filter { entry in keys.contains(where: entry.key.text.isSame(as:)) }
      .map { entry in
        let key = entry.key.text
        return Self.part(
          "\(place).\(key)", entry.value, keepsOrder: key.isSame(as: "records"),
          without: key.isSame(as: "paginate") ? "max_pages" : nil)
      }
  }

  /// `keepsOrder`: that of the value's own keys counts. `key`: one that is left out.
  private static func part(
    _ name: String, _ node: YAMLNode, keepsOrder: Bool = false, without key: String? = nil
  ) -> Part {
    var node = node
    if let key, case .mapping(let entries) = node.content {
      node = YAMLNode(.mapping(entries.filter { !$0.key.text.isSame(as: key) }), span: node.span)
    }
    var part = Part(name: name, text: node.steadyText(keepsOrder: keepsOrder))
    node.forEachScalar { scalar in
      part.scalars.insert(NameKey(scalar.text))
      // `references: Place.id`: the name is what stands before one of the dots.
      for dot in scalar.text.utf8.indices where scalar.text.utf8[dot] == UInt8(ascii: ".") {
        part.scalars.insert(NameKey(String(scalar.text[..<dot])))
      }
    }
    return part
  }
}

extension YAMLNode {
  /// The value as JSON, its keys in the order of their bytes.
  fileprivate func steadyText(keepsOrder: Bool = false) -> String {
    switch content {
    case .scalar(let scalar): return scalar.jsonText
    case .sequence(let items): return "[" + items.map { $0.steadyText() }.joined(separator: ",") + "]"
    case .mapping(let entries):
      let sorted =
        keepsOrder ? entries : entries.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
      let members = sorted.map { JSONWriting.quoted($0.key.text) + ":" + $0.value.steadyText() }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  /// Values only, no keys.
  fileprivate func forEachScalar(_ body: (YAMLScalar) -> Void) {
    switch content {
    case .scalar(let scalar): body(scalar)
    case .sequence(let items): for item in items { item.forEachScalar(body) }
    case .mapping(let entries): for entry in entries { entry.value.forEachScalar(body) }
    }
  }
}
