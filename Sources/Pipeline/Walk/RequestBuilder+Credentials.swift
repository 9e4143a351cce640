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
      let value = try text(template.value)
      switch carrier {
      case .query:
        parameters.append((name, value))
        request.credentialParams.append(name)
      case .header: request.headers.append(HTTPHeader(name, value, isCredential: true))
      case .cookie: request.headers.append(HTTPHeader("Cookie", "\(name)=\(value)", isCredential: true))
      }
    case .basic(let username, let password):
      request.basic = (try text(username.value), try text(password.value))
    case .bearer(let token):
      request.headers.append(HTTPHeader("Authorization", "Bearer " + (try text(token.value)), isCredential: true))
    // As the request goes out: RunAuthority.
    case .digest, .oauth2, .awsSigV4, .netrc: break
    }
  }
}
