import CStage1
import Glibc

/// Bytes with the positions that stage 1 found in them: what the second stage walks over.
///
/// The byte at `end` is no digit, letter or quote, the position behind the last is `end`, and 64 bytes behind the text
/// can be read: so a walk that runs into the end meets a token that fits nowhere, and needs no check for each token.
struct ScannedText {
  var bytes: UnsafeMutablePointer<UInt8>
  var positions: UnsafeMutablePointer<UInt32>
  /// Number of positions.
  var count: Int
  /// Number of bytes.
  var end: Int
  /// Nothing follows `end`.
  var isFinal: Bool
  var isLenient: Bool

  /// Where the next backslash is, from `start` on; `Int.max` if there is none.
  func backslash(from start: Int) -> Int {
    guard start < end, let hit = memchr(bytes + start, Int32(Byte.backslash), end - start) else { return Int.max }
    return hit - UnsafeMutableRawPointer(bytes)
  }

  /// Checks a string's escapes and gives the place of the next backslash behind it.
  @inline(never) func pass(escapesFrom start: Int, to end: Int) throws(TextFault) -> Int {
    var next = backslash(from: start)
    while next < end {
      let length = Escape.length(bytes + next, end - next)
      if length == 0 { throw Escape.fault(bytes + next, end - next, at: next) }
      next = backslash(from: next + length)
    }
    return next
  }
}

/// What is wrong in a text, and where, from the text's start.
struct TextFault: Error {
  var code: JSONError.Code
  var message: String
  var at: Int

  init(_ code: JSONError.Code, _ message: String, at: Int) {
    self.code = code
    self.message = message
    self.at = at
  }

  /// The fault as an error of the body, whose part `bytes` begins at `offset` and on `line`.
  func error(in bytes: UnsafePointer<UInt8>, offset: Int, line: Int) -> JSONError {
    JSONError(code, message, offset: offset + at, line: line + stage1_newlines(bytes, at))
  }
}

extension TextFault {
  /// A fault of which only is known that it lies behind these bytes, the body's first.
  func error(in bytes: UnsafePointer<UInt8>, after count: Int) -> JSONError {
    JSONError(code, message, offset: count, line: 1 + stage1_newlines(bytes, count))
  }
}

/// The bytes that mean something in JSON.
enum Byte {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let space = UInt8(ascii: " ")
  static let newline = UInt8(ascii: "\n")
  static let slash = UInt8(ascii: "/")
  static let star = UInt8(ascii: "*")

  @inline(__always) static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == newline || byte == 0x0D || byte == 0x09
  }

  /// May this byte follow a number or a literal? (`]` and `}` differ in one bit.)
  @inline(__always) static func endsScalar(_ byte: UInt8) -> Bool {
    byte == comma || byte | 0x20 == closeBrace || isWhiteSpace(byte)
  }
}
