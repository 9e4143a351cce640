package import Diagnostics
import JSONReading
import MarkedYAML

/// A value of a description, from YAML or JSON, with the line where it begins.
struct DocNode {
  enum Content {
    case null
    case boolean(Bool)
    /// As JSON writes it.
    case number(String)
    case text(String)
    case list([DocNode])
    case map([Member])
  }

  struct Member {
    var name: String
    var value: DocNode
  }

  var content: Content
  var line: Int

  subscript(_ name: String) -> DocNode? {
    guard case .map(let members) = content else { return nil }
    return members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  var members: [(name: String, value: DocNode)] {
    guard case .map(let members) = content else { return [] }
    return members.map { ($0.name, $0.value) }
  }

  var items: [DocNode] {
    if case .list(let items) = content { items } else { [] }
  }

  var isMap: Bool {
    if case .map = content { true } else { false }
  }

  var text: String? {
    if case .text(let text) = content { text } else { nil }
  }

  /// A scalar's text, whatever it is.
  var word: String? {
    switch content {
    case .text(let text), .number(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .null, .list, .map: nil
    }
  }

  var boolean: Bool? {
    if case .boolean(let value) = content { value } else { nil }
  }

  /// As a value of a draft; nil for null and maps.
  var draft: DraftNode? {
    switch content {
    case .null, .map: return nil
    case .boolean(let value): return .bare(value ? "true" : "false")
    case .number(let text): return .bare(text)
    case .text(let text): return .text(TemplateText.escaped(text))
    case .list(let items):
      let parts = items.compactMap(\.draft)
      return parts.count == items.count ? .list(parts) : nil
    }
  }
}

/// Text for places of a mapping that read `${…}`.
enum TemplateText {
  /// A segment of a path: what no path may hold as it is, is percent-encoded.
  static func segment(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if YAMLText.isUnprintable(scalar) || scalar == " " {
        for byte in String(scalar).utf8 {
          result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return escaped(result)
  }

  /// `${` as such.
  static func escaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: "${") {
      result += rest[..<range.lowerBound] + "$${"
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}

/// A description that was read.
package struct Description {
  /// Bytes of a YAML file, and of a JSON file.
  static let yamlLimit = 64 << 20
  static let jsonLimit = 256 << 20

  let root: DocNode
  /// How reports name the file.
  let name: String

  /// Why a file is no description.
  package struct Failure: Error {
    package var message: String
    package var diagnostics: [Diagnostic] = []
  }

  package init(_ bytes: [UInt8], named name: String) throws(Failure) {
    self.name = name
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[start...].first { $0 > 0x20 }
    root =
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
      ? try Self.json(bytes, name) : try Self.yaml(bytes, name)
  }

  private static func json(_ bytes: [UInt8], _ name: String) throws(Failure) -> DocNode {
    do throws(JSONError) {
      let document = try JSONDocument(.memory(bytes), bound: jsonLimit)
      var lines = LineCount()
      return withExtendedLifetime(document) { node(document.root, &lines) }
    } catch {
      throw Failure(message: "\(name): \(error.message) (line \(error.line), byte \(error.offset))")
    }
  }

  /// Nodes come in the order of the text.
  private static func node(_ value: JSONValue, _ lines: inout LineCount) -> DocNode {
    let line = lines.line(of: value)
    switch value.kind {
    case .null: return DocNode(content: .null, line: line)
    case .true, .false: return DocNode(content: .boolean(value.kind == .true), line: line)
    case .number: return DocNode(content: .number(value.stringValue), line: line)
    case .string: return DocNode(content: .text(value.stringValue), line: line)
    case .array:
      var items: [DocNode] = []
      value.forEachElement { items.append(node($0, &lines)) }
      return DocNode(content: .list(items), line: line)
    case .object:
      var members: [DocNode.Member] = []
      value.forEachMember { name, value in
        members.append(.init(name: name.stringValue, value: node(value, &lines)))
      }
      return DocNode(content: .map(members), line: line)
    }
  }

  private static func yaml(_ bytes: [UInt8], _ name: String) throws(Failure) -> DocNode {
    let (root, findings) = YAMLReader.read(SourceFile(name: name, bytes: bytes), bytes: yamlLimit)
    let errors = findings.filter { $0.severity == .error }
    guard let root, errors.isEmpty else {
      throw Failure(message: "\(name) cannot be read as YAML or JSON", diagnostics: errors)
    }
    return node(root)
  }

  private static func node(_ node: YAMLNode) -> DocNode {
    let content: DocNode.Content
    switch node.content {
    case .scalar(let scalar):
      switch scalar.core {
      case .null: content = .null
      case .boolean(let value): content = .boolean(value)
      case .integer, .real: content = .number(scalar.numberText ?? scalar.text)
      case .text: content = .text(scalar.text)
      }
    case .sequence(let items): content = .list(items.map { self.node($0) })
    case .mapping(let entries): content = .map(entries.map { .init(name: $0.key.text, value: self.node($0.value)) })
    }
    return DocNode(content: content, line: node.span.start.line)
  }
}

/// Lines of a JSON text, counted as its values come.
private struct LineCount {
  private var at = 0
  private var number = 1

  mutating func line(of value: JSONValue) -> Int {
    let start = Int(value.nodes[value.index].start)
    while at < start {
      if value.bytes[at] == UInt8(ascii: "\n") { number += 1 }
      at += 1
    }
    return number
  }
}
