import Glibc
import JSONReading

/// Keeps a body: in memory up to 8 MiB, beyond in a temporary file that nobody else can open.
package struct BodySpool {
  static let memoryLimit = 8 << 20

  private let folder: String
  private var memory: [UInt8] = []
  private var file: TemporaryFile?
  private(set) var count = 0

  /// `folder` is where a large body's file is made.
  init(folder: String) { self.folder = folder }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(FetchError) {
    count += bytes.count
    if let file { return try file.write(bytes) }
    guard count > BodySpool.memoryLimit else {
      memory.append(contentsOf: bytes)
      return
    }
    let file = try TemporaryFile(in: folder)
    try file.write(memory)
    try file.write(bytes)
    memory = []
    self.file = file
  }

  mutating func append(_ bytes: [UInt8]) throws(FetchError) {
    var failure: FetchError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(FetchError) { try append(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// The body; the spool is empty afterwards.
  mutating func finish() -> ResponseBody {
    defer { self = BodySpool(folder: folder) }
    guard let file else { return .bytes(memory) }
    return ResponseBody(.file(file.path), count: count) { withExtendedLifetime(file) {} }
  }
}

/// A file with mode 0600 that is gone when its last holder lets go: where `/proc` is there, it has no name at all.
final class TemporaryFile: Sendable {
  let path: String
  private let folder: String
  private let descriptor: Int32
  private let isNamed: Bool

  init(in folder: String) throws(FetchError) {
    var template = Array("\(folder)/.ingest-body-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw TemporaryFile.failure("made", in: folder) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    self.descriptor = descriptor
    self.folder = folder
    let name = String(utf8: template.dropLast().map { UInt8(bitPattern: $0) })
    let nameless = "/proc/self/fd/\(descriptor)"
    isNamed = access(nameless, R_OK) != 0
    path = isNamed ? name : nameless
    if !isNamed { unlink(name) }
  }

  deinit {
    close(descriptor)
    if isNamed { unlink(path) }
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(FetchError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw TemporaryFile.failure("written", in: folder) }
      rest = rest.dropFirst(written)
    }
  }

  func write(_ bytes: [UInt8]) throws(FetchError) {
    var failure: FetchError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(FetchError) { try write(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Bytes that were written before.
  func read(_ range: Range<Int>) throws(FetchError) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      while filled < range.count {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, range.count - filled, off_t(range.lowerBound + filled))
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { break }
        filled += got
      }
    }
    guard bytes.count == range.count else { throw TemporaryFile.failure("read", in: folder) }
    return bytes
  }

  private static func failure(_ what: String, in folder: String) -> FetchError {
    let reason = String(cString: strerror(errno))
    return FetchError(.other, "a large body needs a temporary file, which cannot be \(what) in \(folder): \(reason)")
  }
}
