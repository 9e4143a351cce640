import Glibc

/// How a file is now, by which it is known later whether it has changed.
struct FileStamp: Hashable {
  /// From the root of the file system.
  var path: String
  var size: Int64
  /// Nanoseconds since 1970.
  var modified: Int64

  /// Nil for what is no regular file: it cannot be read again.
  init?(of name: String) {
    var status = stat()
    guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let resolved = realpath(name, nil) else {
      return nil
    }
    defer { free(resolved) }
    path = String(cString: resolved)
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }
}
