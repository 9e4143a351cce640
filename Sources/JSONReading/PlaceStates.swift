/// A place tree as a table of states: "the value reached after so many steps of that place's path". A value in a body has
/// several at once; the next step of each says which of its children have which.
struct PlaceStates {
  enum Step {
    case member(JSONName)
    /// Negative: counted from the end.
    case element(Int)
    case eachElement
    case eachMember
    /// The value at a place: a list of records, or one.
    case place
    /// One record of a place.
    case record
    /// The value of a capture.
    case capture
    /// Part of a record that is pruned to what its mapping reads: these members of it; nil, all of it.
    case read([Read]?)
  }

  struct Read {
    var name: JSONName
    var state: Int
  }

  struct State {
    var step: Step
    /// A place, or for `capture` and the steps that lead to it a capture.
    var owner: Int
    var isCapture = false
    /// The step before was `[*]` or `.*`.
    var isElement = false
    /// Captures that start from the value.
    var holds: [Int] = []
  }

  private(set) var states: [State] = []
  /// The first state of each place.
  private(set) var places: [Int] = []
  /// The first state of each capture, which the value that holds it has.
  private(set) var captures: [Int] = []
  /// The state of a pruned record of each place; nil where records are handed out whole.
  private(set) var reads: [Int?] = []
  /// Captures that start from the root.
  private(set) var rootCaptures: [Int] = []
  let tree: PlaceTree

  init(_ tree: PlaceTree) {
    self.tree = tree
    for (index, place) in tree.places.enumerated() { add(place.path.steps, of: index) }
    for (index, capture) in tree.captures.enumerated() { add(capture, index) }
    for (index, place) in tree.places.enumerated() { reads.append(readState(place, of: index)) }
  }

  private mutating func add(_ steps: [KeyPath.Step], of place: Int) {
    places.append(states.count)
    var isElement = false
    for step in steps {
      states.append(State(step: Step(step), owner: place, isElement: isElement))
      isElement = step.isWildcard
    }
    if !isElement { states.append(State(step: .place, owner: place)) }
    states.append(State(step: .record, owner: place, isElement: true))
  }

  private mutating func add(_ capture: PlaceTree.Capture, _ index: Int) {
    if let place = capture.place {
      if let steps = Self.holder(of: tree.places[place].path.steps, levels: capture.levels) {
        states[places[place] + steps].holds.append(index)
      }
    } else {
      rootCaptures.append(index)
    }
    captures.append(states.count)
    for step in capture.steps { states.append(State(step: Step(step), owner: index, isCapture: true)) }
    states.append(State(step: .capture, owner: index, isCapture: true))
  }

  /// How many steps lead to the object that holds a place, so many levels up; nil when there is none.
  private static func holder(of steps: [KeyPath.Step], levels: Int) -> Int? {
    var count = steps.count
    for _ in 0..<levels {
      while count > 0, !steps[count - 1].isMember { count -= 1 }
      if count == 0 { return nil }
      count -= 1
    }
    return count
  }

  // MARK: Pruning

  private mutating func readState(_ place: PlaceTree.Place, of index: Int) -> Int? {
    guard let paths = place.reads, mayHoldAnother(place) else { return nil }
    let lists = paths.map { path in path.steps.prefix { $0.isMember } }
    return add(lists.map(Array.init), owner: index)
  }

  /// Adds the states for these paths of members below a record; returns the first. Depth of recursion: a path's length.
  private mutating func add(_ paths: [[KeyPath.Step]], owner: Int) -> Int {
    let state = states.count
    states.append(State(step: .read(nil), owner: owner))
    if paths.contains(where: \.isEmpty) { return state }
    var names: [JSONName] = []
    for case .member(let name) in paths.compactMap(\.first) where !names.contains(name) { names.append(name) }
    let reads = names.map { name in
      let rests = paths.filter { $0.first == .member(name) }.map { Array($0.dropFirst()) }
      return Read(name: name, state: add(rests, owner: owner))
    }
    states[state].step = .read(reads)
    return state
  }

  /// May a record of this place hold another place? Lists are passed over, so that the answer may be a needless yes.
  private func mayHoldAnother(_ place: PlaceTree.Place) -> Bool {
    let outer = place.path.steps.filter(\.isNamed)
    return tree.places.contains { other in
      let inner = other.path.steps.filter(\.isNamed)
      guard other.path.steps != place.path.steps, inner.count >= outer.count else { return false }
      return zip(outer, inner).allSatisfy { $0 == $1 || $0 == .eachMember || $1 == .eachMember }
    }
  }

  /// The root is the only place, and its records need nothing else of the body.
  var isRootOnly: Bool { tree.places.count == 1 && tree.places[0].path.steps.isEmpty && !readsTwice }

  /// Must a body be read twice: first for the values that records need before they are handed out?
  var readsTwice: Bool { !tree.captures.isEmpty || reads.contains { $0 != nil } }
}

extension KeyPath.Step {
  fileprivate var isMember: Bool {
    if case .member = self { return true }
    return false
  }

  fileprivate var isWildcard: Bool { self == .eachElement || self == .eachMember }

  fileprivate var isNamed: Bool { isMember || self == .eachMember }
}

extension PlaceStates.Step {
  fileprivate init(_ step: KeyPath.Step) {
    switch step {
    case .member(let name): self = .member(name)
    case .element(let index): self = .element(index)
    case .eachElement: self = .eachElement
    case .eachMember: self = .eachMember
    }
  }
}
