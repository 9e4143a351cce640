import Pipeline

/// Says how answers differ from those of the runs before: a warning for each member.
struct DriftPrinter {
  let console: Console

  /// Is there any change?
  func print(_ drifts: [EndpointDrift]) -> Bool {
    for drift in drifts {
      let endpoint = "endpoint '\(drift.endpoint)'"
      if drift.isPartial {
        console.warning(
          "\(endpoint): an answer is too large to be looked at as a whole: only its records were (--drift)")
      }
      for change in drift.changes {
        console.log(
          LogMessage(
            .warning, "\(endpoint): \(change.text)",
            fields: [
              ("drift", .text(change.kind.rawValue)), ("endpoint", .text(drift.endpoint)),
              ("member", .text(change.member)), ("was", .text(change.was)), ("now", .text(change.now)),
            ]))
      }
      let members = drift.memberCount == 1 ? "1 member" : "\(drift.memberCount) members"
      if !drift.wasKnown {
        console.info("\(endpoint): \(members) seen for the first time; later runs are compared with them (--drift)")
      } else if drift.changes.isEmpty {
        console.info("\(endpoint): \(members), as before (--drift)")
      }
    }
    return drifts.contains { !$0.changes.isEmpty }
  }
}
