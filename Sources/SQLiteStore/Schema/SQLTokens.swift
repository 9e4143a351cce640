/// The words of an SQL statement, as far as is needed to change a CREATE TABLE without reading all of its grammar.
///
/// White space and comments are left out. The text comes from SQLite's own catalogue, or from a mapping's condition.
struct SQLTokens {
  /// As written, quotes included.
  private(set) var texts: [String] = []
  /// Whether a word stands apart from the one before it: `1e-5` is three words, and `||` two.
  private(set) var isApart: [Bool] = []
  private var hasGap = true
  private let bytes: [UInt8]
  private var place = 0

  init(_ sql: String) {
    bytes = Array(sql.utf8)
    while place < bytes.count { readOne() }
  }

  private mutating func readOne() {
    let start = place
    let byte = bytes[place]
    place += 1
    switch byte {
    case UInt8(ascii: " "), 9...13:
      hasGap = true
      return
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"):
      skip { $0 != 10 }
      hasGap = true
      return
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      place += 1
      while place < bytes.count, !(bytes[place] == UInt8(ascii: "/") && bytes[place - 1] == UInt8(ascii: "*")) {
        place += 1
      }
      place = min(place + 1, bytes.count)
      hasGap = true
      return
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): readQuoted(byte)
    case UInt8(ascii: "["):
      skip { $0 != UInt8(ascii: "]") }
      place = min(place + 1, bytes.count)
    case _ where Self.isWord(byte): skip(while: Self.isWord)
    default: break
    }
    texts.append(String(decoding: bytes[start..<place], as: UTF8.self))
    isApart.append(hasGap)
    hasGap = false
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skip(while holds: (UInt8) -> Bool) {
    while place < bytes.count, holds(bytes[place]) { place += 1 }
  }

  /// A doubled quote stands for itself.
  private mutating func readQuoted(_ quote: UInt8) {
    while place < bytes.count {
      place += 1
      guard bytes[place - 1] == quote else { continue }
      if next != quote { return }
      place += 1
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 128...:
      true
    default: false
    }
  }
}

extension FoldedName {
  /// The name that a word of SQL stands for, its quotes removed.
  init(token: String) {
    var bytes = Array(token.utf8)
    let quotes: [UInt8: UInt8] = [34: 34, 96: 96, 91: 93, 39: 39]
    guard bytes.count >= 2, let end = quotes[bytes[0]] else {
      self.init(token)
      return
    }
    bytes = Array(bytes[1..<bytes.count - 1])
    var name: [UInt8] = []
    var place = 0
    while place < bytes.count {
      name.append(bytes[place])
      let isDoubled = bytes[place] == end && place + 1 < bytes.count && bytes[place + 1] == end
      place += isDoubled ? 2 : 1
    }
    self.init(String(decoding: name, as: UTF8.self))
  }
}
