/// Proves anew with each request who asks, by a sum over it that needs a secret.
package protocol RequestSigner: Sendable {
  /// The headers that a request to this URL gets on top of its own; none while there is nothing to prove it with.
  func headers(for request: HTTPRequest, at url: WebURL) -> [HTTPHeader]
}

extension HTTPRequest {
  /// As it goes out to this URL: with what its signer adds. Another URL, as of a redirect, is signed anew.
  func signed(at url: WebURL) -> HTTPRequest {
    guard let signer else { return self }
    var request = self
    request.headers += signer.headers(for: self, at: url)
    return request
  }

  /// All of it as method, URL, headers and body: what a client needs that knows no signer and no user of its own.
  package func plain() throws(FetchError) -> HTTPRequest {
    try RequestCheck.check(self)
    var request = signed(at: try WebURL(url))
    if signer != nil { try RequestCheck.check(request) }
    if let basic {
      let login = String(utf8: Base64.encode(Array("\(basic.username):\(basic.password)".utf8)))
      request.headers.append(HTTPHeader("Authorization", "Basic \(login)", isCredential: true))
    }
    if !request.headers.contains(where: { $0.isNamed(HTTPHeader.accept.name) }) { request.headers.append(.accept) }
    (request.basic, request.signer) = (nil, nil)
    return request
  }

  /// Takes off all credentials, those of the URL, too: what is left may go to any origin.
  ///
  /// The body stays: whether it may go is for the caller to see to (`bodyIsCredential`).
  package mutating func dropCredentials() throws(FetchError) {
    removeCredentials()
    if !credentialParams.isEmpty { url = try WebURL(url).removingParameters(named: credentialParams).text }
  }
}

extension HTTPHeader {
  /// Does it prove who asks?
  var holdsCredential: Bool {
    isCredential || ["authorization", "proxy-authorization", "cookie"].contains(where: isNamed)
  }
}

extension WebURL {
  /// What stands in the line of the request: the path, and the query if there is one.
  var target: String { (path.isEmpty ? "/" : path) + (query.map { "?" + $0 } ?? "") }
}

/// Sums as they are written.
enum Hexadecimal {
  static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(utf8: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
