/// A challenge of digest authentication (RFC 7616) that can be answered.
struct DigestChallenge: Sendable {
  enum Sum: Int, Sendable {
    // In the order of their strength.
    case md5, sha256, sha512_256

    func hash(_ bytes: [UInt8]) -> String {
      switch self {
      case .md5: Hexadecimal.text(MD5.hash(bytes))
      case .sha256: Hexadecimal.text(SHA256.hash(bytes))
      case .sha512_256: Hexadecimal.text(SHA512_256.hash(bytes))
      }
    }

    func hash(_ text: String) -> String { hash(Array(text.utf8)) }
  }

  enum Protection: Sendable {
    /// `qop=auth`, and `qop=auth-int`, whose sum is over the body as well.
    case request, body
    /// As before there was a `qop`.
    case none
  }

  var realm: String
  var nonce: String
  var opaque: String?
  /// As the server writes it; nil when it does not.
  var algorithm: String?
  var sum: Sum
  /// The password's sum is made over the nonces, too.
  var isSession: Bool
  var protection: Protection
  /// The nonce of the request was too old, and nothing else was wrong.
  var isStale: Bool
  var hashesUsername: Bool
  var isUTF8: Bool

  /// The strongest of the challenges that can be answered.
  static func strongest(in headers: [HTTPHeader]) -> DigestChallenge? {
    let known = AuthenticateHeader.challenges(in: headers).compactMap(DigestChallenge.init)
    return known.max { $0.sum.rawValue < $1.sum.rawValue }
  }

  /// Nil for another scheme, an unknown sum or protection, and without a nonce or realm.
  init?(_ challenge: AuthenticateHeader.Challenge) {
    guard challenge.isOf("digest"), let realm = challenge.value("realm"), let nonce = challenge.value("nonce") else {
      return nil
    }
    algorithm = challenge.value("algorithm")
    var name = String(utf8: (algorithm ?? "md5").utf8.lowercased())
    isSession = name.hasSuffix("-sess")
    if isSession { name.removeLast(5) }
    switch name {
    case "md5": sum = .md5
    case "sha-256": sum = .sha256
    case "sha-512-256": sum = .sha512_256
    default: return nil
    }
    let offered = challenge.value("qop").map { $0.utf8.lowercased().split { " ,\t".utf8.contains($0) } }
    if let offered {
      if offered.contains(where: { $0.elementsEqual("auth".utf8) }) {
        protection = .request
      } else if offered.contains(where: { $0.elementsEqual("auth-int".utf8) }) {
        protection = .body
      } else {
        return nil
      }
    } else {
      protection = .none
    }
    (self.realm, self.nonce, opaque) = (realm, nonce, challenge.value("opaque"))
    isStale = challenge.isTrue("stale")
    hashesUsername = challenge.isTrue("userhash")
    isUTF8 = challenge.value("charset").map { $0.utf8.lowercased() == Array("utf-8".utf8) } ?? false
  }

  /// The value of `Authorization` for one request, the `count`-th under this nonce.
  func answer(
    username: String, password: String, request: HTTPRequest, target: String, clientNonce: String, count: UInt32
  ) -> String {
    var first = sum.hash("\(username):\(realm):\(password)")
    if isSession { first = sum.hash("\(first):\(nonce):\(clientNonce)") }
    let second: String
    let middle: String
    switch protection {
    case .none: (second, middle) = ("\(request.method):\(target)", "")
    case .request: (second, middle) = ("\(request.method):\(target)", "\(counted(count)):\(clientNonce):auth:")
    case .body:
      second = "\(request.method):\(target):\(sum.hash(request.body ?? []))"
      middle = "\(counted(count)):\(clientNonce):auth-int:"
    }
    var parts = [
      name(username), "realm=\"\(realm)\"", "nonce=\"\(nonce)\"", "uri=\"\(target)\"",
      "response=\"\(sum.hash("\(first):\(nonce):\(middle)\(sum.hash(second))"))\"",
    ]
    if let algorithm { parts.append("algorithm=\(algorithm)") }
    if let opaque { parts.append("opaque=\"\(opaque)\"") }
    if protection != .none {
      parts.append("qop=\(protection == .body ? "auth-int" : "auth")")
      parts.append("nc=\(counted(count))")
    }
    if protection != .none || isSession { parts.append("cnonce=\"\(clientNonce)\"") }
    if hashesUsername { parts.append("userhash=true") }
    return "Digest " + parts.joined(separator: ", ")
  }

  private func name(_ username: String) -> String {
    if hashesUsername { return "username=\"\(sum.hash("\(username):\(realm)"))\"" }
    if isUTF8, username.utf8.contains(where: { $0 >= 0x80 }) {
      return "username*=UTF-8''\(PercentEncoding.query(username))"
    }
    let escaped = username.utf8.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
    return "username=\"\(String(utf8: escaped))\""
  }

  private func counted(_ count: UInt32) -> String {
    Hexadecimal.text(stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) })
  }
}

extension AuthenticateHeader.Challenge {
  fileprivate func isTrue(_ name: String) -> Bool {
    value(name).map { $0.utf8.lowercased() == Array("true".utf8) } ?? false
  }
}
