import Synchronization

/// Takes secrets out of texts: raw, percent-encoded, form-encoded, escaped as in JSON and in HTML, each also several
/// times over, in hexadecimal digits, and in base64.
///
/// Copies share what they know: a secret that one of them learns is found by all.
///
/// Secrets shorter than four characters are left alone, since half of every text would go with them; the caller warns
/// of these by name. A text that holds no secret is returned as it is.
package struct Redactor: Sendable {
  package static let mark = "***"
  /// Shorter secrets are not looked for.
  package static let shortest = 4

  private let known: KnownSecrets

  package init(secrets: [String] = []) {
    known = KnownSecrets(secrets)
  }

  /// Bytes that the longest secret takes at most, in whatever form it stands: percent-encoded three times over, with no
  /// character spared, each takes 27.
  package var longestMatch: Int { (known.patterns.first?.length ?? 0) * 27 }

  /// Adds a secret that came up during the run, such as a token.
  package func learn(_ secret: String) { known.learn(secret) }

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
  package func redact(_ bytes: [UInt8], upTo limit: Int) -> [UInt8] { redactPrefix(of: bytes, upTo: limit).text }

  /// The same, and how many bytes of the text it stands for.
  func redactPrefix(of bytes: [UInt8], upTo limit: Int) -> (text: [UInt8], length: Int) {
    guard bytes.count > limit else { return (redact(bytes), bytes.count) }
    let found = found(in: bytes).filter { $0.lowerBound < limit }
    var end = limit
    while end > max(0, limit - 3), bytes[end] & 0xC0 == 0x80 { end -= 1 }
    end = max(end, found.last?.upperBound ?? 0)
    return (Redactor.cut(found, from: Array(bytes[..<end])), end)
  }

  /// There is nothing to look for.
  package var isEmpty: Bool { known.patterns.isEmpty }

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
    let patterns = known.patterns
    guard !patterns.isEmpty else { return [] }
    let ranges = patterns.flatMap { $0.occurrences(in: text) }.sorted { $0.lowerBound < $1.lowerBound }
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

/// Secrets that all copies of a redactor look for.
private final class KnownSecrets: Sendable {
  /// Of secrets that came up during a run, as many of the last are kept: a token that was replaced so often is long gone.
  private static let learnedLimit = 64

  private struct State {
    var given: [SecretPattern] = []
    var learned: [SecretPattern] = []
    var inOrder: [SecretPattern] = []
  }

  private let state = Mutex(State())

  init(_ secrets: [String]) {
    for secret in secrets { add(secret, to: \.given) }
  }

  /// The longest first: a secret that begins with another one is found whole.
  var patterns: [SecretPattern] { state.withLock { $0.inOrder } }

  func learn(_ secret: String) { add(secret, to: \.learned) }

  private func add(_ secret: String, to list: WritableKeyPath<State, [SecretPattern]>) {
    guard !Redactor.isTooShort(secret) else { return }
    let bytes = Array(secret.utf8)
    state.withLock { state in
      guard !state.inOrder.contains(where: { $0.isOf(bytes) }) else { return }
      state[keyPath: list].append(SecretPattern(bytes))
      if state.learned.count > KnownSecrets.learnedLimit { state.learned.removeFirst() }
      state.inOrder = (state.given + state.learned).sorted { $0.length > $1.length }
    }
  }
}
