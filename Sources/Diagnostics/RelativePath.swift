/// Names of files as services that show findings beside the code want them: relative to the working folder.
package struct RelativePath: Sendable {
  /// The working folder, absolute.
  private let folder: String

  package init(to folder: String) { self.folder = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/" }

  /// Without `.` and `..` in it where it lies below the folder; else absolute; without a folder to begin at, as it was.
  package func name(of path: String) -> String {
    guard path.utf8.first == UInt8(ascii: "/") || folder.utf8.first == UInt8(ascii: "/") else { return path }
    let whole = path.utf8.first == UInt8(ascii: "/") ? path : folder + path
    var parts: [Substring.UTF8View] = []
    for part in whole.utf8.split(separator: UInt8(ascii: "/")) {
      if part.elementsEqual("..".utf8) {
        _ = parts.popLast()
      } else if !part.elementsEqual(".".utf8) {
        parts.append(part)
      }
    }
    let plain = "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    guard plain.utf8.starts(with: folder.utf8), plain.utf8.count > folder.utf8.count else { return plain }
    return String(Substring(plain.utf8.dropFirst(folder.utf8.count)))
  }

  /// The name as a reference of RFC 3986; absolute ones are URLs of files.
  package func reference(to path: String) -> String {
    let name = name(of: path)
    var text = name.utf8.first == UInt8(ascii: "/") ? "file://" : ""
    for byte in name.utf8 {
      if Self.isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + VisibleText.hexadecimal(UInt32(byte), digits: 2)
      }
    }
    return text
  }

  /// A colon is escaped: before the first slash it would end a scheme.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-._~/@!$&'()*+,;=".utf8.contains(byte)
    }
  }
}
