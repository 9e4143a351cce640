/// The segments of a path pattern, its `${…}` not yet filled in.
package enum PathSegment: Sendable, Hashable {
  /// It may hold `${…}`, whose values are percent-encoded.
  case literal([Template.Piece])
  /// `:name` or `{name}`: one segment, percent-decoded.
  case parameter(String)
  /// A final `*`: the rest.
  case rest
}

/// Why a text is no path pattern.
package struct PathPatternError: Error {
  package let message: String
  package let hint: String?
}

extension Template {
  /// The template as a path pattern: a missing first slash is there, a last one is not.
  package func pathSegments() throws(PathPatternError) -> [PathSegment] {
    if case .text(let text) = pieces.first, text.utf8.contains(UInt8(ascii: ":")), text.contains("://") {
      throw PathPatternError(message: "'\(text)' is a URL, not a path below the base URL", hint: nil)
    }
    var raw: [[Piece]] = [[]]
    for piece in pieces {
      guard case .text(let text) = piece else {
        raw[raw.count - 1].append(piece)
        continue
      }
      let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 { raw.append([]) }
        if !part.isEmpty { raw[raw.count - 1].append(.text(String(part) ?? "")) }
      }
    }
    if raw.first?.isEmpty == true { raw.removeFirst() }
    if raw.last?.isEmpty == true { raw.removeLast() }
    var segments: [PathSegment] = []
    var names: Set<NameKey> = []
    for (index, pieces) in raw.enumerated() {
      let segment = try Self.segment(pieces, isLast: index == raw.count - 1)
      if case .parameter(let name) = segment, !names.insert(NameKey(name)).inserted {
        throw PathPatternError(message: "the path has two parameters named '\(name)'", hint: nil)
      }
      segments.append(segment)
    }
    return segments
  }

  private static func segment(_ pieces: [Piece], isLast: Bool) throws(PathPatternError) -> PathSegment {
    for case .text(let text) in pieces {
      let isWhole = pieces.count == 1
      if isWhole, text.isSame(as: "*") {
        if isLast { return .rest }
        throw PathPatternError(
          message: "'*' stands within the path, where it can only be its end", hint: "':name' stands for one segment")
      }
      if isWhole, let name = try parameter(text) { return .parameter(name) }
      for scalar in text.unicodeScalars {
        switch scalar {
        case "*":
          throw PathPatternError(
            message: "'*' is a part of a segment, where it can only be the whole last one", hint: nil)
        case "{", "}":
          throw PathPatternError(
            message: "'\(text)' is no segment of a path: a parameter '{name}' is a whole segment", hint: nil)
        case "?", "#":
          throw PathPatternError(
            message: "a path has no '\(scalar)'", hint: "write the query under 'params'")
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
          throw PathPatternError(message: "a path cannot hold a control character", hint: nil)
        default: continue
        }
      }
    }
    return .literal(pieces)
  }

  /// The name in `:name` or `{name}`; nil for a literal.
  private static func parameter(_ text: String) throws(PathPatternError) -> String? {
    var name = Substring(text)
    if text.utf8.first == UInt8(ascii: ":") {
      name = name.dropFirst()
    } else if text.utf8.first == UInt8(ascii: "{") {
      if text.contains("}"), text.utf8.last != UInt8(ascii: "}") { return nil }
      guard text.utf8.last == UInt8(ascii: "}") else {
        throw PathPatternError(
          message: "'\(text)' is not closed by '}'", hint: "write '\(text)}' or ':\(name.dropFirst())'")
      }
      name = name.dropFirst().dropLast()
    } else {
      return nil
    }
    if name.isEmpty {
      throw PathPatternError(message: "'\(text)' is a parameter without a name", hint: "write ':name'")
    }
    guard
      name.unicodeScalars.allSatisfy({
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
      })
    else {
      throw PathPatternError(
        message: "'\(name)' is no name of a parameter: letters, digits, '_' and '-' make one",
        hint: "a parameter is a whole segment")
    }
    return String(name)
  }
}
