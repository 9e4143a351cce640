import Fetch
import Glibc
import JSONReading

/// Tells bodies apart, and other texts: two 64-bit sums and the length. It guards against a server that repeats itself,
/// not against somebody who forges bodies.
struct BodyDigest: Hashable {
  private var first: UInt64 = 0xcbf2_9ce4_8422_2325
  private var second: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var length = 0

  init() {}

  init(of body: ResponseBody) {
    #if BROKEN_REPEATS  // Tests/Scripts/broken.py shows that this is noticed.
      first = UInt64.random(in: .min ... .max)
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
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = pread(file, &chunk, chunk.count, off_t(length))
      guard count > 0 else { return }
      add(chunk[..<count])
    }
  }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    length += bytes.count
    for byte in bytes {
      first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      second = (second &+ UInt64(byte)) &* 0xff51_afd7_ed55_8ccd
      second ^= second >> 29
    }
  }
}
