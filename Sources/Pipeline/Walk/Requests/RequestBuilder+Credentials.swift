import Fetch
import MappingLanguage

/// `auth`: what proves to the API who asks, as far as that is the same in all requests.
extension RequestBuilder {
  func authenticate(
    _ request: inout HTTPRequest, parameters: inout [(name: String, value: String)]
  ) throws(PipelineError) {
    switch mapping.source.auth {
    case nil: break
    case .apiKey(let carrier, let name, let template):
      let value = try text(template)
      switch carrier {
      case .query:
        parameters.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
        parameters.append((name, value))
        request.credentialParams.append(name)
      case .header: request.authorize(by: name, value)
      case .cookie: request.addCookie("\(name)=\(value)")
      }
    case .basic(let username, let password):
      request.headers.removeAll { $0.isNamed("Authorization") }
      request.basic = (try text(username), try text(password))
    case .bearer(let token): request.authorize(by: "Authorization", "Bearer " + (try text(token.value)))
    // As the request goes out: RunAuthority.
    case .digest, .oauth2, .session, .awsSigV4, .netrc:
      guard let name = mapping.source.auth?.parameter else { return }
      parameters.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
      request.credentialParams.append(name)
    }
  }
}

extension HTTPRequest {
  /// In place of a header of that name.
  mutating func authorize(by name: String, _ value: String) {
    headers.removeAll { $0.isNamed(name) }
    headers.append(HTTPHeader(name, value, isCredential: true))
  }

  /// Behind those that the request has: there is one header for all.
  fileprivate mutating func addCookie(_ cookie: String) {
    let others = headers.filter { $0.isNamed("Cookie") }.map(\.value)
    authorize(by: "Cookie", (others + [cookie]).joined(separator: "; "))
  }
}
