/// Conditions that are joined to one.
///
/// SQLite takes an expression of 1,000 levels, and a plain chain has one for each of its terms. Long ones are made a tree
/// that is as flat as can be, which SQLite takes apart as it does a chain.
extension Sequence<String> {
  /// All of them hold.
  var conjunction: String { Junction.sql(Array(self)[...], joinedBy: " AND ") }

  /// One of them at least holds. Beside other conditions it needs brackets.
  var disjunction: String { Junction.sql(Array(self)[...], joinedBy: " OR ") }
}

private enum Junction {
  /// Terms of a chain that stays one.
  private static let longestChain = 64

  static func sql(_ terms: ArraySlice<String>, joinedBy word: String) -> String {
    guard terms.count > longestChain else { return terms.joined(separator: word) }
    let middle = terms.startIndex + terms.count / 2
    return "(\(sql(terms[..<middle], joinedBy: word)))\(word)(\(sql(terms[middle...], joinedBy: word)))"
  }
}
