/// `Link` headers (RFC 8288).
package enum LinkHeader {
  /// The targets of all links with this relation, as written, in order. `lines` are the values of all `Link` headers.
  ///
  /// A link with an `anchor` speaks of another resource than the one that was asked for, and is passed over. Throws when a
  /// line cannot be read: a link that is not understood might be the one that is looked for.
  package static func targets(of relation: String, in lines: [String]) throws(FetchError) -> [String] {
    var targets: [String] = []
    for line in lines {
      var reader = LinkReader(bytes: Array(line.utf8))
      while let link = try reader.next() {
        if !link.hasAnchor && link.isRelated(by: relation) { targets.append(link.target) }
      }
    }
    return targets
  }
}

private struct Link {
  var target: String
  /// Of the first `rel`; others do not count.
  var relations: String?
  var hasAnchor = false

  func isRelated(by relation: String) -> Bool {
    let names = (relations ?? "").utf8.split { ASCII.isBlank($0) }
    return names.contains { $0.lowercased().elementsEqual(relation.utf8.lowercased()) }
  }
}

private struct LinkReader {
  let bytes: [UInt8]
  private var at = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  /// Nil at the end of the line.
  mutating func next() throws(FetchError) -> Link? {
    skip { ASCII.isBlank($0) || $0 == 0x2C }
    guard let first = byte else { return nil }
    guard first == 0x3C, let end = bytes[at...].firstIndex(of: 0x3E) else {
      throw LinkReader.broken("a link begins with a URL in <…>")
    }
    var link = Link(target: String(utf8: bytes[(at + 1)..<end]))
    at = end + 1
    // Ends: each turn takes a semicolon.
    while true {
      skip(ASCII.isBlank)
      guard let byte, byte != 0x2C else { return link }
      guard byte == 0x3B else { throw LinkReader.broken("a semicolon or a comma must follow each part of a link") }
      at += 1
      try parameter(of: &link)
    }
  }

  private mutating func parameter(of link: inout Link) throws(FetchError) {
    skip(ASCII.isBlank)
    let name = take { !ASCII.isBlank($0) && $0 != 0x3D && $0 != 0x3B && $0 != 0x2C }
    skip(ASCII.isBlank)
    var value: [UInt8] = []
    if byte == 0x3D {
      at += 1
      skip(ASCII.isBlank)
      value = byte == 0x22 ? try quoted() : Array(ASCII.trimmed(take { $0 != 0x3B && $0 != 0x2C }))
    }
    switch String(utf8: name.lowercased()) {
    case "rel": if link.relations == nil { link.relations = String(utf8: value) }
    case "anchor": link.hasAnchor = true
    default: break
    }
  }

  private mutating func quoted() throws(FetchError) -> [UInt8] {
    var value: [UInt8] = []
    at += 1
    while let byte {
      at += 1
      if byte == 0x22 { return value }
      if byte == 0x5C, let escaped = self.byte {
        value.append(escaped)
        at += 1
      } else {
        value.append(byte)
      }
    }
    throw LinkReader.broken("a quotation mark is not closed")
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) { _ = take(isSkipped) }

  private mutating func take(_ isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = at
    while let byte, isTaken(byte) { at += 1 }
    return bytes[start..<at]
  }

  private static func broken(_ sentence: String) -> FetchError {
    FetchError(.badHeader, "the Link header cannot be read: \(sentence)")
  }
}
