import Diagnostics
import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler

/// What tells one walk from another, and the scope of its rows: the endpoint with the values that its request takes.
struct WalkIdentity {
  var endpoint: String
  /// Path parameters; `*` is what stands for the rest of a path.
  var path: [(name: String, value: String)] = []
  /// Of `load --path`.
  var query: [(name: String, value: String)] = []
  /// Variables that the request uses, path parameters aside.
  var variables: [(name: String, value: String)] = []
  /// What `for_each` binds and the request uses, path parameters aside.
  var each: [(name: String, value: String)] = []
  /// The piece of an incremental walk, as requests carry it.
  var slice: (from: String, until: String)?

  init(endpoint: String) { self.endpoint = endpoint }

  /// As stores keep it: the same for the same walk, in whatever order its values come.
  var text: String {
    var parts = ["\"endpoint\":\(JSONText.quoted(endpoint))"]
    if !path.isEmpty { parts.append("\"path\":\(Self.object(path))") }
    if !query.isEmpty {
      let pairs = Self.sorted(query).map { "[\(JSONText.quoted($0.name)),\(JSONText.quoted($0.value))]" }
      parts.append("\"query\":[\(pairs.joined(separator: ","))]")
    }
    if !variables.isEmpty { parts.append("\"variables\":\(Self.object(variables))") }
    if !each.isEmpty { parts.append("\"each\":\(Self.object(each))") }
    if let slice { parts.append("\"slice\":[\(JSONText.quoted(slice.from)),\(JSONText.quoted(slice.until))]") }
    return "{\(parts.joined(separator: ","))}"
  }

  private static func object(_ values: [(name: String, value: String)]) -> String {
    "{\(sorted(values).map { "\(JSONText.quoted($0.name)):\(JSONText.quoted($0.value))" }.joined(separator: ","))}"
  }

  private static func sorted(_ values: [(name: String, value: String)]) -> [(name: String, value: String)] {
    values.sorted { left, right in
      let names = (Array(left.name.utf8), Array(right.name.utf8))
      if names.0 != names.1 { return names.0.lexicographicallyPrecedes(names.1) }
      return left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
    }
  }
}

extension WalkIdentity {
  /// Of `run`: fixed parameters, `${now}`, `${today}` and secrets are no part of it.
  init(fetching endpoint: EndpointPlan, mapping: Mapping, scope: Interpolation) {
    self.init(endpoint: endpoint.name)
    let parameters = endpoint.patterns.first?.parameterNames ?? []
    path = Self.values(of: parameters, scope)
    for (name, value) in scope.each where parameters.has(name) {
      path.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
      path.append((name, value.plainText))
    }
    var templates = endpoint.declaration.paths.prefix(1).map(\.value)
    templates += mapping.requestTemplates(of: endpoint.declaration)
    variables = Self.values(of: Self.variables(in: templates).filter { !parameters.has($0) }, scope)
    var names: [String] = []
    for case .each(let name, _) in templates.flatMap(\.pieces) where !names.has(name) && !parameters.has(name) {
      names.append(name)
    }
    each = names.compactMap { name in scope.bound(name).map { (name, $0.plainText) } }
  }

