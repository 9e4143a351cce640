extension Numeral {
  /// jq counts in doubles: may it have this number as one, without losing a digit?
  ///
  /// Not an integer beyond 2⁵³, not another number of more than 15 digits, and not one outside of a double's normal
  /// range.
  var survivesJQ: Bool {
    if isZero { return true }
    if fractionCount == 0 && !hasExponent { return int64.map { $0.magnitude <= 1 << 53 } ?? false }
    guard integerCount + fractionCount - first <= 15, let double else { return false }
    return double.isNormal
  }
}
