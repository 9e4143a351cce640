/// The known name that a misspelt one was probably meant to be.
package enum NearestName {
  /// Names longer than this are not compared: nobody misspells so much by accident.
  private static let longestName = 100

  /// The nearest of the known names, the first of equally near ones; nil when none is near.
  ///
  /// Near is an edit distance of at most a third of the misspelt name's length, in Unicode scalars. A transposition is
  /// one edit; the case of ASCII letters is none, so that `usr` finds `User` and `ID` finds `id`. The name itself is
  /// never its own suggestion.
  package static func nearest(to name: String, among known: some Collection<String>) -> String? {
    Index(known).nearest(to: name)
  }

  /// As `nearest`; where no name is near, the only one that the misspelt one begins with, is a part of, or has as a word:
  /// `upper` finds `uppercase`, `children` finds `child`, `primary_key` finds `key`.
  package static func meant(by name: String, among known: some Collection<String>) -> String? {
    if let nearest = nearest(to: name, among: known) { return nearest }
    let (folded, words) = (name.lowercased(), Set(name.lowercased().split(separator: "_").map(String.init)))
    let related = known.filter { candidate in
      let other = candidate.lowercased()
      if other.utf8.elementsEqual(folded.utf8) { return false }
      if min(other.utf8.count, folded.utf8.count) >= shortestStem, other.hasPrefix(folded) || folded.hasPrefix(other) {
        return true
      }
      return other.utf8.count >= shortestWord && words.contains(other)
    }
    return related.count == 1 ? related.first : nil
  }

  private static let shortestStem = 4
  private static let shortestWord = 3

  /// Known names, made ready for many questions.
  package struct Index: Sendable {
    private let spellings: [Spelling]

    package init(_ known: some Collection<String>) { spellings = known.map(Spelling.init) }

    package var count: Int { spellings.count }

    /// As `NearestName.nearest(to:among:)`.
    package func nearest(to name: String) -> String? {
      let wanted = Spelling(name)
      let limit = wanted.folded.count / 3
      guard !wanted.folded.isEmpty, wanted.folded.count <= longestName else { return nil }
      var best: (name: String, distance: Int, changedLetters: Int)?
      for candidate in spellings where candidate.mayBe(within: limit, of: wanted) {
        guard !candidate.name.utf8.elementsEqual(name.utf8) else { continue }
        let distance = wanted.distance(to: candidate, limit: limit)
        guard distance <= limit else { continue }
        // Of names that differ in case alone, the one with the wanted letters is nearer.
        let changed = distance == 0 ? zip(wanted.scalars, candidate.scalars).count { $0 != $1 } : 0
        if let best, (best.distance, best.changedLetters) <= (distance, changed) { continue }
        best = (candidate.name, distance, changed)
      }
      return best?.name
    }
  }
}

/// A name as scalars, also with its ASCII letters in lower case.
private struct Spelling: Sendable {
  let name: String
  let scalars: [Unicode.Scalar]
  let folded: [Unicode.Scalar]
  /// A bit for each folded scalar that occurs; several share one.
  private let bits: UInt64

  init(_ name: String) {
    self.name = name
    scalars = Array(name.unicodeScalars)
    folded = scalars.map { "A"..."Z" ~= $0 ? Unicode.Scalar(UInt8($0.value | 0x20)) : $0 }
    bits = folded.reduce(0) { $0 | 1 << UInt64($1.value & 63) }
  }

  /// False when the distance is certainly larger: each edit brings in one scalar, and takes one out, at most.
  func mayBe(within limit: Int, of other: Spelling) -> Bool {
    !folded.isEmpty && abs(folded.count - other.folded.count) <= limit
      && (bits & ~other.bits).nonzeroBitCount <= limit && (other.bits & ~bits).nonzeroBitCount <= limit
  }

  /// How many scalars must be put in, left out, replaced or swapped with their neighbour; some number beyond `limit` when
  /// it is more than that.
  func distance(to other: Spelling, limit: Int) -> Int {
    let (a, b) = (folded, other.folded)
    var twoAbove = [Int](repeating: 0, count: b.count + 1)
    var above = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      var (least, leastAbove) = (i, above[0])
      for j in 1...b.count {
        let replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(replaced, above[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], twoAbove[j - 2] + 1) }
        (least, leastAbove) = (min(least, row[j]), min(leastAbove, above[j]))
      }
      if least > limit, leastAbove > limit { return least }
      (twoAbove, above) = (above, row)
    }
    return above[b.count]
  }
}
