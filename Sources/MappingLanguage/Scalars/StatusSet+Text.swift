extension StatusSet {
  /// `200`, `2xx` or `200-299`; nil for anything else, and for what no status can be.
  static func range(_ text: String) -> ClosedRange<Int>? {
    let bytes = Array(text.utf8)
    if bytes.count == 3, bytes[1...] == [UInt8(ascii: "x"), UInt8(ascii: "x")][...] {
      let hundred = Int(bytes[0]) - Int(UInt8(ascii: "0"))
      return (1...5).contains(hundred) ? hundred * 100...hundred * 100 + 99 : nil
    }
    let ends = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(number)
    switch ends.count {
    case 1: return ends[0].map { $0...$0 }
    case 2:
      guard let first = ends[0], let last = ends[1], first <= last else { return nil }
      return first...last
    default: return nil
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count == 3, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let status = Int(String(decoding: bytes, as: UTF8.self)), (100...599).contains(status)
    else { return nil }
    return status
  }
}
