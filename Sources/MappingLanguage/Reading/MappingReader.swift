package import Diagnostics
import MarkedYAML

/// Reads a mapping: YAML text, and what it includes, into declarations.
package enum MappingReader {
  /// Who reads a file for this reader need not read on behind so many bytes: one of that length is refused.
  package static let mostBytes = YAMLLimits.bytes + 1

  /// The mapping, and all findings, in the order of files (included ones first) and places.
  ///
  /// The mapping is nil only where the main file is no YAML map. With errors it is what could be read: names of records
  /// in it may then be unknown, which was reported, so whoever compiles it passes over them in silence. Records, fields
  /// and endpoints that need what is not available yet are left out or are incomplete. `loader` gets a path relative to
  /// what the main file's name is relative to.
  package static func read(
    _ main: SourceFile, loader: @escaping (String) throws(IncludeFailure) -> [UInt8]
  ) -> (mapping: Mapping?, diagnostics: [Diagnostic]) {
    let files = IncludedFiles(main, loader: loader)
    guard files.isReadable else { return (nil, sorted(files.diagnostics, by: files)) }
    var diagnostics = files.diagnostics
    let sections = MergedSections(files)
    diagnostics += sections.diagnostics
    let symbols = Symbols(sections)
    var usedVariables: Set<NameKey> = []
    for part in files.parts {
      diagnostics += version(of: part)
      guard let root = part.root else { continue }
      var check = StructureCheck(symbols: symbols)
      check.check(root, as: .map(.mapping), .init(what: "a mapping", owner: root.span))
      diagnostics += check.diagnostics
      usedVariables.formUnion(check.usedVariables)
    }
    // One that could not be used is a finding already; and what is wrong may have been meant to use it.
    let places = Set(diagnostics.map { Place($0.span) })
    let mayBeUsed = diagnostics.contains(where: \.mayHideVariable)
    for entry in sections.entries(of: "variables")
    where !mayBeUsed && !usedVariables.contains(NameKey(entry.key.text)) {
      if !places.contains(Place(entry.keySpan)) { diagnostics.append(.unusedVariable(entry)) }
    }
    guard case .mapping = files.parts.last?.root?.content else { return (nil, sorted(diagnostics, by: files)) }
    let context = ReadingContext(symbols: symbols)
    var mapping = mapping(sections, files, context)
    mapping.recordSpans = sections.entries(of: "records").map { entry in
      SourceSpan(file: entry.keySpan.file, start: entry.keySpan.start, end: entry.value.span.end)
    }
    diagnostics += context.diagnostics
    mapping.mayHideRecord = diagnostics.contains(where: \.mayHideRecord)
    return (mapping, sorted(diagnostics.withoutEchoes(), by: files))
  }

  /// A span, to be looked up.
  private struct Place: Hashable {
    let file: ObjectIdentifier
    let start: SourcePosition
    let end: SourcePosition

    init(_ span: SourceSpan) { (file, start, end) = (ObjectIdentifier(span.file), span.start, span.end) }
  }

  /// What a file says of itself, for those that look through a folder: whether it is a whole mapping or a fragment, and
  /// which files it includes, relative to what its own name is relative to. Nil when it is no YAML map.
  package static func outline(_ file: SourceFile) -> (isFragment: Bool, includes: [String])? {
    guard let view = MapView(YAMLReader.read(file).root, as: .mapping) else { return nil }
    let includes = view.list("include").compactMap { node in
      node.plainText.map { FilePath.resolve($0.value, from: file.name) }
    }
    return (!view.has("ingest"), includes)
  }

  private static func mapping(
    _ sections: MergedSections, _ files: IncludedFiles, _ context: ReadingContext
  ) -> Mapping {
    let main = files.files[0]
    let variables = sections.entries(of: "variables").map { VariableReader.read($0, in: context) }
    let records = sections.entries(of: "records").compactMap { RecordReader(context).record($0) }
    let endpoints = sections.entries(of: "endpoints").compactMap { EndpointReader(context).endpoint($0) }
    let errors = sections.items(of: "errors").compactMap { ErrorRuleReader.rule($0, context) }
    let tests = sections.items(of: "tests").compactMap { TestReader.test($0) }
    let all = ReferenceTypes.applied(to: records + context.inlineRecords, in: context)
    let store = sections.map("store", as: .store).map { view in
      StoreDeclaration(
        url: view.template("url"), archives: view.boolean("archive") ?? false,
        commitsRun: view.text("commit")?.value.isSame(as: "run") ?? false)
    }
    AuthReader(context).checkPassword(in: store?.url, of: "store")
    RecordChecks(records: all, store: store, context: context).run()
    let section = sections.map("source", as: .source)
    let source = SourceReader(context).source(section, main: main)
    if source.auth != nil || section?.has("auth") != true {
      AuthReader(context).checkRenewal(by: errors + endpoints.flatMap(\.errors), auth: source.auth)
    }
    AuthReader(context).checkHeaders(source.headers + endpoints.flatMap(\.headers), auth: source.auth)
    return Mapping(
      source: source, variables: variables, records: all, endpoints: endpoints, errors: errors,
      store: store, tests: tests, files: files.files, declared: DeclaredParts(sections))
  }

  private static func version(of part: IncludedFiles.Part) -> [Diagnostic] {
    let start = part.file.span(0, 0)
    guard let node = MapView(part.root, as: .mapping)?.node("ingest") else {
      if !part.isMain { return [] }
      if let root = part.root, MapView(root, as: .mapping) == nil { return [] }
      return [
        Diagnostic(
          .missingVersion, "a mapping begins with the version of its language, 'ingest: 1'", at: start,
          hint: "write 'ingest: 1' in the first line")
      ]
    }
    guard let scalar = node.scalar, !scalar.value.isNull else { return [] }
    if scalar.value.text.isSame(as: "1") { return [] }
    return [
      Diagnostic(
        .unknownVersion, "this version of ingest reads 'ingest: 1', not '\(scalar.value.text)'", at: node.span)
    ]
  }

  /// Files in the order in which their sections count, findings of one file in the order of their places.
  private static func sorted(_ diagnostics: [Diagnostic], by files: IncludedFiles) -> [Diagnostic] {
    var rank: [ObjectIdentifier: Int] = [:]
    for part in files.parts { rank[ObjectIdentifier(part.file)] = rank.count }
    return diagnostics.enumerated().sorted { a, b in
      let ranks = [a, b].map { rank[ObjectIdentifier($0.element.span.file), default: Int.max] }
      if ranks[0] != ranks[1] { return ranks[0] < ranks[1] }
      let (first, second) = (a.element.span.start.offset, b.element.span.start.offset)
      return first != second ? first < second : a.offset < b.offset
    }.map(\.element)
  }
}

