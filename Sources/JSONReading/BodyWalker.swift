/// Walks over the positions of a body, window by window, and stops at each record.
///
/// The outer levels, which lead to places, are walked token by token with a stack, so that what is skipped, and lists of
/// records of any length, need no memory. A record's nodes are built when it is whole in the window.
///
/// A *collecting* walk hands out nothing and writes what records will need into `collected`.
struct BodyWalker {
  enum Event {
    /// `record` stands at `position`.
    case record
    /// The same for a record of which `pruned` holds what its mapping reads.
    case pruned
    /// The next window is needed, from `keptStart` on.
    case more
    /// The body was read whole.
    case done
  }

  enum Phase {
    case value
    /// The value at hand is needed whole.
    case build
    /// Records are built and wait to be handed out.
    case deliver
    /// Into the container at hand.
    case enter
    case skip
    case firstMember, member, firstElement, element
    /// Behind a value.
    case separator
    /// Behind the root.
    case end
  }

  /// A state of a value; see `PlaceStates`.
  struct Active {
    var state: Int
    /// The element that `[n]` means in this array.
    var target = -1
    /// The member was there.
    var isSeen = false
  }

  /// An open container on the way to places.
  struct Frame {
    var isObject: Bool
    /// Where its states begin in `active`, and end.
    var first: Int
    var end: Int
    /// The number of the element at hand.
    var index = -1
    /// Its elements are records without further places, those of `records`.
    var isRecordList = false
    /// Each of its members leads to places: `dictionaries` has the names that were met.
    var isDictionary = false
  }

  let states: PlaceStates
  let limits: JSONLimits
  let collects: Bool
  let tape = Tape()

  var text: ScannedText
  /// The token at hand.
  var token = 0
  var backslash = Int.max
  /// Where the text begins in the body.
  var offset = 0
  var phase = Phase.value

  var frames: [Frame] = []
  /// Names of members, for each open frame that is a dictionary.
  var dictionaries: [Set<JSONName>] = []
  var active: [Active] = []
  /// Places for which the value at hand is a record.
  var records: [Int] = []
  /// How many of them were handed out.
  var delivered = 0
  /// The value's nodes are on the tape; the token behind it.
  var built: Int?
  /// There are states that lead into the value at hand.
  var entersValue = false
  /// States of the value at hand, in a collecting walk, that want all of it.
  var whole: [Int] = []
  var skipper = ValueSkipper()

  var position: RecordPosition
  var ordinals: [Int]
  /// The next record's number in all that each place yields.
  var numbers: [Int]
  /// The captures of each place's records.
  var captured: [[JSONDocument?]]
  var holders: [Int]
  var pruned: JSONDocument?
  var collected: CollectedTexts
  /// For pruned records and captures in a second pass.
  var scanner: Stage1?
  let documentTape = Tape(capacity: 16)

  var summary: BodySummary
  /// Position and summary are those of a body that is one record; see `takeRoot`.
  var isAtRootRecord = false
  /// The names of a root that is one record are wanted too.
  var notesNames = true
  /// Names of the root's members, decoded, and where each ends.
  var names: [UInt8] = []
  var nameEnds: [Int] = []

  init(
    _ states: PlaceStates, limits: JSONLimits, collects: Bool, text: ScannedText, offset: Int,
    collected: CollectedTexts? = nil
  ) {
    self.states = states
    self.limits = limits
    self.collects = collects
    self.text = text
    self.collected = collected ?? CollectedTexts(states.tree)
    let (places, captures) = (states.tree.places.count, states.tree.captures.count)
    position = RecordPosition(place: -1, steps: [], ordinal: 0, offset: 0, captures: [])
    ordinals = Array(repeating: 0, count: places)
    numbers = ordinals
    captured = Array(repeating: Array(repeating: nil, count: captures), count: places)
    holders = Array(repeating: -1, count: captures)
    summary = BodySummary(places: Array(repeating: .absent, count: places))
    begin(text, offset: offset)
  }

  /// Makes ready for a body that begins with this text.
  mutating func begin(_ text: ScannedText, offset: Int) {
    isAtRootRecord = false
    frames.removeAll(keepingCapacity: true)
    dictionaries.removeAll()
    active.removeAll(keepingCapacity: true)
    position.steps.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    nameEnds.removeAll(keepingCapacity: true)
    for index in ordinals.indices { (ordinals[index], numbers[index]) = (0, 0) }
    for index in holders.indices { holders[index] = -1 }
    for index in summary.places.indices {
      (summary.places[index], summary.nullCounts[index], summary.counts[index]) = (.absent, 0, 0)
    }
    (summary.isEmpty, summary.rootKind) = (false, nil)
    if collects { collected.removeAll() }
    phase = .value
    for place in states.places { active.append(Active(state: place)) }
    goOn(text, offset: offset)
    for capture in states.rootCaptures { hold(capture) }
  }

  /// Goes on in the next window, which begins with the token at hand.
  mutating func goOn(_ text: ScannedText, offset: Int) {
    self.text = text
    self.offset = offset
    token = 0
    // What stands before the first token may be lines that were read before.
    backslash = text.backslash(from: text.start(0))
  }

  /// From here on the window's bytes are needed in the next.
  var keptStart: Int { text.start(token) }

  /// The record at hand.
  var record: JSONValue { JSONValue(bytes: UnsafePointer(text.bytes), nodes: tape.nodes, index: 0) }

  mutating func next() throws(TextFault) -> Event {
    while true {
      switch phase {
      case .value: if try !beginValue() { return .more }
      case .build: if try !buildValue() { return .more }
      case .deliver: if let event = try deliver() { return event }
      case .enter: try enter()
      case .skip:
        let levels = limits.depth - frames.count
        guard try skipper.skip(text, at: &token, backslash: &backslash, levels: levels, limit: limits.depth) else {
          return .more
        }
        phase = .separator
      case .firstMember, .member: if try !member() { return .more }
      case .firstElement, .element: if try !element() { return .more }
      case .separator: if try !separator() { return .more }
      case .end:
        if token < text.count || !text.isFinal {
          try text.stop(at: token, expecting: .end)
          return .more
        }
        return .done
      }
    }
  }

  /// The summary of a body that was read to its end, with the names of the root's members.
  func summaryWithNames() -> BodySummary {
    var summary = summary
    var start = 0
    for end in nameEnds {
      summary.members.append(String(decoding: names[start..<end], as: UTF8.self))
      start = end
    }
    return summary
  }
}
