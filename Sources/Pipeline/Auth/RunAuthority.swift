import Fetch
import MappingLanguage
import PlanCompiler

/// What proves to the API who asks and is not known before the run: tokens, signatures, `.netrc`. All walks share it.
package final class RunAuthority: Sendable {
  /// Credentials go there, and nowhere else.
  let home: Origin?
  let tokens: TokenHolder?
  let digest: DigestSession?
  private let signature: AWSSignature?
  private let basic: (username: String, password: String)?
  /// What is to be said once.
  let warnings: [String]

  /// Resolves what the mapping says; a secret without a value is an error.
  init(mapping: Mapping, scope: Interpolation, redactor: Redactor, clock: any FetchClock) throws(PipelineError) {
    let builder = RequestBuilder(mapping: mapping, scope: scope)
    home = try builder.home()
    var made = Made()
    switch mapping.source.auth {
    case nil, .apiKey, .basic, .bearer: break
    case .session(let declaration):
      made.tokens = TokenHolder(try builder.issuer(declaration))
    case .digest(let username, let password):
      made.digest = DigestSession(
        username: try builder.text(username), password: try builder.text(password))
    case .oauth2(let declaration):
      let issuer = try builder.issuer(declaration)
      var named: SavedToken?
      if let template = declaration.refreshToken {
        named = SavedToken(named: try builder.text(template), issuer: "\(issuer.url) \(issuer.clientID ?? "")")
      }
      named.map { redactor.learn($0.token) }
      made.tokens = TokenHolder(issuer, named: named)
    case .awsSigV4(let keys):
      made.signature = AWSSignature(
        accessKey: try builder.text(keys.accessKey), secretKey: try builder.text(keys.secretKey),
        region: try builder.text(keys.region), service: try builder.text(keys.service),
        epoch: { clock.epoch() })
    case .netrc:
      let found = try NetrcLogin(host: home?.host ?? "", environment: scope.environment)
      made.basic = (found.username, found.password)
      made.warnings = found.warnings
      redactor.learn(found.password)
    }
    (tokens, digest, signature) = (made.tokens, made.digest, made.signature)
    (basic, warnings) = (made.basic, made.warnings)
  }

  convenience init(_ run: RunContext, clock: any FetchClock) throws(PipelineError) {
    try self.init(mapping: run.mapping, scope: run.scope, redactor: run.redactor, clock: clock)
  }

  private struct Made {
    var tokens: TokenHolder?
    var digest: DigestSession?
    var signature: AWSSignature?
    var basic: (username: String, password: String)?
    var warnings: [String] = []
  }

  /// Is this URL where credentials may go?
  func isHome(_ url: String) -> Bool {
    guard let home, let url = try? WebURL(url) else { return false }
    return url.origin == home
  }

  /// Puts on what needs no token.
  func sign(_ request: inout HTTPRequest) {
    guard basic != nil || digest != nil || signature != nil else { return }
    request.headers.removeAll { $0.isNamed("Authorization") }
    if let basic { request.basic = basic }
    request.signer = digest ?? signature
  }

  /// What an answer of 401 asks for, where that is not what the mapping has.
  func remark(on response: HTTPResponse) -> String? {
    guard response.status == 401, digest != nil, let asked = DigestSession.otherwiseAsked(response.headers) else {
      return nil
    }
    return "the API asks for \(asked), and 'auth' has 'digest'"
  }
}

extension RequestBuilder {
  /// The origin of `base_url`; nil without one, when nothing can be fetched.
  func home() throws(PipelineError) -> Origin? {
    guard let base = mapping.source.baseURL else { return nil }
    let text = try text(base)
    do throws(FetchError) {
      return try WebURL(text).origin
    } catch {
      throw PipelineError(.refused, "'base_url' cannot be used: \(error.message)")
    }
  }

  fileprivate func issuer(_ declaration: OAuth2Declaration) throws(PipelineError) -> OAuth2Issuer {
    func value(_ template: Located<Template>?) throws(PipelineError) -> String? {
      guard let template else { return nil }
      return try text(template)
    }
    return OAuth2Issuer(
      grant: declaration.grant, url: try tokenURL(declaration.tokenURL), clientID: try value(declaration.clientID),
      clientSecret: try value(declaration.clientSecret), scope: try value(declaration.scope),
      clientAuth: declaration.clientAuth, username: try value(declaration.username),
      password: try value(declaration.password))
  }

  fileprivate func issuer(_ declaration: SessionDeclaration) throws(PipelineError) -> SessionIssuer {
    guard let base = mapping.source.baseURL else {
      throw PipelineError(.refused, "'session' logs in below 'base_url', which 'source' does not have")
    }
    var request = HTTPRequest(method: declaration.method, url: "")
    let own = declaration.headers.map(\.value)
    let sources = mapping.source.headers.map(\.value).filter { header in
      !own.contains { $0.name.lowercased().utf8.elementsEqual(header.name.lowercased().utf8) }
    }
    for header in sources + own {
      request.headers.append(
        HTTPHeader(header.name, try text(header.value), isCredential: header.value.holdsSecret))
    }
    if let body = declaration.body {
      request.body = try bytes(of: body)
      request.bodyIsCredential = true
      if !request.headers.contains(where: { $0.isNamed("Content-Type") }) {
        request.headers.append(HTTPHeader("Content-Type", body.contentType))
      }
    }
    var parameters: [(name: String, value: String)] = []
    for parameter in mapping.source.params {
      for template in parameter.values { parameters.append((parameter.name.value, try text(template))) }
      if parameter.values.contains(where: \.value.holdsSecret) { request.credentialParams.append(parameter.name.value) }
    }
    let (root, path) = (try text(base), try self.path(declaration.path.value))
    do throws(FetchError) {
      request.url = try URLBuilder.url(base: root, path: path, query: parameters)
    } catch {
      throw PipelineError(.refused, "the URL of the log-in cannot be built: \(error.message)")
    }
    return SessionIssuer(logIn: request, token: declaration.token.value, send: declaration.send)
  }

  /// A URL as it is, anything else as a path below `base_url`.
  func tokenURL(_ template: Located<Template>) throws(PipelineError) -> String {
    let written = try text(template)
    let isWhole = ["http://", "https://"].contains { written.lowercased().utf8.starts(with: $0.utf8) }
    do throws(FetchError) {
      if isWhole { return try WebURL(written).text }
      guard let base = mapping.source.baseURL else {
        throw FetchError(.badURL, "it is a path, and 'source' has no 'base_url'")
      }
      guard case .text(let root) = scope.text(of: base.value) else { return written }
      return try URLBuilder.url(base: root, path: written)
    } catch {
      throw PipelineError(.refused, "'token_url' cannot be used: \(error.message)")
    }
  }
}
