import Fetch
import MappingLanguage
import PlanCompiler
import Values

/// Puts the requests of an endpoint together: path, parameters, headers, credentials.
struct RequestBuilder {
  let mapping: Mapping
  let scope: Interpolation

  /// The request of one page. `extra` are the parameters of `incremental`, `paging` those that pagination adds.
  func request(
    for endpoint: EndpointPlan, extra: [(name: String, value: String)] = [], paging: [(name: String, value: String)]
  ) throws(PipelineError) -> HTTPRequest {
    guard let base = mapping.source.baseURL else {
      throw PipelineError(.refused, "the endpoint '\(endpoint.name)' is fetched, so 'source' needs a 'base_url'")
    }
    guard let path = endpoint.declaration.paths.first else {
      throw PipelineError(.refused, "the endpoint '\(endpoint.name)' has no path")
    }
    var parameters = try self.parameters(of: endpoint.declaration)
    parameters.values += extra + paging
    var request = HTTPRequest(method: endpoint.declaration.method?.value ?? "GET", url: "")
    request.credentialParams = parameters.credentials
    request.headers = try headers(of: endpoint.declaration)
    try authenticate(&request, parameters: &parameters.values)
    do {
      request.url = try URLBuilder.url(
        base: try text(base.value), path: try self.path(path.value), query: parameters.values)
    } catch let error as FetchError {
      throw PipelineError(.refused, "the URL of '\(endpoint.name)' cannot be built: \(error.message)")
    } catch let error as PipelineError {
      throw error
    } catch {
      throw PipelineError(.refused, "the URL of '\(endpoint.name)' cannot be built")
    }
    return request
  }

  /// `:name` and `{name}` segments take the variable of that name; every value is one segment.
  private func path(_ template: Template) throws(PipelineError) -> String {
    let joined = try text(template, encode: PercentEncoding.segment)
    let segments = joined.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var result: [String] = []
    for segment in segments.map({ String(Substring($0)) }) {
      guard let name = parameterName(segment) else {
        result.append(segment)
        continue
      }
      if let bound = scope.bound(name) {
        result.append(PercentEncoding.segment(bound.plainText))
        continue
      }
      switch scope.text(of: .variable(name, pattern: nil)) {
      case .text(let value): result.append(PercentEncoding.segment(value))
      case .unresolved, .invalid:
        throw PipelineError(.refused, "the path parameter ':\(name)' has no value: use --set \(name)=…")
      }
    }
    return result.joined(separator: "/")
  }

  private func parameterName(_ segment: String) -> String? {
    if segment.hasPrefix(":"), segment.count > 1 { return String(segment.dropFirst()) }
    if segment.hasPrefix("{"), segment.hasSuffix("}") { return String(segment.dropFirst().dropLast()) }
    return nil
  }

  /// The source's parameters, then the endpoint's, which override by name, in the order written.
  private func parameters(
    of endpoint: EndpointDeclaration
  ) throws(PipelineError) -> (values: [(name: String, value: String)], credentials: [String]) {
    let overridden = endpoint.params.map(\.name.value)
    let declared = mapping.source.params.filter { !overridden.contains($0.name.value) } + endpoint.params
    var values: [(name: String, value: String)] = []
    var credentials: [String] = []
    for parameter in declared {
      for template in parameter.values {
        values.append((parameter.name.value, try text(template.value)))
        if template.value.holdsSecret { credentials.append(parameter.name.value) }
      }
    }
    return (values, credentials)
  }

  /// The source's headers; the endpoint's override them, names in any letter case.
  private func headers(of endpoint: EndpointDeclaration) throws(PipelineError) -> [HTTPHeader] {
    let own = endpoint.headers.map { $0.value.name.lowercased() }
    let declared = mapping.source.headers.filter { !own.contains($0.value.name.lowercased()) } + endpoint.headers
    var headers: [HTTPHeader] = []
    for header in declared {
      let value = try text(header.value.value)
      headers.append(HTTPHeader(header.value.name, value, isCredential: header.value.value.holdsSecret))
    }
    return headers
  }

  func text(_ template: Template, encode: (String) -> String = { $0 }) throws(PipelineError) -> String {
    switch scope.text(of: template, encode: encode) {
    case .text(let text): return text
    case .unresolved(let name):
      throw PipelineError(.refused, "'\(name)' has no value: \(Self.remedy(name))")
    case .invalid(let message): throw PipelineError(.refused, message)
    }
  }

  static func remedy(_ name: String) -> String {
    if name.hasPrefix("secret.") {
      return "set \(name.dropFirst("secret.".count)) in the environment, or give a file by --secrets"
    }
    if name.hasPrefix("env.") { return "set \(name.dropFirst("env.".count)) in the environment" }
    return "use --set \(name)=…"
  }
}

extension RequestBuilder {
  /// The part of a requested URL that patterns are matched against.
  func pathBelowBase(_ url: String) -> String {
    guard let base = mapping.source.baseURL, case .text(let text) = scope.text(of: base.value),
      let baseURL = try? WebURL(text), let requested = try? WebURL(url)
    else { return url }
    var prefix = Array(baseURL.path.utf8)
    while prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
    let path = Array(requested.path.utf8)
    return String(decoding: path.starts(with: prefix) ? path.dropFirst(prefix.count) : path[...], as: UTF8.self)
  }
}
