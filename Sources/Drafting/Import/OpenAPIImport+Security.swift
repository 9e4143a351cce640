/// Servers and authorization.
extension OpenAPIImport {
  mutating func readServers() {
    if isSwagger {
      guard let host = root["host"]?.text else {
        return note(root, "host", "no host is described: base_url is to be filled in")
      }
      let schemes = root["schemes"]?.items.compactMap(\.text) ?? []
      let scheme = schemes.contains("https") || schemes.isEmpty ? "https" : schemes.first { $0 == "http" } ?? "https"
      setBaseURL("\(scheme)://\(host)\(root["basePath"]?.text ?? "")", at: root)
      return
    }
    let servers = root["servers"]?.items ?? []
    guard let server = servers.first, let url = server["url"]?.text else {
      return note(root, "servers", "no server is described: base_url is to be filled in")
    }
    var filled = url
    // Put in at the end: `${` of the URL itself is text.
    var secrets: [(place: String, reference: String)] = []
    for (name, variable) in server["variables"]?.members ?? [] {
      let value = variable["default"]?.word ?? ""
      if LikelySecret.holds(name, value) {
        let reference = LikelySecret.reference(secretPrefix, name)
        secrets.append(("{\(name)}", reference))
        note(variable, "servers: variable '\(name)'", "it looks like a credential: it is \(reference)")
        continue
      }
      filled = filled.replacing("{\(name)}", with: value)
      note(variable, "servers: variable '\(name)'", "its default '\(value)' is filled in")
    }
    setBaseURL(filled, secrets, at: server)
    for other in servers.dropFirst() {
      note(other, "servers", "another server is not carried over: \(other["url"]?.text ?? "")")
    }
  }

  private mutating func setBaseURL(
    _ text: String, _ secrets: [(place: String, reference: String)] = [], at node: DocNode
  ) {
    var text = text
    for (number, secret) in secrets.enumerated() { text = text.replacing(secret.place, with: "\u{1}\(number)\u{1}") }
    let bare = LikelySecret.maskedUserInfo(text)
    if bare != text {
      note(node, "servers", "a user name and password stand in the URL: they are not copied, see 'auth'")
    }
    var url = bare.prefix { $0 != "?" && $0 != "#" }
    while url.hasSuffix("/") { url.removeLast() }
    let isWhole = ["https://", "http://"].contains { url.hasPrefix($0) && url.count > $0.count }
    guard isWhole, !url.contains(where: { "{} ".contains($0) }) else {
      return note(node, "servers", "'\(text)' is no whole URL: base_url is to be filled in")
    }
    var base = PathTemplate.base(String(url), secretPrefix)
    if base.hasSecret {
      note(node, "servers", "a part of the URL looks like a credential: it is a secret, and is not copied")
    }
    for (number, secret) in secrets.enumerated() {
      base.text = base.text.replacing("\u{1}\(number)\u{1}", with: secret.reference)
    }
    draft.baseURL = base.text
  }

  // MARK: authorization

  private var schemes: DocNode? { isSwagger ? root["securityDefinitions"] : root["components"]?["securitySchemes"] }

  /// The names of the schemes of the first alternative, with the scopes that they need.
  private func alternatives(_ node: DocNode?) -> [(names: [(name: String, scopes: [String])], node: DocNode)] {
    (node?.items ?? []).map { item in
      (item.members.map { ($0.name, $0.value.items.compactMap(\.text)) }, item)
    }
  }

  mutating func readSecurity() {
    var wanted = alternatives(root["security"])
    if wanted.isEmpty {
      // What most operations ask for is what the source asks for.
      let first = (root["paths"]?.members ?? []).lazy.flatMap { $0.value.members.map(\.value) }
        .first { !($0["security"]?.items.isEmpty ?? true) }
      wanted = alternatives(first?["security"])
    }
    guard let chosen = wanted.first(where: { !$0.names.isEmpty }) else {
      guard let (name, node) = schemes?.members.first else { return }
      return note(node, "security scheme '\(name)'", "no operation asks for it: not carried over")
    }
    for (name, scopes) in chosen.names {
      guard let scheme = schemes?[name].flatMap({ reader.followed($0) }) else {
        let why = schemes?[name].flatMap { reader.faults.reason(of: $0) } ?? "it is not described"
        note(chosen.node, "security", "the scheme '\(name)': \(why): not carried over")
        continue
      }
      use(scheme, named: name, scopes: scopes)
    }
    for other in wanted where other.names.map(\.name) != chosen.names.map(\.name) && !other.names.isEmpty {
      let names = other.names.map(\.name).joined(separator: " and ")
      note(other.node, "security", "instead, '\(names)' would do: not carried over")
    }
  }

