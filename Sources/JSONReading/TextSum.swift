/// Tells texts apart: two 64-bit sums and the length. It guards against texts that come again, not against somebody who
/// forges them.
package struct TextSum: Hashable, Sendable {
  private var first: UInt64 = 0xcbf2_9ce4_8422_2325
  private var second: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var length = 0

  package init() {}

  /// Short enough to be kept for each of many.
  package var text: String {
    [first, second, UInt64(length)].map { String($0, radix: 16) }.joined(separator: "-")
  }

  /// Eight bytes at a time; what is left of `bytes` is a word of its own.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    length += bytes.count
    let whole = bytes.count & ~7
    var offset = 0
    while offset < whole {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    if whole < bytes.count { mix(bytes[whole...].reversed().reduce(0) { $0 << 8 | UInt64($1) }) }
  }

  /// A record of a body, and at which of its places it stands.
  package mutating func add(_ record: JSONValue, at place: Int) {
    // Where one ends and the next begins.
    mix(UInt64(truncatingIfNeeded: place) << 48 ^ UInt64(truncatingIfNeeded: record.rawText.count))
    add(record.rawText)
  }

  private mutating func mix(_ word: UInt64) {
    first = (first ^ word) &* 0x9fb2_1c65_1e98_df25
    first ^= first >> 32
    second = (second &+ word) &* 0xff51_afd7_ed55_8ccd
    second ^= second >> 29
  }
}
