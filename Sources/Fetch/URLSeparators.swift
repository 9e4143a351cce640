/// Which bytes of a URL separate its parts, read from its beginning to its end.
struct URLSeparators {
  /// Scheme, host and port end here.
  private let pathStart: Int
  private var isInQuery = false
  private var isInValue = false

  init(_ url: [UInt8]) {
    let colon = url.firstRange(of: Array("://".utf8))
    let host = colon?.upperBound ?? 0
    pathStart = url[host...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? url.count
  }

  /// Does the byte, which is no escape, separate parts? Bytes are given in their order.
  mutating func take(_ byte: UInt8, at index: Int) -> Bool {
    if index < pathStart { return true }
    switch byte {
    case UInt8(ascii: "+"): return true
    case UInt8(ascii: "/"): return !isInQuery
    case UInt8(ascii: "?") where !isInQuery:
      isInQuery = true
      return true
    case UInt8(ascii: "&") where isInQuery:
      isInValue = false
      return true
    case UInt8(ascii: "=") where isInQuery && !isInValue:
      isInValue = true
      return true
    default: return false
    }
  }
}
