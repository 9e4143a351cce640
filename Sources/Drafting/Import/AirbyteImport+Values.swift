import MappingLanguage
import Records

/// Values, and the requests that they go into.
extension AirbyteImport {
  /// A text with `{{ … }}` as a template; nil where an expression is not known.
  mutating func template(_ text: String, _ part: ManifestPart) -> String? {
    var result = ""
    for piece in Jinja.pieces(text) {
      guard piece.isExpression else {
        result += TemplateText.escaped(piece.text)
        continue
      }
      guard let value = value(piece.text, part) else { return nil }
      result += value
    }
    return result
  }

  /// `config['x']` is a variable or a secret, `parameters.x` what it stands for.
  mutating func value(_ expression: String, _ part: ManifestPart) -> String? {
    let isQuoted =
      expression.count > 1 && ["'", "\""].contains { expression.hasPrefix($0) && expression.hasSuffix($0) }
    if isQuoted { return TemplateText.escaped(String(expression.dropFirst().dropLast())) }
    guard let chain = Jinja.chain(expression), chain.count > 1 else { return nil }
    switch chain[0] {
    case "config": return configured(Array(chain.dropFirst()))
    case "parameters", "options":
      guard let text = part.parameters[chain[1]]?.word, chain.count == 2, !text.contains("{{") else { return nil }
      return TemplateText.escaped(text)
    default: return nil
    }
  }

  private mutating func configured(_ names: [String]) -> String? {
    var property: DocNode?
    var members = spec
    for name in names {
      property = members?[name]
      members = property?["properties"]
    }
    let name = names.map(Names.snake).joined(separator: "_")
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if property?["airbyte_secret"]?.boolean ?? LikelySecret.isNamed(name) {
      return LikelySecret.reference(draft.sourceName.uppercased(), name)
    }
    let types: [String: ColumnType] = ["integer": .integer, "boolean": .boolean, "number": .decimal]
    let variable = ["now", "today"].contains(name) ? "the_\(name)" : name
    var type = property?["type"]?.text.map { types[$0] ?? .text }
    var value = property?["default"]
    if let text = value?.word, let property, LikelySecret.holds(name, text) {
      note(property.line, "spec: '\(name)'", "its default looks like a credential: it is not copied")
      value = nil
    }
    if type == .text, property?["format"]?.text == "date" { type = .date }
    variables[variable] = .init(name: variable, type: type, value: value?.word == nil ? nil : value?.draft)
    return "${\(variable)}"
  }

  /// What the request has beside its path.
  mutating func addRequest(_ requester: ManifestPart, to endpoint: inout MappingDraft.Endpoint, _ place: String) {
    for (what, isHeader) in [("request_parameters", false), ("request_headers", true)] {
      for (name, part) in requester.own(what)?.members ?? [] {
        guard let text = part.node.word, let value = template(text, requester), !name.contains("${") else {
          note(part.line, place, "\(what): '\(name)' has an expression that is not known: not carried over")
          continue
        }
        if LikelySecret.isOne(name) {
          note(part.line, place, "\(what): a name that looks like a credential is not carried over")
        } else if isHeader {
          guard HeaderName.fault(in: name) == nil, HeaderName.isValidValue(value) else {
            note(part.line, place, "\(what): '\(name)' cannot be sent as a header: not carried over")
            continue
          }
          endpoint.headers.append(.init(name, .text(credential(value, of: name, part.line, place))))
        } else {
          endpoint.params.append(.init(name, .text(credential(value, of: name, part.line, place))))
        }
      }
    }
    for what in ["request_body_json", "request_body_data", "request_body"] {
      guard let body = requester.own(what) else { continue }
      note(body.line, place, "\(what) is not carried over: see 'body'")
      endpoint.isFetched = false
      endpoint.whyNotFetched = "remove this when there is a body"
    }
  }

