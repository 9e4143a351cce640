import Diagnostics
import MarkedYAML

/// What the keys of `auth`, `tls` and `proxy` ask of one another.
extension StructureCheck {
  /// What a grant needs, what it does not use, and what the client must say of itself.
  mutating func grant(_ view: MapView, owner: SourceSpan, guessed: [String]) {
    if let url = view.template("token_url") { tokenURL(url) }
    guard let word = view.word("grant", as: OAuth2Declaration.Grant.self) else { return }
    let others = ["username", "password", "refresh_token"]
    let needed =
      switch word.value {
      case .clientCredentials: ["client_id"]
      case .password: ["username", "password"]
      case .refreshToken: ["refresh_token"]
      }
    for key in needed where !view.has(key) && !guessed.contains(key) {
      report(.missingKey, "'grant: \(word.value.rawValue)' needs '\(key)'", at: owner)
    }
    for key in others where !needed.contains(key) {
      guard let entry = view.entry(key) else { continue }
      warn(.unused, "'grant: \(word.value.rawValue)' does not use '\(key)'", at: entry.keySpan)
    }
    let isBasic = view.word("client_auth", as: OAuth2Declaration.ClientAuth.self)?.value == .basic
    let ofClient = isBasic ? ["client_id", "client_secret"] : ["client_id"]
    for key in ofClient where !needed.contains(key) {
      clientNeeds(key, isBasic ? "client_auth" : "client_secret", in: view, guessed)
    }
  }

  private mutating func clientNeeds(_ key: String, _ other: String, in view: MapView, _ guessed: [String]) {
    guard let entry = view.entry(other), !view.has(key), !guessed.contains(key) else { return }
    report(.missingKey, "'\(other)' needs '\(key)'", at: entry.keySpan)
  }

  /// An absolute URL, or a path; not a user name in it.
  private mutating func tokenURL(_ url: Located<Template>) {
    guard case .text(let start) = url.value.pieces.first else { return }
    let scheme = start.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard start.utf8.count > scheme.count, start.utf8.dropFirst(scheme.count + 1).starts(with: "//".utf8) else {
      return
    }
    let name = String(Substring(scheme)).lowercased()
    guard !["http", "https"].contains(where: { $0.isSame(as: name) }) else { return }
    report(.badURL, "'token_url' cannot begin with '\(name)://'", at: url.span, hint: "the scheme is http or https")
  }

  /// Parameters of its path are variables, as in an endpoint's.
  mutating func logIn(_ view: MapView) {
    if let path = view.template("path") {
      for case .parameter(let name) in (try? path.value.pathSegments()) ?? [] { variable(name, at: path.span) }
    }
    guard let method = view.text("method") else { return }
    let isUsable = HeaderName.isValid(method.value) && !HeaderName.bodilessMethods.contains(method.value.uppercased())
    if isUsable { return }
    report(.badValue, "'\(method.value)' is no method of a request that answers with a body", at: method.span)
  }

  /// One header, or one parameter.
  mutating func carrier(_ view: MapView, owner: SourceSpan, guessed: [String]) {
    one(of: ["header", "query"], in: view, owner: owner, guessed: guessed)
    if let prefix = view.entry("prefix"), view.has("query"), !view.has("header") {
      report(.conflictingKeys, "'prefix' belongs to 'header'", at: prefix.keySpan)
    }
    headerName(view, "header")
    if let prefix = view.text("prefix"), !HeaderName.isValidValue(prefix.value) {
      report(.badValue, "'prefix' \(Self.breaksHeaders)", at: prefix.span)
    }
  }

  private static let breaksHeaders = "holds a line break or another control character, which no header can"

  private mutating func headerName(_ view: MapView, _ key: String) {
    guard let name = view.text(key) else { return }
    let isCookie = key.isSame(as: "cookie")
    if isCookie, !HeaderName.isValid(name.value) {
      report(.badName, "'\(name.value)' is no name of a cookie", at: name.span)
    } else if !isCookie, let fault = HeaderName.fault(in: name.value) {
      report(.badName, fault, at: name.span)
    }
  }

  /// A key in a header or cookie.
  mutating func apiKey(_ view: MapView) {
    headerName(view, "header")
    headerName(view, "cookie")
    if !view.has("query") { credential(view, "value") }
    guard view.has("cookie"), let value = view.template("value") else { return }
    for case .text(let text) in value.value.pieces where text.utf8.contains(UInt8(ascii: ";")) {
      report(.badValue, "'value' holds a ';', which ends a cookie", at: value.span)
    }
  }

  /// What goes into a header as it stands; secrets are looked at when they are known.
  mutating func credential(_ view: MapView, _ key: String) {
    guard let value = view.template(key) else { return }
    for case .text(let text) in value.value.pieces where !HeaderName.isValidValue(text) {
      report(.badValue, "'\(key)' \(Self.breaksHeaders)", at: value.span)
    }
  }

  /// A user's name ends at the first colon.
  mutating func person(_ view: MapView) {
    credential(view, "username")
    credential(view, "password")
    guard let name = view.template("username") else { return }
    for case .text(let text) in name.value.pieces where text.utf8.contains(UInt8(ascii: ":")) {
      report(.badValue, "'username' holds a colon, which ends it", at: name.span)
    }
  }

  mutating func certificate(_ view: MapView, guessed: [String]) {
    guard let key = view.entry("key"), !view.has("cert"), !guessed.contains("cert") else { return }
    report(.missingKey, "'key' needs 'cert'", at: key.keySpan)
  }

  mutating func proxy(_ view: MapView) {
    guard let proxy = view.template("proxy") else { return }
    if proxy.value.isConstant, proxy.value.pieces.isEmpty {
      return report(
        .badURL, "'proxy' is empty", at: proxy.span, hint: "leave it out, and the environment's is used if there is one"
      )
    }
    guard case .text(let start) = proxy.value.pieces.first, let end = start.utf8.firstRange(of: "://".utf8)?.lowerBound
    else { return }
    let scheme = start[..<end].lowercased()
    let known = ProxyScheme.allCases.map(\.rawValue)
    guard !known.contains(where: { $0.isSame(as: scheme) }) else { return }
    report(
      .badURL, "'\(scheme)' is no scheme of a proxy", at: proxy.span,
      hint: "one of: \(known.joined(separator: ", "))")
  }
}
