import JSONReading
import Records

/// Drafts a mapping from a declarative (low-code) manifest of Airbyte.
package struct AirbyteImport {
  private struct Stream {
    var name: String
    var part: ManifestPart
    var endpoint: Int
    var record: String
  }

  let file: String
  let manifest: Manifest
  let spec: DocNode?
  var draft: MappingDraft
  var notes: [DraftNote] = []
  var records: SchemaRecords
  var variables: [String: MappingDraft.Variable] = [:]
  private var endpointNames = NameSet()
  private var streams: [Stream] = []
  var auth: String?

  package static func draft(
    _ description: Description, title: [String], stem: String
  ) throws(Description.Failure) -> (MappingDraft, [DraftNote]) {
    guard let streams = description.root["streams"], !streams.items.isEmpty else {
      throw Description.Failure(
        message: "\(description.name) is no declarative manifest of Airbyte: it has no 'streams'")
    }
    var work = AirbyteImport(description, title: title, stem: stem)
    work.run(streams)
    return (work.draft, work.notes + work.records.notes)
  }

  private init(_ description: Description, title: [String], stem: String) {
    file = description.name
    manifest = Manifest(description.root)
    let specification = description.root["spec"]
    spec = (specification?["connection_specification"] ?? specification?["connectionSpecification"])?["properties"]
    records = SchemaRecords(SchemaReader(root: description.root))
    let name = Names.snake(description.root["metadata"]?["name"]?.text ?? stem)
    draft = MappingDraft(sourceName: name.isEmpty || name == "manifest" ? "api" : name)
    draft.title = title
  }

  private mutating func run(_ list: DocNode) {
    for node in list.items { add(manifest.part(node, [:])) }
    for name in ["dynamic_streams", "concurrency_level"] {
      if let node = manifest.root[name] { note(node.line, name, "not carried over") }
    }
    draft.records = records.records
    for stream in streams { addPartitions(of: stream) }
    draft.records = records.records
    draft.variables = variables.values.sorted { $0.name < $1.name }
    for fault in manifest.reader.faults.untold + records.reader.faults.untold {
      note(fault.line, "$ref", "\(fault.reason): what it leads to is not known")
    }
  }

  mutating func note(_ line: Int, _ place: String, _ text: String) {
    notes.append(DraftNote("\(file):\(line): \(place)", text))
  }

  // MARK: streams

  private mutating func add(_ part: ManifestPart) {
    let name = part["name"]?.text ?? "stream"
    let place = "stream '\(name)'"
    if let retriever = part["retriever"], retriever.kind.hasPrefix("Custom") {
      return note(
        retriever.line, place,
        "its retriever is '\(retriever.kind)', code of the connector's own, which is not read: left out")
    }
    guard let retriever = part["retriever"], let requester = retriever["requester"], requester.node.isMap else {
      return note(part.line, place, "it has no requester that is described ('retriever.requester'): left out")
    }
    if retriever.kind == "AsyncRetriever" {
      return note(retriever.line, place, "its retriever is '\(retriever.kind)': left out")
    }
    guard useBase(requester, place), let path = path(requester, place) else { return }
    let field = retriever["record_selector"]?["extractor"]
    guard let key = keyPath(field, place) else { return }
    var endpoint = MappingDraft.Endpoint(
      name: endpointNames.add(Names.snake(name), orElse: "stream"), path: path.pattern)
    let method = requester.own("http_method")?.text?.uppercased() ?? "GET"
    if method != "GET" { endpoint.method = method }
    endpoint.params = path.params
    let record = record(part, named: name, retriever: retriever, place)
    endpoint.records = [(key.text, record)]
    addRequest(requester, to: &endpoint, place)
    useAuth(requester["authenticator"], place)
    endpoint.paginate = paginate(retriever.own("paginator"), key, place)
    endpoint.incremental = incremental(part, record, place)
    report(retriever, requester, part, place)
    streams.append(Stream(name: name, part: part, endpoint: draft.endpoints.count, record: record))
    draft.endpoints.append(endpoint)
  }

  /// All streams of a mapping have one base.
  private mutating func useBase(_ requester: ManifestPart, _ place: String) -> Bool {
    guard let text = (requester["url_base"] ?? requester["url"])?.text, var url = template(text, requester) else {
      note(requester.line, place, "its url_base cannot be read: left out")
      return false
    }
    while url.hasSuffix("/") { url.removeLast() }
    url = address(url, requester.line, place)
    if draft.baseURL == nil { draft.baseURL = url }
    guard draft.baseURL == url else {
      note(requester.line, place, "it has another url_base: left out, a mapping has one API")
      return false
    }
    return true
  }

  private mutating func path(
    _ requester: ManifestPart, _ place: String
  ) -> (pattern: String, params: [DraftNode.Entry])? {
    let text = requester["path"]?.text ?? ""
    var (pattern, isCut) = ("", false)
    for piece in Jinja.pieces(text) {
      if !piece.isExpression {
        pattern += piece.text.split(separator: "/", omittingEmptySubsequences: false).map {
          TemplateText.segment(String($0))
        }.joined(separator: "/")
      } else if let name = partition(piece.text) {
        pattern += "{\(name)}"
      } else if let value = value(piece.text, requester) {
        pattern += value
      } else {
        isCut = true
      }
    }
    guard !isCut else {
      note(
        requester.line, place,
        "its path '\(LikelySecret.maskedPath(text))' has an expression that is not known: left out")
      return nil
    }
    let parts = pattern.split(separator: "?", maxSplits: 1)
    var params: [DraftNode.Entry] = []
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1)
      if let name = sides.first.map(String.init) {
        let value = sides.count > 1 ? String(sides[1]) : ""
        params.append(.init(name, .text(credential(value, of: name, requester.line, place))))
      }
    }
    let bare = parts.first.map(String.init) ?? ""
    for segment in bare.split(separator: "/") where segment.contains("{") && !segment.contains("${") {
      guard segment.hasPrefix("{"), segment.hasSuffix("}"), segment.count(where: { $0 == "{" }) == 1 else {
        note(requester.line, place, "a part of a segment of its path comes from a partition: left out")
        return nil
      }
    }
    return (withoutSecrets(bare, requester.line, place), params)
  }

  /// A path, with a secret in place of each segment that looks like a credential.
  private mutating func withoutSecrets(_ path: String, _ line: Int, _ place: String) -> String {
    var (segments, before, names): ([String], String, NameSet) = ([], "", NameSet())
    for segment in path.split(separator: "/").map(String.init) {
      let isSecret = LikelySecret.isSegment(segment, after: before)
      if isSecret {
        note(line, place, "a part of its path looks like a credential: it is a secret, not copied")
      }
      segments.append(
        isSecret ? LikelySecret.segment(draft.sourceName.uppercased(), after: before, &names) : segment)
      before = segment
    }
    return "/" + segments.joined(separator: "/")
  }

  /// The name that a partition has in a path: `stream_partition.id`, `stream_slice['id']`.
  func partition(_ expression: String) -> String? {
    guard let chain = Jinja.chain(expression), chain.count == 2,
      ["stream_partition", "stream_slice"].contains(chain[0])
    else { return nil }
    return Names.snake(chain[1])
  }

  private mutating func keyPath(_ extractor: ManifestPart?, _ place: String) -> DraftPath? {
    guard let extractor else { return DraftPath() }
    if extractor.kind.hasPrefix("Custom") {
      note(extractor.line, place, "its records are found by code ('\(extractor.kind)'): left out")
      return nil
    }
    var path = DraftPath()
    for item in extractor["field_path"]?.items ?? [] {
      guard let text = item.text, let name = template(text, extractor) else {
        note(extractor.line, place, "its field_path cannot be read: left out")
        return nil
      }
      if name == "*" {
        path = path.appending(.eachElement)
        note(extractor.line, place, "'*' in field_path is taken for the elements of a list")
      } else if !name.isEmpty {
        path = path.member(JSONName(name))
      }
    }
    return path
  }

  // MARK: records

  private mutating func record(
    _ part: ManifestPart, named name: String, retriever: ManifestPart, _ place: String
  ) -> String {
    let keys = primaryKey(part["primary_key"], place)
    let loader = part.own("schema_loader")
    let first = loader.flatMap { $0.items.first ?? $0 }
    var schema = Schema(line: part.line)
    if first?.kind == "InlineSchemaLoader", let node = first?.own("schema")?.node {
      schema = records.reader.schema(node)
    } else {
      note(part.line, place, "its schema is not in the manifest: the key alone has a column, the rest is in '_extra'")
    }
    schema.component = nil
    let cursor = part.own("incremental_sync")?["cursor_field"]?.text
    return records.record(schema, named: name, keys: keys, also: cursor.map { [$0] } ?? [], report: place)
  }

  private mutating func primaryKey(_ part: ManifestPart?, _ place: String) -> [String] {
    guard let part else { return [] }
    if let text = part.text { return text.isEmpty ? [] : [text] }
    var keys: [String] = []
    for item in part.items {
      if let text = item.text {
        keys.append(text)
      } else if item.items.count == 1, let text = item.items[0].text {
        keys.append(text)
      } else {
        note(item.line, place, "a nested primary key is not carried over: rows are appended")
        return []
      }
    }
    return keys
  }

  private mutating func report(
    _ retriever: ManifestPart, _ requester: ManifestPart, _ part: ManifestPart, _ place: String
  ) {
    if let filter = retriever["record_selector"]?.own("record_filter") {
      note(filter.line, place, "record_filter is not carried over: all records are stored (see 'where')")
    }
    if let handler = requester.own("error_handler") {
      note(handler.line, place, "error_handler is not carried over (see 'errors' and 'retry')")
    }
    for item in part.own("transformations")?.items ?? [] {
      note(item.line, place, "the transformation '\(item.kind)' is not carried over")
    }
  }

  // MARK: partitions

  private mutating func addPartitions(of stream: Stream) {
    guard let retriever = stream.part["retriever"], let router = retriever.own("partition_router") else { return }
    let place = "stream '\(stream.name)'"
    let one = router.node.items.isEmpty ? router : router.items[0]
    if router.node.items.count > 1 {
      note(router.line, place, "the first of several partition routers alone is carried over")
    }
    switch one.kind {
    case "ListPartitionRouter": addList(one, to: stream.endpoint, place)
    case "SubstreamPartitionRouter": addParents(one, to: stream.endpoint, place)
    default:
      note(one.line, place, "the partition router '\(one.kind)' is not carried over: a route alone")
      draft.endpoints[stream.endpoint].isFetched = false
    }
  }

  private mutating func addList(_ router: ManifestPart, to index: Int, _ place: String) {
    let name = Names.snake(router["cursor_field"]?.text ?? "value")
    var values = router.own("values")?.node.items.compactMap(\.draft) ?? []
    if values.contains(where: { $0.flow.map(LikelySecret.isOne) ?? false }) {
      note(router.line, place, "values of the partition look like credentials: they are not copied")
      values = []
    }
    guard !values.isEmpty else {
      draft.endpoints[index].isFetched = false
      return note(router.line, place, "values of the partition are not a list of the manifest: a route alone")
    }
    let isInPath = draft.endpoints[index].path.contains("{\(name)}")
    if let field = router.own("request_option")?.own("field_name")?.text, !isInPath {
      draft.endpoints[index].params.append(.init(field, .text("${each.\(name)}")))
    } else if !isInPath {
      return note(router.line, place, "a partition that is in no path and no parameter is not carried over")
    }
    draft.endpoints[index].forEach = .map([.init("values", .list(values)), .init("bind", .text(name))])
  }

  private mutating func addParents(_ router: ManifestPart, to index: Int, _ place: String) {
    let configurations = router.own("parent_stream_configs")?.items ?? []
    guard let parent = configurations.first, let key = parent.own("parent_key")?.text,
      let name = parent.own("partition_field")?.text.map(Names.snake),
      let other = streams.first(where: {
        $0.name == parent["stream"]?.own("name")?.text ?? parent["stream"]?["name"]?.text
      })
    else {
      draft.endpoints[index].isFetched = false
      return note(router.line, place, "its parent stream is not among those carried over: a route alone")
    }
    if configurations.count > 1 {
      note(router.line, place, "the first of several parent streams alone is carried over")
    }
    guard let column = records.column(of: key, in: other.record) else {
      draft.endpoints[index].isFetched = false
      return note(router.line, place, "the parent's '\(key)' has no column: a route alone")
    }
    let isInPath = draft.endpoints[index].path.contains("{\(name)}")
    if let field = parent.own("request_option")?.own("field_name")?.text, !isInPath {
      draft.endpoints[index].params.append(.init(field, .text("${each.\(name)}")))
    } else if !isInPath {
      return note(router.line, place, "a partition that is in no path and no parameter is not carried over")
    }
    draft.endpoints[index].forEach = .map([
      .init("record", .text(other.record)), .init("bind", .map([.init(name, .text(column))])),
    ])
  }
}