extension [Diagnostic] {
  /// What is said of the nothing that stands where an alias is unknown says no more than that the alias is.
  fileprivate func withoutEchoes() -> [Diagnostic] {
    let aliases = filter { $0.code == .unknownAlias }.map(\.span)
    if aliases.isEmpty { return self }
    return filter { finding in finding.code == .unknownAlias || !aliases.contains { $0.isSame(as: finding.span) } }
  }
}

extension Diagnostic {
  /// An error in what may have been meant to name a variable.
  fileprivate var mayHideVariable: Bool {
    switch code {
    case .unknownVariable, .badInterpolation, .badURL, .unknownKey, .duplicateKey, .wrongKind, .unknownAlias: true
    default: false
    }
  }

  /// An error in what may have been meant to name a record.
  package var mayHideRecord: Bool {
    switch code {
    case .unknownRecord, .unknownKey, .missingKey, .duplicateKey, .wrongKind, .unknownAlias, .badIdentity,
      .badRelationship:
      severity == .error
    default: false
    }
  }

  /// A variable that no `${…}`, key path or path parameter names.
  static func unusedVariable(_ entry: YAMLEntry) -> Diagnostic {
    Diagnostic(
      .unused, "nothing uses the variable '\(entry.key.text)'", at: entry.keySpan,
      hint: "write '${\(entry.key.text)}' where its value belongs", severity: .warning)
  }
}
