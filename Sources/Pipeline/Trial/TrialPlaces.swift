import JSONReading
import Mapper
import PlanCompiler

/// What each descriptor makes of a body, and which members nothing maps.
struct TrialPlaces {
  let plan: Plan
  /// Nil for a body that could not be read.
  let trace: TrialTrace?
  let shape: BodyShape?

  func places(method: String, path: String, _ context: BodyContext) -> [TrialReport.Place] {
    let found = RouteExplanation(plan: plan, method: method, path: path, status: context.status)
    var places: [TrialReport.Place] = []
    for (line, descriptor) in zip(found.lines, plan.router.descriptors) {
      guard let index = index(of: descriptor, in: context) else {
        places.append(TrialReport.Place(descriptor: line.name, outcome: line.reason))
        continue
      }
      var place = TrialReport.Place(
        descriptor: line.name, outcome: trace?.outcome(ofPlace: index) ?? "the body cannot be read")
      place.unmapped = unmapped(plan.endpoints[descriptor.endpoint].places[descriptor.place])
      places.append(place)
    }
    return places
  }

  /// The number of the descriptor's place among those that apply; nil when it does not.
  private func index(of descriptor: ResponseDescriptor, in context: BodyContext) -> Int? {
    var first = 0
    for match in context.matches {
      if match.endpoint == descriptor.endpoint { return first + descriptor.place }
      first += plan.endpoints[match.endpoint].places.count
    }
    return nil
  }

  // MARK: members that nothing maps

  private func unmapped(_ place: PlacePlan) -> [String] {
    guard let shape else { return [] }
    var names: [String] = []
    for record in Self.records(in: [shape], at: place.path, isList: true) {
      note(record, rows: place.branches.map(\.row), path: "", &names)
    }
    return names
  }

  /// The shapes of the records that a key path leads to.
  private static func records(in shapes: [BodyShape], at path: KeyPath, isList: Bool) -> [BodyShape] {
    guard path.origin == .value else { return [] }
    let endsInWildcard = path.steps.last == .eachElement || path.steps.last == .eachMember
    return shapes.flatMap { $0.shapes(behind: path.steps) }.flatMap { shape -> [BodyShape] in
      if isList, !endsInWildcard, let element = shape.element {
        return shape.members.isEmpty ? [element] : [shape, element]
      }
      return [shape]
    }
  }

  /// Depth is bounded by that of the shape.
  private func note(_ record: BodyShape, rows: [Int], path: String, _ names: inout [String]) {
    let mapped = Set(rows.flatMap { mappedMembers(of: $0) })
    for (name, _) in record.members where !mapped.contains(name) {
      let name = path + KeyPath.quotedIfNeeded(name.description)
      if !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { names.append(name) }
    }
    for relationship in rows.flatMap({ plan.rows[$0].relationships }) where !relationship.isSameObject {
      let children = relationship.branches.map(\.child)
      for child in Self.records(in: [record], at: relationship.access.path, isList: relationship.isList) {
        note(child, rows: children, path: "\(path)\(relationship.access.path.text).", &names)
      }
    }
  }

  /// A child that is built from the same object maps its members too.
  private func mappedMembers(of row: Int) -> [JSONName] {
    let same = plan.rows[row].relationships.filter(\.isSameObject).flatMap(\.branches).map(\.child)
    return plan.rows[row].mappedMembers + same.flatMap { plan.rows[$0].mappedMembers }
  }
}
