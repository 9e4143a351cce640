extension BodyWalker {
  /// Looks at the value at hand and its states and decides what becomes of it; false when more of the text is needed.
  mutating func beginValue() throws(TextFault) -> Bool {
    let first = text.byte(token)
    if frames.isEmpty {
      if try !beginRoot(first) { return false }
    } else if token >= text.count {
      try text.stop(at: token, expecting: .value)
      return false
    } else if first == Byte.openBracket && token + 1 == text.count && !text.isFinal {
      // Whether it is empty is told by what follows.
      return false
    }
    let region = frames.last?.end ?? 0
    records.removeAll(keepingCapacity: true)
    whole.removeAll(keepingCapacity: true)
    var (entersPlace, measures) = (false, false)
    var (index, kept) = (region, region)
    while index < active.count {
      if let state = settle(active[index].state, first) {
        active[kept] = Active(state: state)
        kept += 1
        switch states.states[state].step {
        case .read: break
        case .element(let number):
          measures = measures || number < 0
          entersPlace = true
        default: entersPlace = entersPlace || !states.states[state].isCapture
        }
      }
      index += 1
    }
    active.removeLast(active.count - kept)
    if summary.isEmpty { records.removeAll(keepingCapacity: true) }
    if entersPlace && collects { prune(first) }
    entersValue = active.count > region
    if frames.isEmpty && records.isEmpty && whole.isEmpty && first == Byte.openBrace {
      entersValue = true  // for the names of its members
    }
    if phase == .value { decide(entersPlace: entersPlace, measures: measures) }
    return true
  }

  private mutating func decide(entersPlace: Bool, measures: Bool) {
    delivered = 0
    built = nil
    let isWanted = !records.isEmpty && !collects
    let isNeeded = isWanted && (!entersPlace || records.contains { states.reads[$0] == nil })
    if isNeeded || measures || !whole.isEmpty {
      phase = .build
    } else if isWanted {
      phase = .deliver
    } else if entersValue {
      phase = .enter
    } else {
      skipper.reset()
      phase = .skip
    }
  }

  /// Notes what the root is. False when more of the text is needed to tell whether it is empty.
  private mutating func beginRoot(_ first: UInt8) throws(TextFault) -> Bool {
    if text.count == 0 {
      if !text.isFinal { return false }
      summary.isEmpty = true
      active.removeAll(keepingCapacity: true)
      phase = .end
      return true
    }
    let isContainer = first | 0x20 == Byte.openBrace
    if isContainer && text.count == 1 && !text.isFinal { return false }
    summary.isEmpty = isContainer && text.byte(token + 1) == first + 2
    summary.rootKind = JSONKind(first: first)
    return true
  }

  private enum Settled {
    case stays, ends
    /// The value itself takes the step.
    case passes
  }

  /// What a state makes of a value that begins with this byte: the state that leads into it, if any.
  private mutating func settle(_ start: Int, _ first: UInt8) -> Int? {
    var index = start
    while true {
      let state = states.states[index]
      for capture in state.holds { hold(capture) }
      switch first == UInt8(ascii: "n") ? settleNull(state, index) : settle(state, index, first) {
      case .stays: return index
      case .ends: return nil
      case .passes: index += 1
      }
    }
  }

  private mutating func settle(_ state: PlaceStates.State, _ index: Int, _ first: UInt8) -> Settled {
    switch state.step {
    case .member:
      if first == Byte.openBrace { return .stays }
      // An empty list is missing, as everywhere.
      let isEmpty = first == Byte.openBracket && text.byte(token + 1) == Byte.closeBracket
      if state.isCapture && !isEmpty { noteWrong(state, first) }
      return .ends
    case .element:
      if first == Byte.openBracket { return .stays }
      if state.isCapture { noteWrong(state, first) }
      return .ends
    case .eachMember:
      guard first == Byte.openBrace else { return .ends }
      noteFound(state.owner, beforeRecordOf: index)
    case .eachElement:
      guard first == Byte.openBracket else { return .passes }
      noteFound(state.owner, beforeRecordOf: index)
    case .place:
      summary.places[state.owner] = .found
      guard first == Byte.openBracket else { return .passes }
    case .record:
      summary.places[state.owner] = .found
      records.append(state.owner)
      return .ends
    case .read(.some) where first == Byte.openBrace: collected.records[state.owner].write(Byte.openBrace)
    case .capture, .read:
      whole.append(index)
      return .ends
    }
    return .stays
  }

  /// Something else stands on the way to a capture than its next step wants.
  private mutating func noteWrong(_ state: PlaceStates.State, _ first: UInt8) {
    if collects { collected.wrongShapes[state.owner] = JSONKind(first: first) }
  }

  private mutating func settleNull(_ state: PlaceStates.State, _ index: Int) -> Settled {
    switch state.step {
    case .member, .element:
      // On the way, null counts as absent, unless it is an element of a list.
      if state.isElement && !state.isCapture { note(null: state.owner) }
    case .eachMember, .eachElement, .place: note(null: state.owner)
    case .record:
      summary.nullCounts[state.owner] += 1
      numbers[state.owner] += 1
    case .capture, .read: whole.append(index)
    }
    return .ends
  }

  private mutating func note(null place: Int) {
    summary.nullCounts[place] += 1
    if summary.places[place] == .absent { summary.places[place] = .null }
  }

  /// The list or dictionary whose elements are the records is there.
  private mutating func noteFound(_ place: Int, beforeRecordOf state: Int) {
    if case .record = states.states[state + 1].step { summary.places[place] = .found }
  }

  /// The value at hand is the one from which a capture starts.
  mutating func hold(_ capture: Int) {
    holders[capture] += 1
    if collects {
      collected.captures[capture].begin()
      active.append(Active(state: states.captures[capture]))
    } else {
      load(capture)
    }
  }

  /// In a collecting walk, begins the pruned texts of a record that holds another place.
  private mutating func prune(_ first: UInt8) {
    for place in records {
      guard let state = states.reads[place] else { continue }
      collected.records[place].begin()
      if let kept = settle(state, first) { active.append(Active(state: kept)) }
    }
  }

  // MARK: Whole values

  /// Builds the value's nodes; false when it is not whole in the window.
  mutating func buildValue() throws(TextFault) -> Bool {
    var behind = token
    let levels = limits.depth - frames.count
    guard try tape.build(text, at: &behind, backslash: &backslash, levels: levels, limit: limits.depth) else {
      try checkSize(text.end - text.start(token))
      return false
    }
    let node = tape.nodes[0]
    try checkSize(Int(node.end - node.start))
    built = behind
    if frames.isEmpty && !entersValue && notesNames { noteRootNames() }
    if collects { try collectWhole() }
    if entersValue {
      // It is walked over again.
      backslash = text.backslash(from: text.start(token))
      aim()
    }
    phase = .deliver
    return true
  }

  /// Checks the size of the value at hand, or of so much of it as there is.
  func checkSize(_ size: Int) throws(TextFault) {
    for index in whole where states.states[index].isCapture && size > Self.captureLimit {
      let path = states.tree.captures[states.states[index].owner].path
      throw TextFault(
        .limitRecord, "'\(path)', which records read, is larger than 1 MiB, the limit of what one record reads there",
        at: text.start(token))
    }
    guard !collects || !whole.isEmpty || size <= limits.record else {
      throw TextFault(
        .limitRecord, "a list of more than \(limits.record) bytes (limits.record), of which the last elements are read",
        at: text.start(token))
    }
    try checkRecord(size)
  }

  private func checkRecord(_ size: Int) throws(TextFault) {
    guard size > limits.record else { return }
    throw TextFault(
      .limitRecord,
      "a record of more than \(limits.record) bytes (limits.record of the source, which may be "
        + "raised)", at: text.start(token))
  }

  static var captureLimit: Int { 1 << 20 }

  private mutating func collectWhole() throws(TextFault) {
    for index in whole {
      let state = states.states[index]
      if state.isCapture {
        collected.captures[state.owner].write(record.rawText)
      } else {
        collected.records[state.owner].write(record.rawText)
        try checkRecord(collected.records[state.owner].openLength)
      }
    }
  }

  /// Finds out which elements `[-1]` and its like mean in the array on the tape.
  private mutating func aim() {
    for index in (frames.last?.end ?? 0)..<active.count {
      guard case .element(let number) = states.states[active[index].state].step, number < 0 else { continue }
      active[index].target = number + record.count
    }
  }

  private mutating func noteRootNames() {
    let root = record
    guard root.kind == .object else { return }
    var child = 1
    while child < root.next && nameEnds.count < Self.nameLimit {
      let name = root.at(child)
      if name.hasEscapes { note(rootName: name.stringBytes) } else { note(rootName: name.stringText) }
      child = root.at(child + 1).next
    }
  }

  static var nameLimit: Int { 50 }

  mutating func note(rootName: some Sequence<UInt8>) {
    guard nameEnds.count < Self.nameLimit else { return }
    names.append(contentsOf: rootName)
    nameEnds.append(names.count)
  }
}

extension JSONKind {
  /// Of a value that begins with this byte.
  fileprivate init(first: UInt8) {
    switch first {
    case Byte.openBrace: self = .object
    case Byte.openBracket: self = .array
    case Byte.quote: self = .string
    case UInt8(ascii: "t"): self = .true
    case UInt8(ascii: "f"): self = .false
    case UInt8(ascii: "n"): self = .null
    default: self = .number
    }
  }
}
