import Fetch
import JSONReading
import MappingLanguage

/// `session`: a log-in, whose answer holds the token of the requests that follow.
struct SessionIssuer: TokenIssuer {
  let logIn: HTTPRequest
  let token: KeyPath
  let send: SessionDeclaration.Carrier

  let title = "the log-in"
  /// At worst there are two sessions, of which one is used.
  let isRepeatable = true
  let rotates = false

  func request(refreshToken: String?) -> HTTPRequest { logIn }
  func advice(code: String?) -> String? { nil }

  func token(in response: HTTPResponse) throws(TokenFault) -> IssuedToken {
    if case .responseHeader(let name) = token.origin {
      guard let value = response.header(name), !value.isEmpty else { throw TokenFault("it has no '\(token.text)'") }
      return IssuedToken(value: value)
    }
    let document = try document(of: response)
    // What is read of it points into it.
    defer { withExtendedLifetime(document) {} }
    switch token.evaluate(on: document.root) {
    case .value(let value): return IssuedToken(value: try tokenText(value, named: token.text))
    case .missing: throw TokenFault("it has no '\(token.text)'")
    case .projection: throw TokenFault("'\(token.text)' is many values")
    case .wrongShape(let kind, _): throw TokenFault("'\(token.text)' has \(kind.spoken) on the way to it")
    }
  }

  func put(_ token: String, on request: inout HTTPRequest) throws(FetchError) {
    switch send {
    case .header(let name, let prefix): request.authorize(by: name, prefix + token)
    case .query(let name):
      let url = try WebURL(request.url).removingParameters(named: [name])
      request.url = URLBuilder.appending([(name, token)], to: url).text
    }
  }
}
