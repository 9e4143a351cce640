/// A path pattern below the base URL: segments that a path must have.
package struct PathPattern: Sendable, Hashable, CustomStringConvertible {
  package enum Segment: Sendable, Hashable {
    /// Percent-decoded bytes.
    case literal([UInt8])
    case parameter(String)
    /// A final `*`: all segments that are left, one at least.
    case rest
  }

  package var segments: [Segment]
  /// As it was written, after interpolation, with one slash at its beginning.
  package var text: String

  package var description: String { text }

  package init(segments: [Segment], text: String) {
    self.segments = segments
    self.text = text
  }

  /// Parameters by name, or nil when the path does not fit. `path` is percent-decoded, segment by segment.
  package func match(_ path: [[UInt8]]) -> [RouteParameter]? {
    var parameters: [RouteParameter] = []
    for (index, segment) in segments.enumerated() {
      if case .rest = segment { return path.count > index ? parameters : nil }
      guard index < path.count else { return nil }
      switch segment {
      case .literal(let bytes): if bytes != path[index] { return nil }
      case .parameter(let name):
        parameters.append(RouteParameter(name: name, value: String(decoding: path[index], as: UTF8.self)))
      case .rest: break
      }
    }
    return path.count == segments.count ? parameters : nil
  }

  /// A literal beats a parameter beats `*`, the first segment that differs decides.
  package func isMoreSpecific(than other: PathPattern) -> Bool {
    for (mine, others) in zip(segments, other.segments) where mine.rank != others.rank {
      return mine.rank > others.rank
    }
    return false
  }

  /// The same segments, whatever the parameters' names.
  package func hasSameShape(as other: PathPattern) -> Bool {
    segments.count == other.segments.count
      && zip(segments, other.segments).allSatisfy { mine, others in
        switch (mine, others) {
        case (.literal(let a), .literal(let b)): a == b
        case (.parameter, .parameter), (.rest, .rest): true
        default: false
        }
      }
  }

  package var parameterNames: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  /// The path's segments, percent-decoded; a trailing slash and a missing first one do not matter.
  package static func segments(ofPath path: Substring) -> [[UInt8]] {
    var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
    if parts.first?.isEmpty == true { parts.removeFirst() }
    if parts.last?.isEmpty == true { parts.removeLast() }
    return parts.map(percentDecoded)
  }

  /// One segment: all but unreserved characters are escaped, so that neither `/` nor `..` can lead elsewhere.
  package static func percentEncoded(_ text: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    let isDots = text == [UInt8(ascii: ".")] || text == [UInt8(ascii: "."), UInt8(ascii: ".")]
    return text.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        return [byte]
      case UInt8(ascii: ".") where !isDots: return [byte]
      default: return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  /// Bytes that are no escape stay as they are.
  package static func percentDecoded(_ text: [UInt8]) -> [UInt8] {
    func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      default: nil
      }
    }
    guard text.contains(UInt8(ascii: "%")) else { return text }
    var decoded: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = digit(text[index + 1]),
        let low = digit(text[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(text[index])
        index += 1
      }
    }
    return decoded
  }
}

extension PathPattern.Segment {
  fileprivate var rank: Int {
    switch self {
    case .literal: 2
    case .parameter: 1
    case .rest: 0
    }
  }
}

/// A path parameter of a request, percent-decoded.
package struct RouteParameter: Sendable, Hashable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
