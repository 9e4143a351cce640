/// An absolute `http` or `https` URL in its parts, each as written; the scheme and the host in lower case.
package struct WebURL: Sendable, Hashable {
  package var scheme: String
  /// In brackets when it is an IPv6 address.
  package var host: String
  /// Nil: the scheme's own.
  package var port: Int?
  /// Empty, or with a leading slash.
  package var path: String
  /// Behind the `?`; nil when there is none.
  package var query: String?

  /// Reads a URL.
  ///
  /// Other schemes, a user name or password, a host that is none, and control characters are errors. Spaces and other
  /// bytes that no URL may hold are percent-encoded; a fragment is left out, as it is never sent.
  package init(_ text: String) throws(FetchError) {
    let bytes = Array(text.utf8)
    guard !bytes.contains(where: ASCII.isControl) else {
      throw FetchError(.badURL, "the URL holds a control character", nothingSent: true)
    }
    guard let scheme = WebURL.scheme(of: bytes) else {
      throw FetchError(.badURL, "the URL has no scheme: it must begin with https:// or http://", nothingSent: true)
    }
    guard scheme == "http" || scheme == "https" else {
      throw FetchError(.badURL, "the scheme '\(scheme)' is refused: only https and http are fetched", nothingSent: true)
    }
    let rest = bytes.dropFirst(scheme.utf8.count + 1)
    guard rest.starts(with: [0x2F, 0x2F]) else {
      throw FetchError(.badURL, "the URL needs // behind '\(scheme):'", nothingSent: true)
    }
    let place = rest.dropFirst(2)
    let end = place.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? place.endIndex
    self.scheme = scheme
    (host, port) = try WebURL.authority(Array(place[..<end]))
    (path, query) = WebURL.pathAndQuery(place[end...])
  }

  /// The URL as text. An empty path stays empty.
  package var text: String { origin.text + path + (query.map { "?" + $0 } ?? "") }

  package var origin: Origin { Origin(scheme: scheme, host: host, port: port ?? (scheme == "https" ? 443 : 80)) }

  /// The lower-case scheme in front of the first `:`, if what stands there can be one.
  static func scheme(of bytes: [UInt8]) -> String? {
    guard let colon = bytes.firstIndex(of: 0x3A), let first = bytes.first, ASCII.isLetter(first) else { return nil }
    let name = bytes[..<colon]
    let isName = name.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
    return isName ? String(utf8: name.lowercased()) : nil
  }

  static func pathAndQuery(_ bytes: ArraySlice<UInt8>) -> (String, String?) {
    let whole = bytes.prefix { $0 != 0x23 }
    let path = whole.prefix { $0 != 0x3F }
    let query = path.count == whole.count ? nil : whole[(path.endIndex + 1)...]
    return (
      PercentEncoding.path(String(utf8: path)), query.map { PercentEncoding.wholeQuery(String(utf8: $0)) }
    )
  }

  private static func authority(_ bytes: [UInt8]) throws(FetchError) -> (String, Int?) {
    guard !bytes.contains(0x40) else {
      throw FetchError(
        .badURL, "the URL holds a user name or password: these belong under auth: {basic: …}", nothingSent: true)
    }
    var host = bytes[...]
    var port: Int?
    let bracket = bytes.lastIndex(of: 0x5D)
    if let colon = bytes.lastIndex(of: 0x3A), colon > (bracket ?? -1) {
      host = bytes[..<colon]
      let digits = bytes[(colon + 1)...]
      if !digits.isEmpty {
        guard let number = ASCII.number(digits), (1...65_535).contains(number) else {
          throw FetchError(.badURL, "the URL has a port that is not a number from 1 to 65535", nothingSent: true)
        }
        port = number
      }
    }
    guard isHost(host) else { throw FetchError(.badURL, "the URL has no valid host name", nothingSent: true) }
    return (String(utf8: host.lowercased()), port)
  }

  /// Percent-escapes are refused: libcurl would decode them, and then two readers see two hosts.
  private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.first == 0x5B {
      let address = bytes.dropFirst().dropLast()
      return bytes.last == 0x5D && !address.isEmpty
        && address.allSatisfy { ASCII.hexValue($0) != nil || $0 == 0x3A || $0 == 0x2E }
    }
    let isName = bytes.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F || $0 >= 0x80
    }
    return !bytes.isEmpty && isName
  }
}

/// Scheme, host and port: what a credential is bound to.
package struct Origin: Sendable, Hashable {
  package var scheme: String
  package var host: String
  package var port: Int

  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Without the port where it is the scheme's own.
  package var text: String {
    port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }

  /// By bytes: a host that differs in NFC and NFD is another host.
  package static func == (one: Origin, other: Origin) -> Bool {
    one.port == other.port && one.scheme.hasSameBytes(as: other.scheme) && one.host.hasSameBytes(as: other.host)
  }
}
