extension BodyWalker {
  /// Hands out the value at hand for the next of its places; nil when it was handed out for all.
  mutating func deliver() throws(TextFault) -> Event? {
    if delivered < records.count && !collects {
      let place = records[delivered]
      delivered += 1
      position.ordinal = ordinals[place]
      position.number = numbers[place]
      ordinals[place] += 1
      numbers[place] += 1
      summary.counts[place] += 1
      position.offset = offset + text.start(token)
      if position.place != place || !captured.isEmpty {
        position.place = place
        position.captures = captured[place]
      }
      if entersValue && states.reads[place] != nil {
        pruned = try document(collected.records[place][position.ordinal])
        return .pruned
      }
      return .record
    }
    if entersValue {
      phase = .enter
    } else {
      if let built { token = built }
      phase = .separator
    }
    return nil
  }

  /// Sets what the records around here get for a capture.
  mutating func load(_ capture: Int) {
    let text = collected.captures[capture][holders[capture]]
    // The text was checked when it was collected.
    let document = text.isEmpty ? nil : try? document(text)
    for place in captured.indices {
      let owner = states.tree.captures[capture].place
      if owner == nil || owner == place { captured[place][capture] = document }
    }
    position.place = -1
  }

  private mutating func document(_ text: ArraySlice<UInt8>) throws(TextFault) -> JSONDocument {
    let scanner = scanner ?? Stage1()
    self.scanner = scanner
    let window = Window(capacity: text.count)
    for (index, byte) in text.enumerated() { window.bytes[index] = byte }
    do {
      return try JSONDocument(
        window, from: 0, to: text.count, limits: limits, isLenient: false, scanner: scanner, tape: documentTape)
    } catch {
      throw TextFault(.io, "the body has changed while it was read", at: 0)
    }
  }
}
