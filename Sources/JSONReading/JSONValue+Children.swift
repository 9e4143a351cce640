extension JSONValue {
  /// An object's member; of several with one name the last.
  package func member(named name: JSONName) -> JSONValue? {
    var found: JSONValue?
    forEachMember { candidate, value in
      if candidate.isText(name) { found = value }
    }
    return found
  }

  /// Number of an array's elements or an object's members; 0 for other kinds.
  package var count: Int {
    var count = 0
    switch kind {
    case .array: forEachElement { _ in count += 1 }
    case .object: forEachMember { _, _ in count += 1 }
    default: break
    }
    return count
  }

  /// An array's element, counted from 0, or from the end when negative; nil when it has none there.
  package func element(_ index: Int) -> JSONValue? {
    guard kind == .array else { return nil }
    var left = index >= 0 ? index : index + count
    guard left >= 0 else { return nil }
    var child = self.index + 1
    while child < next {
      let value = at(child)
      if left == 0 { return value }
      left -= 1
      child = value.next
    }
    return nil
  }
}
