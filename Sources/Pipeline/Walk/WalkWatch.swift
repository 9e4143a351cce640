import JSONReading
import PlanCompiler

/// Watches the bodies of a walk for what forbids it to remove rows that it has not seen.
struct WalkWatch {
  private let plan: Plan
  /// Records, by index of `Plan.recordNames`, that the walk's places lead to and whose unseen rows may go.
  private(set) var records: [Int] = []
  /// Why rows of a record stay: the first reason found.
  private(set) var reasons: [Int: String] = [:]

  init(plan: Plan, endpoints: [Int]) {
    self.plan = plan
    cover(endpoints.flatMap { plan.endpoints[$0].places })
  }

  var replaces: Bool { records.contains { plan.isReplaced($0) } }

  /// A body is about to come that has these places.
  mutating func cover(_ places: [PlacePlan]) {
    for record in places.flatMap({ plan.sweptRecords(at: $0) }) where !records.contains(record) {
      records.append(record)
    }
  }

  /// Notes what a body has at its places; `name` is the body's, without credentials.
  mutating func note(_ body: BodySummary, at places: [PlacePlan], of name: @autoclosure () -> String) {
    for (index, place) in places.enumerated() {
      let what: String
      switch body.places[index] {
      case .absent: what = "'\(place.path)' is not there in \(name())"
      case .null: what = "'\(place.path)' is null in \(name())"
      case .found where body.nullCounts[index] > 0: what = "an element of '\(place.path)' is null in \(name())"
      case .found: continue
      }
      forbid(at: place, what)
    }
  }

  /// Notes an answer without a body.
  mutating func noteNothing(at places: [PlacePlan], of name: String) {
    for place in places { forbid(at: place, "'\(place.path)' is not there in \(name), which is empty") }
  }

  private mutating func forbid(at place: PlacePlan, _ reason: String) {
    for record in plan.sweptRecords(at: place) where reasons[record] == nil { reasons[record] = reason }
  }

  /// Records were rejected that may be any row.
  mutating func note(unknown rejected: Set<Int>) {
    guard let first = rejected.min() else { return }
    for record in records where reasons[record] == nil {
      reasons[record] = "a record of '\(plan.recordNames[first])' was rejected that may be any of the rows"
    }
  }

  var unswept: [(record: String, reason: String)] {
    reasons.sorted { $0.key < $1.key }.map { (plan.recordNames[$0.key], $0.value) }
  }
}
