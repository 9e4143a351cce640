package import JSONReading

/// A media type and its charset, from a `Content-Type` header.
package struct ContentType: Sendable, Hashable {
  /// `application/json`, in lower case, without parameters.
  package var essence: String
  /// In lower case, without quotes.
  package var charset: String?

  package init(_ header: String) {
    let parts = ContentType.split(Array(header.utf8))
    essence = String(utf8: parts[0].lowercased())
    charset = parts.dropFirst().lazy.compactMap(ContentType.charset).first
  }

  package var isJSON: Bool {
    let halves = essence.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty else { return false }
    let name = Array(halves[1])
    return name == Array("json".utf8) || name.count > 5 && name.suffix(5) == Array("+json".utf8)
  }

  package var isNDJSON: Bool { essence == "application/x-ndjson" || essence == "application/jsonl" }

  /// The parts between semicolons that stand outside quotes, trimmed.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var (start, isQuoted) = (0, false)
    for (index, byte) in bytes.enumerated() {
      if byte == 0x22 { isQuoted.toggle() }
      if byte == 0x3B && !isQuoted {
        parts.append(ASCII.trimmed(bytes[start..<index]))
        start = index + 1
      }
    }
    return parts + [ASCII.trimmed(bytes[start...])]
  }

  private static func charset(_ parameter: ArraySlice<UInt8>) -> String? {
    guard let equals = parameter.firstIndex(of: 0x3D),
      ASCII.trimmed(parameter[..<equals]).lowercased() == Array("charset".utf8)
    else { return nil }
    let value = ASCII.trimmed(parameter[(equals + 1)...]).filter { $0 != 0x22 }.lowercased()
    return value.isEmpty ? nil : String(utf8: value)
  }
}

extension HTTPResponse {
  /// How the body becomes JSON text.
  ///
  /// JSON types (`*/json`, `*+json`), NDJSON types and an absent type are read; `isNDJSON` says that the mapping has
  /// `format: ndjson`, which makes lines of any type but HTML. Anything else is an error that names the type. An empty
  /// body has no type that matters: the caller does not ask.
  package func bodyFormat(isNDJSON: Bool = false, isLenient: Bool = false) throws(FetchError) -> BodyFormat {
    guard let header = header("Content-Type"), !header.isEmpty else {
      return BodyFormat(isNDJSON: isNDJSON, isLenient: isLenient)
    }
    let type = ContentType(header)
    let isHTML = type.essence == "text/html" || type.essence == "application/xhtml+xml"
    guard type.isJSON || type.isNDJSON || isNDJSON && !isHTML else {
      let name = Redactor.printable(type.essence, limit: 100)
      throw FetchError(.badContentType, "the answer is '\(name)', where JSON is expected\(ContentType.hint(type))")
    }
    return BodyFormat(isNDJSON: isNDJSON || type.isNDJSON, isLenient: isLenient, charset: type.charset)
  }
}

extension ContentType {
  fileprivate static func hint(_ type: ContentType) -> String {
    switch type.essence {
    case "text/html": ": a page for people, perhaps of a login or a proxy"
    case "text/plain":
      "; one JSON value a line is read with 'format: ndjson', other text is not: ask for JSON by 'headers: {Accept: "
        + "application/json}'"
    default: ""
    }
  }
}
