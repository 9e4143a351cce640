import JSONReading

/// Walks over the steps of a relationship's key path that stand behind plain members, and gathers the children.
struct Expansion {
  let steps: [KeyPath.Step]
  /// An array at the end of the path is its elements.
  let isList: Bool
  /// The path led to something, be it an empty list.
  private(set) var isFound = false
  /// It led to null only.
  private(set) var isNull = false
  /// The first value of a wrong shape, and the number of the step that met it.
  private(set) var wrong: (value: JSONValue, step: Int)?
  private var index = 0

  init(steps: [KeyPath.Step], isList: Bool) {
    self.steps = steps
    self.isList = isList
  }

  /// Depth is bounded by the number of steps.
  mutating func walk(_ value: JSONValue, step: Int, keyNode: Int, into elements: inout [BodyMapper.Element]) {
    guard step < steps.count else { return arrive(at: value, keyNode: keyNode, into: &elements) }
    if value.isNull {
      isNull = true
      return
    }
    switch steps[step] {
    case .member(let name):
      if value.kind == .object {
        if let member = value.member(named: name) { walk(member, step: step + 1, keyNode: keyNode, into: &elements) }
      } else if !(value.kind == .array && value.isEmpty) {
        wrong = wrong ?? (value, step)
      }
    case .element(let number):
      guard value.kind == .array else { return wrong = wrong ?? (value, step) }
      if let element = value.element(number) { walk(element, step: step + 1, keyNode: keyNode, into: &elements) }
    case .eachElement:
      guard value.kind == .array else { return walk(value, step: step + 1, keyNode: keyNode, into: &elements) }
      isFound = true
      value.forEachElement { walk($0, step: step + 1, keyNode: keyNode, into: &elements) }
    case .eachMember:
      guard value.kind == .object else {
        if !(value.kind == .array && value.isEmpty) { wrong = wrong ?? (value, step) }
        return
      }
      isFound = true
      value.forEachMember { name, member in walk(member, step: step + 1, keyNode: name.index, into: &elements) }
    }
  }

  private var endsInWildcard: Bool { steps.last == .eachElement || steps.last == .eachMember }

  private mutating func arrive(at value: JSONValue, keyNode: Int, into elements: inout [BodyMapper.Element]) {
    if value.isNull {
      // A null element keeps its number; a null list is no element.
      if endsInWildcard { index += 1 } else { isNull = true }
      return
    }
    if value.kind == .string, value.isBlank, !endsInWildcard {
      isNull = true
      return
    }
    isFound = true
    guard isList, value.kind == .array, !endsInWildcard else {
      elements.append(BodyMapper.Element(value: value, index: index, keyNode: keyNode))
      index += 1
      return
    }
    value.forEachElement { element in
      if !element.isNull { elements.append(BodyMapper.Element(value: element, index: index, keyNode: keyNode)) }
      index += 1
    }
  }
}

extension JSONValue {
  /// Text of nothing but white space: in place of a child it counts as null.
  var isBlank: Bool {
    guard kind == .string else { return false }
    guard !hasEscapes else { return stringValue.allSatisfy(\.isWhitespace) }
    return stringText.allSatisfy { $0 == 0x20 }
      || String(decoding: stringText, as: UTF8.self).allSatisfy(\.isWhitespace)
  }
}
