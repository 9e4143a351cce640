import Records
import SQLiteStore
import Store
import TestSupport
import Testing

/// Random shapes, filled, then widened at random.
struct RandomWideningTests {
  /// Where each type may go; any type may become `any`.
  private static let wider: [ColumnType: [ColumnType]] = [
    .integer: [.decimal, .text], .boolean: [.integer, .text], .real: [.text], .decimal: [.text], .date: [.text],
    .time: [.text], .timestamp: [.text], .uuid: [.text], .url: [.text],
  ]

  @Test(arguments: UInt64(1)...24)
  func `every value is kept as the wider type has it, and a second time nothing is written`(_ seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let database = try TemporaryDatabase()
    var shape = TableShape(name: "t", role: .record, columns: [.init(name: "k", type: .integer)], primaryKey: [0])
    for number in 0..<Int.random(in: 1...8, using: &random) {
      let type = ColumnType.allCases.randomElement(using: &random) ?? .any
      shape.columns.append(.init(name: "c\(number)", type: type))
    }
    let schema = StoreSchema(tables: [.init(shape: shape, record: "T")])
    var rows: [[Value]] = []
    for number in 0..<Int.random(in: 0...30, using: &random) {
      let cells = shape.columns.dropFirst().map { Self.value($0.type, &random) }
      rows.append([.integer(Int64(number))] + cells)
    }
    try database.store(schema).write(schema) { for row in rows { $0.row("t", values: row) } }
    let wide = Self.widened(shape, &random)
    let target = StoreSchema(tables: [.init(shape: wide, record: "T")])
    let plan = try SQLiteStore(path: database.path).plan(target)
    #expect(!plan.isLossy && plan.obstacles.isEmpty)
    try SQLiteStore(path: database.path).prepare(target, allowingLoss: false)

    var expected: [String] = []
    for row in rows {
      var texts = row.indices.map { Self.text(row[$0], from: shape.columns[$0].type, to: wide.columns[$0].type) }
      if wide.columns.count > shape.columns.count { texts.append("NULL") }
      expected.append(texts.joined(separator: ","))
    }
    let names = wide.columns.map(\.name).joined(separator: ", ")
    #expect(try database.rows("SELECT \(names) FROM t ORDER BY CAST(k AS INTEGER)") == expected)
    #expect(try database.faults() == [])
    let before = try database.contents()
    try SQLiteStore(path: database.path).prepare(target, allowingLoss: false)
    #expect(try database.contents() == before)
    // The wider table takes the same rows again, written as it has them, as unchanged ones.
    let again = try database.store(target).write(target) { builder in
      for row in rows where row.indices.allSatisfy({ shape.columns[$0].type == wide.columns[$0].type }) {
        builder.row("t", values: row + (wide.columns.count > shape.columns.count ? [.missing] : []))
      }
    }
    #expect(again.isEmpty || again["T"] == "+0 ~0 =\(rows.count)")
  }

  private static func widened(_ shape: TableShape, _ random: inout TestRandom) -> TableShape {
    var wide = shape
    for index in wide.columns.indices where Bool.random(using: &random) {
      let choices = (wider[shape.columns[index].type] ?? []) + [.any, shape.columns[index].type]
      wide.columns[index].type = choices.randomElement(using: &random) ?? .any
    }
    if Bool.random(using: &random) { wide.columns.append(.init(name: "new", type: .real)) }
    if Bool.random(using: &random) { wide.indexes = [.init(columns: [wide.columns.count - 1])] }
    return wide
  }

  private static func value(_ type: ColumnType, _ random: inout TestRandom) -> Value {
    if Int.random(in: 0..<5, using: &random) == 0 { return nil }
    switch type {
    case .any: return [1, 2.5, "x", .bytes([0])].randomElement(using: &random) ?? nil
    case .text: return ["", "  ", "é\0'\"", "12"].randomElement(using: &random) ?? ""
    case .integer: return .integer([0, -1, .max, .min, 7].randomElement(using: &random) ?? 0)
    case .boolean: return .integer(Int64.random(in: 0...1, using: &random))
    case .real:
      let bits = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
      return .real(bits.isFinite && bits != 0 ? bits : 2)
    case .decimal: return "1.50"
    case .date: return "2015-07-04"
    case .time: return "23:59:59.5"
    case .timestamp: return "2015-07-04 00:00:00"
    case .uuid: return "00000000-0000-0000-0000-000000000001"
    case .url: return "https://a.test/?q=1"
    case .json: return "{\"a\":[1,\"\"]}"
    case .bytes: return .bytes([0, 255])
    }
  }

  /// The value as SQL writes it, after the change.
  private static func text(_ value: Value, from: ColumnType, to: ColumnType) -> String {
    switch (value, from, to) {
    case (.integer(let number), .boolean, .text): return number == 1 ? "'true'" : "'false'"
    case (.integer(let number), .integer, .text), (.integer(let number), .integer, .decimal): return "'\(number)'"
    case (.real(let number), .real, .text):
      let text = "\(number)".split(separator: "+").joined()
      return "'" + (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "'"
    case (.integer(let number), _, _): return "\(number)"
    case (.real(let number), _, _): return "\(number)"
    case (.text(let text), _, _): return "'\(text)'"
    case (.bytes(let bytes), _, _):
      return "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    default: return "NULL"
    }
  }
}
