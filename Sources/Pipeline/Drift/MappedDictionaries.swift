import JSONReading
import PlanCompiler

/// Objects that the mapping steps through by `.*`: the names of their members are data.
struct MappedDictionaries {
  let plan: Plan

  /// Relationships within relationships that are followed.
  private static let depthLimit = 16

  /// Folds them in the shape of an endpoint's answers.
  func fold(_ shape: MemberShape, of endpoint: Int) {
    for place in plan.endpoints[endpoint].places {
      let records = walk(place.path.steps[...], from: [shape]).flatMap(Self.withElements)
      for branch in place.branches { fold(records, row: branch.row, depth: 0) }
    }
  }

  private func fold(_ records: [MemberShape], row: Int, depth: Int) {
    guard depth < Self.depthLimit, !records.isEmpty else { return }
    for field in plan.rows[row].fields {
      guard case .paths(let paths) = field.source else { continue }
      for access in paths where access.path.origin == .value { _ = walk(access.path.steps[...], from: records) }
    }
    for relationship in plan.rows[row].relationships where relationship.access.path.origin == .value {
      // The same object again leads nowhere new.
      if relationship.isSameObject { continue }
      let children = walk(relationship.access.path.steps[...], from: records).flatMap(Self.withElements)
      for branch in relationship.branches { fold(children, row: branch.child, depth: depth + 1) }
    }
  }

  private static func withElements(_ shape: MemberShape) -> [MemberShape] {
    [shape] + (shape.element.map { [$0] } ?? [])
  }

  private func walk(_ steps: ArraySlice<KeyPath.Step>, from shapes: [MemberShape]) -> [MemberShape] {
    guard let step = steps.first else { return shapes }
    let next = shapes.compactMap { shape -> MemberShape? in
      switch step {
      case .member(let name): return shape.members[name]
      case .element, .eachElement: return shape.element
      case .eachMember:
        if shape.objectCount > 0 || !shape.members.isEmpty { shape.fold() }
        return shape.entry
      }
    }
    return walk(steps.dropFirst(), from: next)
  }
}
