import Fetch
import MappingLanguage
import PlanCompiler
import Values

/// Puts the requests of an endpoint together: path, parameters, headers, body, credentials.
struct RequestBuilder {
  let mapping: Mapping
  let scope: Interpolation

  /// The request of one page.
  ///
  /// Parameters of the query come in this order, and each takes the place of earlier ones of its name: the source's, the
  /// endpoint's, `extra`, those of paging; credentials come last. A URL that the API has given is used as it is.
  func request(
    for endpoint: EndpointPlan, extra: [(name: String, value: String)] = [], asking ask: PageAsk? = nil
  ) throws(PipelineError) -> HTTPRequest {
    var request = try bareRequest(for: endpoint, extra: extra, asking: ask)
    request.readsLines = endpoint.isNDJSON
    request.takes = { [status = endpoint.declaration.status] in status.contains($0) }
    return request
  }

  private func bareRequest(
    for endpoint: EndpointPlan, extra: [(name: String, value: String)], asking ask: PageAsk?
  ) throws(PipelineError) -> HTTPRequest {
    guard let base = mapping.source.baseURL else {
      throw PipelineError(.refused, "the endpoint '\(endpoint.name)' is fetched, so 'source' needs a 'base_url'")
    }
    guard let path = endpoint.declaration.paths.first else {
      throw PipelineError(.refused, "the endpoint '\(endpoint.name)' has no path")
    }
    let baseText = try text(base)
    var draft = try draft(of: endpoint.declaration)
    switch ask {
    case .url(let url): return try request(at: url, base: baseText, for: endpoint, draft)
    case .parameters(let parameters):
      draft.override(with: extra)
      for (parameter, value) in parameters { draft.set(parameter, to: value) }
    case nil: draft.override(with: extra)
    }
    var request = try request(draft)
    try authenticate(&request, parameters: &draft.parameters)
    let pathText = try self.path(path.value, of: endpoint)
    request.url = try Self.url(of: endpoint) { () throws(FetchError) in
      try URLBuilder.url(base: baseText, path: pathText, query: draft.parameters)
    }
    return request
  }

  /// The request of a page whose URL the API has given. To another origin than the source's own goes no credential.
  private func request(
    at text: String, base: String, for endpoint: EndpointPlan, _ draft: RequestDraft
  ) throws(PipelineError) -> HTTPRequest {
    var request = try request(draft)
    let (target, home) = try Self.url(of: endpoint) { () throws(FetchError) in (try WebURL(text), try WebURL(base)) }
    guard target.origin == home.origin else {
      guard !request.bodyIsCredential else {
        throw PipelineError(
          "endpoint '\(endpoint.name)': the next page is at another origin, \(target.origin.text), and the request's "
            + "body "
            + "holds a credential")
      }
      request.removeCredentials()
      request.url = target.text
      return request
    }
    var required: [(name: String, value: String)] = []
    try authenticate(&request, parameters: &required)
    request.url = target.filling(draft.credentials, required: required).text
    return request
  }

  private func path(_ template: Template, of endpoint: EndpointPlan) throws(PipelineError) -> String {
    do throws(PipelineError) {
      return try path(template)
    } catch  where error.kind == .failed {
      throw PipelineError("endpoint '\(endpoint.name)': \(error.message)")
    }
  }

  private static func url<URL>(
    of endpoint: EndpointPlan, _ build: () throws(FetchError) -> URL
  ) throws(PipelineError) -> URL {
    do {
      return try build()
    } catch {
      throw PipelineError(.refused, "the URL of '\(endpoint.name)' cannot be built: \(error.message)")
    }
  }

  private func request(_ draft: RequestDraft) throws(PipelineError) -> HTTPRequest {
    var request = HTTPRequest(method: draft.method, url: "", headers: draft.headers)
    request.credentialParams = draft.credentials.map(\.name)
    guard let body = draft.body else { return request }
    request.body = try bytes(of: body)
    request.bodyIsCredential = body.templates.contains { $0.value.holdsSecret }
    if !request.headers.contains(where: { $0.isNamed("Content-Type") }) {
      request.headers.append(HTTPHeader("Content-Type", body.contentType))
    }
    return request
  }
}

extension RequestBuilder {
  /// The path by which an answer is routed: the requested one, below the base URL. Pages to which the API's own URLs lead
  /// belong to the walk's endpoint wherever they are, so where none of its patterns fits, it is the first request's.
  func routePath(of url: String, for endpoint: EndpointPlan) -> String {
    if case .path(let path) = RoutedPath(url, mapping: mapping, scope: scope) {
      let segments = PathPattern.segments(ofPath: Substring(path.utf8.prefix { $0 != UInt8(ascii: "?") }))
      if endpoint.patterns.contains(where: { $0.match(segments) != nil }) { return path }
    }
    // A walk whose path has no value has been refused before its first request.
    return endpoint.declaration.paths.first.flatMap { try? path($0.value) } ?? url
  }
}
