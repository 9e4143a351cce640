package import Diagnostics
package import Fetch
package import MappingLanguage

/// What is said where credentials go over plain http: on every run, like all that is insecure.
package enum PlainCredentials {
  /// Nil where nothing that must stay secret is sent, or only within this machine. `origins`: where requests go to.
  package static func warning(_ mapping: Mapping, to origins: Set<Origin>) -> Diagnostic? {
    let open = origins.filter { $0.scheme == "http" && !isLoopback($0.host) }.map(\.text).sorted()
    guard let origin = open.first, areSent(by: mapping), let base = mapping.source.baseURL else { return nil }
    return Diagnostic(
      .insecure, "credentials go to \(origin) unencrypted: anybody on the way can read them", at: base.span,
      hint: "use https, if the API offers it", severity: .warning)
  }

  /// Digest and AWS signatures prove that a secret is known, without sending it.
  private static func areSent(by mapping: Mapping) -> Bool {
    var sent = mapping
    (sent.store, sent.source.tls, sent.source.proxy) = (nil, TLSDeclaration(), nil)
    switch mapping.source.auth {
    case .digest, .awsSigV4: sent.source.auth = nil
    case nil: break
    case .apiKey, .basic, .bearer, .oauth2, .session, .netrc: return true
    }
    return !sent.secretNames.isEmpty
  }

  /// Names that no resolver may take elsewhere, and the addresses themselves.
  private static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased()
    if name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
