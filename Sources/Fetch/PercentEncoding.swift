/// Percent-encoding as RFC 3986 has it, in upper-case hex.
package enum PercentEncoding {
  /// A value as one segment of a path: `/` and all else that is not unreserved is encoded, and so are the segments
  /// `.` and `..`, which nobody on the way may then resolve. An empty value stays empty.
  package static func segment(_ value: String) -> String {
    let bytes = Array(value.utf8)
    if bytes == [0x2E] { return "%2E" }
    if bytes == [0x2E, 0x2E] { return "%2E%2E" }
    return encode(bytes) { isUnreserved($0) }
  }

  /// A name or value of a query: a space becomes `%20`.
  package static func query(_ value: String) -> String { encode(Array(value.utf8)) { isUnreserved($0) } }

  /// As a form has it (`application/x-www-form-urlencoded`): a space becomes `+`.
  package static func form(_ value: String) -> String {
    let parts = value.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
    return parts.map { encode(Array($0)) { isUnreserved($0) } }.joined(separator: "+")
  }

  /// Any bytes, all encoded that are not unreserved.
  static func strict(_ bytes: [UInt8]) -> String { encode(bytes) { isUnreserved($0) } }

  /// A path as its author wrote it: `/` and escapes stay, what no path may hold is encoded.
  package static func path(_ text: String) -> String { tidy(Array(text.utf8)) { isPathByte($0) } }

  /// A query as its author wrote it.
  static func wholeQuery(_ text: String) -> String { tidy(Array(text.utf8)) { isPathByte($0) || $0 == 0x3F } }

  /// The bytes behind the escapes; a `%` without two hex digits is itself.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(text)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if let byte = escape(in: bytes, at: index) {
        decoded.append(byte)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  /// One spelling for URLs of one meaning: all is encoded that is neither unreserved nor a separator at its place, the
  /// `+` of forms among them.
  static func normalized(_ url: String) -> String {
    let bytes = Array(url.utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var separators = URLSeparators(bytes)
    var index = 0
    while index < bytes.count {
      let (byte, length) = escape(in: bytes, at: index).map { ($0, 3) } ?? (bytes[index], 1)
      let isSeparator = length == 1 && separators.take(byte, at: index)
      if isUnreserved(byte) || isSeparator { out.append(byte) } else { append(byte, to: &out) }
      index += length
    }
    return String(utf8: out)
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
  }

  /// `pchar` and `/` of RFC 3986, without `%`.
  private static func isPathByte(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte)
  }

  /// The byte that `%XX` at that index stands for.
  static func escape(in bytes: [UInt8], at index: Int) -> UInt8? {
    guard bytes[index] == 0x25, index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
      let low = ASCII.hexValue(bytes[index + 2])
    else { return nil }
    return high << 4 | low
  }

  private static func encode(_ bytes: [UInt8], keeping isKept: (UInt8) -> Bool) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    for byte in bytes {
      if isKept(byte) { out.append(byte) } else { append(byte, to: &out) }
    }
    return String(utf8: out)
  }

  private static func tidy(_ bytes: [UInt8], keeping isKept: (UInt8) -> Bool) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if isKept(byte) || escape(in: bytes, at: index) != nil { out.append(byte) } else { append(byte, to: &out) }
    }
    return String(utf8: out)
  }

  private static func append(_ byte: UInt8, to out: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    out.append(0x25)
    out.append(digits[Int(byte >> 4)])
    out.append(digits[Int(byte & 15)])
  }
}
