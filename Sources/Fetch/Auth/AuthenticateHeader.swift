/// What a `WWW-Authenticate` asks for: one or more challenges, in one header or in several (RFC 9110, section 11.6.1).
struct AuthenticateHeader {
  struct Challenge {
    /// As written.
    var scheme: String
    /// In the order written, names in lower case. A quoted value is without its quotes, its escapes as they are.
    var parameters: [(name: String, value: String)] = []

    func isOf(_ name: String) -> Bool { scheme.utf8.lowercased() == Array(name.utf8) }
    func value(_ name: String) -> String? { parameters.first { $0.name.hasSameBytes(as: name) }?.value }
  }

  private let bytes: [UInt8]
  private var index = 0
  private var challenges: [Challenge] = []

  static func challenges(in headers: [HTTPHeader]) -> [Challenge] {
    headers.filter { $0.isNamed("WWW-Authenticate") }.flatMap { header -> [Challenge] in
      var reader = AuthenticateHeader(header.value)
      return reader.read()
    }
  }

  /// The parameters of a header that has no scheme, such as `Authentication-Info`.
  static func parameters(of text: String) -> [(name: String, value: String)] {
    var reader = AuthenticateHeader(text)
    reader.challenges = [Challenge(scheme: "")]
    return reader.read().first?.parameters ?? []
  }

  private init(_ text: String) { bytes = Array(text.utf8) }

  private mutating func read() -> [Challenge] {
    // Ends: each turn takes a byte at least.
    while index < bytes.count {
      skip { ASCII.isBlank($0) || $0 == 0x2C }
      let word = take(AuthenticateHeader.isToken)
      guard !word.isEmpty else {
        index += 1
        continue
      }
      let end = index
      skip(ASCII.isBlank)
      if index < bytes.count, bytes[index] == 0x3D, !challenges.isEmpty {
        index += 1
        skip(ASCII.isBlank)
        challenges[challenges.count - 1].parameters.append((String(utf8: word.lowercased()), value()))
      } else {
        challenges.append(Challenge(scheme: String(utf8: word)))
        if index > end { skipBareCredentials() }
      }
    }
    return challenges
  }

  /// A scheme may be followed by one run of base64 in place of parameters.
  private mutating func skipBareCredentials() {
    let start = index
    skip { AuthenticateHeader.isToken($0) || $0 == 0x2F }
    let padding = index
    skip { $0 == 0x3D }
    let isAlone = index == bytes.count || bytes[index] == 0x2C
    if !isAlone || padding == start { index = start }
  }

  private mutating func value() -> String {
    guard index < bytes.count, bytes[index] == 0x22 else {
      return String(utf8: take { !ASCII.isBlank($0) && $0 != 0x2C })
    }
    let start = index + 1
    index = start
    while index < bytes.count, bytes[index] != 0x22 { index += bytes[index] == 0x5C ? 2 : 1 }
    let end = min(index, bytes.count)
    index = min(end + 1, bytes.count)
    return String(utf8: bytes[start..<end])
  }

  private mutating func take(_ isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = index
    skip(isWanted)
    return bytes[start..<index]
  }

  private mutating func skip(_ isWanted: (UInt8) -> Bool) {
    while index < bytes.count, isWanted(bytes[index]) { index += 1 }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
