import JSONReading

extension KeyPath.Step {
  /// What the step is taken from.
  var expected: JSONKind {
    switch self {
    case .member, .eachMember: .object
    case .element, .eachElement: .array
    }
  }
}
