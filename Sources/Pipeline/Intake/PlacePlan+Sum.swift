import JSONReading
import PlanCompiler

extension [PlacePlan] {
  /// Is what they make of a body told by their records alone? Not where values around a record, or the names under which
  /// records stand, are part of what is mapped.
  var areSelfContained: Bool {
    allSatisfy { $0.captures.isEmpty && !$0.readsPage && !$0.path.steps.contains(.eachMember) }
  }
}