  /// Of `load --path`: whichever of the endpoint's paths it was. Credentials are no part of it.
  init(
    path text: String, of endpoint: EndpointPlan, parameters: [RouteParameter], mapping: Mapping, scope: Interpolation
  ) {
    self.init(endpoint: endpoint.name)
    path = parameters.filter { !$0.name.isEmpty }.map { ($0.name, $0.value) }
    let credentials = mapping.credentialParameters(of: endpoint.declaration)
    query = QueryText.parameters(of: text).filter { !credentials.has($0.name) }
    let segments = PathPattern.segments(ofPath: Substring(text.utf8.prefix { $0 != UInt8(ascii: "?") }))
    guard let pattern = endpoint.patterns.firstIndex(where: { $0.match(segments) == parameters }) else { return }
    if endpoint.patterns[pattern].segments.last == .rest {
      let rest = segments.dropFirst(endpoint.patterns[pattern].segments.count - 1).map(PathPattern.percentEncoded)
      path.append(("*", String(decoding: Array(rest.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)))
    }
    guard endpoint.declaration.paths.indices.contains(pattern) else { return }
    // A segment that is written `${name}` is a variable's, which is a literal of the pattern.
    variables = Self.values(of: Self.variables(in: [endpoint.declaration.paths[pattern].value]), scope)
  }

  /// Without secrets that are known.
  func redacted(by redactor: Redactor) -> WalkIdentity {
    var copy = self
    copy.path = path.map { ($0.name, redactor.redact($0.value)) }
    copy.query = query.map { (redactor.redact($0.name), redactor.redact($0.value)) }
    copy.variables = variables.map { ($0.name, redactor.redact($0.value)) }
    copy.each = each.map { ($0.name, redactor.redact($0.value)) }
    return copy
  }

  private static func variables(in templates: [Template]) -> [String] {
    var names: [String] = []
    for case .variable(let name, _) in templates.flatMap(\.pieces) where !names.has(name) { names.append(name) }
    return names
  }

  private static func values(of names: [String], _ scope: Interpolation) -> [(name: String, value: String)] {
    names.compactMap { name in
      guard let variable = scope.variables.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
      return variable.value.map { (name, $0.plainText) }
    }
  }

  /// Whether a stored scope's endpoint, path parameters and variables are still in the mapping.
  static func isCurrent(_ text: String, plan: Plan, mapping: Mapping) -> Bool {
    guard let document = try? JSONDocument(Array(text.utf8)) else { return false }
    func names(_ member: String) -> [String] {
      var names: [String] = []
      document.root.member(named: JSONName(member))?.forEachMember { name, _ in names.append(name.stringValue) }
      return names
    }
    guard let name = document.root.member(named: JSONName("endpoint"))?.stringValue,
      let endpoint = plan.endpoints.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
    else { return false }
    let hasRest = endpoint.patterns.contains { $0.segments.last == .rest }
    let parameters = endpoint.patterns.flatMap(\.parameterNames) + (hasRest ? ["*"] : [])
    let variables = mapping.variables.map(\.name.value)
    if document.root.member(named: JSONName("slice")) != nil, endpoint.incremental?.slice == nil { return false }
    return names("path").allSatisfy(parameters.has) && names("variables").allSatisfy(variables.has)
      && names("each").allSatisfy(endpoint.boundNames.has)
  }
}

extension Mapping {
  /// The source's, then the endpoint's, which override by name.
  private func parameters(of endpoint: EndpointDeclaration) -> [ParameterDeclaration] {
    let names = endpoint.params.map(\.name.value)
    return source.params.filter { !names.has($0.name.value) } + endpoint.params
  }

  /// Names of parameters that hold a secret.
  fileprivate func credentialParameters(of endpoint: EndpointDeclaration) -> [String] {
    var names = parameters(of: endpoint).filter { $0.values.contains { $0.value.holdsSecret } }.map(\.name.value)
    if let name = source.auth?.parameter { names.append(name) }
    return names
  }

  /// What is interpolated into each request of the endpoint, its path aside.
  fileprivate func requestTemplates(of endpoint: EndpointDeclaration) -> [Template] {
    var templates = source.baseURL.map { [$0.value] } ?? []
    templates += parameters(of: endpoint).flatMap(\.values).map(\.value)
    let own = endpoint.headers.map { $0.value.name.lowercased() }
    let headers = source.headers.filter { !own.contains($0.value.name.lowercased()) } + endpoint.headers
    templates += headers.map(\.value.value) + (endpoint.body?.templates.map(\.value) ?? [])
    return templates + (source.auth?.templates ?? [])
  }
}

extension [String] {
  /// Names are equal by their bytes.
  fileprivate func has(_ name: String) -> Bool { contains { $0.utf8.elementsEqual(name.utf8) } }
}
