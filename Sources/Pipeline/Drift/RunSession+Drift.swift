import MappingLanguage
import PlanCompiler
package import Store

/// What an endpoint's answers hold, compared with those of the runs before.
package struct EndpointDrift: Sendable {
  package let endpoint: String
  /// False: nothing was known of it.
  package let wasKnown: Bool
  package let memberCount: Int
  package let changes: [DriftChange]
  /// Of an answer that was too large, only the records were looked at.
  package let isPartial: Bool
}

extension RunSession {
  private static let prefix = "drift/"

  /// Answers are looked at from now on, so that `drift` can say what has changed.
  package func watchDrift() {
    intake.drift = DriftWatch(plan: plan, limits: mapping.source.limits.json, isInterrupted: isInterrupted)
  }

  /// What has changed since the runs before, in the order of endpoints; to be asked before the run ends. What the answers
  /// hold is remembered with its end, unless it failed.
  package func drift(after failure: PipelineError?) throws(StoreError) -> [EndpointDrift] {
    guard let watch = intake.drift else { return [] }
    let known = try store.state(scope: "", prefix: Self.prefix)
    var found: [EndpointDrift] = []
    for (index, endpoint) in plan.endpoints.enumerated() {
      guard let now = watch.shapes[index] else { continue }
      let name = Self.prefix + endpoint.name
      let was = known.first { $0.name.isSame(as: name) }.flatMap { MemberShape($0.value) }
      let dictionaries = MappedDictionaries(plan: plan)
      dictionaries.fold(now, of: index)
      if let was { dictionaries.fold(was, of: index) }
      var comparison = DriftComparison()
      if let was { comparison.compare(now, with: was) }
      found.append(
        EndpointDrift(
          endpoint: endpoint.name, wasKnown: was != nil, memberCount: now.memberCount, changes: comparison.changes,
          isPartial: watch.large.contains(index)))
      guard failure == nil else { continue }
      let whole = was ?? MemberShape()
      whole.merge(now)
      closing.append(.set(scope: "", name: name, value: whole.text))
    }
    return found
  }
}

extension MemberShape {
  /// Members of objects, at any depth.
  fileprivate var memberCount: Int {
    let inner = members.values.map { 1 + $0.memberCount } + [element, entry].compactMap { $0?.memberCount }
    return inner.reduce(0, +)
  }
}
