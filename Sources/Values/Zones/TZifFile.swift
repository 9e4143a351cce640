/// A compiled zone of the IANA database (RFC 8536): its second block, of 64-bit times, and the rule behind it.
enum TZifFile {
  /// Nil when the bytes are no such file, are of version 1, or count leap seconds.
  static func read(_ bytes: [UInt8]) -> TimeZoneRules? {
    guard let first = Header(bytes, at: 0), first.version >= UInt8(ascii: "2") else { return nil }
    guard let header = Header(bytes, at: Header.size + first.length(timeSize: 4)), header.leapCount == 0 else {
      return nil
    }
    let times = header.start + Header.size
    let indexes = times + header.timeCount * 8
    let types = indexes + header.timeCount
    let footer = header.start + Header.size + header.length(timeSize: 8)
    guard footer + 1 < bytes.count, bytes[footer] == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\n") else {
      return nil
    }

    var changes: [Int64] = []
    var offsets = [offset(bytes, at: types)]
    for number in 0..<header.timeCount {
      let type = Int(bytes[indexes + number])
      guard type < header.typeCount else { return nil }
      let time = bigEndian(bytes, at: times + number * 8, count: 8)
      if let last = changes.last, time <= last { return nil }
      changes.append(time)
      offsets.append(offset(bytes, at: types + type * 6))
    }
    return rules(changes, offsets, footer: bytes[(footer + 1)..<(bytes.count - 1)])
  }

  private static func rules(_ changes: [Int64], _ offsets: [Int], footer: ArraySlice<UInt8>) -> TimeZoneRules? {
    guard offsets.allSatisfy({ abs($0) < 26 * 3600 }) else { return nil }
    if footer.isEmpty { return TimeZoneRules(changes: changes, offsets: offsets, rule: nil) }
    guard let rule = footer.withUnsafeBytes({ POSIXZoneRule($0) }) else { return nil }
    return TimeZoneRules(changes: changes, offsets: offsets, rule: rule)
  }

  /// Seconds ahead of UTC of a type of local time.
  private static func offset(_ bytes: [UInt8], at start: Int) -> Int { Int(bigEndian(bytes, at: start, count: 4)) }

  private static func bigEndian(_ bytes: [UInt8], at start: Int, count: Int) -> Int64 {
    var value: UInt64 = 0
    for byte in bytes[start..<start + count] { value = value << 8 | UInt64(byte) }
    return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }

  private struct Header {
    static let size = 44
    let start: Int
    let version: UInt8
    private let counts: [Int]

    var leapCount: Int { counts[2] }
    var timeCount: Int { counts[3] }
    var typeCount: Int { counts[4] }

    /// Bytes behind the header.
    func length(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + counts[5] + leapCount * (timeSize + 4) + counts[1] + counts[0]
    }

    init?(_ bytes: [UInt8], at start: Int) {
      guard start + Self.size <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
      self.start = start
      version = bytes[start + 4]
      counts = (0..<6).map { Int(TZifFile.bigEndian(bytes, at: start + 20 + $0 * 4, count: 4)) }
      guard counts.allSatisfy({ $0 >= 0 && $0 <= bytes.count }), counts[4] >= 1 else { return nil }
      let shortest = version >= UInt8(ascii: "2") && start > 0 ? 8 : 4
      guard start + Self.size + length(timeSize: shortest) <= bytes.count else { return nil }
    }
  }
}
