import MappingLanguage
import Records

/// The parameters of one operation.
struct RequestParameters {
  private let place: String
  private let isSwagger: Bool
  private let file: String
  private let reader: SchemaReader
  private var known: [String: MappingDraft.Variable]
  private let secretPrefix: String

  private(set) var notes: [DraftNote] = []
  private(set) var variables: [MappingDraft.Variable] = []
  private(set) var params: [DraftNode.Entry] = []
  private(set) var headers: [DraftNode.Entry] = []
  /// Names of what has no value yet.
  private(set) var needed: [String] = []
  /// Parameters that may be left out, as a comment lists them.
  private(set) var optional: [String] = []
  private(set) var pagingPaths: Set<DraftPath> = []
  private var paging: [PagingRole: (name: String, value: String?)] = [:]
  /// Those that ask for pages, while it is not known whether `paginate` can.
  private var asking: [(parameter: DocNode, name: String)] = []

  private enum PagingRole { case page, offset, cursor, size }

  private static let reserved = ["now", "today"]

  init(_ work: OpenAPIImport, place: String) {
    self.place = place
    isSwagger = work.isSwagger
    file = work.description.name
    reader = work.reader
    known = work.variables
    secretPrefix = work.secretPrefix
  }

  /// An operation's own parameters go before those of its path.
  mutating func read(own: [DocNode], shared: [DocNode]) {
    var met: Set<String> = []
    for node in own + shared {
      guard let parameter = reader.followed(node), let name = parameter["name"]?.text else {
        note(node, "a parameter", "\(reader.faults.reason(of: node) ?? "it has no name"): not carried over")
        continue
      }
      let kind = parameter["in"]?.text ?? "query"
      guard met.insert("\(kind) \(name)").inserted else { continue }
      switch kind {
      case "path": continue
      case "query": query(parameter, name)
      case "header": header(parameter, name)
      case "body", "formData": note(parameter, "the request's body", "not carried over")
      default:
        if parameter["required"]?.boolean == true {
          note(parameter, "parameter '\(name)' (\(kind))", "not carried over")
        } else {
          optional.append("\(name) (\(kind))")
        }
      }
    }
  }

  private mutating func note(_ node: DocNode, _ what: String, _ text: String) {
    notes.append(DraftNote("\(file):\(node.line): \(place): \(what)", text))
  }

  private func schema(_ parameter: DocNode) -> (schema: Schema, value: DocNode?) {
    let node = isSwagger ? parameter : parameter["schema"] ?? parameter["content"]?.members.first?.value["schema"]
    guard let node else { return (Schema(), nil) }
    return (reader.schema(node), (reader.followed(node) ?? node)["default"])
  }

  private mutating func query(_ parameter: DocNode, _ name: String) {
    guard !name.contains("${") else { return note(parameter, "parameter '\(name)'", "a name of this kind is not sent") }
    let (schema, value) = schema(parameter)
    let isRequired = parameter["required"]?.boolean ?? false
    if let role = Self.role(of: name, schema), paging[role] == nil {
      paging[role] = (name, value?.word)
      if !isRequired || role != .size { return asking.append((parameter, name)) }
    }
    send(parameter, name)
  }

  private mutating func send(_ parameter: DocNode, _ name: String) {
    let (schema, value) = schema(parameter)
    let isRequired = parameter["required"]?.boolean ?? false
    if isRequired || value != nil, let secret = secret(parameter, name, "parameter", value) {
      params.append(.init(name, .text(secret)))
    } else if case .list(let items)? = value?.content, !items.isEmpty {
      params.append(.init(name, .list(items.compactMap(\.word).map { .text(TemplateText.escaped($0)) })))
    } else if isRequired || value?.word != nil {
      params.append(.init(name, .text("${\(variable(name, schema, value))}")))
      if value?.word == nil { needed.append(name) }
    } else {
      optional.append(schema.types.first.map { "\(name) (\(schema.format ?? $0))" } ?? name)
    }
  }

  private mutating func header(_ parameter: DocNode, _ name: String) {
    guard !["accept", "content-type", "authorization"].contains(name.lowercased()) else {
      return note(parameter, "header '\(name)'", "not carried over: ingest sends its own, by 'auth' and 'body'")
    }
    let (schema, value) = schema(parameter)
    guard parameter["required"]?.boolean == true || value?.word != nil else {
      return optional.append("\(name) (header)")
    }
    guard HeaderName.fault(in: name) == nil
    else { return note(parameter, "header '\(name)'", "a name of this kind is not sent") }
    if LikelySecret.isNamed(name) {
      return note(parameter, "header '\(name)'", "it looks like a credential: put it under 'auth'")
    }
    if let secret = secret(parameter, name, "header", value) { return headers.append(.init(name, .text(secret))) }
    if let text = value?.word, !HeaderName.isValidValue(text) {
      return note(parameter, "header '\(name)'", "its default holds a control character: not carried over")
    }
    headers.append(.init(name, .text("${\(variable(name, schema, value))}")))
    if value?.word == nil { needed.append(name) }
  }