  /// A credential that the manifest holds itself becomes a secret; anything else stays.
  mutating func credential(
    _ value: String, of name: String, _ line: Int, _ place: String, isKnown: Bool = false
  ) -> String {
    let isLiteral = !value.contains("${") && !value.isEmpty && (isKnown || LikelySecret.holds(name, value))
    // Beside a template, too.
    let isBeside = value.contains("${") && value.split(separator: " ").contains { Self.isLiteralSecret($0) }
    guard isLiteral || isBeside else { return value }
    let reference = LikelySecret.reference(draft.sourceName.uppercased(), name)
    note(line, place, "the credential of '\(name)' is written into the manifest: it is \(reference), and is not copied")
    return reference
  }

  /// A URL, without credentials that stand in it; what its templates stand for is not known.
  mutating func address(_ url: String, _ line: Int, _ place: String) -> String {
    let bare = LikelySecret.maskedUserInfo(url)
    if bare.utf8.count < url.utf8.count {
      note(line, place, "a user name and password stand in a URL: they are not copied, see 'auth'")
    }
    if bare.contains("${") {
      let parts = bare.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.contains(where: Self.isLiteralSecret) else { return bare }
      note(line, place, "a part of a URL looks like a credential: it is a secret, and is not copied")
      let reference = LikelySecret.reference(draft.sourceName.uppercased(), "token")
      return parts.map { Self.isLiteralSecret($0) ? reference : String($0) }.joined(separator: "/")
    }
    let (text, hasSecret) = PathTemplate.base(bare, draft.sourceName.uppercased())
    if hasSecret { note(line, place, "a part of a URL looks like a credential: it is a secret, and is not copied") }
    return text
  }

  private static func isLiteralSecret(_ part: Substring) -> Bool {
    !part.contains("${") && LikelySecret.isOne(String(part))
  }

  // MARK: authorization

  mutating func useAuth(_ part: ManifestPart?, _ place: String) {
    guard let part, part.node.isMap, part.kind != "NoAuth", !part.kind.isEmpty else { return }
    guard let node = authorization(part, place) else { return }
    let text = DraftNode.map([.init("auth", node)]).flow ?? ""
    if auth == nil { (auth, draft.auth) = (text, node) }
    if auth != text { note(part.line, place, "it has other authorization than the first stream: not carried over") }
  }

  private mutating func authorization(_ part: ManifestPart, _ place: String) -> DraftNode? {
    func text(_ name: String) -> DraftNode? {
      guard let node = part.own(name), let text = node.text, let value = template(text, part) else { return nil }
      if name == "token_refresh_endpoint" { return .text(address(value, node.line, place)) }
      return .text(credential(value, of: name, node.line, place, isKnown: true))
    }
    switch part.kind {
    case "BearerAuthenticator":
      if let token = text("api_token") { return .map([.init("bearer", .map([.init("token", token)]))]) }
    case "BasicHttpAuthenticator":
      if let name = text("username") {
        let password = text("password") ?? .text("")
        return .map([.init("basic", .map([.init("username", name), .init("password", password)]))])
      }
    case "ApiKeyAuthenticator":
      let option = part.own("inject_into")
      let isQuery = option?.own("inject_into")?.text == "request_parameter"
      if let token = text("api_token"), let name = option?.own("field_name")?.text ?? part.own("header")?.text {
        let place = isQuery ? "query" : "header"
        return .map([.init("api_key", .map([.init(place, .text(name)), .init("value", token)]))])
      }
    case "OAuthAuthenticator":
      let isRefresh = part.own("refresh_token") != nil
      let names = [
        ("token_url", "token_refresh_endpoint"), ("client_id", "client_id"), ("client_secret", "client_secret"),
      ]
      var entries: [DraftNode.Entry] = [.init("grant", .text(isRefresh ? "refresh_token" : "client_credentials"))]
      for (key, name) in names { if let value = text(name) { entries.append(.init(key, value)) } }
      if isRefresh, let value = text("refresh_token") { entries.append(.init("refresh_token", value)) }
      if entries.count == (isRefresh ? 5 : 4) { return .map([.init("oauth2", .map(entries))]) }
    default: break
    }
    note(part.line, place, "the authorization '\(part.kind)' is not carried over")
    return nil
  }
}
