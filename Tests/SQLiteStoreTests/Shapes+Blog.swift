import Records
import Store

extension Shapes {
  /// Posts with numbered keywords, comments that hold their post's key, and links to tags; with `hasTopic`, a post refers
  /// to one tag by a column of its own too.
  static func blog(
    modified: Bool = false, write: WriteMode = .upsert, sweeps: Bool = false, commentsWrite: WriteMode = .upsert,
    hasTopic: Bool = false
  ) -> StoreSchema {
    let topic: [(String, ColumnType)] = hasTopic ? [("topic_id", .integer)] : []
    var posts = record(
      "posts", key: ["id"], [("id", .integer), ("title", .text), ("version", .integer)] + topic,
      references: hasTopic ? [("topic_id", "tags")] : [])
    if hasTopic { posts.foreignKeys[0].sweepsOrphans = sweeps }
    posts.modified = modified ? 2 : nil
    posts.write = write
    let keywords = TableShape(
      name: "post_keywords", role: .listChild,
      columns: zip(["post_id", "position", "word"], [.integer, .integer, .text]).map { .init(name: $0, type: $1) },
      primaryKey: [0, 1], foreignKeys: [.init(columns: [0], table: "posts", referenced: ["id"], onDelete: .cascade)],
      parentKey: [0], position: 1)
    var comments = record(
      "comments", key: ["id"], [("id", .integer), ("text", .text), ("post_id", .integer)],
      references: [("post_id", "posts")])
    comments.write = commentsWrite
    var membership = TableShape(
      name: "post_comments", role: .membership,
      columns: [.init(name: "post_id", type: .integer), .init(name: "comment_id", type: .integer)], parentKey: [0])
    membership.child = 2
    membership.childColumns = [2]
    membership.sweepsOrphans = sweeps
    var links = TableShape(
      name: "post_tags", role: .link,
      columns: ["post_id", "tag_id", "position"].map { .init(name: $0, type: .integer) }, primaryKey: [0, 1],
      foreignKeys: [
        .init(columns: [0], table: "posts", referenced: ["id"], onDelete: .cascade),
        .init(columns: [1], table: "tags", referenced: ["id"], onDelete: .cascade),
      ],
      parentKey: [0], position: 2)
    links.child = 4
    links.sweepsOrphans = sweeps
    return StoreSchema(tables: [
      .init(shape: posts, record: "Post"), .init(shape: keywords, record: "Keyword"),
      .init(shape: comments, record: "Comment"), .init(shape: membership, record: nil),
      .init(shape: record("tags", key: ["id"], [("id", .integer), ("name", .text)]), record: "Tag"),
      .init(shape: links, record: nil),
    ])
  }
}

extension DocumentBuilder {
  /// A post with its children, each of which comes as a row of its own.
  @discardableResult
  func post(
    _ id: Int64, title: Value = "t", version: Value = .missing, keywords: [Value]? = nil,
    comments: [(Int64, Value)]? = nil, tags: [Int64]? = nil, isPartial: Bool = false, topic: Value? = nil
  ) -> RowReference {
    let post = row("posts", [.integer(id), title, version] + (topic.map { [$0] } ?? []))
    if case .integer? = topic { row("tags", [topic ?? .null, .missing], in: post) }
    let key: [Value] = [.integer(id)]
    if let keywords {
      list(
        "post_keywords", of: post, key: key, keywords.enumerated().map { [.integer(Int64($0)), $1] },
        isPartial: isPartial)
    }
    if let comments {
      for (id, text) in comments { row("comments", [.integer(id), text, .missing], in: post) }
      list("post_comments", of: post, key: key, comments.map { [.integer($0.0)] }, isPartial: isPartial)
    }
    if let tags {
      for id in tags { row("tags", [.integer(id), .missing], in: post) }
      list(
        "post_tags", of: post, key: key, tags.enumerated().map { [.integer($1), .integer(Int64($0))] },
        isPartial: isPartial)
    }
    return post
  }

  /// A post whose row is only a tombstone.
  func deletedPost(_ id: Int64) {
    let width = builder.batch.tables[builder.index(of: "posts")].columnCount
    row("posts", [.integer(id)] + Array(repeating: .null, count: width - 1), isTombstone: true)
  }
}
