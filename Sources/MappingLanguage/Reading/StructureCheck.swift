import Diagnostics
import MarkedYAML
import Records

/// Holds YAML against `LanguageTable`: unknown keys, wrong kinds, values that cannot be read, names that nothing bears.
///
/// It reports everything that can be said of one value without its neighbours' meaning, also within keys that are not
/// available yet. Depth is bounded by the YAML reader.
struct StructureCheck {
  let symbols: Symbols
  var diagnostics: [Diagnostic] = []
  /// The variables that something names.
  var usedVariables: Set<NameKey> = []
  /// Within an endpoint that has `for_each`: `${each.…}` means something.
  var isWithinForEach = false
  /// Within an endpoint: the parameters of its paths.
  var routeNames: [String]?
  /// What a condition's key paths may be.
  private var conditionUse = ValueKind.PathUse.condition

  init(symbols: Symbols) { self.symbols = symbols }

  mutating func report(_ code: DiagnosticCode, _ message: String, at span: SourceSpan, hint: String? = nil) {
    diagnostics.append(Diagnostic(code, message, at: span, hint: hint))
  }

  mutating func warn(_ code: DiagnosticCode, _ message: String, at span: SourceSpan, hint: String? = nil) {
    diagnostics.append(Diagnostic(code, message, at: span, hint: hint, severity: .warning))
  }

  // MARK: Maps

  /// A map with the keys of its kind. `owner` is the key that it stands behind, where what is missing is reported.
  mutating func map(_ node: YAMLNode, as kind: MapKind, owner: SourceSpan) {
    guard case .mapping(let entries) = node.content else { return }
    let wasWithinForEach = isWithinForEach
    if kind == .endpoint { isWithinForEach = entries.contains { $0.key.text.isSame(as: "for_each") } }
    let (routeNamesAround, conditionUseAround) = (routeNames, conditionUse)
    if kind == .endpoint { routeNames = Self.routeNames(of: entries) }
    if kind == .errorRule || kind == .paginate { conditionUse = .answer }
    defer {
      isWithinForEach = wasWithinForEach
      (routeNames, conditionUse) = (routeNamesAround, conditionUseAround)
    }
    if kind == .expectation { return expectation(entries) }
    if kind == .record, let hint = Misplaced.hint(forRecord: owner.text, with: entries) {
      return report(.missingKey, "a record needs 'fields'", at: owner, hint: hint)
    }
    var guessed: [String] = []
    for entry in entries {
      if let spec = LanguageTable.key(entry.key.text, of: kind) {
        value(of: entry, as: spec)
      } else if let guess = unknownKey(entry, in: kind) {
        guessed.append(guess)
      }
    }
    for spec in LanguageTable.keys(of: kind) where spec.isRequired && kind != .mapping {
      let isThere = entries.contains { $0.key.text.isSame(as: spec.name) }
      if isThere || guessed.contains(spec.name) { continue }
      report(.missingKey, "\(kind.title) needs '\(spec.name)'", at: owner, hint: "\(spec.name): \(spec.summary)")
    }
    if let view = MapView(node, as: kind) { rules(for: view, owner: owner, guessed: guessed) }
  }

  private mutating func value(of entry: YAMLEntry, as spec: KeySpec) {
    check(entry.value, as: spec.kind, Site(spec: spec, owner: entry.keySpan))
    if spec.kind.isOneOrMany, spec.name != "include", case .sequence(let items) = entry.value.content, items.isEmpty {
      report(.badValue, "'\(spec.name)' is an empty list", at: entry.value.span)
    }
  }

  /// The name that was probably meant.
  private mutating func unknownKey(_ entry: YAMLEntry, in kind: MapKind) -> String? {
    let name = entry.key.text
    let known = LanguageTable.keys(of: kind).map(\.name)
    let nearest = NearestName.meant(by: name, among: kind == .types ? ColumnType.allCases.map(\.rawValue) : known)
    var hint =
      nearest.map { "did you mean '\($0)'?" } ?? Misplaced.hint(for: entry, in: kind)
      ?? "there are: \(known.joined(separator: ", "))"
    if kind == .types {
      let synonym = Synonyms.type(name)
      if let synonym { hint = synonym.hint }
      report(.unknownType, "no type is named '\(name)'", at: entry.keySpan, hint: hint)
      return synonym?.name ?? nearest
    }
    let synonym = Synonyms.key(name, in: kind == .inlineRecord ? .record : kind)
    if let synonym { hint = synonym.hint }
    if kind == .inlineRecord, LanguageTable.key(synonym?.key ?? name, of: .inlineRecord) == nil,
      LanguageTable.key(synonym?.key ?? name, of: .record) != nil
    {
      hint = "declare the record under 'records', and name it here"
    }
    report(.unknownKey, "unknown key '\(name)' in \(kind.title)", at: entry.keySpan, hint: hint)
    return synonym?.key ?? nearest
  }

  /// `expect`: what is no key of it is a table.
  private mutating func expectation(_ entries: [YAMLEntry]) {
    for entry in entries {
      if let spec = LanguageTable.key(entry.key.text, of: .expectation), entry.isExpectationKey {
        value(of: entry, as: spec)
      } else {
        name(entry.key.text, "the name of a table", at: entry.keySpan)
        let site = Site(what: "'\(entry.key.text)'", owner: entry.keySpan)
        check(entry.value, as: .either([LanguageTable.expectedRows, .map(.expectedTable)]), site)
      }
    }
  }

