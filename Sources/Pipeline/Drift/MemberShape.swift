import JSONReading

/// What members of bodies look like: names, kinds of values, and how many; never a value.
///
/// Elements of lists are laid over one another, and so are the members of an object whose names are data: a dictionary.
final class MemberShape {
  enum Kind: String, CaseIterable {
    case null, boolean, integer, number, string, array, object
  }

  /// How many values of each kind stood here.
  private(set) var kinds: [Kind: Int] = [:]
  private(set) var members: [JSONName: MemberShape] = [:]
  /// Of all lists that stood here.
  private(set) var element: MemberShape?
  /// Of members whose names are data: their values. Of a dictionary, all of them are.
  private(set) var entry: MemberShape?
  /// No member is known by its name any more: there are too many, or the mapping steps through them.
  private(set) var isDictionary = false

  private static let depthLimit = 64
  /// An object with more names than that is a dictionary.
  static let memberLimit = 200

  init() {}

  /// How many values stood here.
  var count: Int { kinds.values.reduce(0, +) }
  var objectCount: Int { kinds[.object] ?? 0 }
  var nullCount: Int { kinds[.null] ?? 0 }

  // MARK: noting

  func note(_ value: JSONValue) { note(value, depth: 0) }

  /// A value that stands at the steps below this one; what is on the way is not counted.
  func note(_ value: JSONValue, at steps: [RecordPosition.Step]) {
    var shape = self
    for step in steps {
      switch step {
      case .member(let name): shape = shape.member(named: name)
      case .element: shape = shape.elements()
      }
    }
    shape.note(value, depth: steps.count)
  }

  private func note(_ value: JSONValue, depth: Int) {
    kinds[Kind(of: value), default: 0] += 1
    guard depth < Self.depthLimit else { return }
    value.forEachMember { name, value in
      member(named: JSONName(bytes: name.stringBytes)).note(value, depth: depth + 1)
    }
    value.forEachElement { elements().note($0, depth: depth + 1) }
  }

  func add(_ count: Int, of kind: Kind) { kinds[kind, default: 0] += count }

  func member(named name: JSONName) -> MemberShape {
    if isDictionary { return entries() }
    if let known = members[name] { return known }
    if name.isData { return entries() }
    if members.count == Self.memberLimit {
      fold()
      return entries()
    }
    let shape = MemberShape()
    members[name] = shape
    return shape
  }

  func elements() -> MemberShape {
    let shape = element ?? MemberShape()
    element = shape
    return shape
  }

  func entries() -> MemberShape {
    let shape = entry ?? MemberShape()
    entry = shape
    return shape
  }

  /// Makes a dictionary of it: what its members have become is laid over one another.
  func fold() {
    isDictionary = true
    let shape = entries()
    for member in members.values { shape.merge(member) }
    members = [:]
  }

  /// Lays another shape over this one.
  func merge(_ other: MemberShape) {
    for (kind, count) in other.kinds { kinds[kind, default: 0] += count }
    if other.isDictionary, !isDictionary { fold() }
    for (name, shape) in other.members { member(named: name).merge(shape) }
    if let shape = other.element { elements().merge(shape) }
    if let shape = other.entry { entries().merge(shape) }
  }

  // MARK: what a comparison forgets

  func forget(_ name: JSONName) { members[name] = nil }

  func forgetKinds(for other: MemberShape) { kinds = other.kinds }
}

extension MemberShape.Kind {
  init(of value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .true, .false: self = .boolean
    case .number: self = value.isInteger ? .integer : .number
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }
}

extension JSONName {
  /// A number, a UUID, a date, an address: no name that somebody gave to a member, but a value.
  fileprivate var isData: Bool {
    // `@id` and `@type` are names that somebody gave.
    if bytes.dropFirst().contains(UInt8(ascii: "@")) { return true }
    let isDigit = bytes.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if !bytes.isEmpty, isDigit.allSatisfy({ $0 }) { return true }
    let dashes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "-") }
    if bytes.count >= 10, dashes.starts(with: [4, 7]), isDigit[..<4].allSatisfy({ $0 }) { return true }
    return bytes.count == 36 && dashes == [8, 13, 18, 23]
  }
}
