import Diagnostics
import Glibc

extension RelativePath {
  static var toWorkingFolder: RelativePath {
    guard let folder = getcwd(nil, 0) else { return RelativePath(to: "") }
    defer { free(folder) }
    return RelativePath(to: String(cString: folder))
  }
}