  private mutating func use(_ scheme: DocNode, named name: String, scopes: [String]) {
    switch (scheme["type"]?.text, scheme["scheme"]?.text?.lowercased()) {
    case ("apiKey", _): useKey(scheme, named: name)
    case ("basic", _), ("http", "basic"): setAuth(login("basic"), scheme, name)
    case ("http", "digest"): setAuth(login("digest"), scheme, name)
    case ("http", "bearer"): setAuth(bearer, scheme, name)
    case ("oauth2", _): useOAuth(scheme, named: name, scopes: scopes)
    case ("openIdConnect", _):
      setAuth(bearer, scheme, name)
      note(scheme, "security scheme '\(name)'", "OpenID Connect: a token is sent that you get yourself")
    default: note(scheme, "security scheme '\(name)'", "it is of a kind that is not known: not carried over")
    }
  }

  private func secret(_ name: String) -> DraftNode { .text("${secret.\(secretPrefix)_\(name)}") }

  private var bearer: DraftNode { .map([.init("bearer", .map([.init("token", secret("TOKEN"))]))]) }

  private func login(_ kind: String) -> DraftNode {
    .map([.init(kind, .map([.init("username", secret("USERNAME")), .init("password", secret("PASSWORD"))]))])
  }

  private mutating func setAuth(_ auth: DraftNode, _ scheme: DocNode, _ name: String) {
    guard draft.auth == nil else {
      return note(scheme, "security scheme '\(name)'", "a second way of authorization at once: not carried over")
    }
    draft.auth = auth
  }

  /// A second key is sent by a header or parameter of the source.
  private mutating func useKey(_ scheme: DocNode, named name: String) {
    guard let place = scheme["in"]?.text, let parameter = scheme["name"]?.text,
      ["query", "header", "cookie"].contains(place)
    else { return note(scheme, "security scheme '\(name)'", "it does not say where the key goes: not carried over") }
    if draft.auth == nil {
      draft.auth = .map([.init("api_key", .map([.init(place, .text(parameter)), .init("value", secret("KEY"))]))])
      return
    }
    let value = secret(Names.snake(name).uppercased())
    switch place {
    case "header": draft.headers.append(.init(parameter, value))
    case "query": draft.params.append(.init(parameter, value))
    default: note(scheme, "security scheme '\(name)'", "a second way of authorization at once: not carried over")
    }
  }

  private mutating func useOAuth(_ scheme: DocNode, named name: String, scopes: [String]) {
    let place = "security scheme '\(name)'"
    var flows = (scheme["flows"]?.members ?? []).map { (kind: $0.name, node: $0.value) }
    if let flow = scheme["flow"]?.text { flows = [(kind: flow, node: scheme)] }
    let grants = [
      "clientCredentials": "client_credentials", "application": "client_credentials", "password": "password",
    ]
    for (kind, node) in flows {
      guard let grant = grants[kind], let url = node["tokenUrl"]?.text else { continue }
      var entries: [DraftNode.Entry] = [
        .init("grant", .text(grant)), .init("token_url", .text(tokenURL(url, at: node, place))),
        .init("client_id", secret("CLIENT_ID")), .init("client_secret", secret("CLIENT_SECRET")),
      ]
      if grant == "password" {
        entries += [.init("username", secret("USERNAME")), .init("password", secret("PASSWORD"))]
      }
      if !scopes.isEmpty { entries.append(.init("scope", .text(scopes.joined(separator: " ")))) }
      return setAuth(.map([.init("oauth2", .map(entries))]), scheme, name)
    }
    let kinds = flows.map(\.kind).joined(separator: ", ")
    setAuth(bearer, scheme, name)
    note(scheme, place, "somebody has to log in for a token (\(kinds)): a token is sent that you get yourself")
  }

  /// Without credentials that stand in it.
  private mutating func tokenURL(_ url: String, at node: DocNode, _ place: String) -> String {
    let bare = LikelySecret.maskedUserInfo(url)
    let (text, hasSecret) = PathTemplate.base(bare, secretPrefix)
    if bare != url || hasSecret { note(node, place, "a credential stands in its token URL: it is not copied") }
    return text
  }

  /// What an operation asks for in place of what the whole document does.
  mutating func checkSecurity(of operation: DocNode, _ place: String) {
    guard let own = operation["security"], root["security"] != nil else { return }
    let wanted = alternatives(own).map { $0.names.map(\.name) }
    let general = alternatives(root["security"]).map { $0.names.map(\.name) }
    if wanted.isEmpty || wanted.contains([]) {
      if draft.auth != nil, !general.contains([]) {
        note(own, place, "it needs no authorization; the source's is sent all the same")
      }
    } else if wanted != general {
      let names = wanted.map { $0.joined(separator: " and ") }.joined(separator: " or ")
      note(own, place, "it asks for other authorization (\(names)): not carried over")
    }
  }
}
