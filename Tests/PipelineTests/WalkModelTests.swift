import Pipeline
import Testing

/// Random walks over two scopes, compared with a model that says in a few lines what becomes of each row.
struct WalkModelTests {
  /// What is stored, and what each scope knows.
  private struct Model {
    var rows: [Int: Int] = [:]
    /// Rows that came in by the scope.
    var own: [String: Set<Int>] = ["a": [], "b": []]
    /// What its latest complete walk has seen, and any walk since.
    var seen: [String: Set<Int>] = ["a": [], "b": []]

    mutating func see(_ bodies: [[Item]], in scope: String) {
      for item in bodies.joined() {
        if case .row(let id, let n) = item { rows[id] = n }
        guard let id = item.seen else { continue }
        // A rejected record is no row, but the row of its key is seen.
        own[scope, default: []].insert(id)
        seen[scope, default: []].insert(id)
      }
    }

    /// How many rows went.
    mutating func sweep(_ bodies: [[Item]], in scope: String, other: String) -> Int {
      let now = Set(bodies.joined().compactMap(\.seen))
      let unseen = own[scope, default: []].subtracting(now)
      let doomed = unseen.subtracting(seen[other, default: []]).filter { rows[$0] != nil }
      for id in doomed { rows[id] = nil }
      for name in own.keys {
        own[name]?.subtract(doomed)
        seen[name]?.subtract(doomed)
      }
      own[scope]?.formIntersection(Set(rows.keys).union(now))
      seen[scope] = now
      return doomed.count
    }
  }

  private enum Item {
    case row(Int, n: Int)
    case rejected(Int)
    case unknown

    var seen: Int? {
      switch self {
      case .row(let id, _), .rejected(let id): id
      case .unknown: nil
      }
    }

    var text: String {
      switch self {
      case .row(let id, let n): #"{"id": \#(id), "n": \#(n)}"#
      case .rejected(let id): #"{"id": \#(id), "n": "x"}"#
      case .unknown: #"{"n": 1}"#
      }
    }
  }

  private enum Ending: CaseIterable { case complete, partial, failed, null, unknown }

  @Test(arguments: 1...12, [false, true])
  func `random walks leave what the model says`(_ seed: Int, _ replaces: Bool) throws {
    var random = Dice(seed)
    let bench = try Bench(
      records: "Item: {table: items, key: id, fields: {id: {type: integer}, n: {type: integer}}, "
        + "\(replaces ? "write: replace" : "sweep: {max_delete: 100}")}",
      endpoints: "items: {path: '/:scope', fetch: false, records: {items: Item}}")
    var model = Model()
    for step in 1...25 {
      let (scope, other) = random.roll(2) == 0 ? ("a", "b") : ("b", "a")
      let ending = random.roll(2) == 0 ? .complete : Ending.allCases[random.roll(Ending.allCases.count)]
      let bodies = (0...random.roll(3)).map { _ in
        (0..<random.roll(5)).map { _ -> Item in
          random.roll(6) == 0 ? .rejected(random.roll(9)) : .row(random.roll(9), n: random.roll(4))
        }
      }
      let deleted = try walk(bodies, ending, scope: scope, on: bench)
      if !(replaces && ending == .failed) { model.see(bodies, in: scope) }
      let expected = ending == .complete ? model.sweep(bodies, in: scope, other: other) : 0
      let rows = model.rows.sorted { $0.key < $1.key }.map { "\($0.key)|\($0.value)" }
      #expect(try bench.rows("SELECT id, n FROM items ORDER BY id") == rows, "seed \(seed), step \(step): \(ending)")
      #expect(deleted == expected, "seed \(seed), step \(step): \(ending)")
    }
    #expect(try bench.faults().isEmpty)
  }

  /// How many rows the report says were swept.
  private func walk(_ bodies: [[Item]], _ ending: Ending, scope: String, on bench: Bench) throws -> Int {
    var texts = bodies.map { #"{"items": [\#($0.map(\.text).joined(separator: ", "))]}"# }
    switch ending {
    case .complete, .partial: break
    case .failed: texts.append("{")
    case .null: texts.append(#"{"items": null}"#)
    case .unknown: texts.append(#"{"items": [\#(Item.unknown.text)]}"#)
    }
    let run = try bench.load(texts, route: .path("/\(scope)", method: "GET"), isPartial: ending == .partial)
    #expect((run.failure != nil) == (ending == .failed))
    #expect(run.warnings.contains { $0.contains("nothing was") } == ![.complete, .failed].contains(ending))
    #expect(run.summary.records.allSatisfy { $0.isBalanced })
    return run.messages.compactMap { message in
      message.text.hasPrefix("Item: ") && message.text.contains("swept") && message.level == .info
        ? Int(message.text.dropFirst(6).prefix { $0.isNumber }) : nil
    }.reduce(0, +)
  }
}

/// Numbers that a seed decides.
private struct Dice {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

  /// From 0 to `sides - 1`.
  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(sides))
  }
}
