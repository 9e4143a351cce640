import Fetch
import JSONReading

/// The beginning of a body, for messages and `_ingest_errors`.
enum Excerpt {
  /// Bytes that are shown at most.
  static let limit = 500

  /// Empty for what cannot be read twice.
  static func text(of source: BodySource) -> String {
    let bytes = ResponseBody(source, count: limit).prefix(limit)
    return String(decoding: bytes, as: UTF8.self)
  }
}
