extension KeyPath {
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
