import Diagnostics
import JSONReading
import MappingLanguage
import Values

/// The third pass: endpoints, their patterns and places, and one descriptor for each pattern and place.
extension PlanCompiler {
  mutating func compileEndpoints() {
    for declaration in mapping.endpoints {
      let patterns = declaration.paths.compactMap { compilePattern($0) }
      let places = declaration.places.compactMap { compilePlace($0) }
      let index = endpoints.count
      let isNDJSON = declaration.isNDJSON ?? mapping.source.isNDJSON
      endpoints.append(
        EndpointPlan(
          declaration: declaration, name: declaration.name.value, patterns: patterns, places: places,
          errors: declaration.errors.map { compileRule($0) },
          paginate: declaration.paginate.map { compilePaging($0, isNDJSON: isNDJSON) },
          forEach: compileForEach(declaration, patterns: patterns),
          incremental: compileIncremental(declaration, places: places),
          isLenient: declaration.isLenient ?? mapping.source.isLenient, isNDJSON: isNDJSON,
          isArchived: declaration.isArchived ?? mapping.store?.archives ?? false))
      for pattern in patterns {
        for place in places.indices {
          descriptors.append(
            ResponseDescriptor(
              endpoint: index, pattern: pattern, method: declaration.method?.value, status: declaration.status,
              place: place))
        }
      }
      checkParameters(of: declaration, patterns: patterns)
    }
  }

  private mutating func compilePlace(_ place: PlaceDeclaration) -> PlacePlan? {
    guard let index = recordIndex(place.record.value) else { return nil }
    reach(index)
    let record = mapping.records[index]
    guard let leaves = leaves(of: index) else { return nil }
    var branches: [(declaration: Int, row: Int)] = []
    for leaf in leaves {
      guard let row = ownRow[leaf] else {
        // What `write` asks for may only not be available yet, which was reported.
        if mapping.records[leaf].write == nil { reportMissingKey(of: mapping.records[leaf]) }
        return nil
      }
      branches.append((leaf, row))
    }
    let choice = choiceOf[index]
    let (reads, captures) = reach(of: branches.map(\.row), choice: choice)
    for branch in branches { keepContexts(of: branch.row) }
    return PlacePlan(
      path: place.path.value, choice: choice, branches: branches, record: record.name.value,
      isRequired: place.isRequired, reads: reads, captures: captures,
      readsPage: branches.contains { readsPage($0.row) })
  }

  /// Does the record, or one that is nested in it, read what differs from page to page, and is not in the body?
  private mutating func readsPage(_ row: Int) -> Bool {
    let readers = pageReaders ?? PlaceReach.readers(in: rows) { rows[$0].contexts.filter(\.isOfPage) }
    pageReaders = readers
    return readers.contains { $0.rows.contains(row) }
  }

  /// It holds the rows: gone before one of them is changed, it does not cost a copy of them all for each place.
  private mutating func reach(of starts: [Int], choice: Int?) -> (reads: [KeyPath]?, captures: [CapturePlan]) {
    let deepest = highestParent ?? deepestParent
    highestParent = deepest
    let lookers = lookers ?? PlaceReach.lookers(in: rows, choices: choices)
    self.lookers = lookers
    let roots = rootReaders ?? PlaceReach.rootReaders(in: rows, choices: choices)
    rootReaders = roots
    let reach = PlaceReach(
      of: starts, choice: choice, in: rows, choices: choices, highestParent: deepest, lookers: lookers, roots: roots)
    return (reach.reads, reach.captures)
  }

  /// A record of a place is rejected with all that it takes to map it again.
  private mutating func keepContexts(of row: Int) {
    let readers = bodyReaders ?? PlaceReach.readers(in: rows) { rows[$0].contexts.filter(\.isOfBody) }
    bodyReaders = readers
    var met = Set(rows[row].keptContexts)
    rows[row].keptContexts += readers.filter { $0.rows.contains(row) && met.insert($0.path).inserted }.map(\.path)
  }

  private var deepestParent: Int {
    let paths = rows.flatMap(\.contexts) + choices.flatMap(\.cases).flatMap { $0.condition?.paths ?? [] }
    return paths.map(\.parentLevels).max() ?? 0
  }

  private mutating func reportMissingKey(of record: RecordDeclaration) {
    report(
      .badIdentity, "the record '\(record.name.value)' needs a 'key', or 'write: append' or 'replace'",
      at: record.name.span, hint: "name the column, or columns, that tell its rows apart: 'key: id'")
  }

  /// A path parameter of an endpoint that is fetched needs a value.
  private mutating func checkParameters(of declaration: EndpointDeclaration, patterns: [PathPattern]) {
    guard declaration.isFetched, let first = patterns.first, let path = declaration.paths.first else { return }
    // One that cannot be read was reported.
    if declaration.isForEach, declaration.forEach == nil { return }
    let bound = declaration.forEach?.bindings.map(\.name.value) ?? []
    let lacking = first.parameterNames.filter { name in
      !name.isEmpty && !declares(name) && !bound.contains { $0.isSame(as: name) }
    }
    // What is bound and not used was reported, and is probably meant for it.
    if lacking.count == 1, !unusedBindings(of: declaration, parameters: first.parameterNames).isEmpty { return }
    for name in lacking {
      report(
        .unknownParameter, "the path parameter ':\(name)' has no value", at: path.span,
        hint: "declare a variable '\(name)', or say 'fetch: false' if the endpoint only routes")
    }
  }

