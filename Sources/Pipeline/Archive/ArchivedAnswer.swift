import Fetch
import JSONReading
import Mapper
import MappingLanguage
import PlanCompiler
import Store
import Values

/// Routes an answer of the archive under the mapping of today, and knows what was known of it.
struct ArchiveRouter {
  let run: RunContext

  /// The endpoints whose places apply, the one that was asked first; empty when nothing matches any more.
  func matches(_ response: ArchivedResponse) -> [BodyContext.Match] {
    let plan = run.plan
    let own = plan.endpoints.firstIndex { endpoint in
      endpoint.name.utf8.elementsEqual(response.endpoint.utf8) && takes(endpoint, response)
    }
    guard let method = response.method, let path = response.path else {
      return own.map { [BodyContext.Match(endpoint: $0)] } ?? []
    }
    let paths = paths(response, stored: path)
    for path in paths {
      let found = RouteMatches(plan: plan, method: method, path: path, status: response.status).matches
      let matches = found.map { BodyContext.Match(endpoint: $0.endpoint, parameters: $0.parameters) }
      guard let own else {
        if !matches.isEmpty { return matches }
        continue
      }
      if matches.contains(where: { $0.endpoint == own }) { return matches }
    }
    // As a walk does: what an endpoint has asked for is its own, wherever a next page led.
    guard let own else { return [] }
    let parameters = paths.lazy.compactMap { self.parameters(of: plan.endpoints[own], path: $0) }.first ?? []
    return [BodyContext.Match(endpoint: own, parameters: parameters)]
  }

  private func takes(_ endpoint: EndpointPlan, _ response: ArchivedResponse) -> Bool {
    guard endpoint.declaration.status.contains(response.status) else { return false }
    guard let wanted = endpoint.declaration.method?.value, let method = response.method else { return true }
    return wanted.utf8.elementsEqual(method.utf8)
  }

  /// Below the base URL of today, be it that of another host, and as it was.
  private func paths(_ response: ArchivedResponse, stored: String) -> [String] {
    guard response.file == nil, let url = response.url.flatMap({ try? WebURL($0) }), let base = basePath,
      url.path.utf8.starts(with: base)
    else { return [stored] }
    let rest = Array(url.path.utf8.dropFirst(base.count))
    guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return [stored] }
    return [String(decoding: rest, as: UTF8.self), stored]
  }

  /// Without a slash at its end; nil when the base URL has no value.
  private var basePath: [UInt8]? {
    guard let template = run.mapping.source.baseURL, case .text(let text) = run.scope.text(of: template.value),
      let url = try? WebURL(text)
    else { return nil }
    var path = Array(url.path.utf8)
    while path.last == UInt8(ascii: "/") { path.removeLast() }
    return path
  }

  private func parameters(of endpoint: EndpointPlan, path: String) -> [RouteParameter]? {
    let segments = PathPattern.segments(ofPath: Substring(path.utf8.prefix { $0 != UInt8(ascii: "?") }))
    return endpoint.patterns.lazy.compactMap { $0.match(segments) }.first
  }

  /// What stood around the body when it came, and the run that maps it now. Variables that the mapping did not have then
  /// have the values of today.
  func context(_ response: ArchivedResponse, matches: [BodyContext.Match]) -> BodyContext {
    let kept = ArchivedValues.variables(response.variables)
    let variables = run.variables.filter { variable in
      !kept.contains { $0.name.utf8.elementsEqual(variable.name.utf8) }
    }
    var context = BodyContext(
      matches: matches, query: response.url.map(QueryText.parameters) ?? [], url: response.url,
      status: response.status, headers: ArchivedValues.headers(response.headers), fetchedAt: response.fetchedAt,
      runID: run.runID, variables: kept + variables)
    context.ingestedAt = Instant.now().rfc3339
    return context
  }

  func format(_ stored: StoredResponse, matches: [BodyContext.Match]) throws(FetchError) -> BodyFormat {
    let endpoints = matches.map { run.plan.endpoints[$0.endpoint] }
    let isLenient = endpoints.contains(where: \.isLenient)
    if let file = stored.response.file { return BodyFormat(ofFile: file, endpoints) }
    if stored.size == 0 { return BodyFormat() }
    let headers = ArchivedValues.headers(stored.response.headers).map { HTTPHeader($0.name, $0.value) }
    let isNDJSON = run.plan.endpoints[matches[0].endpoint].isNDJSON
    var format = try HTTPResponse(status: stored.response.status, headers: headers, body: .bytes([]))
      .bodyFormat(isNDJSON: isNDJSON, isLenient: isLenient)
    if let charset = stored.response.charset { format.charset = charset }
    return format
  }
}

extension BodyFormat {
  /// Of a file, by its name and what the endpoints say that may have answered with it.
  init(ofFile name: String, _ endpoints: [EndpointPlan]) {
    let unpacked = Packing.unpackedName(name).lowercased()
    let isNamed = [".ndjson", ".jsonl"].contains { unpacked.hasSuffix($0) }
    self.init(
      isNDJSON: isNamed || endpoints.contains(where: \.isNDJSON), isLenient: endpoints.contains(where: \.isLenient))
  }
}
