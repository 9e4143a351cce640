/// One secret in all the forms in which a text may hold it.
struct SecretPattern: Sendable {
  /// Characters of base64 that only this secret's bytes decide, and whether its neighbours share one on either side.
  private struct Encoded {
    var bytes: [UInt8]
    var sharesFirst: Bool
    var sharesLast: Bool
  }

  private let secret: [UInt8]
  private let encoded: [Encoded]
  /// Can a match begin with this byte?
  private let canBegin: [Bool]

  init(_ secret: [UInt8]) {
    self.secret = secret
    encoded = (0..<3).flatMap { SecretPattern.encoded(secret, behind: $0) }
    var canBegin = [Bool](repeating: false, count: 256)
    // As itself, as %XX, as a backslash escape, as + for a space.
    for byte in [secret[0], 0x25, 0x5C] { canBegin[Int(byte)] = true }
    if secret[0] == 0x20 { canBegin[0x2B] = true }
    for form in encoded { canBegin[Int(form.bytes[0])] = true }
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

  private func match(in text: [UInt8], at start: Int) -> Range<Int>? {
    if text[start...].starts(with: secret) { return start..<start + secret.count }
    if let end = escapedMatch(in: text, at: start) { return start..<end }
    for form in encoded where text[start...].starts(with: form.bytes) {
      var (lower, upper) = (start, start + form.bytes.count)
      if form.sharesFirst, lower > 0, Base64.isDigit(text[lower - 1]) { lower -= 1 }
      if form.sharesLast, upper < text.count, Base64.isDigit(text[upper]) { upper += 1 }
      return lower..<upper
    }
    return nil
  }

  /// The escapes that a text may have been through. Where a secret itself holds a `%` or a backslash, reading one as an
  /// escape leads astray, so each is tried alone as well.
  private static let escapes: [(percent: Bool, json: Bool)] = [(true, true), (true, false), (false, true)]

  private func escapedMatch(in text: [UInt8], at start: Int) -> Int? {
    SecretPattern.escapes.lazy.compactMap { escapedMatch(in: text, at: start, percent: $0.percent, json: $0.json) }
      .first
  }

  /// Reads the text unit by unit, each a byte or an escape, as long as they agree with the secret.
  private func escapedMatch(in text: [UInt8], at start: Int, percent: Bool, json: Bool) -> Int? {
    var (place, index) = (0, start)
    while place < secret.count {
      guard index < text.count else { return nil }
      var (bytes, length) = ([text[index]], 1)
      if percent, let decoded = PercentEncoding.escape(in: text, at: index) {
        (bytes, length) = ([decoded], 3)
      } else if percent, text[index] == 0x2B, secret[place] == 0x20 {
        bytes = [0x20]
      } else if json, text[index] == 0x5C, let escape = JSONEscape.read(text, at: index) {
        (bytes, length) = escape
      }
      guard secret[place...].starts(with: bytes) else { return nil }
      place += bytes.count
      index += length
    }
    return index
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

/// The escapes of a JSON string.
enum JSONEscape {
  /// The UTF-8 behind the escape that begins at this backslash, and how long the escape is.
  static func read(_ text: [UInt8], at index: Int) -> ([UInt8], Int)? {
    guard index + 1 < text.count else { return nil }
    switch text[index + 1] {
    case 0x22, 0x2F, 0x5C: return ([text[index + 1]], 2)
    case 0x62: return ([0x08], 2)
    case 0x66: return ([0x0C], 2)
    case 0x6E: return ([0x0A], 2)
    case 0x72: return ([0x0D], 2)
    case 0x74: return ([0x09], 2)
    case 0x75: return scalar(text, at: index)
    default: return nil
    }
  }

  private static func scalar(_ text: [UInt8], at index: Int) -> ([UInt8], Int)? {
    guard let first = unit(text, at: index) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (Array(String(Character(scalar)).utf8), 6) }
    guard first < 0xDC00, let second = unit(text, at: index + 6), (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return nil }
    return (Array(String(Character(scalar)).utf8), 12)
  }

  private static func unit(_ text: [UInt8], at index: Int) -> UInt32? {
    guard index + 5 < text.count, text[index] == 0x5C, text[index + 1] == 0x75 else { return nil }
    var value: UInt32 = 0
    for byte in text[(index + 2)...(index + 5)] {
      guard let digit = ASCII.hexValue(byte) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