  /// Two descriptors for one key path of one pattern would both store the same values.
  mutating func checkDescriptors() {
    var alike: [DescriptorPlace: [Int]] = [:]
    for (index, second) in descriptors.enumerated() {
      let place = endpoints[second.endpoint].declaration.places[second.place]
      let key = DescriptorPlace(pattern: second.pattern, path: endpoints[second.endpoint].places[second.place].path)
      let earlier = alike[key] ?? []
      alike[key, default: []].append(index)
      for first in earlier.map({ descriptors[$0] }) where overlap(first, second) {
        let other = endpoints[first.endpoint]
        let firstPlace = other.declaration.places[first.place]
        report(
          .duplicateDescriptor,
          "the endpoints '\(other.name)' and '\(endpoints[second.endpoint].name)' both read '\(place.path.value)' of "
            + "'\(second.pattern)', the first on line \(firstPlace.path.span.start.line)",
          at: place.path.span, hint: "leave one of them out, or tell them apart by 'method' or 'status'")
        break
      }
    }
  }

  private func overlap(_ a: ResponseDescriptor, _ b: ResponseDescriptor) -> Bool {
    guard a.status.overlaps(b.status) else { return false }
    guard let methodA = a.method, let methodB = b.method else { return true }
    return methodA == methodB
  }

  /// What nothing reaches is a warning; a `$route` value that no path has is an error.
  mutating func checkReach() {
    let mayBeUsed = mapping.mayHideRecord || diagnostics.contains(where: \.mayHideRecord)
    for (index, record) in mapping.records.enumerated()
    where !mayBeUsed && !record.isInline && !reached.contains(index) {
      report(
        .unused, "nothing uses the record '\(record.name.value)'", at: record.name.span,
        hint: "name it in an endpoint's 'records' or in a relationship", severity: .warning)
    }
    let asking = PlaceReach.rows(reaching: Set(rows.indices.filter { rows[$0].readsRequest }), in: rows)
    var names: [Int: ParameterNames] = [:]
    var queries: [Int: ParameterNames] = [:]
    for endpoint in endpoints {
      let parameters = endpoint.patterns.flatMap(\.parameterNames)
      let query = endpoint.declaration.queryNames + mapping.source.params.map(\.name.value)
      for place in endpoint.places {
        for row in PlaceReach.rows(from: place.branches.map(\.row), in: rows, lookers: asking) {
          names[declarationOfRow[row], default: ParameterNames()].add(parameters)
          queries[declarationOfRow[row], default: ParameterNames()].add(query)
        }
      }
    }
    for (index, parameters) in names { checkRouteValues(of: mapping.records[index], parameters: parameters) }
    for (index, parameters) in queries { checkQueryValues(of: mapping.records[index], parameters: parameters) }
  }

  /// What is handed in may have any parameter, so only a name that is near one of those that are sent is told of.
  private mutating func checkQueryValues(of record: RecordDeclaration, parameters: ParameterNames) {
    for case .paths(let paths) in record.fields.map(\.source) {
      for path in paths {
        guard case .query(let name) = path.value.origin, !parameters.contains(name),
          let nearest = parameters.nearest(to: name)
        else { continue }
        report(
          .unknownParameter, "no endpoint of '\(record.name.value)' sends the parameter '\(name)'", at: path.span,
          hint: "did you mean '$query.\(nearest)'?", severity: .warning)
      }
    }
  }

  private mutating func checkRouteValues(of record: RecordDeclaration, parameters: ParameterNames) {
    for field in record.fields {
      guard case .paths(let paths) = field.source else { continue }
      for path in paths {
        guard case .route(let name) = path.value.origin, !parameters.contains(name) else { continue }
        report(
          .unknownParameter, "no path of the endpoints of '\(record.name.value)' has a parameter '\(name)'",
          at: path.span,
          hint: parameters.hint)
      }
    }
  }
}

/// A key path of a pattern, whatever the pattern's parameters are named.
private struct DescriptorPlace: Hashable {
  let segments: [PathPattern.Segment]
  let path: KeyPath

  init(pattern: PathPattern, path: KeyPath) {
    segments = pattern.segments.map { if case .parameter = $0 { .parameter("") } else { $0 } }
    self.path = path
  }
}

/// The path parameters of all endpoints of a record, each once.
private struct ParameterNames {
  private var names: [String] = []
  private var keys: Set<NameKey> = []
  private static let mostShown = 10

  mutating func add(_ more: [String]) {
    for name in more where keys.insert(NameKey(name)).inserted { names.append(name) }
  }

  func contains(_ name: String) -> Bool { keys.contains(NameKey(name)) }

  func nearest(to name: String) -> String? { NearestName.nearest(to: name, among: names) }

  var hint: String? {
    if names.isEmpty { return nil }
    let shown = names.prefix(Self.mostShown).map { "'\($0)'" }.joined(separator: ", ")
    return "the parameters are \(shown)" + (names.count > Self.mostShown ? ", …" : "")
  }
}

extension RowPlan {
  /// Does a field read a parameter of the path or the query?
  fileprivate var readsRequest: Bool {
    contexts.contains { path in
      switch path.origin {
      case .route, .query: true
      default: false
      }
    }
  }
}

extension EndpointDeclaration {
  /// Parameters of the requests' queries.
  fileprivate var queryNames: [String] {
    let paging = [paginate?.param, paginate?.sizeParam].compactMap { parameter -> String? in
      if case .query(let name) = parameter { name } else { nil }
    }
    return params.map(\.name.value) + paging
      + [incremental?.param.value, incremental?.untilParam?.value].compactMap(\.self)
  }
}

extension KeyPath {
  /// The same for every record of the body, whatever it is nested in.
  fileprivate var isOfBody: Bool {
    switch origin {
    case .value, .parent, .key, .index: false
    default: true
    }
  }
}

extension KeyPath {
  fileprivate var isOfPage: Bool {
    switch origin {
    case .query, .requestURL, .responseHeader, .responseStatus: true
    default: false
    }
  }
}
