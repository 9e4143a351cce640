import Glibc

/// Tells a file from all others, whatever its name.
struct FileIdentity: Hashable {
  private let device: UInt
  private let number: UInt

  /// Nil when there is none of that name.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
  }
}
