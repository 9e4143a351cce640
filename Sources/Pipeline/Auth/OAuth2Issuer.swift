import Fetch
import JSONReading
import MappingLanguage

/// The token endpoint of OAuth 2 (RFC 6749).
struct OAuth2Issuer: TokenIssuer {
  var grant: OAuth2Declaration.Grant
  var url: String
  var clientID: String?
  var clientSecret: String?
  var scope: String?
  var clientAuth: OAuth2Declaration.ClientAuth
  var username: String?
  var password: String?

  let title = "the token endpoint"

  /// A refresh token may be good for one time: whether that time has been is not known without an answer.
  var isRepeatable: Bool { grant != .refreshToken }
  var rotates: Bool { grant == .refreshToken }

  func request(refreshToken: String?) -> HTTPRequest {
    var form = [(name: "grant_type", value: grant.rawValue)]
    func add(_ name: String, _ value: String?) {
      if let value { form.append((name, value)) }
    }
    if grant == .password {
      add("username", username)
      add("password", password)
    }
    if grant == .refreshToken { add("refresh_token", refreshToken) }
    add("scope", scope)
    var headers = [
      HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), HTTPHeader("Accept", "application/json"),
    ]
    switch clientAuth {
    case .body:
      add("client_id", clientID)
      add("client_secret", clientSecret)
    case .basic:
      let pair = "\(PercentEncoding.form(clientID ?? "")):\(PercentEncoding.form(clientSecret ?? ""))"
      headers.append(HTTPHeader("Authorization", "Basic " + Base64.text(Array(pair.utf8)), isCredential: true))
    }
    return HTTPRequest(
      method: "POST", url: url, headers: headers, body: Array(URLBuilder.encoded(form).utf8), bodyIsCredential: true)
  }

  func token(in response: HTTPResponse) throws(TokenFault) -> IssuedToken {
    let document = try document(of: response)
    // What is read of it points into it.
    defer { withExtendedLifetime(document) {} }
    let root = document.root
    guard root.kind == .object else { throw TokenFault("the body is no JSON object") }
    let value = try tokenText(root.member(named: JSONName("access_token")), named: "access_token")
    if let type = root.member(named: JSONName("token_type")), !type.isNull {
      // "BearerToken" and the like are said by servers that mean the same.
      let name = type.kind == .string ? type.stringValue : ""
      guard name.utf8.prefix(6).map({ $0 | 0x20 }) == Array("bearer".utf8) else {
        throw TokenFault("its 'token_type' is '\(Redactor.printable(name, limit: 40))', and only Bearer is understood")
      }
    }
    var issued = IssuedToken(value: value)
    issued.lifetime = OAuth2Issuer.lifetime(root.member(named: JSONName("expires_in")))
    if let next = root.member(named: JSONName("refresh_token")), !next.isNull {
      issued.refreshToken = try tokenText(next, named: "refresh_token")
    }
    return issued
  }

  /// Seconds, as a number or a text. Zero, what is below, and what is neither say nothing of an end: the token is then
  /// used until it is refused.
  private static func lifetime(_ value: JSONValue?) -> Duration? {
    guard let value, value.kind == .number || value.kind == .string else { return nil }
    let text = value.kind == .string ? value.stringValue : String(decoding: value.rawText, as: UTF8.self)
    guard let seconds = Double(text), seconds > 0, seconds.isFinite else { return nil }
    return .milliseconds(Int64(min(seconds, 1e9) * 1000))
  }

  func advice(code: String?) -> String? {
    guard grant == .refreshToken, code?.utf8.elementsEqual("invalid_grant".utf8) ?? false else { return nil }
    return "the refresh token is not taken any more: log in again, and give the new one where "
      + "'auth.oauth2.refresh_token' of the mapping reads it"
  }

  func put(_ token: String, on request: inout HTTPRequest) throws(FetchError) {
    request.authorize(by: "Authorization", "Bearer \(token)")
  }
}
