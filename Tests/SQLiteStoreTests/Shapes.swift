import Records
import Store

/// Schemas that the tests share.
enum Shapes {
  static func record(
    _ name: String, key: [String], _ columns: [(String, ColumnType)], references: [(column: String, table: String)] = []
  ) -> TableShape {
    let shapes = columns.map { ColumnShape(name: $0.0, type: $0.1) }
    func place(_ name: String) -> Int { shapes.firstIndex { $0.name == name } ?? 0 }
    return TableShape(
      name: name, role: .record, columns: shapes, primaryKey: key.map(place),
      foreignKeys: references.map {
        ForeignKey(columns: [place($0.column)], table: $0.table, referenced: ["id"], onDelete: .setNull)
      })
  }

  /// The same without links, whose rows may go in together; without `references` an author is just a number.
  static func articles(references: Bool) -> StoreSchema {
    var schema = articles
    schema.tables.removeAll { $0.shape.role == .link }
    if !references { schema.tables[0].shape.foreignKeys = [] }
    return schema
  }

  /// Articles with an author, a badge, numbered keywords with notes, and tags.
  static let articles = StoreSchema(tables: [
    .init(
      shape: record(
        "articles", key: ["id"], [("id", .text), ("title", .any), ("size", .integer), ("author_id", .integer)],
        references: [("author_id", "authors")]),
      record: "Article"),
    .init(shape: record("authors", key: ["id"], [("id", .integer), ("name", .text)]), record: "Author"),
    .init(
      shape: TableShape(
        name: "article_badge", role: .onlyChild,
        columns: [
          .init(name: "article_id", type: .text), .init(name: "colour", type: .text), .init(name: "n", type: .any),
        ],
        primaryKey: [0],
        foreignKeys: [.init(columns: [0], table: "articles", referenced: ["id"], onDelete: .cascade)],
        parentKey: [0]),
      record: "Badge"),
    .init(
      shape: TableShape(
        name: "article_keywords", role: .listChild,
        columns: [
          .init(name: "article_id", type: .text), .init(name: "position", type: .integer),
          .init(name: "word", type: .text), .init(name: "rank", type: .integer),
        ],
        primaryKey: [0, 1],
        foreignKeys: [.init(columns: [0], table: "articles", referenced: ["id"], onDelete: .cascade)],
        parentKey: [0], position: 1),
      record: "Keyword"),
    .init(
      shape: TableShape(
        name: "article_keywords_notes", role: .listChild,
        columns: [
          .init(name: "keyword_article_id", type: .text), .init(name: "keyword_position", type: .integer),
          .init(name: "position", type: .integer), .init(name: "text", type: .text),
        ],
        primaryKey: [0, 1, 2],
        foreignKeys: [
          .init(
            columns: [0, 1], table: "article_keywords", referenced: ["article_id", "position"], onDelete: .cascade)
        ],
        parentKey: [0, 1], position: 2),
      record: "Note"),
    .init(shape: record("tags", key: ["id"], [("id", .any), ("name", .text)]), record: "Tag"),
    .init(
      shape: TableShape(
        name: "article_tags", role: .link,
        columns: [
          .init(name: "article_id", type: .text), .init(name: "tag_id", type: .any),
          .init(name: "position", type: .integer),
        ],
        primaryKey: [0, 1],
        foreignKeys: [
          .init(columns: [0], table: "articles", referenced: ["id"], onDelete: .cascade),
          .init(columns: [1], table: "tags", referenced: ["id"], onDelete: .cascade),
        ],
        parentKey: [0], position: 2),
      record: nil),
    .init(shape: record("events", key: [], [("what", .any)]), record: "Event"),
  ])
}
