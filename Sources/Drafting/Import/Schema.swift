/// A JSON Schema as a draft needs it: references followed, parts merged.
struct Schema {
  /// The component that it is, when it was referred to.
  var component: String?
  /// Without `null`; empty where any is allowed.
  var types: [String] = []
  var isNullable = false
  var format: String?
  /// Not followed yet.
  var properties: [(name: String, node: DocNode)] = []
  var required: Set<String> = []
  var items: DocNode?
  /// What members without a name of their own are (`additionalProperties`).
  var values: DocNode?
  var description: String?
  var isWriteOnly = false
  /// It was put together from several schemas of which one holds (`oneOf`, `anyOf`).
  var isChoice = false
  var line = 1

  var isObject: Bool { types == ["object"] }
  var isArray: Bool { types == ["array"] }
  /// Texts, numbers and booleans.
  var isScalar: Bool { !types.isEmpty && types.allSatisfy { ["string", "integer", "number", "boolean"].contains($0) } }

  /// All of it and all of the other (`allOf`): what is said first stays.
  mutating func add(_ other: Schema) {
    component = component ?? other.component
    if types.isEmpty { types = other.types }
    isNullable = isNullable || other.isNullable
    format = format ?? other.format
    for property in other.properties where !properties.contains(where: { $0.name == property.name }) {
      properties.append(property)
    }
    required.formUnion(other.required)
    items = items ?? other.items
    values = values ?? other.values
    description = description ?? other.description
    isWriteOnly = isWriteOnly || other.isWriteOnly
    isChoice = isChoice || other.isChoice
  }

  /// Either it or the other (`oneOf`, `anyOf`).
  mutating func addChoice(_ other: Schema) {
    let both = required.intersection(other.required)
    let allTypes = types + other.types.filter { !self.types.contains($0) }
    let sameFormat = format == other.format ? format : nil
    add(other)
    (required, types, format, isChoice) = (both, allTypes, sameFormat, true)
  }
}

/// Reads schemas of a description; what refers to itself is bounded.
struct SchemaReader {
  private static let depthLimit = 64
  /// Schemas that one is put together from: those that refer to one another in many ways would never end.
  private static let partLimit = 2000
  let root: DocNode
  /// References that lead nowhere.
  let faults = ReferenceFaults()

  func schema(_ node: DocNode) -> Schema {
    var left = Self.partLimit
    return schema(node, met: [], depth: 0, &left)
  }

  private func schema(_ node: DocNode, met: Set<String>, depth: Int, _ left: inout Int) -> Schema {
    guard depth < Self.depthLimit, left > 0 else { return Schema(line: node.line) }
    left -= 1
    var schema = own(node)
    if let reference = node["$ref"]?.text {
      if met.contains(reference) {
        faults.add(.init(line: node.line, reference: reference, kind: .circle))
      } else if let target = target(of: reference, at: node) {
        var other = self.schema(target, met: met.union([reference]), depth: depth + 1, &left)
        other.component = Self.component(reference) ?? other.component
        schema.add(other)
      }
    }
    for part in node["allOf"]?.items ?? [] {
      var other = self.schema(part, met: met, depth: depth + 1, &left)
      // A schema that adds to a component is another one, unless it adds nothing of its own.
      if !(node["properties"]?.members.isEmpty ?? true) || (node["allOf"]?.items.count ?? 0) > 1 {
        other.component = nil
      }
      schema.add(other)
    }
    for choice in [node["oneOf"], node["anyOf"]] {
      addChoices(choice?.items ?? [], to: &schema, met: met, depth: depth, &left)
    }
    complete(&schema)
    return schema
  }

  private func addChoices(_ nodes: [DocNode], to schema: inout Schema, met: Set<String>, depth: Int, _ left: inout Int)
  {
    var choices: [Schema] = []
    for node in nodes { choices.append(self.schema(node, met: met, depth: depth + 1, &left)) }
    let real = choices.filter { !($0.types.isEmpty && $0.isNullable) }
    if real.count < choices.count { schema.isNullable = true }
    guard var merged = real.first else { return }
    for other in real.dropFirst() { merged.addChoice(other) }
    if real.count > 1 { merged.component = nil }
    schema.add(merged)
  }

