import Fetch
import Glibc
import JSONReading

/// The beginning of a body, for messages and `_ingest_errors`.
enum Excerpt {
  /// Bytes that are shown at most.
  static let limit = 500

  /// Redacted; nil for what is empty, or cannot be read twice.
  ///
  /// - Parameter line: where it begins; of NDJSON, the line at fault.
  static func text(of source: BodySource, line: Int = 1, by redactor: Redactor) -> String? {
    // A secret that the limit would cut is read whole, so that it is found.
    let bytes = beginning(of: source, line: line, count: limit + redactor.longestMatch + 4)
    let text = String(decoding: redactor.redact(bytes, upTo: limit), as: UTF8.self)
    let cut = prefix(of: text, count: limit)
    return cut.isEmpty ? nil : cut
  }

  /// The API's own words, redacted, and no more of them than anybody reads.
  static func words(_ text: String, by redactor: Redactor) -> String {
    let most = 2000
    let text = redactor.redact(text)
    return text.utf8.count > most ? prefix(of: text, count: most) + "…" : text
  }

  /// At most `limit` bytes, of whole characters: a mark may be longer than the bytes that it stands for.
  private static func prefix(of text: String, count limit: Int) -> String {
    var end = text.unicodeScalars.startIndex
    var count = 0
    for index in text.unicodeScalars.indices {
      count += UTF8.width(text.unicodeScalars[index])
      if count > limit { break }
      end = text.unicodeScalars.index(after: index)
    }
    return String(text.unicodeScalars[..<end])
  }

  private static func beginning(of source: BodySource, line: Int, count: Int) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    switch source {
    case .stream: return []
    case .memory(let bytes):
      var rest = bytes[...]
      for _ in 1..<max(1, line) { rest = rest.drop { $0 != newline }.dropFirst() }
      return Array(line > 1 ? rest.prefix(count).prefix { $0 != newline } : rest.prefix(count))
    case .file(let path):
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { close(file) }
      return beginning(of: file, line: line, count: count)
    }
  }

  private static func beginning(of file: Int32, line: Int, count: Int) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var (offset, left) = (0, max(1, line) - 1)
    var found: [UInt8] = []
    // Ends: the file does.
    while found.count < count {
      let length = pread(file, &chunk, chunk.count, off_t(offset))
      guard length > 0 else { break }
      offset += length
      var rest = chunk[..<length]
      while left > 0, let end = rest.firstIndex(of: newline) {
        rest = rest[(end + 1)...]
        left -= 1
      }
      if left > 0 { continue }
      let part = line > 1 ? rest.prefix { $0 != newline } : rest
      found += part.prefix(count - found.count)
      if part.count < rest.count { break }
    }
    return found
  }
}
