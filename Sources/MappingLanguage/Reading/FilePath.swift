/// Paths of files, as text: nothing is looked up.
package enum FilePath {
  /// A path as it is meant in a file: relative to that file's folder, `.` and `..` resolved where they can be.
  package static func resolve(_ path: String, from file: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return normalized(path) }
    guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return normalized(path) }
    return normalized(String(file[...slash]) + path)
  }

  /// The last part without its ending: `nyt` of `mappings/nyt.yaml`.
  package static func stem(of path: String) -> String {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return String(decoding: name, as: UTF8.self) }
    return String(decoding: name[..<dot], as: UTF8.self)
  }

  private static func normalized(_ path: String) -> String {
    var parts: [String] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")).map({ String(decoding: $0, as: UTF8.self) }) {
      if part == "." { continue }
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.utf8.first == UInt8(ascii: "/") ? "/" : "") + parts.joined(separator: "/")
  }
}
