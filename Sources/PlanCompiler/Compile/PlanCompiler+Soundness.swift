import Diagnostics
import MappingLanguage
import Records
import Values

/// What can be compiled, but is hardly meant.
extension PlanCompiler {
  mutating func checkSoundness() {
    for endpoint in endpoints { checkIncremental(endpoint) }
    checkRules(mapping.errors)
    for endpoint in endpoints { checkRules(endpoint.declaration.errors) }
    checkShadows()
  }

  // MARK: incremental

  /// A walk that asks from a cursor brings only what is new, which not every way to write can do with.
  private mutating func checkIncremental(_ endpoint: EndpointPlan) {
    guard endpoint.declaration.isFetched, let incremental = endpoint.declaration.incremental else { return }
    var met: Set<Int> = []
    for branch in endpoint.places.flatMap(\.branches) where met.insert(branch.declaration).inserted {
      let record = mapping.records[branch.declaration]
      let name = record.name.value
      if record.isAppended, record.keySpan == nil {
        report(
          .badIdentity, "'\(name)' is appended: what 'incremental' receives a second time is stored twice",
          at: incremental.column.span, hint: "give '\(name)' a key: rows at the border are often sent again",
          severity: .warning)
      } else if record.isReplaced {
        report(
          .badIdentity, "'\(name)' is replaced by each walk, and one that asks from a cursor brings only what is new",
          at: incremental.column.span, hint: "leave out 'incremental', or take 'write: upsert' for '\(name)'",
          severity: .warning)
      }
    }
  }

  // MARK: error rules

  /// The first rule that fits counts.
  private mutating func checkRules(_ rules: [ErrorRuleDeclaration]) {
    for (index, rule) in rules.enumerated() {
      guard let first = rules[..<index].first(where: { $0.takesAll(of: rule) }) else { continue }
      report(
        .unused, "this rule is never reached: the one on line \(first.span.start.line) takes all that it would",
        at: rule.span, hint: "put it before that one", severity: .warning)
    }
  }

  // MARK: routes

  /// An endpoint whose own requests fit a more specific pattern of another one reads nothing of their answers.
  ///
  /// Known are the values of variables and of a list in `for_each`. Patterns are looked up, not compared one by one.
  private mutating func checkShadows() {
    var byPattern: [[PathPattern.Segment]: [Int]] = [:]
    for (index, descriptor) in descriptors.enumerated() {
      byPattern[descriptor.pattern.segments.map(\.withoutName), default: []].append(index)
    }
    for (index, endpoint) in endpoints.enumerated() where endpoint.declaration.isFetched {
      guard let pattern = endpoint.patterns.first else { continue }
      for values in values(of: pattern, in: endpoint) {
        let candidates = pattern.specializations(values).flatMap { byPattern[$0] ?? [] }
        guard let other = candidates.map({ descriptors[$0] }).first(where: { takes($0, from: index) }) else { continue }
        let name = endpoints[other.endpoint].name
        report(
          .shadowedPath,
          "what '\(endpoint.name)' asks for with '\(values.shown)' is read by '\(name)' alone, whose pattern "
            + "'\(other.pattern)' is more specific", at: endpoint.declaration.paths[0].span,
          hint: "take another value here, or another pattern there", severity: .warning)
        break
      }
    }
  }

  /// Would the descriptor route answers of the endpoint's requests?
  private func takes(_ descriptor: ResponseDescriptor, from index: Int) -> Bool {
    guard descriptor.endpoint != index else { return false }
    let declaration = endpoints[index].declaration
    let method = declaration.method?.value ?? "GET"
    return (descriptor.method ?? method).isSame(as: method) && descriptor.status.overlaps(declaration.status)
  }

  /// Values of the pattern's parameters that are known: those of variables, or each one of a list.
  private func values(of pattern: PathPattern, in endpoint: EndpointPlan) -> [KnownParameters] {
    let names = pattern.parameterNames
    guard !names.isEmpty else { return [] }
    var known = KnownParameters()
    for name in names {
      if let value = scope.variables.first(where: { $0.name.isSame(as: name) })?.value { known.set(name, value) }
    }
    guard let each = endpoint.declaration.forEach, case .values(let list) = each.source,
      let binding = each.bindings.first
    else { return known.isEmpty ? [] : [known] }
    return list.map { item in
      var copy = known
      copy.set(binding.name.value, item.value)
      return copy
    }
  }
}

/// Path parameters whose values are known, by their names.
private struct KnownParameters {
  private var values: [(name: String, bytes: [UInt8])] = []

  var isEmpty: Bool { values.isEmpty }
  var shown: String { values.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "', '") }

  mutating func set(_ name: String, _ value: Literal) {
    values.removeAll { $0.name.isSame(as: name) }
    if value != .null { values.append((name, Array(value.plainText.utf8))) }
  }

  subscript(_ name: String) -> [UInt8]? { values.first { $0.name.isSame(as: name) }?.bytes }
}

extension PathPattern {
  /// Parameters that are looked at in all their combinations.
  private static let mostParameters = 4

  /// The patterns with some, at least one, of the known parameters written out.
  fileprivate func specializations(_ values: KnownParameters) -> [[Segment]] {
    var (found, left): ([[Segment]], Int) = ([[]], Self.mostParameters)
    for segment in segments {
      guard case .parameter(let name) = segment, left > 0, let value = values[name] else {
        found = found.map { $0 + [segment.withoutName] }
        continue
      }
      left -= 1
      found = found.flatMap { [$0 + [.literal(value)], $0 + [segment.withoutName]] }
    }
    let own = segments.map(\.withoutName)
    return found.filter { $0 != own }
  }
}

extension PathPattern.Segment {
  fileprivate var withoutName: PathPattern.Segment { if case .parameter = self { .parameter("") } else { self } }
}

extension ErrorRuleDeclaration {
  /// Does it fit whenever the other one does?
  fileprivate func takesAll(of other: ErrorRuleDeclaration) -> Bool {
    if let when {
      guard let others = other.when, when.covers(others) else { return false }
    }
    guard let status else { return true }
    guard let others = other.status else { return false }
    return others.ranges.allSatisfy { range in
      status.ranges.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
    }
  }
}
