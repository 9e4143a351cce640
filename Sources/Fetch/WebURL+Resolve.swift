extension WebURL {
  /// What a `Location`, a `Link` or a next URL in a body means, seen from this URL (RFC 3986, section 5.2).
  ///
  /// A reference with a query or an absolute path keeps its bytes. Another scheme than `http` and `https`, a user name
  /// in it, and control characters are errors; whether another origin is allowed is for the caller to say.
  package func resolve(_ reference: String) throws(FetchError) -> WebURL {
    let bytes = Array(reference.utf8)
    guard !bytes.contains(where: ASCII.isControl) else {
      throw FetchError(.badURL, "the URL holds a control character", nothingSent: true)
    }
    let trimmed = ASCII.trimmed(bytes[...])
    if WebURL.scheme(of: Array(trimmed)) != nil {
      var target = try WebURL(String(utf8: trimmed))
      target.path = WebURL.withoutDots(target.path)
      return target
    }
    if trimmed.starts(with: [0x2F, 0x2F]) {
      return try resolve(scheme + ":" + String(utf8: trimmed))
    }
    var target = self
    let (path, query) = WebURL.pathAndQuery(trimmed)
    if path.isEmpty {
      target.query = query ?? target.query
      return target
    }
    target.query = query
    target.path = WebURL.withoutDots(path.utf8.first == 0x2F ? path : merged(path))
    return target
  }

  /// The reference behind the last slash of this URL's path.
  private func merged(_ reference: String) -> String {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "/" + reference }
    return String(path[...slash]) + reference
  }

  /// Takes the segments `.` and `..` out of a path (RFC 3986, section 5.2.4). Encoded ones stay.
  private static func withoutDots(_ path: String) -> String {
    let segments = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).map { Array($0) }
    guard segments.contains([0x2E]) || segments.contains([0x2E, 0x2E]) else { return path }
    var kept: [[UInt8]] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case [0x2E]:
        if isLast { kept.append([]) }
      case [0x2E, 0x2E]:
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append([]) }
      default: kept.append(segment)
      }
    }
    let joined = Array(kept.joined(separator: [0x2F]))
    return joined.first == 0x2F ? String(utf8: joined) : "/" + String(utf8: joined)
  }
}
