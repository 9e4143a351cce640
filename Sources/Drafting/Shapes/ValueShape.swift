import JSONReading
import Records

/// What stands at one place of all bodies, laid over one another.
final class ValueShape {
  /// Levels of nesting that are told apart.
  static let depthLimit = 24
  /// An object with more members than this, which are all objects, is looked at as a dictionary from the start.
  private static let dictionarySize = 64

  private(set) var nulls = 0
  private(set) var objects = 0
  private(set) var arrays = 0
  private(set) var emptyObjects = 0
  private(set) var profile = ScalarProfile()
  /// In the order in which they came.
  private(set) var members: [(name: JSONName, shape: ValueShape)] = []
  private var places: [JSONName: Int] = [:]
  /// Members have names that look like credentials: nothing is drafted of them.
  private(set) var hasSecretNames = false
  /// Members of dictionaries, whatever their names.
  private(set) var values: ValueShape?
  private(set) var element: ValueShape?
  /// Elements of all arrays that stand here.
  private(set) var elements = 0
  /// Of arrays of scalars alone: their elements by number, and how many arrays are no such.
  private(set) var columns: [ValueShape] = []
  private(set) var otherArrays = 0
  /// Does a value stand here twice in one body? Only asked of what may identify a row.
  private(set) var hasRepeats = false
  private var seen: Set<Fingerprint>?

  /// `identifies`: values may tell one row from another, by the name of the member.
  init(identifies: Bool = false) { if identifies { seen = [] } }

  var count: Int { nulls + objects + arrays + profile.count }
  /// What is neither null nor absent.
  var present: Int { count - nulls }
  var isObject: Bool { objects > 0 && arrays == 0 && profile.count == 0 }
  var isArray: Bool { arrays > 0 && objects == 0 && profile.count == 0 }
  var isScalar: Bool { profile.count > 0 && objects == 0 && arrays == 0 }

  func member(_ name: String) -> ValueShape? { places[JSONName(name)].map { members[$0].shape } }

  /// - Parameter body: the number of the body; the same value in another one is no repeat.
  func add(_ value: JSONValue, body: Int, _ arena: ByteArena, depth: Int = 0) {
    switch value.kind {
    case .null: nulls += 1
    case .object: add(object: value, body, arena, depth)
    case .array: add(array: value, body, arena, depth)
    default:
      profile.add(value, arena)
      guard seen != nil else { return }
      if seen?.insert(Fingerprint(value, body: body)).inserted == false { hasRepeats = true }
    }
  }

  private func add(object: JSONValue, _ body: Int, _ arena: ByteArena, _ depth: Int) {
    objects += 1
    if object.isEmpty { emptyObjects += 1 }
    guard depth < Self.depthLimit else { return }
    var (members, hasOthers) = (0, false)
    object.forEachMember { _, value in
      members += 1
      hasOthers = hasOthers || value.kind != .object
    }
    let isDictionary = members > Self.dictionarySize && !hasOthers
    object.forEachMember { name, value in
      let shape = isDictionary ? valuesShape() : memberShape(JSONName(bytes: name.stringBytes))
      shape.add(value, body: body, arena, depth: depth + 1)
    }
  }

  private func valuesShape() -> ValueShape {
    let shape = values ?? ValueShape()
    values = shape
    return shape
  }

  private func memberShape(_ name: JSONName) -> ValueShape {
    if LikelySecret.isOne(name.description) {
      hasSecretNames = true
      return ValueShape()
    }
    if let place = places[name] { return members[place].shape }
    places[name] = members.count
    let shape = ValueShape(identifies: KeyNames.mayIdentify(name.description))
    members.append((name, shape))
    return shape
  }

  private func add(array: JSONValue, _ body: Int, _ arena: ByteArena, _ depth: Int) {
    arrays += 1
    guard depth < Self.depthLimit else { return }
    var isFlat = true
    array.forEachElement { value in
      elements += 1
      isFlat = isFlat && value.kind != .object && value.kind != .array
      let shape = element ?? ValueShape()
      element = shape
      shape.add(value, body: body, arena, depth: depth + 1)
    }
    guard isFlat, array.count <= Self.dictionarySize else { return otherArrays += 1 }
    var index = 0
    array.forEachElement { value in
      if columns.count == index { columns.append(ValueShape()) }
      columns[index].add(value, body: body, arena, depth: depth + 1)
      index += 1
    }
  }

  /// Lays another shape over this one.
  func merge(_ other: ValueShape) {
    mergeObjects(other)
    nulls += other.nulls
    arrays += other.arrays
    elements += other.elements
    otherArrays += other.otherArrays
    profile.merge(other.profile)
    hasRepeats = hasRepeats || other.hasRepeats || !(seen ?? []).isDisjoint(with: other.seen ?? [])
    seen?.formUnion(other.seen ?? [])
    if let more = other.element {
      let shape = element ?? ValueShape()
      element = shape
      shape.merge(more)
    }
    for (index, shape) in other.columns.enumerated() {
      if columns.count == index { columns.append(ValueShape()) }
      columns[index].merge(shape)
    }
  }

  private func mergeObjects(_ other: ValueShape) {
    objects += other.objects
    emptyObjects += other.emptyObjects
    hasSecretNames = hasSecretNames || other.hasSecretNames
    for (name, shape) in other.members { memberShape(name).merge(shape) }
    if let more = other.values { valuesShape().merge(more) }
  }

  /// Are there such names anywhere below?
  var hasSecretNamesBelow: Bool {
    hasSecretNames || members.contains { $0.shape.hasSecretNamesBelow } || (values?.hasSecretNamesBelow ?? false)
      || (element?.hasSecretNamesBelow ?? false)
  }

  /// Elements of lists, and what stands in place of a list of one.
  var allElements: ValueShape {
    let all = ValueShape()
    if let element { all.merge(element) }
    all.mergeObjects(self)
    return all
  }

  /// All members of dictionaries as one shape.
  var allValues: ValueShape {
    let all = ValueShape()
    for (_, shape) in members { all.merge(shape) }
    if let values { all.merge(values) }
    return all
  }
}

/// A value of one body, in 8 bytes: two that differ may be taken for the same, never the other way round.
private struct Fingerprint: Hashable {
  private let hash: UInt64

  init(_ value: JSONValue, body: Int) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(truncatingIfNeeded: body) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ UInt64(value.kind.rawValue)) &* 0x0000_0100_0000_01B3
    for byte in value.kind == .string ? value.stringBytes : Array(value.rawText) {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    self.hash = hash
  }
}
