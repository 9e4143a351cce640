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

extension KeyPath {
  /// Steps as a key path is written.
  static func text(of steps: some Sequence<Step>) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .member(let name): text += (text.isEmpty ? "" : ".") + quotedIfNeeded(name.description)
      case .element(let index): text += "[\(index)]"
      case .eachElement: text += "[*]"
      case .eachMember: text += ".*"
      }
    }
    return text
  }
}
