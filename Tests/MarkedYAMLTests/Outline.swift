import Diagnostics
import MarkedYAML

/// A text that is read, in forms that a test can write down.
struct Outline {
  let root: YAMLNode?
  let diagnostics: [Diagnostic]

  init(_ text: String) { self.init(Array(text.utf8)) }

  init(_ bytes: [UInt8]) { (root, diagnostics) = YAMLReader.read(SourceFile(name: "m.yaml", bytes: bytes)) }

  /// The value in one line: texts in quotes, `null`, `true`, numbers as written, `[…]` and `{…}`.
  var value: String { root.map(Self.value) ?? "none" }

  /// The findings as `line:column code`.
  var findings: [String] {
    diagnostics.map { "\($0.span.start.line):\($0.span.start.column) \($0.code.rawValue)" }
  }

  /// Each node and key in order: its place from start to end, and what of the text it covers.
  var places: [String] { root.map(Self.places) ?? [] }

  static func value(_ node: YAMLNode) -> String {
    switch node.content {
    case .scalar(let scalar): value(scalar)
    case .sequence(let items): "[" + items.map(value).joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{" + entries.map { "\($0.key.text): \(value($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  private static func value(_ scalar: YAMLScalar) -> String {
    switch scalar.core {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer: "int \(scalar.text)"
    case .real: "real \(scalar.text)"
    case .text: "'\(scalar.text)'"
    }
  }

  private static func places(_ node: YAMLNode) -> [String] {
    let own = [place(node.span)]
    return switch node.content {
    case .scalar: own
    case .sequence(let items): own + items.flatMap(places)
    case .mapping(let entries): own + entries.flatMap { [place($0.keySpan)] + places($0.value) }
    }
  }

  private static func place(_ span: SourceSpan) -> String {
    let text = String(decoding: span.file.bytes[span.start.offset..<span.end.offset], as: UTF8.self)
    return "\(span.start.line):\(span.start.column)-\(span.end.line):\(span.end.column) \(text)"
  }
}
