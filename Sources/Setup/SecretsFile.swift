import Glibc

/// The bytes of a file of secrets, a pipe or standard input: read whole, with what its mode lets others do.
package struct SecretsFile: Sendable {
  package static let limit = 1 << 20

  package struct Failure: Error {
    /// Such as "No such file or directory".
    package let reason: String
  }

  package let bytes: [UInt8]
  /// The permissions of a file that others may read, in octal; nil when it is nobody else's.
  package let openMode: String?

  package init(_ path: String) throws(Failure) {
    // A pipe without a writer would not open otherwise.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SecretsFile.failure() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SecretsFile.failure() }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFIFO { FileText.waitForWriter(descriptor) }
    bytes = try SecretsFile.read(descriptor)
    if kind == S_IFIFO, bytes.isEmpty { throw Failure(reason: FileText.nobodyWrites) }
    let isOpen = kind == S_IFREG && status.st_mode & 0o077 != 0
    openMode = isOpen ? String(UInt32(status.st_mode) & 0o777, radix: 8) : nil
  }

  /// Of standard input.
  package init(descriptor: Int32) throws(Failure) {
    bytes = try SecretsFile.read(descriptor)
    openMode = nil
  }

  private static func read(_ descriptor: Int32) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        guard errno == EINTR || errno == EAGAIN else { throw failure() }
        if errno == EAGAIN { FileText.waitForBytes(descriptor) }
        continue
      }
      bytes += chunk[..<count]
      guard bytes.count <= limit else { throw Failure(reason: "it is larger than 1 MiB") }
    }
  }

  private static func failure() -> Failure { Failure(reason: String(cString: strerror(errno))) }
}
