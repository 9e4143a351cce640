import Diagnostics
import JSONReading
import MarkedYAML
import Values

/// Reads `paginate`.
struct PaginateReader {
  let context: ReadingContext
  /// Of the same endpoint.
  let body: BodyDeclaration?
  /// There is a body that cannot be read, which was reported.
  let isBodyBroken: Bool

  init(_ context: ReadingContext, body: BodyDeclaration?, isBodyBroken: Bool) {
    self.context = context
    self.body = body
    self.isBodyBroken = isBodyBroken
  }

  /// Nil where something is missing or cannot be read.
  func paginate(_ view: MapView, owner: SourceSpan) -> PaginateDeclaration? {
    guard let kind = view.word("by", as: PaginateDeclaration.Kind.self)?.value else { return nil }
    let isComplete = checkMembers(view, kind, owner: owner)
    var paginate = PaginateDeclaration(by: kind, span: view.span)
    let (param, isParamRead) = parameter("param", view)
    let (sizeParam, isSizeParamRead) = parameter("size_param", view)
    checkNames(view)
    guard isComplete, isParamRead, isSizeParamRead else { return nil }
    paginate.param = kind.followsURLs ? nil : param
    paginate.sizeParam = sizeParam
    paginate.start = view.literal("start")?.value
    if kind.isCounted, view.has("start"), view.integer("start") == nil { return nil }
    paginate.step = view.integer("step")
    paginate.size = view.integer("size")
    paginate.from = kind.readsPosition ? view.keyPath("from") : nil
    if kind.readsPosition, paginate.from == nil { return nil }
    paginate.hasMore = view.keyPath("has_more")
    paginate.total = view.keyPath("total")
    paginate.totalPages = view.keyPath("total_pages")
    paginate.maxPages = view.integer("max_pages")
    let stop = view.node("stop_when")
    if let condition = view.condition("stop_when") {
      paginate.stopWhen = .condition(condition)
      paginate.stopPaths = ConditionReader.paths(stop)
    } else if stop.isWord("short") {
      paginate.stopWhen = .short
    }
    return paginate
  }

  // MARK: what belongs together

  /// Is everything there that this kind needs? What means nothing to it is a warning.
  private func checkMembers(_ view: MapView, _ kind: PaginateDeclaration.Kind, owner: SourceSpan) -> Bool {
    var isComplete = true
    for member in kind.needed where !view.has(member) {
      isComplete = false
      if view.hasMisspelt(member) { continue }
      context.reportOnce(
        .missingKey, "'by: \(kind.rawValue)' needs '\(member)'", of: view.span, at: owner,
        hint: LanguageTable.key(member, of: .paginate).map { "\(member): \($0.summary)" })
    }
    let isShort = view.node("stop_when").isWord("short")
    if isShort, !view.has("size"), !view.hasMisspelt("size") {
      context.reportOnce(.missingKey, "'stop_when: short' needs 'size'", of: view.span, at: owner)
      isComplete = false
    }
    if let entry = view.entry("size_param"), !view.has("size"), !view.hasMisspelt("size") {
      context.report(.missingKey, "'size_param' needs 'size'", at: entry.keySpan)
      isComplete = false
    }
    for name in kind.meaningless {
      guard let entry = view.entry(name), !(name.isSame(as: "in") && view.has("size_param")) else { continue }
      warn("'\(name)' has no meaning with 'by: \(kind.rawValue)'", at: entry.keySpan)
    }
    if let entry = view.entry("size"), !view.has("size_param"), !isShort, kind != .offset || view.has("step") {
      warn("'size' has no effect without 'size_param' or 'stop_when: short'", at: entry.keySpan)
    }
    return isComplete
  }

  private func warn(_ message: String, at span: SourceSpan) {
    context.report(.unused, message, at: span, severity: .warning)
  }

  private func checkNames(_ view: MapView) {
    guard let first = view.text("param"), !first.value.isEmpty, let second = view.entry("size_param"),
      second.value.plainText?.value.isSame(as: first.value) == true
    else { return }
    context.report(
      .conflictingKeys, "'param' and 'size_param' are both '\(first.value)'", at: second.value.span)
  }

  // MARK: parameters

  /// The parameter, if there is one, and false where it cannot be read.
  private func parameter(_ key: String, _ view: MapView) -> (PageParameter?, isRead: Bool) {
    guard let name = view.text(key) else { return (nil, true) }
    let place = view.node("in")
    if place.isWord("header") {
      guard let fault = HeaderName.fault(in: name.value) else { return (.header(name.value), true) }
      if !name.value.isEmpty { context.report(.badName, fault, at: name.span) }
      return (nil, false)
    }
    if name.value.isEmpty { return (nil, false) }
    guard place.isWord("body"), let place else { return (.query(name.value), true) }
    switch body?.content {
    case .form: return (.field(name.value), true)
    case .json(let template):
      let path = member(name, in: template)
      return (path.map { .member($0) }, path != nil)
    case .text, nil:
      // Said once, with the first of the two.
      if !isBodyBroken, key.isSame(as: "param") || !view.has("param") {
        let found = body == nil ? "" : ", not a text"
        context.report(
          .missingKey, "'in: body' needs a 'body' of the endpoint: {json: …} or {form: …}\(found)", at: place.span)
      }
      return (nil, false)
    }
  }

  private func member(_ name: Located<String>, in template: JSONTemplate) -> KeyPath? {
    do throws(KeyPathError) {
      let path = try KeyPath.parse(name.value)
      let isPlain = path.origin == .value && !path.steps.isEmpty && path.leadingSteps.count == path.steps.count
      guard isPlain else {
        context.report(
          .badKeyPath, "'\(path.text)' is no single place within the body", at: name.span,
          hint: "write the members that lead there, as in 'options.page'")
        return nil
      }
      guard template.setting(path.steps, to: .constant(.null)) != nil else {
        context.report(
          .badKeyPath, "the body has no place '\(path.text)': something else is written there or on the way",
          at: name.span)
        return nil
      }
      if let (member, nearest) = template.misspeltMember(on: path.steps) {
        context.report(
          .unmatchedPath, "the body has no '\(member)'", at: name.span, hint: "did you mean '\(nearest)'?",
          severity: .warning)
      }
      return path
    } catch {
      context.report(.badKeyPath, error.message, at: name.span, hint: error.hint)
      return nil
    }
  }
}

extension PaginateDeclaration.Kind {
  /// What the kind cannot do without.
  fileprivate var needed: [String] {
    switch self {
    case .page: ["param", "start"]
    case .offset: ["param"]
    case .cursor, .lastValue: ["param", "from"]
    case .nextURL: ["from"]
    case .linkHeader: []
    }
  }

  fileprivate var meaningless: [String] {
    switch self {
    case .page, .offset: ["from"]
    case .cursor, .lastValue: ["step"]
    case .nextURL: ["param", "start", "step", "in"]
    case .linkHeader: ["param", "start", "step", "from", "in"]
    }
  }

  fileprivate var readsPosition: Bool { needed.contains("from") }
}

extension YAMLNode? {
  fileprivate func isWord(_ word: String) -> Bool { self?.plainText?.value.isSame(as: word) ?? false }
}
