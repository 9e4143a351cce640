import Diagnostics
import MarkedYAML

extension StructureCheck {
  /// What a kind of map asks of its keys together. `guessed` are keys that are there, but misspelt.
  mutating func rules(for view: MapView, owner: SourceSpan, guessed: [String]) {
    for key in view.kind.neverEmpty { notEmpty(key, in: view) }
    for key in view.kind.neverZero { notZero(key, in: view) }
    if view.kind.hasOneKey { exactlyOne(view, owner: owner) }
    switch view.kind {
    case .transform: replacement(view)
    case .paginate: firstPage(view)
    case .source: proxy(view)
    case .tls: certificate(view, guessed: guessed)
    case .oauth2: grant(view, owner: owner, guessed: guessed)
    case .session: logIn(view)
    case .basic: person(view)
    case .bearer: credential(view, "token")
    case .sessionSend: carrier(view, owner: owner, guessed: guessed)
    case .apiKey:
      one(of: ["query", "header", "cookie"], in: view, owner: owner, guessed: guessed)
      apiKey(view)
    case .field:
      exclude(["from", "jq", "const"], in: view)
      needs("map_else", "map", in: view)
      constant(view)
    case .errorRule:
      if !view.has("status"), !view.has("when"), !guessed.contains("status"), !guessed.contains("when") {
        report(.missingKey, "an error rule needs 'status' or 'when'", at: owner)
      }
    case .endpoint: routeOnly(view)
    case .store: storeURL(view)
    case .forEach: exclude(["record", "values"], in: view)
    case .test: test(view, owner: owner, guessed: guessed)
    case .record:
      record(view, owner: owner, guessed: guessed)
      indexes(view)
    case .inlineRecord: indexes(view)
    case .index: if let columns = view.node("columns") { emptyIndex(columns) }
    case .switchCase: switchCase(view, owner: owner, guessed: guessed)
    case .conditionTest: if view.entries.isEmpty { report(.badValue, "a condition tests nothing", at: owner) }
    default: return
    }
  }

  private mutating func notEmpty(_ key: String, in view: MapView) {
    guard let node = view.node(key) else { return }
    switch node.content {
    case .sequence(let items) where items.isEmpty: report(.badValue, "'\(key)' is an empty list", at: node.span)
    case .mapping(let entries) where entries.isEmpty: report(.badValue, "'\(key)' is an empty map", at: node.span)
    default: return
    }
  }

  private mutating func notZero(_ key: String, in view: MapView) {
    guard let text = view.text(key), Quantity.duration(text.value) == .zero else { return }
    report(.badValue, "'\(key)' cannot be \(text.value)", at: text.span, hint: "write a time such as 30s")
  }

  private mutating func replacement(_ view: MapView) {
    guard let node = view.node("replace"), case .sequence(let items) = node.content, items.count != 2 else { return }
    report(
      .badValue, "'replace' has two items, not \(items.count)", at: node.span,
      hint: "write [regular expression, what replaces each match]")
  }

  /// Pages and offsets are counted from a number; of cursors and last values it is what the first request sends.
  private mutating func firstPage(_ view: MapView) {
    guard let by = view.text("by")?.value, let start = view.node("start"), let scalar = start.scalar?.value,
      !scalar.isNull
    else { return }
    let isPage = by.isSame(as: "page")
    if isPage || by.isSame(as: "offset") {
      let what = isPage ? "page" : "offset"
      if let number = start.integer {
        if number < 0 {
          report(.badValue, "the first \(what) cannot be \(number)", at: start.span, hint: "write 0 or more")
        }
      } else {
        report(.badValue, "the first \(what) is a whole number, not '\(scalar.text)'", at: start.span)
        noteVariables(in: scalar)
      }
    } else if view.text("by").flatMap({ PaginateDeclaration.Kind(rawValue: $0.value) }) != nil {
      literal(scalar, at: start.span)
      noteVariables(in: scalar)
    }
  }

  /// What is about requests, where none is made. Parameters and headers stay: drafts have them for whoever turns fetching on.
  private mutating func routeOnly(_ view: MapView) {
    guard view.boolean("fetch") == false else { return }
    let keys = [
      "body", "paginate", "incremental", "for_each", "cache", "on_failure", "idempotent",
    ]
    for entry in view.entries where keys.contains(where: { $0.isSame(as: entry.key.text) }) {
      warn(
        .unused, "'\(entry.key.text)' has no effect with 'fetch: false'", at: entry.keySpan,
        hint: "leave one of them out")
    }
  }

  private mutating func storeURL(_ view: MapView) {
    guard let url = view.template("url"), case .text(let start) = url.value.pieces.first else { return }
    let schemes = ["sqlite:", "postgres:", "postgresql:"]
    guard let scheme = schemes.first(where: { start.utf8.starts(with: $0.utf8) }) else {
      let written = String(start.prefix { $0 != ":" })
      let nearest = NearestName.nearest(to: written, among: ["sqlite", "postgres", "postgresql"])
      return report(
        .badURL, "'\(written)' is no store", at: url.span,
        hint: nearest.map { "did you mean '\($0):'?" } ?? "write sqlite:FILE or postgres://HOST/DATABASE")
    }
    if url.value.isConstant, start.utf8.count == scheme.utf8.count {
      report(.badURL, "'\(scheme)' needs the name of a database", at: url.span, hint: "write sqlite:FILE")
    }
  }

