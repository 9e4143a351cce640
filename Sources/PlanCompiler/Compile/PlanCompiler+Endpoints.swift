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
      endpoints.append(
        EndpointPlan(
          declaration: declaration, name: declaration.name.value, patterns: patterns, places: places,
          errors: declaration.errors.map { compileRule($0) }, paginate: declaration.paginate.map { compilePaging($0) },
          isLenient: declaration.isLenient ?? mapping.source.isLenient,
          isNDJSON: declaration.isNDJSON ?? mapping.source.isNDJSON))
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
    let conditions = choice.map { choices[$0].cases.flatMap { $0.condition?.paths ?? [] } } ?? []
    let reach = PlaceReach(of: branches.map(\.row), conditions: conditions, in: rows)
    return PlacePlan(
      path: place.path.value, choice: choice, branches: branches, record: record.name.value, isRequired: place.isRequired,
      reads: reach.reads, captures: reach.captures)
  }

  private mutating func reportMissingKey(of record: RecordDeclaration) {
    report(
      .badIdentity, "the record '\(record.name.value)' needs a 'key', or 'write: append' or 'replace'",
      at: record.name.span, hint: "name the column, or columns, that tell its rows apart: 'key: id'")
  }

  /// A path parameter of an endpoint that is fetched needs a value.
  private mutating func checkParameters(of declaration: EndpointDeclaration, patterns: [PathPattern]) {
    guard declaration.isFetched, !declaration.isForEach, let first = patterns.first, let path = declaration.paths.first
    else { return }
    for name in first.parameterNames
    where !name.isEmpty && !mapping.variables.contains(where: { $0.name.value == name }) {
      report(
        .unknownParameter, "the path parameter ':\(name)' has no value", at: path.span,
        hint: "declare a variable '\(name)', or say 'fetch: false' if the endpoint only routes")
    }
  }

  /// Two descriptors for one key path of one pattern would both store the same values.
  mutating func checkDescriptors() {
    for (index, second) in descriptors.enumerated() {
      let place = endpoints[second.endpoint].declaration.places[second.place]
      for first in descriptors[..<index] where isSame(first, second) {
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

  private func isSame(_ a: ResponseDescriptor, _ b: ResponseDescriptor) -> Bool {
    guard a.pattern.hasSameShape(as: b.pattern), a.status.overlaps(b.status) else { return false }
    if let methodA = a.method, let methodB = b.method, methodA != methodB { return false }
    return endpoints[a.endpoint].places[a.place].path == endpoints[b.endpoint].places[b.place].path
  }

  /// What nothing reaches is a warning; a `$route` value that no path has is an error.
  mutating func checkReach() {
    for (index, record) in mapping.records.enumerated() where !record.isInline && !reached.contains(index) {
      report(
        .unused, "nothing uses the record '\(record.name.value)'", at: record.name.span,
        hint: "name it in an endpoint's 'records' or in a relationship", severity: .warning)
    }
    var names: [Int: [String]] = [:]
    for endpoint in endpoints {
      let parameters = endpoint.patterns.flatMap(\.parameterNames)
      for place in endpoint.places {
        for row in PlaceReach.rows(from: place.branches.map(\.row), in: rows) {
          names[declarationOfRow[row], default: []] += parameters
        }
      }
    }
    for (index, parameters) in names { checkRouteValues(of: mapping.records[index], parameters: parameters) }
  }

  private mutating func checkRouteValues(of record: RecordDeclaration, parameters: [String]) {
    for field in record.fields {
      guard case .paths(let paths) = field.source else { continue }
      for path in paths {
        guard case .route(let name) = path.value.origin, !parameters.contains(name) else { continue }
        report(
          .unknownParameter, "no path of the endpoints of '\(record.name.value)' has a parameter '\(name)'",
          at: path.span,
          hint: parameters.isEmpty ? nil : "the parameters are \(parameters.map { "'\($0)'" }.joined(separator: ", "))")
      }
    }
  }
}
