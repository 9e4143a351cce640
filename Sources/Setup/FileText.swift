import Glibc

/// Files as bytes.
package enum FileText {
  /// Nil, with errno's words, when the file cannot be read.
  package enum Result {
    case bytes([UInt8])
    case failed(String)
  }

  /// Reads a file, or a descriptor, to its end; at most `limit` bytes are kept, so that the caller sees that it is more.
  package static func read(_ path: String, limit: Int = .max) -> Result {
    // A pipe without a writer would not open otherwise.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return .failed(String(cString: strerror(errno))) }
    defer { close(file) }
    let isPipe = isPipe(file)
    if isPipe { waitForWriter(file) }
    let result = read(descriptor: file, limit: limit)
    if isPipe, case .bytes(let bytes) = result, bytes.isEmpty { return .failed(nobodyWrites) }
    return result
  }

  static let nobodyWrites = "it is a pipe, and nobody writes into it"

  static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// A second at most: whoever is to write may have been started beside this process.
  static func waitForWriter(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, 1000)
  }

  /// Waits for the next bytes of who takes some time to write them.
  static func waitForBytes(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, -1)
  }

  package static func read(descriptor: Int32, limit: Int = .max) -> Result {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 {
        guard errno == EINTR || errno == EAGAIN else { return .failed(String(cString: strerror(errno))) }
        if errno == EAGAIN { waitForBytes(descriptor) }
        continue
      }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return .bytes(bytes)
  }

  package static func isReadableFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && access(path, R_OK) == 0
  }

  /// Is anything of that name there, be it readable or not?
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  /// Is it there, and neither a file nor a folder: a device, a pipe, a socket?
  package static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What tells a file or folder from all others, whatever path leads to it; nil when it is not there.
  package static func identity(of path: String) -> [UInt64]? {
    var status = stat()
    return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  /// Do two paths lead to the same file or folder?
  package static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  /// Names in a folder, sorted by their bytes, without `.` and `..`; nil when it cannot be read.
  package static func names(in folder: String) -> [String]? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
