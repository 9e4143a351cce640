import Records
import Testing

struct RecordBatchTests {
  private static let shapes = [
    TableShape(
      name: "users", role: .record,
      columns: [ColumnShape(name: "id", type: .integer), ColumnShape(name: "name", type: .text)], primaryKey: [0]),
    TableShape(
      name: "user_tags", role: .listChild,
      columns: [
        ColumnShape(name: "user_id", type: .integer), ColumnShape(name: "position", type: .integer),
        ColumnShape(name: "tag", type: .text),
      ],
      primaryKey: [0, 1], parentKey: [0], position: 1),
  ]

  /// One user with its tags, as a mapper would add them.
  private func add(_ id: Int64, tags: [String], to batch: RecordBatch) {
    batch.tables[0].cells += [.integer(id), .text(batch.arena.copy("user \(id)"))]
    batch.tables[0].rows.append(RowHeader(body: batch.body))
    let first = batch.tables[1].rows.count
    for (position, tag) in tags.enumerated() {
      batch.tables[1].cells += [.integer(id), .integer(Int64(position)), .text(batch.arena.copy(tag))]
      batch.tables[1].rows.append(RowHeader(body: batch.body))
    }
    batch.tables[1].listKeys.append(.integer(id))
    batch.tables[1].lists.append(ListStatement(body: batch.body, rows: first..<batch.tables[1].rows.count))
    batch.origins.append(rejection("origin \(id)", in: batch))
    batch.order.append(RowReference(table: 0, row: Int(id)))
  }

  private func rejection(_ reason: String, in batch: RecordBatch) -> Rejection {
    Rejection(
      record: "User", pointer: "/0", field: nil, reason: reason, value: [], context: nil, body: batch.body,
      endpoint: "users")
  }

  private func outline(_ batch: RecordBatch) -> [String] {
    var lines: [String] = []
    for table in batch.tables {
      lines += table.rows.indices.map { index in
        table.row(index).map { $0.kind == .text ? $0.stringValue : String($0.integerValue) }.joined(separator: ",")
          + " of body \(table.rows[index].body)"
      }
      lines += table.lists.indices.map {
        "list of \(table.parentKey(ofList: $0).map(\.integerValue)) \(table.lists[$0].rows)"
      }
    }
    lines += batch.rejections.map { "rejected: \($0.reason)" }
    lines += batch.origins.map(\.reason)
    lines += batch.order.map { "order \($0.row)" }
    return lines
  }

  @Test func `rows belong to the body that was begun last`() {
    let batch = RecordBatch(shapes: Self.shapes)
    batch.beginBody(BodyName("a.json"))
    add(1, tags: ["x"], to: batch)
    batch.beginBody(BodyName("b.ndjson", line: 7))
    add(2, tags: [], to: batch)
    #expect(batch.body == 1)
    #expect(batch.bodies.map(\.description) == ["a.json", "b.ndjson:7"])
    #expect(batch.rowCount == 3)
    #expect(
      outline(batch).prefix(5) == [
        "1,user 1 of body 0", "2,user 2 of body 1", "1,0,x of body 0", "list of [1] 0..<1", "list of [2] 1..<1",
      ])
  }

  @Test(arguments: [false, true])
  func `truncating takes back what came behind the mark, in every table`(_ keepsRejections: Bool) {
    let batch = RecordBatch(shapes: Self.shapes)
    batch.beginBody(BodyName("a.json"))
    add(1, tags: ["x", "y"], to: batch)
    batch.rejections.append(rejection("before", in: batch))
    let mark = batch.mark
    let before = outline(batch)
    add(2, tags: ["z"], to: batch)
    add(3, tags: [], to: batch)
    batch.rejections.append(rejection("behind", in: batch))
    batch.truncate(to: mark, keepingRejections: keepsRejections)
    #expect(batch.rejections.map(\.reason) == (keepsRejections ? ["before", "behind"] : ["before"]))
    batch.rejections = Array(batch.rejections.prefix(1))
    #expect(outline(batch) == before)
    add(4, tags: ["w"], to: batch)
    #expect(Array(batch.tables[1].row(2)).map(\.kind) == [.integer, .integer, .text])
    #expect(batch.tables[1].row(2).first?.integerValue == 4)
  }

  @Test func `a reset batch is empty, and can be filled again`() {
    let batch = RecordBatch(shapes: Self.shapes)
    batch.beginBody(BodyName("a.json"))
    add(1, tags: ["x"], to: batch)
    let first = outline(batch)
    batch.rejections.append(rejection("r", in: batch))
    batch.reset()
    #expect(batch.isEmpty && batch.rowCount == 0 && batch.bodies.isEmpty && batch.owners.isEmpty)
    #expect(outline(batch).isEmpty)
    batch.beginBody(BodyName("b.json"))
    add(1, tags: ["x"], to: batch)
    #expect(outline(batch) == first)
  }

  @Test func `a batch with nothing but an emptied list, or a rejection, is not empty`() {
    let batch = RecordBatch(shapes: Self.shapes)
    batch.beginBody(BodyName("a.json"))
    #expect(batch.isEmpty)
    batch.tables[1].listKeys.append(.integer(1))
    batch.tables[1].lists.append(ListStatement(body: 0, rows: 0..<0))
    #expect(!batch.isEmpty)
    batch.reset()
    batch.beginBody(BodyName("a.json"))
    batch.rejections.append(rejection("r", in: batch))
    #expect(!batch.isEmpty)
  }

  @Test func `owners live until the reset, and each is kept once in a row`() {
    final class Window {}
    let batch = RecordBatch(shapes: Self.shapes)
    weak var seen: Window?
    do {
      let window = Window()
      seen = window
      batch.keep(window)
      batch.keep(window)
    }
    #expect(batch.owners.count == 1)
    #expect(seen != nil)
    batch.reset()
    #expect(seen == nil)
  }

  @Test func `rows that are gathered take along what refers to them`() {
    let batch = RecordBatch(shapes: Self.shapes)
    batch.beginBody(BodyName("a.json"))
    add(1, tags: ["before"], to: batch)
    batch.order.removeAll()
    let mark = batch.mark
    add(2, tags: ["own", "x", "y", "own 2", "z"], to: batch)
    batch.tables[1].lists[1].rows = 2..<4
    batch.tables[1].lists.append(ListStatement(body: 0, rows: 5..<6, parent: RowReference(table: 1, row: 4)))
    batch.tables[1].listKeys.append(.integer(2))
    batch.tables[0].rows[1].parent = RowReference(table: 1, row: 1)
    batch.tables[1].rows[2].parent = RowReference(table: 1, row: 0)
    batch.order = [1, 3, 4].map { RowReference(table: 1, row: $0) } + [RowReference(table: 0, row: 1)]
    batch.gather([1, 4], ofTable: 1, since: mark)
    #expect((0..<6).map { batch.tables[1].row($0).last?.stringValue } == ["before", "x", "y", "z", "own", "own 2"])
    #expect(batch.tables[1].lists.map(\.rows) == [0..<1, 1..<3, 3..<4])
    #expect(batch.tables[1].lists[2].parent == RowReference(table: 1, row: 5))
    #expect(batch.tables[0].rows[1].parent == RowReference(table: 1, row: 4))
    #expect(batch.tables[1].rows[1].parent == RowReference(table: 1, row: 0), "what came before the mark stays")
    #expect(batch.order.map(\.row) == [4, 2, 5, 1])
  }
}
