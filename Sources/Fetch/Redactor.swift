/// Takes secrets out of texts: raw, percent-encoded, form-encoded, escaped as in JSON, and in base64.
///
/// Secrets shorter than four characters are left alone, since half of every text would go with them; the caller warns
/// of these by name. A text that holds no secret is returned as it is.
package struct Redactor: Sendable {
  package static let mark = "***"
  /// Shorter secrets are not looked for.
  package static let shortest = 4

  private let secrets: [SecretPattern]
  /// Bytes that the longest secret takes at most, in whatever form it stands: escaped as in JSON, each takes six.
  package let longestMatch: Int

  package init(secrets: [String] = []) {
    var distinct: [[UInt8]] = []
    for secret in secrets where !Redactor.isTooShort(secret) {
      let bytes = Array(secret.utf8)
      if !distinct.contains(bytes) { distinct.append(bytes) }
    }
    longestMatch = (distinct.map(\.count).max() ?? 0) * 6
    // A secret that begins with another one is found whole.
    self.secrets = distinct.sorted { $0.count > $1.count }.map(SecretPattern.init)
  }

  /// Is this secret left alone in running text?
  package static func isTooShort(_ secret: String) -> Bool { secret.unicodeScalars.count < shortest }

  package func contains(_ text: String) -> Bool { !found(in: Array(text.utf8)).isEmpty }

  package func contains(_ bytes: [UInt8]) -> Bool { !found(in: bytes).isEmpty }

  package func redact(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let found = found(in: bytes)
    return found.isEmpty ? text : String(utf8: Redactor.cut(found, from: bytes))
  }

  package func redact(_ bytes: [UInt8]) -> [UInt8] {
    let found = found(in: bytes)
    return found.isEmpty ? bytes : Redactor.cut(found, from: bytes)
  }

  /// The first bytes of a text: cut behind so many, before a character that would be cut, behind a secret.
  ///
  /// The text goes on by `longestMatch` bytes at least, as far as it does: a secret that is cut is not found.
  package func redact(_ bytes: [UInt8], upTo limit: Int) -> [UInt8] {
    guard bytes.count > limit else { return redact(bytes) }
    let found = found(in: bytes).filter { $0.lowerBound < limit }
    var end = limit
    while end > max(0, limit - 3), bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Redactor.cut(found, from: Array(bytes[..<max(end, found.last?.upperBound ?? 0)]))
  }

  /// The URL for messages and tables: credential parameters are masked by their names, the rest by value.
  ///
  /// A user name and password in the URL go too, also from a text that is no valid URL.
  package func redacted(url: String, credentialParams: [String] = []) -> String {
    let bytes = Array(url.utf8)
    let front = bytes.prefix { $0 != 0x3F }
    var text = Redactor.withoutUserInfo(Array(front))
    if front.count < bytes.count {
      let pairs = bytes[(front.count + 1)...].split(separator: 0x26, omittingEmptySubsequences: false).map { pair in
        let isCredential = QueryParameter(text: String(utf8: pair)).isNamed(in: credentialParams)
        return isCredential ? pair.prefix { $0 != 0x3D } + Array("=\(Redactor.mark)".utf8) : Array(pair)
      }
      text += [0x3F] + pairs.joined(separator: [0x26])
    }
    return redact(String(utf8: text))
  }

  private static func withoutUserInfo(_ front: [UInt8]) -> [UInt8] {
    guard let colon = front.firstIndex(of: 0x3A), front[(colon + 1)...].starts(with: [0x2F, 0x2F]) else { return front }
    let start = colon + 3
    let end = front[start...].firstIndex(of: 0x2F) ?? front.endIndex
    guard let at = front[start..<end].lastIndex(of: 0x40) else { return front }
    return front[..<start] + Array(mark.utf8) + front[at...]
  }

  /// Where secrets stand, in order and without overlap.
  private func found(in text: [UInt8]) -> [Range<Int>] {
    guard !secrets.isEmpty else { return [] }
    let ranges = secrets.flatMap { $0.occurrences(in: text) }.sorted { $0.lowerBound < $1.lowerBound }
    var merged: [Range<Int>] = []
    for range in ranges {
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  private static func cut(_ ranges: [Range<Int>], from text: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(text.count)
    var end = 0
    for range in ranges {
      out += text[end..<range.lowerBound]
      out += mark.utf8
      end = range.upperBound
    }
    return out + text[end...]
  }
}
