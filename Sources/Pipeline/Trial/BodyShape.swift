import JSONReading

/// What is in a body: its members, of which kinds, and how many. Elements of an array are laid over one another.
final class BodyShape {
  /// Of the values that stand here.
  private(set) var kinds: [(kind: String, count: Int)] = []
  /// In the order in which they came.
  private(set) var members: [(name: JSONName, shape: BodyShape)] = []
  private(set) var element: BodyShape?
  /// Elements of all arrays that stand here.
  private(set) var elementCount = 0
  /// Names that came when there were too many.
  private(set) var leftOut = 0
  private var places: [JSONName: Int] = [:]

  private static let depthLimit = 64
  private static let memberLimit = 1000

  init() {}

  /// How many values stand here.
  package var count: Int { kinds.reduce(0) { $0 + $1.count } }

  func add(_ value: JSONValue) { add(value, depth: 0) }

  private func add(_ value: JSONValue, depth: Int) {
    note(Self.name(of: value.kind))
    guard depth < Self.depthLimit else { return }
    value.forEachMember { name, member in
      self.member(named: JSONName(bytes: name.stringBytes))?.add(member, depth: depth + 1)
    }
    value.forEachElement { element in
      elementCount += 1
      let shape = self.element ?? BodyShape()
      self.element = shape
      shape.add(element, depth: depth + 1)
    }
  }

  private func note(_ kind: String) {
    if let index = kinds.firstIndex(where: { $0.kind == kind }) {
      kinds[index].count += 1
    } else {
      kinds.append((kind, 1))
    }
  }

  private func member(named name: JSONName) -> BodyShape? {
    if let place = places[name] { return members[place].shape }
    guard members.count < Self.memberLimit else {
      leftOut += 1
      return nil
    }
    places[name] = members.count
    let shape = BodyShape()
    members.append((name, shape))
    return shape
  }

  private static func name(of kind: JSONKind) -> String {
    switch kind {
    case .null: "null"
    case .true, .false: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// What stands behind the steps of a key path.
  func shapes(behind steps: some Collection<KeyPath.Step>) -> [BodyShape] {
    guard let step = steps.first else { return [self] }
    let next: [BodyShape]
    switch step {
    case .member(let name): next = places[name].map { [members[$0].shape] } ?? []
    case .eachMember: next = members.map(\.shape)
    case .element, .eachElement: next = element.map { [$0] } ?? []
    }
    return next.flatMap { $0.shapes(behind: steps.dropFirst()) }
  }
}

/// A line for each value of a shape, with the key path that leads to it.
extension BodyShape {
  /// `limit` lines at most; `more` tells how many there are beyond.
  func lines(limit: Int) -> (lines: [TrialReport.Member], more: Int) {
    var lines: [TrialReport.Member] = []
    write("", of: nil, to: &lines)
    return (Array(lines.prefix(limit)), max(0, lines.count - limit))
  }

  private func write(_ path: String, of owners: Int?, to lines: inout [TrialReport.Member]) {
    let isPlainObject = kinds.count == 1 && kinds[0].kind == "object"
    if !(path.isEmpty && isPlainObject), !(path.hasSuffix("]") && isPlainObject && !members.isEmpty) {
      let names = kinds.map(\.kind)
      var text = (names.filter { $0 != "null" } + names.filter { $0 == "null" }).joined(separator: " or ")
      if kinds.contains(where: { $0.kind == "array" }) { text += " of \(elementCount)" }
      if let owners, count < owners { text += ", in \(count) of \(owners)" }
      lines.append(TrialReport.Member(path: path.isEmpty ? "." : path, kinds: text))
    }
    let objects = kinds.first { $0.kind == "object" }?.count ?? 0
    for (name, shape) in members { shape.write(Self.joined(path, name), of: objects, to: &lines) }
    if leftOut > 0 {
      let more = leftOut == 1 ? "1 more member" : "\(leftOut) more members"
      lines.append(TrialReport.Member(path: (path.isEmpty ? "" : path + ".") + "…", kinds: more))
    }
    element?.write(path + "[*]", of: nil, to: &lines)
  }

  private static func joined(_ path: String, _ name: JSONName) -> String {
    (path.isEmpty ? "" : path + ".") + KeyPath.quotedIfNeeded(name.description)
  }
}
