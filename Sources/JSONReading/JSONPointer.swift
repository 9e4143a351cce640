/// A place in a JSON text, written as RFC 6901 has it: `/items/7/id`.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  package var steps: [RecordPosition.Step]

  package init(_ steps: [RecordPosition.Step]) { self.steps = steps }

  package var description: String {
    var text: [UInt8] = []
    for step in steps {
      text.append(Byte.slash)
      switch step {
      case .element(let index): text.append(contentsOf: String(index).utf8)
      case .member(let name): Self.append(name, to: &text)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(_ name: JSONName, to text: inout [UInt8]) {
    for byte in name.bytes {
      switch byte {
      case UInt8(ascii: "~"): text.append(contentsOf: "~0".utf8)
      case Byte.slash: text.append(contentsOf: "~1".utf8)
      default: text.append(byte)
      }
    }
  }
}
