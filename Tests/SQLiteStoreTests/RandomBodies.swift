/// Makes statements about a few articles, so that keys meet often: the same ones from the same seed.
struct RandomBodies {
  private var state: UInt64
  /// Most articles are met once, and few rows are rejected.
  private let areSparse: Bool

  init(seed: UInt64, areSparse: Bool = false) {
    state = seed
    self.areSparse = areSparse
  }

  /// SplitMix64.
  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// True once in so many times.
  mutating func chance(of number: Int) -> Bool { self.number(below: number) == 0 }

  private mutating func shields(_ number: Int) -> Bool { chance(of: areSparse ? 40 : number) }

  private mutating func one(of values: Value...) -> Value { values[number(below: values.count)] }

  private mutating func anything() -> Value { one(of: 1, 1.0, "1", "x", nil, .missing, .ifNew("x"), .bytes([0]), "\0") }

  /// One occurrence of an article with its children.
  mutating func article() -> [StoreModel.Statement] {
    let id = areSparse ? .text("k\(number(below: 60))") : one(of: "a", "b", "c", "d\0", "")
    let author = areSparse ? .integer(Int64(number(below: 400))) : one(of: -1, 0, 1, 2)
    var statements: [StoreModel.Statement] = [
      .row(
        table: "articles", key: [id],
        values: [anything(), one(of: .missing, 1, 2, .ifNew(3)), one(of: author, .missing, nil, .ifEqual(author))]),
      .row(table: "authors", key: [author], values: [one(of: .missing, "n", nil)]),
    ]
    if chance(of: 2) { statements.append(badge(of: id)) }
    if chance(of: 2) { statements.append(keywords(of: id)) }
    if chance(of: 2) { statements += tags(of: id) }
    return statements
  }

  private mutating func badge(of id: Value) -> StoreModel.Statement {
    let row = (key: [Value](), values: [one(of: "red", .missing, nil), anything()], isShield: shields(4))
    return .list(table: "article_badge", parent: id, rows: chance(of: 3) ? [] : [row])
  }

  private mutating func keywords(of id: Value) -> StoreModel.Statement {
    var rows: [StoreModel.ListRow] = []
    for position in 0..<5 where !chance(of: 3) {
      let values = [one(of: "x", "y", nil, .missing), one(of: 1, .ifNew(2))]
      rows.append(([.integer(Int64(position))], values, shields(5)))
    }
    return .list(table: "article_keywords", parent: id, rows: rows)
  }

  /// The tags themselves, then the links.
  private mutating func tags(of id: Value) -> [StoreModel.Statement] {
    var statements: [StoreModel.Statement] = []
    var rows: [StoreModel.ListRow] = []
    for position in 0..<number(below: 6) {
      let tag = one(of: 1, 2, 3, "1", "x", "y")
      let isShield = chance(of: 5)
      // One list rejects a tag or links it: the order of the two is a matter of its own.
      if rows.contains(where: { $0.key == [tag] && $0.isShield != isShield }) { continue }
      rows.append(([tag], [.integer(Int64(position))], isShield))
      if !isShield { statements.append(.row(table: "tags", key: [tag], values: [one(of: "t", .missing)])) }
    }
    return statements + [.list(table: "article_tags", parent: id, rows: rows)]
  }
}
