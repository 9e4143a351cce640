/// Names that say that their value is a credential.
package enum SecretName {
  private static let parameters: Set<String> = [
    "apikey", "accesstoken", "accesskey", "authtoken", "authkey", "clientsecret", "password", "passwd", "privatekey",
    "secret", "secretkey", "subscriptionkey", "token",
  ]
  private static let headers: Set<String> = ["authorization", "proxyauthorization"]

  package static func isParameter(_ name: String) -> Bool { parameters.contains(plain(name)) }

  /// Those of parameters, `X-` or not, and the standard ones.
  package static func isHeader(_ name: String) -> Bool {
    let name = plain(name)
    if headers.contains(name) || parameters.contains(name) { return true }
    return name.utf8.first == UInt8(ascii: "x") && parameters.contains(String(name.dropFirst()))
  }

  /// Without what separates words, in lower case.
  private static func plain(_ name: String) -> String {
    String(decoding: name.utf8.filter { !"-_.".utf8.contains($0) }, as: UTF8.self).lowercased()
  }
}
