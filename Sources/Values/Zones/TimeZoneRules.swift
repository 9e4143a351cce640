/// How far clocks of a time zone are ahead of UTC, and since when: an IANA zone, read from the system's files.
///
/// It is immutable, so it is shared freely. UTC itself needs none.
package struct TimeZoneRules: Sendable {
  /// When the clocks changed, in seconds since 1970, ascending.
  let changes: [Int64]
  /// Offsets in seconds: `offsets[i]` holds before `changes[i]`, the last one behind the last change, unless there is
  /// a rule.
  let offsets: [Int]
  /// For the years behind the last change.
  let rule: POSIXZoneRule?

  /// The offset in force at an instant.
  package func offset(at seconds: Int64) -> Int {
    if let rule, seconds >= changes.last ?? .min { return rule.offset(at: seconds) }
    return offsets[segment(at: seconds)]
  }

  /// The instant at which clocks show `local` (seconds since 1970, as if it were UTC). In a gap, and of the two instants
  /// in an overlap, it is counted with the offset before the change.
  package func utc(fromLocal local: Int64) -> Int64 {
    // No offset is larger than this.
    let early = local - 26 * 3600
    if let rule, early >= changes.last ?? .min { return Self.utc(local, rule.segments(around: local)) }
    let first = segment(at: early)
    var segments: [Segment] = []
    for index in first...min(first + 8, changes.count) {
      let start = index == 0 ? Int64.min : changes[index - 1]
      segments.append(Segment(start: start, offset: offsets[index]))
      if start > local + 26 * 3600 { break }
    }
    return Self.utc(local, segments)
  }

  /// A stretch of time with one offset, up to the start of the next.
  struct Segment {
    var start: Int64
    var offset: Int
  }

  private static func utc(_ local: Int64, _ segments: [Segment]) -> Int64 {
    for (index, segment) in segments.enumerated() {
      let found = local - Int64(segment.offset)
      // Before the stretch begins, though behind the one before: a gap.
      if found < segment.start, index > 0 { return local - Int64(segments[index - 1].offset) }
      if index + 1 == segments.count || found < segments[index + 1].start { return found }
    }
    preconditionFailure("a zone has at least one offset")
  }

  /// The number of the offset in force at an instant, by halving.
  private func segment(at seconds: Int64) -> Int {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
