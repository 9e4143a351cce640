import Fetch
import Glibc
import JSONReading

#if FAULTS
  import Faults
#endif

/// Tells bodies apart, and other texts: it guards against a server that repeats itself.
struct BodyDigest: Hashable {
  private var sum = TextSum()

  init() {}

  /// Of a part of a body.
  init(_ sum: TextSum) { self.sum = sum }

  init(of body: ResponseBody) {
    #if FAULTS
      if Fault.repeats.isOn { add(Array("\(UInt64.random(in: .min ... .max))".utf8)[...]) }
    #endif
    switch body.source {
    case .memory(let bytes): add(bytes[...])
    case .file(let path): addFile(path)
    case .stream: break
    }
  }

  init(of text: String) { add(Array(text.utf8)[...]) }

  /// Short enough to be kept for each page.
  var text: String { sum.text }

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

  mutating func add(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { sum.add($0) } }
}
