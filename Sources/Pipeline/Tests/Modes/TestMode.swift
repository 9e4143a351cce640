/// A change of how a test's bodies come that must not change what they come to.
package enum TestMode: Sendable, Hashable {
  /// Pages, and the members of objects, in another order.
  case shuffle(seed: UInt64)
  /// Each page twice.
  case duplicatePages
  /// Each walk is cut after so many pages, and then continued.
  case cut(after: Int)

  /// What the mode did, in words.
  package var spoken: String {
    switch self {
    case .shuffle(let seed): "with pages and members in another order (seed \(seed))"
    case .duplicatePages: "with each page twice"
    case .cut(let pages): "with each walk cut after \(pages) \(pages == 1 ? "page" : "pages"), and continued"
    }
  }
}

/// What a mode has found out about a test.
package enum ModeOutcome: Sendable {
  case same
  /// The mode says nothing about the test, for this reason.
  case passedOver(String)
  case failed(String)
  case differs([TableChange])
}

/// A table that comes out otherwise.
package struct TableChange: Sendable {
  package let table: String
  /// Rows that came in the ordinary way only, and in the mode only.
  package let without: [String]
  package let with: [String]
  /// What of the mapping may be behind it.
  package let reasons: [String]
}