  /// What stands for a credential, by its name or by the looks of its default; nil for anything else.
  private mutating func secret(_ parameter: DocNode, _ name: String, _ kind: String, _ value: DocNode?) -> String? {
    let values = [value?.word].compactMap(\.self) + (value?.items ?? []).compactMap(\.word)
    let isSecret = values.isEmpty ? SecretName.isParameter(name) : values.contains { LikelySecret.holds(name, $0) }
    guard isSecret else { return nil }
    let reference = LikelySecret.reference(secretPrefix, name)
    let what = values.isEmpty ? "" : ", and its default is not copied"
    note(parameter, "\(kind) '\(name)'", "it looks like a credential: it is \(reference)\(what)")
    return reference
  }

  /// The name of a variable for the parameter: of the one that is there already, when it is the same.
  private mutating func variable(_ name: String, _ schema: Schema, _ value: DocNode?) -> String {
    let types: [String: ColumnType] = ["integer": .integer, "boolean": .boolean, "number": .decimal]
    var type = schema.types.count == 1 ? types[schema.types[0]] : nil
    if schema.types == ["string"] {
      type = schema.format == "date" ? .date : schema.format == "date-time" ? .timestamp : .text
    }
    let text = value?.word == nil ? nil : value?.draft
    var variable = MappingDraft.Variable(name: "", type: type, value: text)
    let base = Names.snake(name)
    for candidate in [base, "\(Names.snake(place))_\(base)"] {
      variable.name = candidate.isEmpty || Self.reserved.contains(candidate) ? "the_\(candidate)" : candidate
      if let other = known[variable.name], other.type != type || other.value?.flow != text?.flow { continue }
      break
    }
    known[variable.name] = variable
    variables.append(variable)
    return variable.name
  }

  // MARK: paging

  private static func role(of name: String, _ schema: Schema) -> PagingRole? {
    let name = String(Names.snake(name).filter { $0 != "_" })
    switch name {
    case "page", "pagenumber", "pageno", "pageindex", "currentpage": return .page
    case "offset", "skip", "startindex", "startat": return .offset
    case "cursor", "after", "pagetoken", "nexttoken", "startingafter", "continuationtoken", "nextpagetoken":
      return .cursor
    case "limit", "perpage", "pagesize", "maxresults", "size", "count": return schema.types == ["string"] ? nil : .size
    default: return nil
    }
  }

  /// Lines of a mapping that ask for pages, from the parameters and what stands beside the records. What these lines do not
  /// send is a parameter as any other.
  mutating func paging(_ beside: [(path: DraftPath, schema: Schema)], _ reader: SchemaReader) -> [String] {
    let hints = PagingHints(beside.map { ($0.path, PagingHints.Kind($0.schema)) }, list: nil)
    pagingPaths = hints.used
    var entries: [DraftNode.Entry]
    if let (name, value) = paging[.page] {
      entries = [
        .init("by", .text("page")), .init("param", .text(name)), .init("start", .bare(value == "0" ? "0" : "1")),
      ]
    } else if let (name, _) = paging[.offset] {
      entries = [.init("by", .text("offset")), .init("param", .text(name))]
    } else if let (name, _) = paging[.cursor], let from = hints.cursor {
      entries = [.init("by", .text("cursor")), .init("param", .text(name)), .init("from", .text(from.text))]
    } else if let from = hints.nextURL {
      entries = [.init("by", .text("next_url")), .init("from", .text(from.text))]
    } else {
      sendRest(beside: [])
      return []
    }
    if let (name, value) = paging[.size], let value, let number = Int(value), number > 0 {
      entries += [.init("size_param", .text(name)), .init("size", .bare("\(number)"))]
    }
    if paging[.page] != nil || paging[.offset] != nil { entries += hints.ends }
    sendRest(beside: entries)
    return DraftNode.map(entries).flow.map { ["paginate: \($0)"] } ?? []
  }

  private mutating func sendRest(beside entries: [DraftNode.Entry]) {
    let sent = entries.filter { ["param", "size_param"].contains($0.key) }.compactMap(\.value.flow)
    for (parameter, name) in asking where !sent.contains(where: { $0 == DraftNode.text(name).flow }) {
      send(parameter, name)
    }
  }
}
