/// What private scalars stand for those that libyaml would misread.
struct Disguise {
  private static let hidden: [UInt32] = [0x7F] + Array(0x80..<0xA0) + [0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF]
  private static let privateScalars: Range<UInt32> = 0x10_0000..<0x10_FFFE
  private let base: UInt32

  /// Those that end a line for libyaml; in YAML 1.2 they may stand anywhere.
  static let breaks: [UInt32] = [0x85, 0x2028, 0x2029]

  static func isNeeded(for scalar: UInt32) -> Bool {
    (0x7F..<0xA0).contains(scalar) || scalar >= 0x2028 && hidden.suffix(5).contains(scalar)
  }

  /// Nil when the text leaves no stretch of the last plane free.
  init?(for text: String.UnicodeScalarView) {
    var used = Set<UInt32>()
    for scalar in text where Self.privateScalars.contains(scalar.value) {
      used.insert(scalar.value)
    }
    var free = 0
    for value in Self.privateScalars {
      free = used.contains(value) ? 0 : free + 1
      if free == Self.hidden.count {
        base = value + 1 - UInt32(free)
        return
      }
    }
    return nil
  }

  func putOn(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard let index = Self.hidden.firstIndex(of: scalar.value) else { return scalar }
    return Unicode.Scalar(base + UInt32(index)) ?? scalar
  }

  func takeOff(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard scalar.value >= base, scalar.value < base + UInt32(Self.hidden.count) else { return scalar }
    return Unicode.Scalar(Self.hidden[Int(scalar.value - base)]) ?? scalar
  }
}
