/// Where a body's bytes come from.
package enum BodySource: Sendable {
  case memory([UInt8])
  case file(String)
  /// An open file descriptor that can be read once: standard input. The reader does not close it. `behind` are bytes
  /// that were read from it before.
  case stream(Int32, behind: [UInt8] = [])

  /// Can the bytes be read a second time?
  package var isRepeatable: Bool {
    if case .stream = self { return false }
    return true
  }
}

/// How a body's bytes become JSON text.
package struct BodyFormat: Sendable, Hashable {
  /// One value a line, each a body of its own.
  package var isNDJSON: Bool
  /// Comments and trailing commas are read over.
  package var isLenient: Bool
  /// The charset that the content type names, lower case; nil means UTF-8, unless a byte order mark says otherwise.
  package var charset: String?

  package init(isNDJSON: Bool = false, isLenient: Bool = false, charset: String? = nil) {
    self.isNDJSON = isNDJSON
    self.isLenient = isLenient
    self.charset = charset
  }
}
