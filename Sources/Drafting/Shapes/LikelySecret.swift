import MappingLanguage

/// Tells credentials in descriptions and recordings: by the name that they have, or by how they look.
///
/// A draft holds none of them: where a mapping needs one, it has `${secret.NAME}`.
enum LikelySecret {
  private static let words = [
    "token", "key", "secret", "password", "session", "signature", "sig", "auth", "authorization", "cookie", "csrf",
    "pass", "passwd", "pwd", "passphrase", "credential", "credentials", "bearer", "jwt", "otp", "pin",
  ]

  /// Does a header, parameter or property of this name hold one?
  static func isNamed(_ name: String) -> Bool {
    if SecretName.isHeader(name) { return true }
    let name = Names.snake(name)
    return words.contains { name == $0 || name.hasSuffix("_" + $0) || name.hasPrefix($0 + "_") }
  }

  /// Beginnings that issuers give to their tokens, so that they can be found.
  private static let beginnings = [
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxa-", "xoxb-", "xoxp-", "xoxs-", "sk_live_",
    "sk_test_", "pk_live_", "pk_test_", "rk_live_", "rk_test_", "whsec_", "AKIA", "ASIA", "AIza", "ya29.", "shpat_",
    "sk-", "SG.", "npm_", "pypi-", "dop_v1_", "hf_", "ntn_", "secret_", "EAAC",
  ]

  /// A token by its looks, whatever it is called: what issuers mark as theirs, a JWT, or a long text of letters and
  /// digits by chance. Words, numbers, dates, UUIDs and ids in hexadecimal are none.
  static func isOne(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 16, bytes.allSatisfy(isOfToken) else { return false }
    // `key=AKIA…`, and a URL that ends so.
    let pieces = text.split(whereSeparator: { "=:/".contains($0) })
    if pieces.count > 1, pieces.contains(where: { isOne(String($0)) }) { return true }
    if beginnings.contains(where: text.hasPrefix), bytes.count >= 20 { return true }
    if text.hasPrefix("eyJ"), bytes.count >= 24, bytes.count(where: { $0 == UInt8(ascii: ".") }) <= 4,
      bytes.contains(UInt8(ascii: ".")) || bytes.count >= 40
    {
      return true
    }
    return bytes.split(whereSeparator: { kind(of: $0) == .other }).contains(where: isByChance)
  }

  /// At least 20 letters and digits in which kinds of characters change as often as by chance; a capital behind which
  /// small letters come begins a word, and is no such change. In hexadecimal, the length of a sum.
  private static func isByChance(_ piece: ArraySlice<UInt8>) -> Bool {
    let kinds = piece.map(kind)
    guard piece.count >= 20, kinds.contains(.digit), kinds.contains(where: { $0 != .digit }) else { return false }
    if piece.allSatisfy({ kind(of: $0) == .digit || ("a"..."f").contains(Unicode.Scalar($0 | 0x20)) }) {
      return piece.count >= 32
    }
    let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 && !($0 == .capital && $1 == .small) }
    return changes * 4 >= piece.count
  }

  private enum Kind { case small, capital, digit, other }

  private static func kind(of byte: UInt8) -> Kind {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): .small
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    default: .other
    }
  }

  private static func isOfToken(_ byte: UInt8) -> Bool { kind(of: byte) != .other || "-_.~+/=:".utf8.contains(byte) }

  /// A segment of a path that holds one: by its looks, or since it stands behind a word such as `token`.
  static func isSegment(_ segment: String, after before: String) -> Bool {
    if isOne(segment) { return true }
    guard isNamed(before) else { return false }
    // `/auth/login`, `/auth/accessToken`, `/session/v1`: words and versions, not values.
    let isWord =
      segment.utf8.count <= 24
      && segment.utf8.allSatisfy { byte in
        kind(of: byte) == .small || "-_".utf8.contains(byte) || kind(of: byte) == .capital && isNamed(segment)
      }
    let isVersion = segment.utf8.count <= 4 && segment.lowercased().hasPrefix("v")
    return !isWord && !isVersion && !segment.hasPrefix("{") && !segment.contains("${")
  }

  /// Is the value of this name one? A plain word or a short number is none where the name only may say so (`sort_key`).
  static func holds(_ name: String, _ value: String) -> Bool {
    guard !value.isEmpty, !value.contains("${") else { return false }
    if SecretName.isHeader(name) || words.contains(Names.snake(name)) || isOne(value) { return true }
    return isNamed(name) && !isPlain(value)
  }

  private static func isPlain(_ value: String) -> Bool {
    let isWord = value.utf8.allSatisfy { kind(of: $0) == .small || "-_".utf8.contains($0) } && value.utf8.count <= 24
    let isNumber = value.utf8.allSatisfy { kind(of: $0) == .digit } && value.utf8.count <= 6
    return isWord || isNumber
  }

  /// A secret in place of a segment of a path.
  static func segment(_ prefix: String, after before: String, _ names: inout NameSet) -> String {
    let word = isNamed(before) ? Names.snake(before) : "token"
    return reference(prefix, names.add(word, orElse: "token"))
  }

  // MARK: what stands in its place

  /// What stands for one, for people.
  static let mark = "(left out)"

  /// Text for people, without what looks like one.
  static func masked(_ text: String) -> String {
    guard text.utf8.count >= 16 else { return text }
    var result = ""
    var word = ""
    func flush() {
      result += isOne(trimmed(word)) ? word.replacing(trimmed(word), with: mark) : word
      word = ""
    }
    for character in text {
      if character.utf8.count == 1, character.utf8.allSatisfy(isOfToken) {
        word.append(character)
      } else {
        flush()
        result.append(character)
      }
    }
    flush()
    return maskedUserInfo(result)
  }

  /// A path for people, without segments that hold one.
  static func maskedPath(_ path: String) -> String {
    var before = ""
    return path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      defer { before = String(segment) }
      return isSegment(String(segment), after: before) ? mark : String(segment)
    }.joined(separator: "/")
  }

  /// A full stop behind it is none of it.
  private static func trimmed(_ word: String) -> String {
    var word = word[...]
    while let last = word.last, ".:/".contains(last) { word.removeLast() }
    while let first = word.first, ".:/=".contains(first) { word.removeFirst() }
    return String(word)
  }

  /// `https://name:password@host` without what stands before the host.
  static func maskedUserInfo(_ text: String) -> String {
    var (result, rest) = ("", text[...])
    while let start = rest.firstRange(of: "//")?.upperBound {
      let place = rest[start...].prefix { !"/?# ".contains($0) }
      result += rest[..<start]
      rest = place.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest[start...]
    }
    return result + rest
  }

  /// `${secret.SHOP_TOKEN}`
  static func reference(_ prefix: String, _ name: String) -> String {
    let letters = { (text: String) in
      String(
        text.unicodeScalars.filter {
          $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_")
        })
    }
    let whole = letters(prefix.uppercased()) + "_" + letters(Names.snake(name).uppercased())
    return "${secret.\(whole.hasSuffix("_") ? whole + "VALUE" : whole)}"
  }
}
