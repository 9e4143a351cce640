import Diagnostics
import MarkedYAML

/// Reads `auth`, `tls` and `proxy`, and warns of credentials that are written into the mapping.
struct AuthReader {
  let context: ReadingContext

  init(_ context: ReadingContext) { self.context = context }

  func auth(_ view: MapView?) -> AuthDeclaration? {
    guard let view else { return nil }
    if let key = view.map("api_key", as: .apiKey) { return apiKey(key) }
    if let basic = view.map("basic", as: .basic) {
      return person(basic).map { .basic(username: $0.username, password: $0.password) }
    }
    if let bearer = view.map("bearer", as: .bearer) {
      return secret("token", in: bearer, of: "bearer").map { .bearer(token: $0) }
    }
    if let digest = view.map("digest", as: .digest) {
      return person(digest).map { .digest(username: $0.username, password: $0.password) }
    }
    if let oauth2 = view.map("oauth2", as: .oauth2) { return self.oauth2(oauth2) }
    if let session = view.map("session", as: .session) { return self.session(session) }
    if let keys = view.map("aws_sigv4", as: .awsSigV4) { return awsSigV4(keys) }
    if view.boolean("netrc") == true, let span = view.node("netrc")?.span { return .netrc(span) }
    return nil
  }

  private func apiKey(_ view: MapView) -> AuthDeclaration? {
    guard let value = secret("value", in: view, of: "api_key") else { return nil }
    for carrier in AuthDeclaration.Carrier.allCases {
      if let name = view.text(carrier.rawValue) { return .apiKey(carrier: carrier, name: name.value, value: value) }
    }
    return nil
  }

  private func person(_ view: MapView) -> (username: Located<Template>, password: Located<Template>)? {
    guard let username = view.template("username"),
      let password = secret("password", in: view, of: view.kind == .basic ? "basic" : "digest")
    else { return nil }
    return (username, password)
  }

  private func oauth2(_ view: MapView) -> AuthDeclaration? {
    guard let grant = view.word("grant", as: OAuth2Declaration.Grant.self)?.value,
      let tokenURL = view.template("token_url")
    else { return nil }
    var declaration = OAuth2Declaration(grant: grant, tokenURL: tokenURL)
    declaration.clientID = view.template("client_id")
    declaration.clientSecret = secret("client_secret", in: view, of: "oauth2")
    declaration.scope = view.template("scope")
    if let word = view.word("client_auth", as: OAuth2Declaration.ClientAuth.self) {
      declaration.clientAuth = word.value
    }
    declaration.username = view.template("username")
    declaration.password = secret("password", in: view, of: "oauth2")
    declaration.refreshToken = secret("refresh_token", in: view, of: "oauth2")
    return .oauth2(declaration)
  }

  private func session(_ view: MapView) -> AuthDeclaration? {
    guard let path = view.template("path"), let token = view.keyPath("token"),
      let send = view.map("send", as: .sessionSend)
    else { return nil }
    let carrier: SessionDeclaration.Carrier
    if let header = send.text("header") {
      carrier = .header(header.value, prefix: send.text("prefix")?.value ?? "")
    } else if let query = send.text("query") {
      carrier = .query(query.value)
    } else {
      return nil
    }
    var session = SessionDeclaration(path: path, token: token, send: carrier)
    if let method = view.text("method") { session.method = method.value.uppercased() }
    session.headers = SourceReader(context).headers(view)
    session.body = RequestBodyReader.body(view.map("body", as: .body))
    if let body = session.body, let span = view.node("body")?.span,
      (body.templates.map(\.value) + session.headers.map(\.value.value)).allSatisfy(\.isConstant)
    {
      context.report(
        .secretInClear, "nothing of the log-in is a secret: its credentials are written into the mapping", at: span,
        hint: "write '${secret.NAME}', and give NAME in the environment or by --secrets", severity: .warning)
    }
    return .session(session)
  }

  private func awsSigV4(_ view: MapView) -> AuthDeclaration? {
    guard let accessKey = view.template("access_key"),
      let secretKey = secret("secret_key", in: view, of: "aws_sigv4"), let region = view.template("region"),
      let service = view.template("service")
    else { return nil }
    return .awsSigV4(AWSDeclaration(accessKey: accessKey, secretKey: secretKey, region: region, service: service))
  }

  static func tls(_ view: MapView) -> TLSDeclaration {
    var tls = TLSDeclaration()
    tls.caFile = view.template("ca_file")
    tls.certificate = view.template("cert")
    tls.key = view.template("key")
    if view.boolean("insecure") == true { tls.insecure = view.node("insecure")?.span }
    return tls
  }

  /// A password that stands in the URL itself is written in clear.
  func proxy(_ source: MapView) -> Located<Template>? {
    guard let proxy = source.template("proxy") else { return nil }
    checkPassword(in: proxy, of: "proxy")
    return proxy
  }

  /// `https://name:password@host`
  func checkPassword(in url: Located<Template>?, of key: String) {
    guard let url, url.value.isConstant, url.value.userInfo?.contains(UInt8(ascii: ":")) ?? false else { return }
    secret(url, of: key)
  }

  /// Parameters whose names say that they are credentials.
  func checkSecrets(in parameters: [ParameterDeclaration]) {
    for parameter in parameters where SecretName.isParameter(parameter.name.value) {
      for value in parameter.values { secret(value, of: parameter.name.value) }
    }
  }

  /// A rule that asks for another token where none is ever got would only fail.
  func checkRenewal(by rules: [ErrorRuleDeclaration], auth: AuthDeclaration?) {
    guard auth?.isRenewable != true else { return }
    for rule in rules where rule.action == .refreshAuth {
      context.report(
        .unused, "nothing can be refreshed: 'auth' gets no token", at: rule.actionSpan ?? rule.span,
        hint: "'refresh_auth' is for oauth2 and session; here the answer fails", severity: .warning)
    }
  }

  /// A header that the credential takes the place of is not sent.
  func checkHeaders(_ headers: [Located<HeaderDeclaration>], auth: AuthDeclaration?) {
    guard let name = auth?.header else { return }
    for header in headers where NameKey(folding: header.value.name) == NameKey(folding: name) {
      context.report(
        .unused, "'auth' sends '\(name)' itself: this header is not sent", at: header.span, severity: .warning)
    }
  }

  // MARK: Secrets

  private func secret(_ key: String, in view: MapView, of owner: String) -> Located<Template>? {
    guard let value = view.template(key) else { return nil }
    secret(value, of: owner)
    return value
  }

  func secret(_ value: Located<Template>, of key: String) {
    guard value.value.isConstant, !value.value.pieces.isEmpty else { return }
    context.report(
      .secretInClear, "the credential of '\(key)' is written into the mapping", at: value.span,
      hint: "write '${secret.NAME}', and give NAME in the environment or by --secrets", severity: .warning)
  }
}

extension Template {
  /// Of a constant URL: what stands between `//` and `@`.
  fileprivate var userInfo: [UInt8]? {
    var bytes: [UInt8] = []
    for case .text(let text) in pieces { bytes += Array(text.utf8) }
    guard let start = bytes.firstRange(of: Array("//".utf8))?.upperBound else { return nil }
    let place = bytes[start...].prefix { $0 != UInt8(ascii: "/") }
    return place.lastIndex(of: UInt8(ascii: "@")).map { Array(place[..<$0]) }
  }
}
