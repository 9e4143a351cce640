import Diagnostics

/// Makes nodes of libyaml's events: a stack of open collections, never a recursion.
struct NodeBuilder {
  private(set) var root: YAMLNode?
  private(set) var diagnostics: [Diagnostic] = []
  private let places: PlaceFinder
  private let text: CheckedText
  private var open: [OpenCollection] = []
  private var anchors = Anchors()
  /// Where the last quoted scalar stands: often it is the one whose closing quote is missing.
  private var lastQuoted: Range<Int>?

  init(_ places: PlaceFinder, _ text: CheckedText) {
    self.places = places
    self.text = text
  }

  /// Reads the whole text; findings that end the reading are thrown, the others collected.
  mutating func read() throws(YAMLFailure) {
    var parser = EventParser(text.bytes)
    var hasDocument = false
    while true {
      let event: YAMLEvent
      do throws(ParserProblem) {
        event = try parser.next()
      } catch {
        let bracket = open.last { $0.isFlow }?.start
        let finding = SyntaxFinding(error, places, lastQuoted: lastQuoted, openBracket: bracket)
        throw YAMLFailure(finding.diagnostic)
      }
      switch event.kind {
      case .streamEnd: return
      case .documentStart:
        if hasDocument { throw YAMLFailure(.secondDocument(at: places.span(range(event)))) }
        hasDocument = true
      case .alias(let name):
        checkSigns(event, hasAnchor: false)
        try add(expand(name, at: range(event)))
      case .scalar(let scalar): add(read(scalar, event))
      case .sequenceStart(let start): try begin(.sequence, start, event)
      case .mappingStart(let start): try begin(.mapping, start, event)
      case .collectionEnd: end(event)
      case .other: break
      }
    }
  }

  private func range(_ event: YAMLEvent) -> Range<Int> { places.offset(event.start)..<places.offset(event.end) }

  // MARK: Scalars

  private mutating func read(_ scalar: YAMLEvent.Scalar, _ event: YAMLEvent) -> BuiltNode {
    let string = text.restored(scalar.text)
    let isPlain = scalar.style == .plain
    var place = places.scalar(event, style: scalar.style)
    checkSigns(event, hasAnchor: scalar.anchor != nil)
    if isPlain, string.isEmpty, let keyEnd = open.last?.endOfPendingKey {
      place = places.behindColon(keyEnd)..<places.behindColon(keyEnd)
    }
    if scalar.style == .quoted { lastQuoted = place }
    let span = places.span(place)
    if scalar.style != .quoted, text.needsQuotes(string) { diagnostics.append(.onlyInQuotes(at: span)) }
    var core: YAMLScalar.Core = isPlain && scalar.tag == nil ? CoreSchema.resolve(string) : .text
    if let tag = scalar.tag, tag != "!" {
      let resolved = CoreTag(tag)?.resolve(string)
      if resolved == nil { diagnostics.append(.badTag(tag, of: "this text", at: places.span(range(event)))) }
      core = resolved ?? core
    }
    let node = YAMLNode(.scalar(YAMLScalar(text: string, core: core, isPlain: isPlain)), span: span)
    var built = BuiltNode(node: node, place: place)
    built.isMergeKey = isPlain && scalar.tag == nil && string.utf8.elementsEqual("<<".utf8)
    if let anchor = scalar.anchor { anchors.close(anchor, built) }
    return built
  }

  private mutating func checkSigns(_ event: YAMLEvent, hasAnchor: Bool) {
    let isFlowKey = open.last?.awaitsFlowKey ?? false
    if let glued = places.gluedSign(event, isFlowKey: isFlowKey, hasAnchor: hasAnchor) {
      diagnostics.append(.gluedSign(at: places.span(glued)))
    }
  }

  // MARK: Aliases

  private mutating func expand(_ name: String, at place: Range<Int>) throws(YAMLFailure) -> BuiltNode {
    let span = places.span(place)
    var expanded: BuiltNode
    switch try anchors.expand(name, at: span) {
    case .success(let node): expanded = node
    case .failure(let finding):
      diagnostics.append(finding.diagnostic)
      let null = YAMLScalar(text: "", core: .null, isPlain: true)
      expanded = BuiltNode(node: YAMLNode(.scalar(null), span: span), place: place)
    }
    if open.count + expanded.height > YAMLLimits.depth { throw YAMLFailure(.tooDeep(at: span)) }
    expanded.place = place
    expanded.isMergeKey = false
    return expanded
  }

  // MARK: Collections

  private mutating func begin(
    _ kind: OpenCollection.Kind, _ start: YAMLEvent.Collection, _ event: YAMLEvent
  ) throws(YAMLFailure) {
    let first = places.collection(event, start)
    checkSigns(event, hasAnchor: start.anchor != nil)
    guard open.count < YAMLLimits.depth else { throw YAMLFailure(.tooDeep(at: places.file.span(first, first + 1))) }
    if let tag = start.tag, tag != "!", CoreTag(tag) != (kind == .sequence ? .seq : .map) {
      let thing = kind == .sequence ? "a list" : "a map"
      diagnostics.append(.badTag(tag, of: thing, at: places.span(range(event))))
    }
    if let anchor = start.anchor { anchors.open(anchor) }
    open.append(OpenCollection(kind, start: first, anchor: start.anchor, isFlow: start.isFlow))
  }

  private mutating func end(_ event: YAMLEvent) {
    guard let collection = open.popLast() else { preconditionFailure("a collection of YAML ends that never began") }
    let end = collection.isFlow ? places.offset(event.end) : max(collection.start, collection.end)
    let place = collection.start..<end
    let node = YAMLNode(collection.content(), span: places.span(place))
    let built = BuiltNode(node: node, place: place, size: collection.size, height: collection.height + 1)
    if let anchor = collection.anchor { anchors.close(anchor, built) }
    add(built)
  }

  private mutating func add(_ built: BuiltNode) {
    guard !open.isEmpty else {
      root = built.node
      return
    }
    if let finding = open[open.count - 1].add(built, places) { diagnostics.append(finding) }
  }
}

extension Diagnostic {
  fileprivate static func secondDocument(at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .yamlSyntax, "a second document begins here", at: span,
      hint: "a file holds one document; leave out the '---' or the '...' before it")
  }

  fileprivate static func tooDeep(at span: SourceSpan) -> Diagnostic {
    Diagnostic(.yamlLimit, "the file is nested deeper than \(YAMLLimits.depth) levels here", at: span)
  }

  fileprivate static func gluedSign(at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .yamlSyntax, "this sign of YAML's needs a space behind it or its name", at: span,
      hint: "put the text in quotes; the name of an anchor has letters, digits, '-' and '_' only")
  }

  fileprivate static func onlyInQuotes(at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .yamlSyntax, "a control character or byte order mark cannot stand in a text without quotes", at: span,
      hint: "remove it, or put the text in double quotes")
  }

  fileprivate static func badTag(_ tag: String, of thing: String, at span: SourceSpan) -> Diagnostic {
    guard let core = CoreTag(tag) else {
      return Diagnostic(.yamlSyntax, "the tag \(ShortName(tag)) has no meaning in a mapping", at: span)
    }
    return Diagnostic(.yamlSyntax, "the tag '!!\(core.rawValue)' does not fit \(thing)", at: span)
  }
}
