/// What a key path leads to.
package enum KeyPathLookup {
  case missing
  /// A value, which may be JSON's null.
  case value(JSONValue)
  /// What `[*]` or `.*` gathers: one flat array, nil for an element without the value.
  case projection([JSONValue?])
  /// A value of this kind stood where step number `step` wanted another one.
  case wrongShape(found: JSONKind, step: Int)
}

extension KeyPath {
  /// Follows the steps from a value; the origin is the caller's business.
  package func evaluate(on value: JSONValue) -> KeyPathLookup { Self.evaluate(steps, from: 0, on: value) }

  private static func evaluate(_ steps: [Step], from first: Int, on start: JSONValue) -> KeyPathLookup {
    var value = start
    for index in first..<steps.count {
      if value.kind == .null { return .missing }
      let found: JSONValue?
      switch steps[index] {
      case .member(let name):
        guard value.kind == .object else { return other(value, at: index) }
        found = value.member(named: name)
      case .element(let number):
        guard value.kind == .array else { return .wrongShape(found: value.kind, step: index) }
        found = value.element(number)
      case .eachElement:
        guard value.kind == .array else { return .wrongShape(found: value.kind, step: index) }
        return project(steps, from: index + 1, over: value)
      case .eachMember:
        guard value.kind == .object else { return other(value, at: index) }
        return project(steps, from: index + 1, over: value)
      }
      guard let found else { return .missing }
      value = found
    }
    return .value(value)
  }

  /// Something that is no object where members were expected: an empty array counts as missing.
  private static func other(_ value: JSONValue, at step: Int) -> KeyPathLookup {
    value.kind == .array && value.isEmpty ? .missing : .wrongShape(found: value.kind, step: step)
  }

  /// Follows the rest of the path from each element or member; the depth of recursion is the number of steps.
  private static func project(_ steps: [Step], from next: Int, over value: JSONValue) -> KeyPathLookup {
    var values: [JSONValue?] = []
    var child = value.index + 1
    while child < value.next {
      let element = value.at(value.kind == .object ? child + 1 : child)
      switch evaluate(steps, from: next, on: element) {
      case .missing: values.append(nil)
      case .value(let found): values.append(found)
      case .projection(let found): values.append(contentsOf: found)
      case .wrongShape(let found, let step): return .wrongShape(found: found, step: step)
      }
      child = element.next
    }
    return .projection(values)
  }
}
