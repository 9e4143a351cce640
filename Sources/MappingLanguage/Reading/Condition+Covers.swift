package import Values

extension Condition {
  /// Certainly holds wherever the other one holds. False also where that cannot be told from how they are written.
  ///
  /// The depth of conditions is bounded by the YAML reader.
  package func covers(_ other: Condition) -> Bool {
    if case .any(let alternatives) = other, !alternatives.isEmpty { return alternatives.allSatisfy { covers($0) } }
    switch self {
    case .all(let conditions): return conditions.allSatisfy { $0.covers(other) }
    case .any(let alternatives) where alternatives.contains { $0.covers(other) }: return true
    default: break
    }
    if case .all(let conditions) = other { return conditions.contains { covers($0) } }
    switch (self, other) {
    case (.not(let mine), .not(let theirs)): return theirs.covers(mine)
    case (.test(let path, let mine), .test(let other, let theirs)): return path == other && mine.covers(theirs)
    default: return false
    }
  }
}

extension Condition.Test {
  fileprivate func covers(_ other: Condition.Test) -> Bool {
    switch (self, other) {
    case (.equals(let mine), .equals(let theirs)): theirs.allSatisfy { mine.has($0) }
    case (.differs(let mine), .differs(let theirs)): mine.allSatisfy { theirs.has($0) }
    case (.exists(let mine), .exists(let theirs)): mine == theirs
    case (.type(let mine), .type(let theirs)): theirs.allSatisfy { mine.contains($0) }
    case (.matches(let mine), .matches(let theirs)): mine.isSame(as: theirs)
    case (.less(let mine), .less(let theirs)), (.lessOrEqual(let mine), .lessOrEqual(let theirs)),
      (.greater(let mine), .greater(let theirs)), (.greaterOrEqual(let mine), .greaterOrEqual(let theirs)):
      mine.isSame(as: theirs)
    default: false
    }
  }
}

extension [Literal] {
  fileprivate func has(_ literal: Literal) -> Bool { contains { $0.isSame(as: literal) } }
}

extension Literal {
  /// Written alike: `==` holds for canonically equivalent texts too.
  fileprivate func isSame(as other: Literal) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.boolean(let mine), .boolean(let theirs)): mine == theirs
    case (.number(let mine), .number(let theirs)), (.text(let mine), .text(let theirs)): mine.isSame(as: theirs)
    default: false
    }
  }
}
