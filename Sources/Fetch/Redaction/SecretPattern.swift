#if FAULTS
  import Faults
#endif

/// One secret in all the forms in which a text may hold it.
struct SecretPattern: Sendable {
  /// Characters of base64 that only this secret's bytes decide, and whether its neighbours share one on either side.
  private struct Encoded {
    var bytes: [UInt8]
    var sharesFirst: Bool
    var sharesLast: Bool
  }

  /// How escapes are read, and how often one within the other.
  private typealias Reading = (kinds: EscapedText.Kinds, depth: Int)

  private let secret: [UInt8]
  private let encoded: [Encoded]
  /// Two digits for each byte, in small letters.
  private let hex: [UInt8]
  private let readings: [Reading]
  /// Can a match begin with this byte?
  private let canBegin: [Bool]

  init(_ secret: [UInt8]) {
    self.secret = secret
    encoded = (0..<3).flatMap { SecretPattern.encoded(secret, behind: $0) }
    var canBegin = [Bool](repeating: false, count: 256)
    let digits = Array("0123456789abcdef".utf8)
    hex = secret.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    readings = SecretPattern.readings(of: secret)
    // As itself, as %XX, as a backslash escape, as an entity of HTML, as + for a space.
    for byte in [secret[0], 0x25, 0x5C, 0x26] { canBegin[Int(byte)] = true }
    if secret[0] == 0x20 { canBegin[0x2B] = true }
    for form in encoded { canBegin[Int(form.bytes[0])] = true }
    // A letter, large and small; of a digit the other is a control character.
    for byte in [hex[0], hex[0] & 0xDF] { canBegin[Int(byte)] = true }
    self.canBegin = canBegin
  }

  var length: Int { secret.count }

  func isOf(_ other: [UInt8]) -> Bool { secret == other }

  func occurrences(in text: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = 0
    while index < text.count {
      guard canBegin[Int(text[index])], let range = match(in: text, at: index) else {
        index += 1
        continue
      }
      found.append(range)
      index = range.upperBound
    }
    return found
  }

  /// Where a secret itself holds what could begin an escape, reading one leads astray: so it is read in all ways.
  private static func readings(of secret: [UInt8]) -> [Reading] {
    guard secret.contains(where: EscapedText.canBeginEscape) else { return [(.all, deepest)] }
    let kinds: [EscapedText.Kinds] = [.all, .percent, .json, .html, [.percent, .json], [.percent, .html]]
    return kinds.flatMap { kinds in (1...deepest).map { (kinds, $0) } }
  }

  /// As for percent-encoding done three times, in JSON within JSON.
  private static let deepest = 5

  private func match(in text: [UInt8], at start: Int) -> Range<Int>? {
    if text[start...].starts(with: secret) { return start..<start + secret.count }
    #if FAULTS
      if Fault.redaction.isOn { return nil }
    #endif
    if let end = escapedEnd(of: secret, in: text, at: start) { return start..<end }
    if isHex(text, at: start) { return start..<start + hex.count }
    for form in encoded {
      guard let end = end(of: form.bytes, in: text, at: start) else { continue }
      var (lower, upper) = (start, end)
      if form.sharesFirst, lower > 0, Base64.isDigit(text[lower - 1]) { lower -= 1 }
      if form.sharesLast, upper < text.count, Base64.isDigit(text[upper]) { upper += 1 }
      return lower..<upper
    }
    return nil
  }

  private func escapedEnd(of wanted: [UInt8], in text: [UInt8], at start: Int) -> Int? {
    guard text[start] == wanted[0] || EscapedText.canBeginEscape(text[start]) || text[start] == 0x2B else { return nil }
    for reading in readings {
      let escaped = EscapedText(text: text, kinds: reading.kinds)
      if let end = escaped.end(of: wanted, at: start, depth: reading.depth) { return end }
    }
    return nil
  }

  /// Of base64, which may be escaped, its `+` and `/` above all.
  private func end(of form: [UInt8], in text: [UInt8], at start: Int) -> Int? {
    if text[start...].starts(with: form) { return start + form.count }
    guard text[start] == form[0] || EscapedText.canBeginEscape(text[start]) else { return nil }
    return EscapedText(text: text, kinds: .all).end(of: form, at: start, depth: Self.deepest)
  }

  private func isHex(_ text: [UInt8], at start: Int) -> Bool {
    guard start + hex.count <= text.count else { return false }
    for (offset, digit) in hex.enumerated() {
      let byte = text[start + offset]
      guard byte == digit || digit > 0x39 && byte == digit & 0xDF else { return false }
    }
    return true
  }

  /// The secret in base64, standing behind that many bytes of a group of three; in both alphabets.
  private static func encoded(_ secret: [UInt8], behind offset: Int) -> [Encoded] {
    let whole = Base64.encode([UInt8](repeating: 0, count: offset) + secret)
    let bits = (offset + secret.count) * 8
    // The first character that is made of the secret's bits alone, and the end of these.
    let first = (offset * 8 + 5) / 6
    let last = bits / 6
    guard last > first else { return [] }
    let plain = Array(whole[first..<last])
    let forURLs = plain.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
    let forms = plain == forURLs ? [plain] : [plain, forURLs]
    return forms.map { Encoded(bytes: $0, sharesFirst: offset > 0, sharesLast: bits % 6 != 0) }
  }
}
