import JSONReading
import Mapper

/// What stands at the places of a body, read for itself.
struct TrialTrace: RecordReceiver {
  /// Of each place, in the order of the places that apply.
  private(set) var counts: [Int]
  private(set) var states: [BodySummary.PlaceState]

  /// Nil for a body that cannot be read to its end.
  init?(
    of source: BodySource, format: BodyFormat, limits: JSONLimits, tree: PlaceTree,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    counts = tree.places.map { _ in 0 }
    states = tree.places.map { _ in .absent }
    do {
      if format.isNDJSON {
        try NDJSONReader(tree: tree, limits: limits, format: format, isInterrupted: isInterrupted).readLines(
          source, into: &self, begin: { _, _ in },
          end: { _, failure, summary, trace in
            if let failure { throw failure }
            trace.note(summary)
            return true
          })
      } else {
        note(
          try BodyReader(tree: tree, limits: limits, format: format, isInterrupted: isInterrupted).read(
            source, into: &self))
      }
    } catch {
      return nil
    }
  }

  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) {
    counts[position.place] += 1
  }

  /// Of lines, the best that any has.
  private mutating func note(_ body: BodySummary) {
    for (index, state) in body.places.enumerated() where states[index] != .found && state != .absent {
      states[index] = state
    }
  }

  /// In words.
  func outcome(ofPlace index: Int) -> String {
    switch states[index] {
    case .absent: "it is not there"
    case .null: "it is null"
    case .found: counts[index] == 1 ? "1 record" : "\(counts[index]) records"
    }
  }
}
