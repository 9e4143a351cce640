extension KeyPath {
  /// Steps as a key path is written.
  package static func text(of steps: some Sequence<Step>) -> String {
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

  /// What to write where a list stands in place of an object whose member number `step` was wanted: a number was probably
  /// meant as an element.
  package func suggestion(forListAt step: Int) -> String {
    let way = KeyPath.text(of: steps.prefix(step))
    if case .member(let name) = steps[step], let number = Int(name.description), number >= 0 {
      return "write '\(KeyPath.text(of: steps.prefix(step) + [.element(number)] + steps.dropFirst(step + 1)))'"
    }
    let rest = KeyPath.text(of: steps.dropFirst(step))
    let separator = rest.hasPrefix("[") ? "" : "."
    return "write '\(way)[*]\(separator)\(rest)' for all elements, or '\(way)[0]\(separator)\(rest)' for one"
  }
}
