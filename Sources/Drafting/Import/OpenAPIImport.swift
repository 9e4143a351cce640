/// Drafts a mapping from an OpenAPI document: Swagger 2.0, OpenAPI 3.0 and 3.1.
package struct OpenAPIImport {
  let description: Description
  let root: DocNode
  let reader: SchemaReader
  let isSwagger: Bool
  var draft: MappingDraft
  var notes: [DraftNote] = []
  var records: SchemaRecords
  private var endpointNames = NameSet()
  private var met: Set<String> = []
  var variables: [String: MappingDraft.Variable] = [:]
  /// What secrets are named after: `DEPOT`.
  let secretPrefix: String

  private static let methods = ["get", "post", "put", "patch", "delete"]

  package static func draft(
    _ description: Description, title: [String]
  ) throws(Description.Failure) -> (MappingDraft, [DraftNote]) {
    var work = try OpenAPIImport(description, title: title)
    work.run()
    return (work.draft, work.notes + work.records.notes)
  }

  private init(_ description: Description, title: [String]) throws(Description.Failure) {
    self.description = description
    root = description.root
    reader = SchemaReader(root: root)
    records = SchemaRecords(reader)
    switch (root["swagger"]?.word, root["openapi"]?.word) {
    case ("2.0"?, _), ("2"?, _): isSwagger = true
    case (_, let version?) where version.hasPrefix("3."): isSwagger = false
    case (let version?, _), (_, let version?):
      throw Description.Failure(
        message: "\(description.name): version \(version) of OpenAPI is not read; 2.0 and 3 are")
    case (nil, nil):
      throw Description.Failure(
        message: "\(description.name) is no OpenAPI document: it has neither 'openapi' nor "
          + "'swagger'\(Self.guess(root))")
    }
    let name = Names.snake(root["info"]?["title"]?.text ?? "")
    let source = name.isEmpty ? "api" : name
    draft = MappingDraft(sourceName: source)
    draft.title = title
    secretPrefix = source.uppercased()
  }

  /// What the document is in its place, and what to do with that.
  private static func guess(_ root: DocNode) -> String {
    if root["info"]?["_postman_id"] != nil || root["item"] != nil && root["info"]?["schema"] != nil {
      return "; it looks like a Postman collection: let Postman write OpenAPI of it, or use 'ingest infer' on answers"
    }
    if root["log"]?["entries"] != nil { return "; it is a HAR file: 'ingest import har'" }
    if root["streams"] != nil { return "; it looks like a manifest of Airbyte: 'ingest import airbyte'" }
    return "; 'ingest infer' makes a draft of answers of the API"
  }

  private mutating func run() {
    readServers()
    readSecurity()
    for (path, node) in root["paths"]?.members ?? [] {
      guard let item = reader.followed(node) else {
        note(node, LikelySecret.maskedPath(path), "\(reader.faults.reason(of: node) ?? "it cannot be read"): left out")
        continue
      }
      for method in Self.methods {
        guard let operation = item[method] else { continue }
        add(operation, method: method, path: path, shared: item["parameters"]?.items ?? [])
      }
    }
    tellMethodsApart()
    draft.records = records.records
    draft.variables = variables.values.sorted { $0.name < $1.name }
    // What is left out for one of them has been said; columns and members that lack for one have not.
    for fault in reader.faults.untold {
      notes.append(DraftNote("\(description.name):\(fault.line)", "\(fault.reason): what it leads to is not known"))
    }
    if root["webhooks"] != nil { note(root, "webhooks", "requests of the API are not carried over") }
  }

  /// A route without a method is for all of them, so where there are several each has its own.
  private mutating func tellMethodsApart() {
    let shapes = draft.endpoints.map { PathTemplate.shape($0.path) }
    for index in shapes.indices where draft.endpoints[index].method == nil {
      if shapes.count(where: { $0 == shapes[index] }) > 1 { draft.endpoints[index].method = "GET" }
    }
  }

  mutating func note(_ node: DocNode, _ place: String, _ text: String) {
    notes.append(DraftNote("\(description.name):\(node.line): \(place)", text))
  }

  // MARK: endpoints

  private mutating func add(_ operation: DocNode, method: String, path: String, shared: [DocNode]) {
    let place = "\(method.uppercased()) \(LikelySecret.maskedPath(path))"
    let faults = reader.faults.count
    guard let schema = answer(of: operation, place) else { return }
    guard let (pattern, parameters) = PathTemplate.pattern(path, secretPrefix) else {
      return note(operation, place, "a parameter that is a part of a segment cannot be routed: left out")
    }
    let shape = PathTemplate.shape(pattern)
    guard met.insert("\(method) \(shape)").inserted else {
      return note(operation, place, "another path with other names of parameters is the same route: left out")
    }
    let found = SchemaPlaces(schema, reader)
    guard !found.places.isEmpty else {
      let why = reader.faults.latest(since: faults) ?? "its answer has no members that are described"
      return note(operation, place, "\(why): left out")
    }
    let wanted = operation["operationId"]?.text ?? "\(method) \(path)"
    var endpoint = MappingDraft.Endpoint(
      name: endpointNames.add(Names.snake(wanted), orElse: "endpoint"), path: pattern)
    if let text = SchemaRecords.sentence(operation["summary"]?.text ?? operation["description"]?.text) {
      endpoint.comments = [text]
    }
    if method != "get" { endpoint.method = method.uppercased() }
    for entry in found.places {
      let name = entry.path.names.last ?? endpoint.name
      let record = records.record(at: entry, named: name, report: "\(place): \(entry.path.text)")
      endpoint.records.append((entry.path.text, record))
    }
    var request = RequestParameters(self, place: place)
    request.read(own: operation["parameters"]?.items ?? [], shared: shared)
    take(&request, into: &endpoint, method: method, parameters: parameters, beside: found.beside)
    let others = found.beside.map(\.path).filter { !request.pagingPaths.contains($0) }
    for path in others {
      note(operation, "\(place): \(path.text)", "stands beside the records, and is not carried over")
    }
    endpoint.tell(besides: others)
    checkSecurity(of: operation, place)
    draft.endpoints.append(endpoint)
  }

  private mutating func take(
    _ request: inout RequestParameters, into endpoint: inout MappingDraft.Endpoint, method: String,
    parameters: [String],
    beside: [(path: DraftPath, schema: Schema)]
  ) {
    let lines = request.paging(beside, reader)
    notes += request.notes
    for variable in request.variables { variables[variable.name] = variable }
    endpoint.params = request.params
    endpoint.headers = request.headers
    if !lines.isEmpty { endpoint.hints = ["it may have pages, as:"] + lines.map { "  " + $0 } }
    if !request.optional.isEmpty {
      endpoint.comments.append("optional parameters: " + request.optional.joined(separator: ", "))
    }
    let needed = parameters + request.needed
    if method != "get" {
      endpoint.isFetched = false
      endpoint.whyNotFetched = "a route alone: \(method.uppercased()) is sent when this is removed"
    } else if !needed.isEmpty {
      endpoint.isFetched = false
      endpoint.whyNotFetched =
        "remove this when there are values (variables, for_each) for: \(needed.joined(separator: ", "))"
    } else if draft.baseURL == nil {
      endpoint.isFetched = false
      endpoint.whyNotFetched = "remove this when there is a base_url"
    }
  }

  /// The schema of the answer that is a success, if it is JSON.
  private mutating func answer(of operation: DocNode, _ place: String) -> Schema? {
    let responses = operation["responses"]?.members ?? []
    let successes = responses.filter { $0.name.hasPrefix("2") }.sorted { $0.name < $1.name }
    let candidates = successes.isEmpty ? responses.filter { $0.name == "default" } : successes
    var isTold = false
    for (status, node) in candidates {
      guard let response = reader.followed(node) else {
        isTold = true
        note(
          node, "\(place), answer \(status)", "\(reader.faults.reason(of: node) ?? "it cannot be read"): left out")
        continue
      }
      if let schema = schema(of: response, operation) { return reader.schema(schema) }
    }
    if !isTold { note(operation, place, "no JSON is described as its answer: left out") }
    return nil
  }

  private func schema(of response: DocNode, _ operation: DocNode) -> DocNode? {
    if isSwagger {
      let types = (operation["produces"] ?? root["produces"])?.items.compactMap(\.text) ?? []
      let isJSON = types.isEmpty || types.contains(where: Self.isJSON)
      return isJSON ? response["schema"] : nil
    }
    return response["content"]?.members.first { Self.isJSON($0.name) }?.value["schema"]
  }

  private static func isJSON(_ type: String) -> Bool {
    let essence = type.split(separator: ";").first.map { $0.lowercased() } ?? ""
    return essence.contains("json") || essence == "*/*"
  }
}

