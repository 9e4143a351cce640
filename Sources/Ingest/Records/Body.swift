import JSONReading
import Pipeline
import Setup

/// A response's body that is at hand: JSON, or a JSON value a line.
public struct Body: Sendable {
  /// How reports name it.
  public let name: String
  let input: Loader.Input

  /// Text of JSON.
  ///
  /// - Parameters:
  ///   - text: The whole body.
  ///   - name: How reports name it. One that ends in `.ndjson` or `.jsonl` is read as a value a line.
  public static func text(_ text: String, name: String = "body") -> Body { .bytes(Array(text.utf8), name: name) }

  /// Bytes of JSON: UTF-8, or UTF-16 and UTF-32 with a byte order mark.
  ///
  /// - Parameters:
  ///   - bytes: The whole body.
  ///   - name: How reports name it. One that ends in `.ndjson` or `.jsonl` is read as a value a line.
  public static func bytes(_ bytes: [UInt8], name: String = "body") -> Body {
    Body(name: name, input: .body(Loader.Body(name: name, source: .memory(bytes))))
  }

  /// A file, which is read in pieces when it is needed; it may be larger than memory. One that is packed, `.gz` or `.zst`,
  /// is unpacked.
  public static func file(_ path: String) -> Body { Body(name: path, input: .file(path)) }

  /// Throws when it is a file that cannot be read.
  func check() throws(IngestError) {
    guard case .file(let path) = input else { return }
    guard FileText.isReadableFile(path), !FileText.isFolder(path) else {
      throw IngestError(.unreadableFile, "the file '\(path)' is not there, or cannot be read")
    }
  }
}

/// Which request a body answers: by that the mapping knows where its records are.
public enum Route: Sendable, Hashable {
  /// The endpoint of that name.
  case endpoint(String)
  /// A request of a path below the source's base URL, such as `/v1/boats?page=2`.
  case path(String, method: String = "GET")
}

extension Optional<Route> {
  /// Nil is the mapping's only endpoint.
  var loading: Loader.Route {
    switch self {
    case nil: .endpoint(nil)
    case .endpoint(let name)?: .endpoint(name)
    case .path(let path, let method)?: .path(path, method: method)
    }
  }
}
