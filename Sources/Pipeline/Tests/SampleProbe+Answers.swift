import Diagnostics
import JSONReading
import MappingLanguage
import Values

/// Key paths that are read in the whole answer: those of `paginate`, and those of the rules of `errors`.
extension SampleProbe {
  mutating func look(at body: JSONValue, pagesOf endpoint: EndpointDeclaration) {
    guard let paginate = endpoint.paginate else { return }
    var read = [paginate.from, paginate.hasMore, paginate.total, paginate.totalPages].compactMap(\.self)
    if case .condition(let condition) = paginate.stopWhen { read += condition.value.paths.map { condition.with($0) } }
    let others = (read + endpoint.places.map(\.path)).map(\.value.steps)
    for path in read {
      _ = follow(path, from: body, readBy: "'paginate' of '\(endpoint.name.value)'", beside: others, isLoose: true)
    }
  }

  /// `isFailure`: the body is one that a rule should find an error in.
  mutating func look(at body: JSONValue, rules: [ErrorRuleDeclaration], isFailure: Bool) {
    for rule in rules {
      let conditions = (rule.when?.paths ?? []).map { Located($0, at: rule.span) }
      let others = (conditions + rule.message + rule.code).map(\.value.steps)
      for path in conditions { _ = follow(path, from: body, readBy: "a rule of 'errors'", beside: others) }
      guard isFailure else { continue }
      // Of several, not every body has each.
      for paths in [rule.message, rule.code] where paths.count == 1 {
        _ = follow(paths[0], from: body, readBy: "a rule of 'errors'", beside: others)
      }
    }
  }
}

extension Located<Condition> {
  fileprivate func with(_ path: KeyPath) -> Located<KeyPath> { Located<KeyPath>(path, at: span) }
}

extension Condition {
  fileprivate var paths: [KeyPath] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.paths)
    case .not(let part): part.paths
    case .test(let path, _): [path]
    }
  }
}
