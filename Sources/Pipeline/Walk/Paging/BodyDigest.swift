import Fetch
import Glibc
import JSONReading

#if FAULTS
  import Faults
#endif

/// Tells bodies apart, and other texts: two 64-bit sums and the length. It guards against a server that repeats itself,
/// not against somebody who forges bodies.
struct BodyDigest: Hashable {
  private var first: UInt64 = 0xcbf2_9ce4_8422_2325
  private var second: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var length = 0

  init() {}

  init(of body: ResponseBody) {
    #if FAULTS
      if Fault.repeats.isOn { first = UInt64.random(in: .min ... .max) }
    #endif
    switch body.source {
    case .memory(let bytes): add(bytes[...])
    case .file(let path): addFile(path)
    case .stream: break
    }
  }

  init(of text: String) { add(Array(text.utf8)[...]) }

  /// Short enough to be kept for each page.
  var text: String { [first, second, UInt64(length)].map { String($0, radix: 16) }.joined(separator: "-") }

  private mutating func addFile(_ path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // Whole words to the last chunk: the digest is that of the same bytes in memory.
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var (filled, offset) = (0, 0)
    while true {
      let count = chunk.withUnsafeMutableBytes { bytes in
        pread(file, bytes.baseAddress.map { $0 + filled }, bytes.count - filled, off_t(offset))
      }
      if count > 0 {
        (filled, offset) = (filled + count, offset + count)
        if filled < chunk.count { continue }
      }
      if filled > 0 { add(chunk[..<filled]) }
      guard count > 0 else { return }
      filled = 0
    }
  }

  /// Eight bytes at a time; what is left of `bytes` is a word of its own.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    length += bytes.count
    bytes.withUnsafeBytes { bytes in
      let whole = bytes.count & ~7
      var offset = 0
      while offset < whole {
        mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset += 8
      }
      if whole < bytes.count { mix(bytes[whole...].reversed().reduce(0) { $0 << 8 | UInt64($1) }) }
    }
  }

  private mutating func mix(_ word: UInt64) {
    first = (first ^ word) &* 0x9fb2_1c65_1e98_df25
    first ^= first >> 32
    second = (second &+ word) &* 0xff51_afd7_ed55_8ccd
    second ^= second >> 29
  }
}
