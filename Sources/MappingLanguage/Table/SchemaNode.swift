import Values

/// A JSON value that is written with its members in the order given.
indirect enum SchemaNode {
  case object([(String, SchemaNode)])
  case list([SchemaNode])
  case text(String)
  case number(Int)
  case boolean(Bool)
  /// JSON text.
  case json(String)

  static func texts(_ texts: [String]) -> SchemaNode { .list(texts.map(SchemaNode.text)) }

  /// With line breaks and two blanks a level; a list of single values takes one line.
  func written(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map { "\(inner)\(JSONWriting.quoted($0.0)): \($0.1.written(indent: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    case .list(let items):
      if items.allSatisfy(\.isSingle) { return "[" + items.map { $0.written() }.joined(separator: ", ") + "]" }
      return "[\n" + items.map { inner + $0.written(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .text(let text): return JSONWriting.quoted(text)
    case .number(let number): return "\(number)"
    case .boolean(let flag): return "\(flag)"
    case .json(let text): return text
    }
  }

  private var isSingle: Bool {
    switch self {
    case .object, .list: false
    default: true
    }
  }
}
