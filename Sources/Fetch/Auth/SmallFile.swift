import Glibc

/// A file of the user's own that proves who asks: read whole, with what its mode lets others do.
package struct SmallFile: Sendable {
  package static let limit = 1 << 20

  package let bytes: [UInt8]
  /// The permissions.
  package let mode: UInt32

  /// The error is the reason alone, such as "No such file or directory".
  package init(_ path: String) throws(FetchError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SmallFile.unreadable(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SmallFile.unreadable("it is no regular file")
    }
    guard status.st_size <= SmallFile.limit else { throw SmallFile.unreadable("it is larger than 1 MiB") }
    var count = 0
    bytes = [UInt8](unsafeUninitializedCapacity: SmallFile.limit) { buffer, filled in
      while filled < SmallFile.limit {
        count = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, SmallFile.limit - filled, off_t(filled))
        guard count > 0 else { break }
        filled += count
      }
    }
    guard count >= 0 else { throw SmallFile.unreadable(String(cString: strerror(errno))) }
    mode = UInt32(status.st_mode) & 0o777
  }

  /// Others than the owner may read it.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }
  package var modeText: String { String(mode, radix: 8) }

  private static func unreadable(_ reason: String) -> FetchError { FetchError(.auth, reason, nothingSent: true) }
}
