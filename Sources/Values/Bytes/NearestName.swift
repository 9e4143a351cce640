/// The name that somebody may have meant.
enum NearestName {
  /// The nearest of `names`, letter case aside, if its edit distance is at most a third of its length.
  static func of(_ text: String, among names: [String]) -> String? {
    let wanted = Array(text.utf8.prefix(64))
    var best: (name: String, distance: Int)?
    // No distance is less than the difference of the lengths.
    for name in names where abs(wanted.count - name.utf8.count) <= name.utf8.count / 3 {
      let distance = distance(wanted.map(\.lowercasedASCII), name.utf8.map(\.lowercasedASCII))
      if distance <= name.utf8.count / 3, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(diagonal + (x == y ? 0 : 1), above + 1, row[j] + 1)
        diagonal = above
      }
    }
    return row[b.count]
  }
}