  /// What the schema says itself.
  private func own(_ node: DocNode) -> Schema {
    var schema = Schema(line: node.line)
    let types = node["type"].map { $0.text.map { [$0] } ?? $0.items.compactMap(\.text) } ?? []
    schema.types = types.filter { $0 != "null" }
    schema.isNullable =
      types.contains("null") || node["nullable"]?.boolean == true || node["x-nullable"]?.boolean == true
    schema.format = node["format"]?.text
    schema.properties = (node["properties"]?.members ?? []).map { ($0.name, $0.value) }
    schema.required = Set((node["required"]?.items ?? []).compactMap(\.text))
    schema.items = node["items"]
    if let values = node["additionalProperties"], values.isMap, !values.members.isEmpty { schema.values = values }
    schema.description = node["description"]?.text
    schema.isWriteOnly = node["writeOnly"]?.boolean ?? false
    for value in node["enum"]?.items ?? [] {
      if case .null = value.content { schema.isNullable = true }
    }
    if schema.types.isEmpty {
      schema.types = Self.types(ofValues: (node["enum"]?.items ?? []) + [node["const"]].compactMap(\.self))
    }
    return schema
  }

  private static func types(ofValues values: [DocNode]) -> [String] {
    var types: [String] = []
    for value in values {
      let type: String
      switch value.content {
      case .null: continue
      case .boolean: type = "boolean"
      case .number(let text): type = text.contains { ".eE".contains($0) } ? "number" : "integer"
      case .text: type = "string"
      case .list: type = "array"
      case .map: type = "object"
      }
      if !types.contains(type) { types.append(type) }
    }
    return types
  }

  /// A type that is not written follows from what is.
  private func complete(_ schema: inout Schema) {
    guard schema.types.isEmpty else { return }
    if !schema.properties.isEmpty || schema.values != nil { schema.types = ["object"] }
    if schema.items != nil { schema.types.append("array") }
  }

  // MARK: references

  /// What a description has at a reference within it, itself followed; nil for others, and for a circle.
  func followed(_ node: DocNode) -> DocNode? {
    var (next, met): (DocNode, Set<String>) = (node, [])
    for _ in 0..<Self.depthLimit {
      guard let reference = next["$ref"]?.text else { return next }
      guard met.insert(reference).inserted else { break }
      guard let target = target(of: reference, at: next) else {
        // Who asks for a node is told by its own reference.
        if next.line != node.line, let first = node["$ref"]?.text, let why = faults.reason(of: next) {
          faults.add(.init(line: node.line, reference: first, kind: .further(why)))
        }
        return nil
      }
      next = target
    }
    faults.add(.init(line: node.line, reference: node["$ref"]?.text ?? "", kind: .circle))
    return nil
  }

  /// What a reference leads to, or nil, which is noted.
  func target(of reference: String, at node: DocNode) -> DocNode? {
    if let target = resolved(reference) { return target }
    faults.add(.init(line: node.line, reference: reference, kind: reference.hasPrefix("#") ? .missing : .elsewhere))
    return nil
  }

  func resolved(_ reference: String) -> DocNode? {
    guard reference == "#" || reference.hasPrefix("#/") else { return nil }
    var node = root
    for part in reference.dropFirst().split(separator: "/") {
      let name = Self.decoded(String(part))
      if let member = node[name] {
        node = member
      } else if let index = Int(name), node.items.indices.contains(index) {
        node = node.items[index]
      } else {
        return nil
      }
    }
    return node
  }

  /// `~1` and `%2F` are `/`.
  private static func decoded(_ part: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "~"), let next = rest.first, next == UInt8(ascii: "0") || next == UInt8(ascii: "1") {
        bytes.append(next == UInt8(ascii: "0") ? byte : UInt8(ascii: "/"))
        rest.removeFirst()
      } else if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name of a schema among the components.
  private static func component(_ reference: String) -> String? {
    for prefix in ["#/components/schemas/", "#/definitions/"] where reference.hasPrefix(prefix) {
      let name = reference.dropFirst(prefix.count)
      return name.contains("/") ? nil : decoded(String(name))
    }
    return nil
  }
}