  // MARK: Values

  /// What a value is checked for: the key that it belongs to.
  struct Site {
    /// Its name in messages.
    var what: String
    var words: [String] = []
    /// Where something missing below it is reported.
    var owner: SourceSpan

    init(what: String, owner: SourceSpan) {
      self.what = what
      self.owner = owner
    }

    init(spec: KeySpec, owner: SourceSpan) {
      self.init(what: "'\(spec.name)'", owner: owner)
      words = spec.words
    }

    /// The site of something below, with the same words.
    func below(_ what: String, owner: SourceSpan) -> Site {
      var site = self
      site.what = what
      site.owner = owner
      return site
    }
  }

  mutating func check(_ node: YAMLNode, as kind: ValueKind, _ site: Site) {
    switch kind {
    case .optional(let inner):
      if !node.isNull { check(node, as: inner, site) }
    case .either(let kinds):
      guard let chosen = ValueKind.fitting(node, among: kinds) else { return wrongKind(node, kind, site) }
      check(node, as: chosen, site)
    case .anything: return
    case .jsonTemplate: jsonTemplate(node)
    case .condition: condition(node, site)
    case .map(let kind):
      guard case .mapping = node.content else { return wrongKind(node, .map(kind), site) }
      map(node, as: kind, owner: site.owner)
    case .dictionary(let keys, let inner):
      guard case .mapping(let entries) = node.content else { return wrongKind(node, kind, site) }
      for entry in entries {
        key(entry, as: keys)
        check(entry.value, as: inner, site.below("'\(entry.key.text)'", owner: entry.keySpan))
      }
    case .list(let inner):
      guard case .sequence(let items) = node.content else { return wrongKind(node, kind, site) }
      for item in items {
        check(item, as: inner, site.below("an item of \(site.what)", owner: item.span))
      }
    default:
      guard case .scalar(let scalar) = node.content else { return wrongKind(node, kind, site) }
      check(scalar, at: node, as: kind, site)
    }
  }

  mutating func wrongKind(_ node: YAMLNode, _ kind: ValueKind, _ site: Site) {
    let found: String
    switch node.content {
    case .mapping: found = "a map"
    case .sequence: found = "a list"
    case .scalar(let scalar): found = scalar.isNull ? "nothing" : "a single value"
    }
    var hint = kind.hint(instead: node)
    if case .map(let map) = kind, let text = node.scalar?.value { hint = Synonyms.whole(map, instead: text.text) }
    report(.wrongKind, "\(site.what) must be \(kind.title), not \(found)", at: node.span, hint: hint)
  }

  private mutating func key(_ entry: YAMLEntry, as keys: ValueKind.Keys) {
    switch keys {
    case .literal: return
    case .name(let noun):
      name(entry.key.text, "the name of a \(noun)", at: entry.keySpan)
      if noun.isSame(as: "variable") { variableName(entry.key.text, at: entry.keySpan) }
    case .keyPath(let use): keyPath(entry.key.text, use, at: entry.keySpan)
    case .header:
      if !HeaderName.isValid(entry.key.text) {
        report(.badName, "'\(entry.key.text)' is no name of a header", at: entry.keySpan)
      }
    }
  }

  /// Nil where a path cannot be read, which is reported.
  private static func routeNames(of entries: [YAMLEntry]) -> [String]? {
    var names: [String] = []
    for item in entries.first(where: { $0.key.text.isSame(as: "path") })?.value.items ?? [] {
      guard let scalar = item.scalar?.value, let template = try? TemplateReader.read(scalar.text, core: scalar.literal),
        let segments = try? template.pathSegments()
      else { return nil }
      for case .parameter(let name) in segments { names.append(name) }
    }
    return names
  }

  // MARK: Conditions

  mutating func condition(_ node: YAMLNode, _ site: Site) {
    guard case .mapping(let entries) = node.content else { return wrongKind(node, .condition, site) }
    if entries.isEmpty { report(.badValue, "\(site.what) tests nothing", at: node.span) }
    for entry in entries {
      let below = Site(what: "'\(entry.key.text)'", owner: entry.keySpan)
      if entry.key.isCombinator("any") {
        check(entry.value, as: .list(of: .condition), below)
        emptyList(entry.value, below)
      } else if entry.key.isCombinator("not") {
        condition(entry.value, below)
      } else {
        keyPath(entry.key.text, conditionUse, at: entry.keySpan)
        check(entry.value, as: .either([.literal, .list(of: .literal), .map(.conditionTest)]), below)
        emptyList(entry.value, below)
      }
    }
  }

  private mutating func emptyList(_ node: YAMLNode, _ site: Site) {
    guard case .sequence(let items) = node.content, items.isEmpty else { return }
    report(.badValue, "\(site.what) is an empty list, which never holds", at: node.span)
  }
}

extension YAMLScalar {
  /// `any` and `not` of a condition; a member of that name is quoted within the key path: `'"any"'`.
  func isCombinator(_ word: String) -> Bool { text.isSame(as: word) }
}

extension YAMLEntry {
  /// Within `expect`, `rejects` and `requests` are keys; with rows behind them, they are tables.
  var isExpectationKey: Bool {
    switch value.content {
    case .scalar: key.text.isSame(as: "rejects") || key.text.isSame(as: "requests")
    case .sequence(let items): key.text.isSame(as: "requests") && items.allSatisfy { $0.scalar != nil }
    case .mapping: false
    }
  }
}
