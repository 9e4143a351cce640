extension KeyPath {
  /// Does it begin in the value or its body, and not in what is around it?
  package var isInBody: Bool { origin == .value || origin == .root }

  /// The steps at its beginning that lead to one value each: all before a `[*]` or `.*`.
  package var leadingSteps: [Step] { Array(steps.prefix { $0 != .eachElement && $0 != .eachMember }) }

  /// The member steps at its beginning.
  package var leadingMembers: [JSONName] {
    var names: [JSONName] = []
    for step in steps {
      guard case .member(let name) = step else { break }
      names.append(name)
    }
    return names
  }

  /// What is left behind so many steps, on the value that they lead to; nil when nothing is.
  package func dropping(_ count: Int) -> KeyPath? {
    guard steps.count > count else { return nil }
    return KeyPath(origin: .value, steps: Array(steps.dropFirst(count)), text: text)
  }
}
