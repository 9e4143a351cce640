import Diagnostics
import JSONReading
import MarkedYAML
import Values

/// Reads a condition: all tests of a map must hold.
enum ConditionReader {
  /// Nil where something in it cannot be read, which was reported. Depth is bounded by the YAML reader.
  static func condition(_ node: YAMLNode) -> Condition? {
    guard case .mapping(let entries) = node.content, !entries.isEmpty else { return nil }
    var conditions: [Condition] = []
    for entry in entries {
      guard let condition = condition(entry) else { return nil }
      conditions.append(condition)
    }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  /// The key paths that a condition looks at. Depth is bounded by the YAML reader.
  static func paths(_ node: YAMLNode?) -> [Located<KeyPath>] {
    guard case .mapping(let entries) = node?.content else { return [] }
    return entries.flatMap { entry -> [Located<KeyPath>] in
      if entry.key.isCombinator("any") { return entry.value.items.flatMap(paths) }
      if entry.key.isCombinator("not") { return paths(entry.value) }
      guard let path = try? KeyPath.parse(entry.key.text) else { return [] }
      return [Located(path, at: entry.keySpan)]
    }
  }

  private static func condition(_ entry: YAMLEntry) -> Condition? {
    if entry.key.isCombinator("any") {
      let alternatives = entry.value.items.map(condition)
      return alternatives.contains { $0 == nil } ? nil : .any(alternatives.compactMap { $0 })
    }
    if entry.key.isCombinator("not") { return condition(entry.value).map { .not($0) } }
    guard let path = try? KeyPath.parse(entry.key.text) else { return nil }
    guard let view = MapView(entry.value, as: .conditionTest) else {
      return literals(entry.value).map { .test(path, .equals($0)) }
    }
    var conditions: [Condition] = []
    for test in view.entries {
      guard let test = self.test(test) else { return nil }
      conditions.append(.test(path, test))
    }
    if conditions.isEmpty { return nil }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private static func test(_ entry: YAMLEntry) -> Condition.Test? {
    let value = entry.value
    switch entry.key.text {
    case "equals", "in": return literals(value).map { .equals($0) }
    case "not": return literals(value).map { .differs($0) }
    case "exists":
      guard case .boolean(let exists) = value.scalar?.value.core else { return nil }
      return .exists(exists)
    case "type":
      let kinds = value.items.map { item in
        item.scalar.flatMap { Condition.ValueKind(rawValue: $0.value.isNull ? "null" : $0.value.text) }
      }
      return kinds.contains { $0 == nil } ? nil : .type(kinds.compactMap { $0 })
    case "matches":
      guard let pattern = value.plainText?.value, RegularExpression.fault(in: pattern) == nil else { return nil }
      return .matches(pattern)
    case "lt": return value.literal.map { .less($0.value) }
    case "lte": return value.literal.map { .lessOrEqual($0.value) }
    case "gt": return value.literal.map { .greater($0.value) }
    case "gte": return value.literal.map { .greaterOrEqual($0.value) }
    default: return nil
    }
  }

  private static func literals(_ node: YAMLNode) -> [Literal]? {
    let values = node.items.map(\.literal)
    return values.contains { $0 == nil } ? nil : values.compactMap { $0?.value }
  }
}
