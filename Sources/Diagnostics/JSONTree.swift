/// A JSON value that is put together to be printed; members keep their order.
package indirect enum JSONTree: Sendable, Hashable {
  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: JSONTree

    package init(_ name: String, _ value: JSONTree) { (self.name, self.value) = (name, value) }
  }

  case null
  case boolean(Bool)
  case integer(Int64)
  /// As it is written.
  case number(String)
  case text(String)
  case list([JSONTree])
  case object([Member])

  package static func text(_ text: String?) -> JSONTree { text.map { .text($0) } ?? .null }
  package static func integer(_ number: Int) -> JSONTree { .integer(Int64(number)) }

  /// Indented by two spaces, without a line end behind it.
  package var text: String { text(indent: 0) }

  private func text(indent: Int) -> String {
    let inner = String(repeating: "  ", count: indent + 1)
    let lines: [String]
    let (open, close): (String, String)
    switch self {
    case .null: return "null"
    case .boolean(let value): return value ? "true" : "false"
    case .integer(let number): return "\(number)"
    case .number(let text): return text
    case .text(let text): return JSONText.quoted(text)
    case .list(let elements):
      (open, close) = ("[", "]")
      lines = elements.map { $0.text(indent: indent + 1) }
    case .object(let members):
      (open, close) = ("{", "}")
      lines = members.map { "\(JSONText.quoted($0.name)): \($0.value.text(indent: indent + 1))" }
    }
    guard !lines.isEmpty else { return open + close }
    return "\(open)\n" + lines.map { inner + $0 }.joined(separator: ",\n") + "\n"
      + String(repeating: "  ", count: indent) + close
  }
}
