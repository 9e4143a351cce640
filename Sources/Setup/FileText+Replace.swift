import Glibc

extension FileText {
  /// Puts other bytes in place of a file's: whole or not at all, also when the machine goes down meanwhile. A link stays
  /// one, and the file keeps its permissions. Gives errno's words when it cannot be done, and then nothing has changed.
  package static func replace(_ path: String, with bytes: [UInt8]) -> String? {
    guard let resolved = realpath(path, nil) else { return errorText() }
    let target = String(cString: resolved)
    free(resolved)
    var status = stat()
    guard stat(target, &status) == 0 else { return errorText() }
    if let obstacle = obstacle(toReplacing: target) { return obstacle }
    let folder = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(target[..<$0]) } ?? "."
    var name = Array("\(target).XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { return errorText() }
    var problem: String?
    if !write(bytes, to: file) || fchmod(file, status.st_mode & 0o7777) != 0 || fsync(file) != 0 {
      problem = errorText()
    }
    close(file)
    if problem == nil, rename(name, target) != 0 { problem = errorText() }
    if problem != nil { unlink(name) }
    let directory = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
    return problem
  }

  /// Why a file is not to be replaced; nil when nothing is known. One that nobody may write stays as it is for root too.
  package static func obstacle(toReplacing path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return errorText() }
    if status.st_mode & 0o222 == 0 { return "it is read-only" }
    return access(path, W_OK) == 0 ? nil : errorText()
  }

  private static func errorText() -> String { String(cString: strerror(errno)) }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      written += count
    }
    return true
  }
}
