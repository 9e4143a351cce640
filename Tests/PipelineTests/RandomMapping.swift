import Fetch

/// A JSON value that was made up; members keep their order, so that it can be changed.
indirect enum RandomJSON {
  case raw(String)
  case list([RandomJSON])
  case object([(name: String, value: RandomJSON)])

  var text: String {
    switch self {
    case .raw(let text): text
    case .list(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { "\"\($0.name)\":\($0.value.text)" }.joined(separator: ",") + "}"
    }
  }

  /// The same value, the members of each object in another order.
  func shuffled(using random: inout SeededRandom) -> RandomJSON {
    switch self {
    case .raw: return self
    case .list(let elements): return .list(elements.map { $0.shuffled(using: &random) })
    case .object(let members):
      let inner = members.map { ($0.name, $0.value.shuffled(using: &random)) }
      return .object(inner.shuffled(using: &random))
    }
  }
}

/// A few records that refer to one another, made up from a seed, and bodies for them.
struct RandomMapping {
  struct Record {
    var index: Int
    var isKeyed: Bool
    var hasTwoKeys: Bool
    var fields: [(name: String, rules: String)]
    var relationships: [(child: Int, isList: Bool)]
  }

  private(set) var records: [Record] = []
  /// Records at places of their own, `p0` and so on.
  private(set) var places: [Int] = []
  private var random: SeededRandom
  /// All values are taken: nothing is rejected.
  private let isValid: Bool

  init(seed: UInt64, isValid: Bool = false) {
    self.isValid = isValid
    random = SeededRandom(seed: seed)
    let count = Int.random(in: 2...4, using: &random)
    for index in 0..<count {
      let isKeyed = index == 0 || chance(70)
      records.append(
        Record(
          index: index, isKeyed: isKeyed, hasTwoKeys: isKeyed && chance(25),
          fields: ["a", "b"].map { ($0, rules()) }, relationships: []))
    }
    for index in 0..<count {
      // A keyless record contains keyless ones of higher numbers only, so none contains itself.
      let fitting = (0..<count).filter { records[$0].isKeyed || $0 > index }
      guard !fitting.isEmpty else { continue }
      for _ in 0..<Int.random(in: index == 0 ? 1...2 : 0...2, using: &random) {
        records[index].relationships.append((fitting[Int.random(in: fitting.indices, using: &random)], chance(60)))
      }
    }
    places = records.indices.filter { records[$0].isKeyed && ($0 == 0 || chance(40)) }
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func one(of texts: [String]) -> String { texts[Int.random(in: texts.indices, using: &random)] }

  private mutating func rules() -> String {
    let type = one(of: ["type: integer", "type: integer", "type: text", "type: any"])
    let more = one(of: [
      "", "", "", "default: 7", "default: 7, on_missing: default", "on_missing: null", "on_null: keep",
      "default: 7, on_null: default", "required: true", "on_missing: error", "on_invalid: 'null'",
    ])
    return more.isEmpty ? type : "\(type), \(more)"
  }

  var yaml: String {
    var lines = ["ingest: 1", "source: {name: demo}", "records:"]
    for record in records {
      let key = record.hasTwoKeys ? "[k, l]" : "k"
      let keys = ["k", "l"].prefix(record.isKeyed ? (record.hasTwoKeys ? 2 : 1) : 0).map { "\($0): {type: integer}" }
      let fields = keys + record.fields.map { "\($0.name): {\($0.rules)}" }
      let relationships = record.relationships.enumerated().map { number, relationship in
        "c\(number): " + (relationship.isList ? "[R\(relationship.child)]" : "R\(relationship.child)")
      }
      lines.append(
        "  R\(record.index): {\(record.isKeyed ? "key: \(key), " : "")fields: {\(fields.joined(separator: ", "))}, "
          + "relationships: {\(relationships.joined(separator: ", "))}}")
    }
    let wanted = places.map { "p\($0): R\($0)" }.joined(separator: ", ")
    lines += ["endpoints:", "  e: {path: /e, fetch: false, records: {\(wanted)}}"]
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: bodies

  /// Records for each place.
  mutating func elements() -> [(place: Int, elements: [RandomJSON])] {
    places.map { place in
      (place, (0..<Int.random(in: 1...5, using: &random)).map { _ in value(of: place, depth: 0) })
    }
  }

  mutating func shuffled(_ elements: [(place: Int, elements: [RandomJSON])]) -> [(place: Int, elements: [RandomJSON])] {
    elements.map { place, values in (place, values.map { $0.shuffled(using: &random) }) }
  }

  static func body(_ elements: [(place: Int, elements: [RandomJSON])]) -> String {
    RandomJSON.object(elements.map { ("p\($0.place)", .list($0.elements)) }).text
  }

  /// One body for each record, in the same order.
  static func bodies(_ elements: [(place: Int, elements: [RandomJSON])]) -> [String] {
    elements.flatMap { place, values in values.map { body([(place, [$0])]) } }
  }

  private mutating func value(of index: Int, depth: Int) -> RandomJSON {
    let record = records[index]
    var members: [(name: String, value: RandomJSON)] = []
    if record.isKeyed {
      for name in record.hasTwoKeys ? ["k", "l"] : ["k"] {
        guard !isValid else {
          members.append((name, .raw(one(of: ["1", "2", "\"3\"", "1.0"]))))
          continue
        }
        let key = one(of: ["1", "2", "3", "\"2\"", "1.0", "null", "\"x\""])
        // Most keys are good: else there is nothing to see.
        members.append((name, .raw(chance(85) ? one(of: ["1", "2", "3"]) : key)))
      }
    }
    for field in record.fields where chance(75) || isValid {
      guard !isValid else {
        members.append(
          (field.name, .raw(one(of: field.rules.contains("required") ? ["1", "2"] : ["1", "2", "null"]))))
        continue
      }
      members.append((field.name, .raw(one(of: ["1", "2", "\"3\"", "null", "\"x\"", "\"\"", "[1]", "1.5", "true"]))))
    }
    for (number, relationship) in record.relationships.enumerated() where depth < 3 && chance(75) {
      members.append(("c\(number)", children(relationship.child, isList: relationship.isList, depth: depth + 1)))
    }
    return .object(members)
  }

  private mutating func children(_ child: Int, isList: Bool, depth: Int) -> RandomJSON {
    if chance(20) {
      let texts = ["null", "\" \"", "[]", "[null]", "{}", "5", "[[1]]"]
      return .raw(one(of: isValid ? Array(texts.prefix(isList ? 4 : 3)) : texts))
    }
    guard isList || (!isValid && chance(5)) else { return value(of: child, depth: depth) }
    return .list(
      (0..<Int.random(in: 0...3, using: &random)).map { _ in chance(12) ? .raw("null") : value(of: child, depth: depth)
      })
  }
}
