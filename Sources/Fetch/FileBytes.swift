import Glibc
package import JSONReading

/// Bytes of files, whole and in parts.
enum FileBytes {
  /// Writes all of them; false, with `errno`, when that cannot be done.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { return false }
        rest = rest.dropFirst(written)
      }
      return true
    }
  }
}

extension ResponseBody {
  package func forEachPart(_ take: ([UInt8]) throws(FetchError) -> Void) throws(FetchError) {
    try source.forEachPart(take)
  }
}

extension BodySource {
  /// Hands out the bytes as they are, in order: of a file in parts of 256 KiB at most.
  package func forEachPart(_ take: ([UInt8]) throws(FetchError) -> Void) throws(FetchError) {
    switch self {
    case .memory(let bytes): if !bytes.isEmpty { try take(bytes) }
    case .stream: preconditionFailure("a stream is kept before it is read in parts")
    case .file(let path):
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw Self.unreadable() }
      defer { close(file) }
      var offset = 0
      while true {
        var count = 0
        let part = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, filled in
          repeat {
            count = pread(file, buffer.baseAddress, 1 << 18, off_t(offset))
          } while count < 0 && errno == EINTR
          filled = max(0, count)
        }
        if count < 0 { throw Self.unreadable() }
        if count == 0 { return }
        offset += count
        try take(part)
      }
    }
  }

  private static func unreadable() -> FetchError {
    FetchError(.other, "the body cannot be read again: \(String(cString: strerror(errno)))")
  }
}
