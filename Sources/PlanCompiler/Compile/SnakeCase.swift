/// Names of tables and columns that are made from names of records.
package enum SnakeCase {
  /// `HTTPServer` → `http_server`, `createdAt` → `created_at`, `User.tags` → `user_tags`.
  package static func of(_ name: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(name.utf8)
    func isUpper(_ index: Int) -> Bool { bytes.indices.contains(index) && (65...90).contains(bytes[index]) }
    func isLower(_ index: Int) -> Bool {
      bytes.indices.contains(index) && ((97...122).contains(bytes[index]) || (48...57).contains(bytes[index]))
    }
    for (index, byte) in bytes.enumerated() {
      let separates = byte == UInt8(ascii: ".") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-")
      if separates {
        result.append(UInt8(ascii: "_"))
      } else if isUpper(index) {
        let startsWord = isLower(index - 1) || (isUpper(index - 1) && index + 1 < bytes.count && isLower(index + 1))
        if startsWord, result.last != UInt8(ascii: "_") { result.append(UInt8(ascii: "_")) }
        result.append(byte + 32)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
