package import Diagnostics
package import JSONReading

/// `auth`: what proves to the API who asks.
package enum AuthDeclaration: Sendable {
  package enum Carrier: String, Sendable, CaseIterable {
    case query, header, cookie
  }

  case apiKey(carrier: Carrier, name: String, value: Located<Template>)
  case basic(username: Located<Template>, password: Located<Template>)
  case bearer(token: Located<Template>)
  case digest(username: Located<Template>, password: Located<Template>)
  case oauth2(OAuth2Declaration)
  case session(SessionDeclaration)
  case awsSigV4(AWSDeclaration)
  case netrc(SourceSpan)

  /// What is interpolated into it.
  package var templates: [Template] {
    switch self {
    case .apiKey(_, _, let value), .bearer(let value): [value.value]
    case .basic(let username, let password), .digest(let username, let password): [username.value, password.value]
    case .oauth2(let declaration): declaration.templates
    case .session(let declaration): declaration.templates
    case .awsSigV4(let keys): [keys.accessKey.value, keys.secretKey.value, keys.region.value, keys.service.value]
    case .netrc: []
    }
  }

  /// Does it get tokens that can be got anew?
  package var isRenewable: Bool {
    switch self {
    case .oauth2, .session: true
    case .apiKey, .basic, .bearer, .digest, .awsSigV4, .netrc: false
    }
  }
}

extension AuthDeclaration {
  /// The query parameter that carries the credential.
  package var parameter: String? {
    switch self {
    case .apiKey(.query, let name, _): name
    case .session(let session): if case .query(let name) = session.send { name } else { nil }
    default: nil
    }
  }

  /// The header that carries the credential; a cookie goes along with others.
  package var header: String? {
    switch self {
    case .apiKey(.header, let name, _): name
    case .apiKey: nil
    case .session(let session): if case .header(let name, _) = session.send { name } else { nil }
    case .basic, .bearer, .digest, .oauth2, .awsSigV4, .netrc: "Authorization"
    }
  }
}

/// `oauth2` (RFC 6749).
package struct OAuth2Declaration: Sendable {
  package enum Grant: String, Sendable, CaseIterable {
    case clientCredentials = "client_credentials"
    case refreshToken = "refresh_token"
    case password
  }

  /// How the client says who it is.
  package enum ClientAuth: String, Sendable, CaseIterable {
    case body, basic
  }

  package var grant: Grant
  package var tokenURL: Located<Template>
  package var clientID: Located<Template>?
  package var clientSecret: Located<Template>?
  package var scope: Located<Template>?
  package var clientAuth = ClientAuth.body
  package var username: Located<Template>?
  package var password: Located<Template>?
  package var refreshToken: Located<Template>?

  package init(grant: Grant, tokenURL: Located<Template>) {
    self.grant = grant
    self.tokenURL = tokenURL
  }

  var templates: [Template] {
    let optional = [clientID, clientSecret, scope, username, password, refreshToken]
    return [tokenURL.value] + optional.compactMap { $0?.value }
  }
}

/// `session`: a log-in whose answer holds a token.
package struct SessionDeclaration: Sendable {
  /// How requests carry the token.
  package enum Carrier: Sendable {
    case header(String, prefix: String)
    case query(String)
  }

  package var path: Located<Template>
  /// Upper case.
  package var method = "POST"
  package var headers: [Located<HeaderDeclaration>] = []
  package var body: BodyDeclaration?
  /// In the answer's body, or a header of it.
  package var token: Located<KeyPath>
  package var send: Carrier

  package init(path: Located<Template>, token: Located<KeyPath>, send: Carrier) {
    self.path = path
    self.token = token
    self.send = send
  }

  var templates: [Template] { [path.value] + headers.map(\.value.value) + (body?.templates.map(\.value) ?? []) }
}

/// `aws_sigv4`.
package struct AWSDeclaration: Sendable {
  package var accessKey: Located<Template>
  package var secretKey: Located<Template>
  package var region: Located<Template>
  package var service: Located<Template>

  package init(
    accessKey: Located<Template>, secretKey: Located<Template>, region: Located<Template>, service: Located<Template>
  ) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.region = region
    self.service = service
  }
}

/// `tls`; paths are relative to the file that names them.
package struct TLSDeclaration: Sendable {
  package var caFile: Located<Template>?
  package var certificate: Located<Template>?
  package var key: Located<Template>?
  /// Where `insecure: true` stands.
  package var insecure: SourceSpan?

  package init() {}

  package var templates: [Template] { [caFile, certificate, key].compactMap { $0?.value } }

  /// What is said of `insecure: true`, when a mapping is checked and on every run.
  package var insecurity: Diagnostic? {
    insecure.map { span in
      Diagnostic(
        .insecure, "certificates are not verified: anybody on the way can read and change what is sent", at: span,
        hint: "name the API's authority by 'ca_file' instead", severity: .warning)
    }
  }
}