  private mutating func exactlyOne(_ view: MapView, owner: SourceSpan) {
    if view.entries.isEmpty {
      report(.missingKey, "\(view.kind.title) is empty", at: owner)
    } else if view.entries.count > 1 {
      report(
        .conflictingKeys,
        "\(view.kind.title) has one key, not '\(view.entries[0].key.text)' and '\(view.entries[1].key.text)'",
        at: view.entries[1].keySpan)
    }
  }

  private mutating func exclude(_ keys: [String], in view: MapView) {
    let present = view.entries.filter { entry in keys.contains { $0.isSame(as: entry.key.text) } }
    guard present.count > 1 else { return }
    report(
      .conflictingKeys, "'\(present[0].key.text)' and '\(present[1].key.text)' exclude each other",
      at: present[1].keySpan)
  }

  mutating func one(of keys: [String], in view: MapView, owner: SourceSpan, guessed: [String]) {
    exclude(keys, in: view)
    if keys.contains(where: { view.has($0) || guessed.contains($0) }) { return }
    let names = keys.map { "'\($0)'" }.joined(separator: " or ")
    report(.missingKey, "\(view.kind.title) needs \(names)", at: owner)
  }

  private mutating func needs(_ key: String, _ other: String, in view: MapView) {
    guard let entry = view.entry(key), !view.has(other) else { return }
    report(.missingKey, "'\(key)' needs '\(other)'", at: entry.keySpan)
  }

  private mutating func constant(_ view: MapView) {
    guard let template = view.template("const") else { return }
    if let secret = template.value.secrets.first {
      report(.badInterpolation, "the secret '\(secret)' cannot stand in 'const'", at: template.span)
    }
  }

  private mutating func test(_ view: MapView, owner: SourceSpan, guessed: [String]) {
    exclude(["endpoint", "path"], in: view)
    if !view.has("endpoint"), !view.has("path"), symbols.endpoints.count != 1,
      !guessed.contains("endpoint"), !guessed.contains("path")
    {
      report(.missingKey, "a test needs 'endpoint' or 'path'", at: owner)
    }
    one(of: ["response", "body"], in: view, owner: owner, guessed: guessed)
    if !view.has("expect"), !view.has("error"), !guessed.contains("expect"), !guessed.contains("error") {
      report(.missingKey, "a test needs 'expect' or 'error'", at: owner)
    }
  }

  // MARK: Records

  private mutating func record(_ view: MapView, owner: SourceSpan, guessed: [String]) {
    if let choice = view.entry("switch") { return self.choice(choice, view) }
    if !view.has("fields"), !view.has("relationships"), !guessed.contains("fields") {
      report(.missingKey, "a record needs 'fields'", at: owner)
    }
    if guessed.contains("key") { return }
    for key in ["modified", "delete_when"] { needs(key, "key", in: view) }
    // Without a key, a replacing record may still say how much may go at once.
    let isSwept = view.node("sweep") != nil && view.boolean("sweep") != false
    if isSwept, view.text("write")?.value.isSame(as: "replace") != true { needs("sweep", "key", in: view) }
  }

  /// A choice has cases, and nothing else that a record has.
  private mutating func choice(_ choice: YAMLEntry, _ view: MapView) {
    if case .sequence(let cases) = choice.value.content, cases.isEmpty {
      report(.badValue, "'switch' has no case", at: choice.value.span)
    }
    let hint = "a choice has no fields, key or table of its own: its records have"
    let others = view.entries.filter { entry in
      !["switch", "description"].contains { $0.isSame(as: entry.key.text) }
        && LanguageTable.key(entry.key.text, of: .record) != nil
    }
    let start = choice.keySpan.start.offset
    if let before = others.first(where: { $0.keySpan.start.offset < start }) {
      report(
        .conflictingKeys, "'\(before.key.text)' and 'switch' exclude each other", at: choice.keySpan, hint: hint)
    }
    for other in others where other.keySpan.start.offset > start {
      report(.conflictingKeys, "'switch' and '\(other.key.text)' exclude each other", at: other.keySpan, hint: hint)
    }
  }

  private mutating func switchCase(_ view: MapView, owner: SourceSpan, guessed: [String]) {
    let isElse = view.has("else")
    if isElse, view.has("when") || view.has("record") {
      return exclude(view.has("when") ? ["when", "else"] : ["record", "else"], in: view)
    }
    if isElse || guessed.contains("else") { return }
    for key in ["when", "record"] where !view.has(key) && !guessed.contains(key) {
      report(.missingKey, "a case of 'switch' needs '\(key)'", at: owner, hint: "or 'else', for all others")
    }
  }

  private mutating func indexes(_ view: MapView) {
    guard case .sequence(let items) = view.node("indexes")?.content else { return }
    for item in items { emptyIndex(item) }
  }

  private mutating func emptyIndex(_ columns: YAMLNode) {
    guard case .sequence(let items) = columns.content, items.isEmpty else { return }
    report(.badValue, "an index has one column at least", at: columns.span)
  }
}

extension MapKind {
  /// Durations that must be longer than nothing.
  fileprivate var neverZero: [String] {
    switch self {
    case .source: ["timeout"]
    case .incremental: ["slice"]
    default: []
    }
  }
}
