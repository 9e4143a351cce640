import Diagnostics
package import JSONReading
import MarkedYAML
package import Values

/// A JSON value that is written into a mapping, each scalar of which may hold `${…}`.
package indirect enum JSONTemplate: Sendable {
  case scalar(Template)
  case array([JSONTemplate])
  /// In the order written.
  case object([(name: String, value: JSONTemplate)])

  /// A value that is known.
  package static func constant(_ literal: Literal) -> JSONTemplate { .scalar(Template(constant: literal)) }

  /// The text without white space, each scalar as `write` has it.
  package func text<Failure: Error>(_ write: (Template) throws(Failure) -> String) throws(Failure) -> String {
    switch self {
    case .scalar(let template): return try write(template)
    case .array(let items):
      var texts: [String] = []
      for item in items { texts.append(try item.text(write)) }
      return "[" + texts.joined(separator: ",") + "]"
    case .object(let members):
      var texts: [String] = []
      for member in members { texts.append(JSONWriting.quoted(member.name) + ":" + (try member.value.text(write))) }
      return "{" + texts.joined(separator: ",") + "}"
    }
  }

  /// The value with another one at the end of these steps. Members that are missing or null on the way are made, and so is
  /// the element behind a list's last.
  ///
  /// Nil where something else is on the way, or an object or a list at the end.
  package func setting(_ steps: some Collection<KeyPath.Step>, to value: JSONTemplate) -> JSONTemplate? {
    guard let step = steps.first else { return isScalar ? value : nil }
    let rest = steps.dropFirst()
    switch (step, isNull ? nil : self) {
    case (.member(let name), nil): return JSONTemplate.null.setting(rest, to: value).map { .object([(name.text, $0)]) }
    case (.member(let name), .object(var members)):
      let known = members.firstIndex { $0.name.utf8.elementsEqual(name.bytes) }
      guard let made = (known.map { members[$0].value } ?? .null).setting(rest, to: value) else { return nil }
      if let known { members[known].value = made } else { members.append((name.text, made)) }
      return .object(members)
    case (.element(0), nil), (.element(-1), nil): return JSONTemplate.null.setting(rest, to: value).map { .array([$0]) }
    case (.element(let number), .array(var items)):
      let index = number < 0 ? items.count + number : number
      guard (0...items.count).contains(index) else { return nil }
      let known = index < items.count
      guard let made = (known ? items[index] : .null).setting(rest, to: value) else { return nil }
      if known { items[index] = made } else { items.append(made) }
      return .array(items)
    default: return nil
    }
  }

  /// A step on the way, not the last, whose member is absent beside one with a near name: probably misspelt.
  func misspeltMember(on steps: [KeyPath.Step]) -> (name: String, nearest: String)? {
    var value = self
    for step in steps.dropLast() {
      guard case .member(let name) = step, case .object(let members) = value else { return nil }
      guard let member = members.first(where: { $0.name.utf8.elementsEqual(name.bytes) }) else {
        return NearestName.nearest(to: name.text, among: members.map(\.name)).map { (name.text, $0) }
      }
      value = member.value
    }
    return nil
  }

  private static var null: JSONTemplate { .constant(.null) }

  private var isScalar: Bool { if case .scalar = self { true } else { false } }

  private var isNull: Bool {
    guard case .scalar(let template) = self else { return false }
    return template.isConstant && template.core == .null
  }
}

extension JSONTemplate {
  /// What is written in a mapping; `StructureCheck` has reported what cannot be read. Depth is bounded by the YAML reader.
  init?(_ node: YAMLNode) {
    switch node.content {
    case .scalar(let scalar):
      if scalar.isNull {
        self = .null
      } else {
        guard let template = node.template else { return nil }
        self = .scalar(template.value)
      }
    case .sequence(let nodes):
      let items = nodes.compactMap { JSONTemplate($0) }
      guard items.count == nodes.count else { return nil }
      self = .array(items)
    case .mapping(let entries):
      var members: [(name: String, value: JSONTemplate)] = []
      for entry in entries {
        guard let value = JSONTemplate(entry.value) else { return nil }
        members.append((JSONTemplate.name(entry.key.text) ?? entry.key.text, value))
      }
      self = .object(members)
    }
  }

  /// A member's name, `$${` read as `${`; nil when it holds `${…}`, which names cannot.
  static func name(_ text: String) -> String? {
    guard let template = try? TemplateReader.read(text, core: .text(text)) else { return nil }
    return template.constantText
  }
}

extension JSONName {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
