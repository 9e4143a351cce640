/// Names and texts as SQL writes them.
enum SQLText {
  static func quoted(_ name: String) -> String { enclosed(name, in: UInt8(ascii: "\"")) }

  static func quoted(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

  static func literal(_ text: String) -> String { enclosed(text, in: UInt8(ascii: "'")) }

  private static func enclosed(_ text: String, in mark: UInt8) -> String {
    var bytes: [UInt8] = [mark]
    for byte in text.utf8 {
      if byte == mark { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(mark)
    return String(decoding: bytes, as: UTF8.self)
  }
}