/// Paths as OpenAPI writes them.
enum PathTemplate {
  /// As a mapping has it, and the names of its parameters; nil where a parameter is a part of a segment.
  ///
  /// A segment that looks like a credential is a secret.
  static func pattern(_ path: String, _ secretPrefix: String = "api") -> (pattern: String, parameters: [String])? {
    var names = NameSet()
    var secrets = NameSet()
    var before = ""
    var parameters: [String] = []
    var segments: [String] = []
    let bare = path.prefix { $0 != "?" && $0 != "#" }
    for segment in bare.split(separator: "/") {
      defer { before = String(segment) }
      let inner = segment.dropFirst().dropLast()
      if segment.hasPrefix("{"), segment.hasSuffix("}"), segment.count > 2,
        !inner.contains(where: { "{}".contains($0) })
      {
        let plain = inner.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
        }
        let name = names.add(plain ? String(inner) : Names.snake(String(inner)), orElse: "parameter")
        parameters.append(name)
        segments.append("{\(name)}")
      } else if LikelySecret.isSegment(String(segment), after: before) {
        segments.append(LikelySecret.segment(secretPrefix, after: before, &secrets))
      } else if segment.contains(where: { "{}*:".contains($0) }) {
        return nil
      } else {
        segments.append(TemplateText.segment(String(segment)))
      }
    }
    return ("/" + segments.joined(separator: "/"), parameters)
  }

  /// A URL as a template; segments and parameters that look like credentials are secrets.
  static func base(_ url: String, _ secretPrefix: String) -> (text: String, hasSecret: Bool) {
    var names = NameSet()
    var hasSecret = false
    let query = url.firstIndex(of: "?") ?? url.endIndex
    var before = ""
    let parts = url[..<query].split(separator: "/", omittingEmptySubsequences: false).enumerated().map { number, part in
      defer { before = String(part) }
      // The scheme, nothing, the host: none of them is a segment.
      guard number > 2, LikelySecret.isSegment(String(part), after: number > 3 ? before : "") else {
        return TemplateText.escaped(String(part))
      }
      hasSecret = true
      return LikelySecret.segment(secretPrefix, after: before, &names)
    }
    let rest: [Substring] =
      query == url.endIndex ? [] : url[query...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
    let pairs = rest.map { pair -> String in
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count == 2, LikelySecret.holds(sides[0], sides[1]) else { return TemplateText.escaped(String(pair)) }
      hasSecret = true
      return "\(sides[0])=\(LikelySecret.reference(secretPrefix, sides[0]))"
    }
    return (parts.joined(separator: "/") + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")), hasSecret)
  }

  /// The path without the names of its parameters.
  static func shape(_ pattern: String) -> String {
    pattern.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : String($0) }.joined(separator: "/")
  }
}
