import Fetch
import PlanCompiler

/// The query of a path or URL.
enum QueryText {
  /// Names and values, decoded, in order.
  static func parameters(of url: String) -> [(name: String, value: String)] {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    let query = url.utf8[url.utf8.index(after: mark)...].prefix { $0 != UInt8(ascii: "#") }
    return query.split(separator: UInt8(ascii: "&")).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      return (decoded(name), decoded(pair.dropFirst(name.count + 1)))
    }
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    let bytes = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: PathPattern.percentDecoded(bytes), as: UTF8.self)
  }
}
