import JSONReading
import PlanCompiler
import Records
import Values

/// Values around a record: `$parent`, `$key`, `$root`, `$route` and the others.
extension BodyMapper {
  func findContext(_ access: PathAccess) -> Found {
    if kept != nil, let found = findKept(access.path) { return found }
    switch access.path.origin {
    case .value: return .missing
    case .parent, .root: return aroundRecord(access)
    case .key(let levels): return key(levels)
    case .index(let levels): return index(levels)
    case .route(let name):
      guard let place = position.map({ places[$0.place] }) else { return .missing }
      return text(place.parameters.first { $0.name.isSame(as: name) }?.value)
    case .query(let name): return text(context.query.first { $0.name.isSame(as: name) }?.value)
    case .requestURL: return text(context.url)
    case .responseStatus: return integer(context.status)
    case .responseHeader(let name): return text(context.headers.first { $0.name.isSame(as: name) }?.value)
    case .fetchedAt: return text(context.fetchedAt)
    case .runID: return integer(Int(context.runID))
    case .variable(let name):
      guard let variable = context.variables.first(where: { $0.name.isSame(as: name) }) else { return .missing }
      return variable.value == .null ? .null : .value(RawValue(variable.value, arena: arena))
    }
  }

  private func text(_ text: String?) -> Found {
    guard let text else { return .missing }
    return .value(RawValue(kind: .text, text: arena.copy(text)))
  }

  private func integer(_ value: Int) -> Found {
    .value(RawValue(kind: .number, flag: true, text: arena.copy(String(value))))
  }

  /// A value that stands elsewhere in the body: in a record above, or captured by the body reader.
  private func aroundRecord(_ access: PathAccess) -> Found {
    guard let value = valueAround(access.path) else { return .missing }
    switch value {
    case .inRecord(let value): return access.rest.map { evaluate($0, on: value, path: access.path) } ?? found(value)
    case .captured(let document, let rest):
      batch.keep(document)
      return rest.map { evaluate($0, on: document.root, path: access.path) } ?? found(document.root)
    }
  }

  enum Around {
    case inRecord(JSONValue)
    case captured(JSONDocument, rest: KeyPath?)
  }

  func valueAround(_ path: KeyPath) -> Around? {
    let depth = frames.count - 1
    if case .parent(let levels) = path.origin, levels <= depth { return .inRecord(frames[depth - levels].value) }
    guard let position else { return nil }
    let place = places[position.place]
    guard
      let index = place.plan.captures.firstIndex(where: { $0.path == path && ($0.depth == nil || $0.depth == depth) }),
      let document = position.captures[place.captures[index]]
    else { return nil }
    return .captured(document, rest: place.plan.captures[index].rest)
  }

  // MARK: names and numbers

  private func key(_ levels: Int) -> Found {
    let depth = frames.count - 1
    var levels = levels
    while levels < depth, frames[depth - levels].element.isParentsObject { levels += 1 }
    if levels < depth { return key(of: frames[depth - levels].element) }
    guard let step = position.flatMap({ holderStep(levels - depth, of: $0, where: { $0 == .eachMember }) }),
      case .member(let name)? = position?.steps[step]
    else { return .missing }
    let bytes = name.bytes.withUnsafeBytes { arena.copy($0) }
    return .value(RawValue(kind: .text, text: bytes))
  }

  private func key(of element: Element) -> Found {
    guard element.keyNode >= 0 else { return .missing }
    return found(element.value.at(element.keyNode))
  }

  private func index(_ levels: Int) -> Found {
    let depth = frames.count - 1
    if levels < depth {
      let number = frames[depth - levels].element.index
      return number < 0 ? .missing : integer(number)
    }
    guard let position else { return .missing }
    if levels == depth { return integer(position.number) }
    guard let step = holderStep(levels - depth, of: position, where: { $0 == .eachElement }),
      case .element(let number) = position.steps[step]
    else { return .missing }
    return integer(number)
  }

  /// The step of the body's way to the record that a `.*` or `[*]` made, `levels` above the record: lists and
  /// dictionaries that are stepped through belong to the level of what they hold.
  private func holderStep(_ levels: Int, of position: RecordPosition, where fits: (KeyPath.Step) -> Bool) -> Int? {
    var pattern = places[position.place].plan.path.steps
    if position.steps.count > pattern.count { pattern.append(.eachElement) }
    var end = min(pattern.count, position.steps.count)
    for _ in 0..<levels {
      while end > 0, !pattern[end - 1].isMember { end -= 1 }
      guard end > 0 else { return nil }
      end -= 1
    }
    while end > 0, !pattern[end - 1].isMember {
      if fits(pattern[end - 1]) { return end - 1 }
      end -= 1
    }
    return nil
  }
}

extension KeyPath.Step {
  fileprivate var isMember: Bool {
    if case .member = self { true } else { false }
  }
}

extension String {
  /// Byte for byte: `==` takes canonically equivalent names for one.
  fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
