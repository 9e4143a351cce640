package import JSONReading

/// What a condition's key path leads to.
package enum ConditionInput {
  /// Nothing is there, or a wrong shape stands on the way.
  case missing
  case value(RawValue)
}

/// A `Condition` whose constants and regular expressions are compiled. It is immutable and shared by threads.
package struct CompiledCondition: Sendable {
  /// The key paths that the condition reads, each once, in the order of their first mention.
  package let paths: [KeyPath]
  private let root: Node

  private indirect enum Node: Sendable {
    case all([Node])
    case any([Node])
    case not(Node)
    /// The number of the path in `paths`.
    case test(Int, Test)
  }

  private enum Test: Sendable {
    case isOneOf([ScalarComparison])
    case isNoneOf([ScalarComparison])
    case exists(Bool)
    case type([Condition.ValueKind])
    case matches(RegularExpression)
    /// The sign of the order of value and constant, if it is one of these.
    case order(ScalarComparison, less: Bool, equal: Bool, greater: Bool)
  }

  /// A regular expression in a condition that cannot be read.
  package struct Issue: Error, Sendable, Hashable {
    package var path: KeyPath
    package var pattern: String
    package var message: String
  }

  package static func compile(_ condition: Condition) -> (condition: CompiledCondition?, issues: [Issue]) {
    var paths: [KeyPath] = []
    var issues: [Issue] = []
    let root = node(condition, &paths, &issues)
    return (issues.isEmpty ? CompiledCondition(paths: paths, root: root) : nil, issues)
  }

  /// Does it hold? `lookup` is asked for the value at a key path, perhaps several times, and not for those that no
  /// longer matter.
  package func holds(lookup: (KeyPath) -> ConditionInput) -> Bool {
    holds { (number: Int) in lookup(paths[number]) }
  }

  /// The same, with the number of the path in `paths`.
  package func holds(value: (Int) -> ConditionInput) -> Bool { Self.holds(root, value) }

  private static func node(_ condition: Condition, _ paths: inout [KeyPath], _ issues: inout [Issue]) -> Node {
    switch condition {
    case .all(let parts): return .all(parts.map { node($0, &paths, &issues) })
    case .any(let parts): return .any(parts.map { node($0, &paths, &issues) })
    case .not(let part): return .not(node(part, &paths, &issues))
    case .test(let path, let test):
      let number = paths.firstIndex(of: path) ?? paths.count
      if number == paths.count { paths.append(path) }
      return .test(number, compile(test, at: path, &issues))
    }
  }

  private static func compile(_ test: Condition.Test, at path: KeyPath, _ issues: inout [Issue]) -> Test {
    switch test {
    case .equals(let literals): return .isOneOf(literals.map(ScalarComparison.init))
    case .differs(let literals): return .isNoneOf(literals.map(ScalarComparison.init))
    case .exists(let wanted): return .exists(wanted)
    case .type(let kinds): return .type(kinds)
    case .less(let literal): return order(literal, less: true)
    case .lessOrEqual(let literal): return order(literal, less: true, equal: true)
    case .greater(let literal): return order(literal, greater: true)
    case .greaterOrEqual(let literal): return order(literal, equal: true, greater: true)
    case .matches(let pattern):
      do throws(RegularExpression.Fault) {
        return .matches(try RegularExpression(pattern))
      } catch {
        let message = "the regular expression cannot be read: \(error.message)"
        issues.append(Issue(path: path, pattern: pattern, message: message))
        return .exists(true)
      }
    }
  }

  private static func order(_ literal: Literal, less: Bool = false, equal: Bool = false, greater: Bool = false) -> Test
  {
    .order(ScalarComparison(literal), less: less, equal: equal, greater: greater)
  }

  private static func holds(_ node: Node, _ value: (Int) -> ConditionInput) -> Bool {
    switch node {
    case .all(let parts): parts.allSatisfy { holds($0, value) }
    case .any(let parts): parts.contains { holds($0, value) }
    case .not(let part): !holds(part, value)
    case .test(let number, let test): holds(test, value(number))
    }
  }

  private static func holds(_ test: Test, _ input: ConditionInput) -> Bool {
    switch (test, input) {
    // `null` holds for null and missing; `not` of anything else holds for missing.
    case (.isOneOf(let constants), .missing): constants.contains(where: \.isNull)
    case (.isNoneOf(let constants), .missing): !constants.contains(where: \.isNull)
    case (.isOneOf(let constants), .value(let value)): constants.contains { $0.equals(value) }
    case (.isNoneOf(let constants), .value(let value)): !constants.contains { $0.equals(value) }
    case (.exists(let wanted), .missing): !wanted
    case (.exists(let wanted), .value): wanted
    case (_, .missing): false
    case (.type(let kinds), .value(let value)): kinds.contains { value.isOf($0) }
    case (.matches(let expression), .value(let value)):
      value.kind == .text && expression.occurs(in: value.text) == true
    case (.order(let constant, let less, let equal, let greater), .value(let value)):
      constant.order(of: value).map { $0 < 0 ? less : $0 == 0 ? equal : greater } ?? false
    }
  }
}

extension RawValue {
  /// JSON's kind; an integer is a number without a fraction in its value, so `5.0` is one.
  func isOf(_ kind: Condition.ValueKind) -> Bool {
    switch kind {
    case .string: self.kind == .text
    case .number: self.kind == .number
    case .integer: self.kind == .number && (flag || Numeral(text)?.isWhole == true)
    case .boolean: self.kind == .boolean
    case .object: self.kind == .structure && text.first == UInt8(ascii: "{")
    case .array: self.kind == .structure && text.first == UInt8(ascii: "[")
    case .null: self.kind == .null
    }
  }
}
