/// A component of an Airbyte manifest: its references followed, and the parameters that it inherits.
struct ManifestPart {
  let node: DocNode
  let parameters: [String: DocNode]
  let manifest: Manifest

  var line: Int { node.line }
  var kind: String { node["type"]?.text ?? "" }

  /// A part, or a value that parameters give under its name.
  subscript(_ name: String) -> ManifestPart? {
    if let own = node[name] { return manifest.part(own, parameters) }
    return parameters[name].map { manifest.part($0, parameters) }
  }

  /// Only what the component says itself.
  func own(_ name: String) -> ManifestPart? { node[name].map { manifest.part($0, parameters) } }

  var items: [ManifestPart] { node.items.map { manifest.part($0, parameters) } }

  var members: [(name: String, part: ManifestPart)] {
    node.members.filter { $0.name != "$parameters" && $0.name != "type" }.map {
      ($0.name, manifest.part($0.value, parameters))
    }
  }

  var text: String? { node.text }
}

/// A declarative manifest of Airbyte.
struct Manifest {
  private static let depthLimit = 32
  let root: DocNode
  let reader: SchemaReader

  init(_ root: DocNode) {
    self.root = root
    reader = SchemaReader(root: root)
  }

  func part(_ node: DocNode, _ parameters: [String: DocNode]) -> ManifestPart {
    let node = followed(node, depth: 0)
    var all = parameters
    for key in ["$parameters", "$options"] {
      for (name, value) in node[key]?.members ?? [] { all[name] = value }
    }
    return ManifestPart(node: node, parameters: all, manifest: self)
  }

  /// `{$ref: "#/definitions/x", …}`, whose own members go before those referred to, or `"#/definitions/x"` alone.
  private func followed(_ node: DocNode, depth: Int) -> DocNode {
    guard depth < Self.depthLimit else {
      if let reference = node["$ref"]?.text {
        reader.faults.add(.init(line: node.line, reference: reference, kind: .circle))
      }
      return node
    }
    if let text = node.text, text.hasPrefix("#/"), let target = reader.resolved(text) {
      return followed(target, depth: depth + 1)
    }
    guard let reference = node["$ref"]?.text, let target = reader.target(of: reference, at: node) else { return node }
    let base = followed(target, depth: depth + 1)
    guard case .map(let below) = base.content, case .map(let above) = node.content else { return base }
    let own = above.filter { $0.name != "$ref" }
    let rest = below.filter { member in !own.contains { $0.name == member.name } }
    return DocNode(content: .map(own + rest), line: node.line)
  }
}

/// Jinja, as far as manifests need it: `{{ config['x'] }}`, `{{ parameters.x }}`, `{{ response.a.b }}`.
enum Jinja {
  /// A chain of names: `config['a'].b` is `config`, `a`, `b`; an index is its number. Nil for anything else.
  static func chain(_ expression: String) -> [String]? {
    var names: [String] = []
    var rest = Array(expression.unicodeScalars)[...]
    func word() -> String? {
      let letters = rest.prefix { $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" }
      rest = rest.dropFirst(letters.count)
      return letters.isEmpty ? nil : String(String.UnicodeScalarView(letters))
    }
    func skip(_ text: String) -> Bool {
      guard rest.starts(with: text.unicodeScalars) else { return false }
      rest = rest.dropFirst(text.unicodeScalars.count)
      return true
    }
    guard let first = word() else { return nil }
    names.append(first)
    while !rest.isEmpty {
      if skip(".get(") {
        let inner = rest.prefix { $0 != ")" && $0 != "," }
        names.append(unquoted(String(String.UnicodeScalarView(inner))))
        rest = rest.drop { $0 != ")" }
        guard skip(")") else { return nil }
      } else if skip("[") {
        let inner = rest.prefix { $0 != "]" }
        names.append(unquoted(String(String.UnicodeScalarView(inner))))
        rest = rest.dropFirst(inner.count)
        guard skip("]") else { return nil }
      } else if skip("."), let name = word() {
        names.append(name)
      } else {
        return nil
      }
    }
    return names
  }

  private static func unquoted(_ text: String) -> String {
    let trimmed = text.drop { $0 == " " }
    let inner = trimmed.hasPrefix("'") || trimmed.hasPrefix("\"") ? trimmed.dropFirst().dropLast() : trimmed
    return String(inner)
  }

  /// Text between `{{` and `}}`, and what is around it.
  static func pieces(_ text: String) -> [(isExpression: Bool, text: String)] {
    var pieces: [(Bool, String)] = []
    var rest = text[...]
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      if open.lowerBound > rest.startIndex { pieces.append((false, String(rest[..<open.lowerBound]))) }
      let inner = rest[open.upperBound..<close.lowerBound]
      pieces.append((true, inner.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")))
      rest = rest[close.upperBound...]
    }
    if !rest.isEmpty { pieces.append((false, String(rest))) }
    return pieces
  }

  /// The one expression that a text is.
  static func expression(_ text: String) -> String? {
    let pieces = pieces(text)
    return pieces.count == 1 && pieces[0].isExpression ? pieces[0].text : nil
  }
}
