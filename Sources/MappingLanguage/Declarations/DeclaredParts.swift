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

  /// Who is logged in, and where: no secret that is written in clear.
  package var login: [Part] {
    sections.entries(of: "source").filter { $0.key.text.isSame(as: "auth") }
      .map { Self.part("source.auth", Self.withoutSecrets($0.value)) }
  }

  private static let identities = [
    "username", "client_id", "grant", "token_url", "scope", "scopes", "audience", "region", "service", "access_key",
    "access_key_id", "url", "path", "name", "in", "netrc", "type",
  ]

  private static func withoutSecrets(_ node: YAMLNode) -> YAMLNode {
    guard case .mapping(let entries) = node.content else { return node }
    let kept = entries.compactMap { entry -> YAMLEntry? in
      guard case .scalar(let scalar) = entry.value.content else {
        return YAMLEntry(key: entry.key, keySpan: entry.keySpan, value: withoutSecrets(entry.value))
      }
      let isReference = scalar.text.utf8.starts(with: "${".utf8)
      return isReference || identities.contains(where: entry.key.text.isSame(as:)) ? entry : nil
    }
    return YAMLNode(.mapping(kept), span: node.span)
  }

  /// Names of the environment that these parts use: `${env.NAME}`.
  package func environmentNames(usedIn parts: [Part]) -> Set<String> {
    var names: Set<String> = []
    for part in parts {
      for piece in part.text.components(after: "${env.") {
        names.insert(
          String(decoding: piece.prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: ":") }, as: UTF8.self))
      }
    }
    return names
  }

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

extension String {
  /// What follows each occurrence of a text, to the end.
  fileprivate func components(after mark: String) -> [Substring.UTF8View] {
    var found: [Substring.UTF8View] = []
    var rest = utf8[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "$")) {
      if rest[start...].starts(with: mark.utf8) { found.append(rest[start...].dropFirst(mark.utf8.count)) }
      rest = rest[rest.index(after: start)...]
    }
    return found
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
