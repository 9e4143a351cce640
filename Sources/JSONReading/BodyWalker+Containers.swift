extension BodyWalker {
  /// Goes into the object or array at hand.
  mutating func enter() throws(TextFault) {
    guard frames.count < limits.depth else { throw text.tooDeep(token, limit: limits.depth) }
    let isObject = text.byte(token) == Byte.openBrace
    var frame = Frame(isObject: isObject, first: frames.last?.end ?? 0, end: active.count)
    if isObject {
      frame.isDictionary = (frame.first..<frame.end).contains { states.states[active[$0].state].isEachMember }
      if frame.isDictionary { dictionaries.append([]) }
    } else {
      frame.isRecordList = listsRecords(frame)
    }
    frames.append(frame)
    position.steps.append(.element(-1))
    token += 1
    phase = isObject ? .firstMember : .firstElement
  }

  /// Are all that an array's states want records that nothing else is inside of? Then `records` names their places.
  private mutating func listsRecords(_ frame: Frame) -> Bool {
    guard !collects else { return false }
    records.removeAll(keepingCapacity: true)
    for index in frame.first..<frame.end {
      let state = active[index].state
      switch states.states[state].step {
      case .place: records.append(states.states[state].owner)
      case .eachElement:
        guard case .record = states.states[state + 1].step else { return false }
        records.append(states.states[state].owner)
      default: return false
      }
    }
    return true
  }

  private mutating func leave(isEmpty: Bool) {
    guard let frame = frames.popLast() else { preconditionFailure("a container is open") }
    for index in frame.first..<frame.end {
      let state = states.states[active[index].state]
      switch state.step {
      case .eachElement, .eachMember: if isEmpty { summary.places[state.owner] = .found }
      case .read: collected.records[state.owner].write(Byte.closeBrace)
      default: break
      }
    }
    active.removeLast(active.count - frame.first)
    if frame.isDictionary { dictionaries.removeLast() }
    position.steps.removeLast()
    token += 1
    phase = .separator
  }

  /// Behind a value: a comma, or the end of the container; false when more of the text is needed.
  mutating func separator() throws(TextFault) -> Bool {
    guard let frame = frames.last else {
      active.removeAll(keepingCapacity: true)
      phase = .end
      return true
    }
    active.removeLast(active.count - frame.end)
    let byte = text.byte(token)
    if byte == Byte.comma {
      token += 1
      phase = frame.isObject ? .member : .element
    } else if byte == (frame.isObject ? Byte.closeBrace : Byte.closeBracket) {
      leave(isEmpty: false)
    } else if text.isLenient && token < text.count && byte == Byte.space {
      token += 1  // a comma that was dropped when the value was read before
    } else {
      try text.stop(at: token, expecting: frame.isObject ? .commaOrBrace : .commaOrBracket)
      return false
    }
    return true
  }

  /// The next element of an array, or its end; false when more of the text is needed.
  mutating func element() throws(TextFault) -> Bool {
    let top = frames.count - 1
    let byte = text.byte(token)
    if byte == Byte.closeBracket && (phase == .firstElement || text.isLenient) {
      leave(isEmpty: phase == .firstElement)
      return true
    }
    if byte == Byte.closeBracket { throw text.trailingComma(token) }
    // Counted only when there is something, so that coming again for the next window changes nothing.
    if token >= text.count {
      try text.stop(at: token, expecting: phase == .firstElement ? .valueOrEnd : .value)
      return false
    }
    frames[top].index += 1
    position.steps[top] = .element(frames[top].index)
    if frames[top].isRecordList {
      if byte == UInt8(ascii: "n") {
        for place in records {
          summary.nullCounts[place] += 1
          numbers[place] += 1
        }
        skipper.reset()
        phase = .skip
      } else {
        (delivered, built, entersValue) = (0, nil, false)
        phase = .build
      }
      return true
    }
    for index in frames[top].first..<frames[top].end {
      let state = active[index].state
      switch states.states[state].step {
      case .place, .eachElement: active.append(Active(state: state + 1))
      case .element(let number):
        let target = number < 0 ? active[index].target : number
        if target == frames[top].index { active.append(Active(state: state + 1)) }
      default: break
      }
    }
    takeChild()
    return true
  }

  /// The next member of an object, or its end; false when more of the text is needed.
  mutating func member() throws(TextFault) -> Bool {
    let byte = text.byte(token)
    if byte == Byte.closeBrace && (phase == .firstMember || text.isLenient) {
      leave(isEmpty: phase == .firstMember)
      return true
    }
    guard byte == Byte.quote else {
      try text.stop(at: token, expecting: phase == .firstMember ? .nameOrEnd : .name)
      return false
    }
    guard text.byte(token + 1) == Byte.colon else {
      try text.stop(at: token + 1, expecting: .colon)
      return false
    }
    let (start, end) = (text.start(token), text.closingQuote(before: token + 1))
    let raw = UnsafeRawBufferPointer(start: text.bytes + start, count: end + 1 - start)
    let name = UnsafeRawBufferPointer(rebasing: raw[1..<raw.count - 1])
    if backslash < end {
      backslash = try text.pass(escapesFrom: start + 1, to: end)
      let decoded = [UInt8](unsafeUninitializedCapacity: raw.count) { buffer, count in
        count = buffer.baseAddress.map { Escape.decode(name, into: $0) } ?? 0
      }
      try take(decoded, raw: raw, at: start)
    } else {
      try take(name, raw: raw, at: start)
    }
    token += 2
    takeChild()
    return true
  }

  /// Gives the member's value the states that its name leads to.
  private mutating func take(
    _ name: some RandomAccessCollection<UInt8>, raw: UnsafeRawBufferPointer, at: Int
  ) throws(TextFault) {
    let top = frames.count - 1
    var known: JSONName?
    if top == 0 && nameEnds.count < Self.nameLimit { note(rootName: name) }
    for index in frames[top].first..<frames[top].end {
      let state = active[index].state
      switch states.states[state].step {
      case .member(let wanted):
        guard wanted.bytes.elementsEqual(name) else { continue }
        if active[index].isSeen { throw TextFault(secondMember: wanted, at: at) }
        active[index].isSeen = true
        active.append(Active(state: state + 1))
        known = wanted
      case .eachMember: active.append(Active(state: state + 1))
      case .read(let reads):
        guard let read = reads?.first(where: { $0.name.bytes.elementsEqual(name) }) else { continue }
        writeName(raw, of: states.states[state].owner)
        active.append(Active(state: read.state))
      default: break
      }
    }
    guard active.count > frames[top].end else { return }
    let found = known ?? JSONName(bytes: Array(name))
    position.steps[top] = .member(found)
    guard frames[top].isDictionary else { return }
    guard dictionaries[dictionaries.count - 1].insert(found).inserted else {
      throw TextFault(secondMember: found, at: at)
    }
  }

  private mutating func writeName(_ raw: UnsafeRawBufferPointer, of place: Int) {
    if collected.records[place].bytes.last != Byte.openBrace { collected.records[place].write(Byte.comma) }
    collected.records[place].write(raw)
    collected.records[place].write(Byte.colon)
  }

  private mutating func takeChild() {
    if active.count > frames[frames.count - 1].end {
      phase = .value
    } else {
      skipper.reset()
      phase = .skip
    }
  }
}

extension TextFault {
  fileprivate init(secondMember name: JSONName, at: Int) {
    let text = "a second member '\(name)' in one object, where records or what they read are"
    self.init(.duplicateMember, text, at: at)
  }
}

extension PlaceStates.State {
  fileprivate var isEachMember: Bool { if case .eachMember = step { true } else { false } }
}
