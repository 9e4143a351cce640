import Records
import Store
import Testing

/// Random bodies of posts, in document order, against the model.
struct BlogModelTests {
  @Test(arguments: 1...48) func `random posts do what the model says, and read again nothing`(_ seed: Int) throws {
    var random = RandomBodies(seed: UInt64(seed))
    let (isModified, sweeps) = (seed % 2 == 0, seed % 3 == 0)
    let schema = Shapes.blog(modified: isModified, sweeps: sweeps, hasTopic: true)
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    var model = BlogModel(isModified: isModified, sweeps: sweeps)
    for round in 1...40 {
      let body = (0...random.number(below: 2)).map { _ in (0..<random.number(below: 6)).map { _ in random.item() } }
      for reading in 1...2 {
        let counts = model.apply(body)
        let outcome = try store.write(body.map { $0.document(schema) }, schema)
        #expect(outcome == counts.mapValues(\.text), "seed \(seed), round \(round), reading \(reading): \(body)")
        let (found, expected) = (try stored(database), rows(model.state))
        try #require(found == expected, "seed \(seed), round \(round), reading \(reading): \(body)")
      }
    }
    #expect(try database.faults() == [])
  }

  private func stored(_ database: TemporaryDatabase) throws -> [[String]] {
    try ["posts", "post_keywords", "comments", "tags", "post_tags"].map {
      try database.rows("SELECT * FROM \($0)").sorted()
    }
  }

  private func rows(_ state: BlogModel.State) -> [[String]] {
    let links = state.links.flatMap { post, tags in tags.map { "\(post),\($0),\($1)" } }
    return [
      state.posts.map { "\($0),\($1.title.literal),\($1.version.literal),\($1.topic.map(String.init) ?? "NULL")" },
      state.keywords.map { "\($0.post),\($0.position),\($1.literal)" },
      state.comments.map { "\($0),\($1.text.literal),\($1.post.map(String.init) ?? "NULL")" },
      state.tags.map { "\($0),\($1.literal)" }, links,
    ].map { $0.sorted() }
  }
}

extension RandomBodies {
  /// Few keys, so that they meet often. Tags 0 and 1 may be deleted, 2 and 3 be linked and topics, 4 and 5 are topics only.
  mutating func item() -> BlogModel.Item {
    switch number(below: 10) {
    case 0: return .comment(Int64(number(below: 4)), text: chance(of: 2) ? nil : word())
    case 1:
      let id = number(below: 6)
      return .tag(Int64(id), name: id < 2 && chance(of: 2) ? nil : word())
    default: return .post(post())
    }
  }

  private mutating func word() -> Value { [.missing, .null, "x", "y"][number(below: 4)] }

  private mutating func post() -> BlogModel.PostItem {
    var post = BlogModel.PostItem(id: Int64(number(below: 4)))
    post.isTombstone = chance(of: 6)
    if post.isTombstone { return post }
    post.title = word()
    post.version = [.missing, .null, 1, 2, 3, 4][number(below: 6)]
    post.isPartial = chance(of: 3)
    if !chance(of: 3) {
      post.keywords = [:]
      for position in 0..<3 where !chance(of: 3) { post.keywords?[Int64(position)] = word() }
    }
    if !chance(of: 3) {
      let ids = (0..<4).filter { _ in chance(of: 2) }
      post.comments = ids.map { (Int64($0), word(), chance(of: 5)) }
    }
    if !chance(of: 3) {
      let first = number(below: 4)
      let ids = (0..<4).map { ($0 + first) % 4 }.filter { _ in chance(of: 2) }
      post.tags = ids.map { (Int64($0), chance(of: 5)) }
      post.hasUnknownTag = chance(of: 4)
    }
    let topic = Value.integer(Int64(2 + number(below: 4)))
    post.topic = [.missing, .null, .ifEqual(.null), .ifEqual(topic), topic, topic, topic][number(below: 7)]
    return post
  }
}

extension [BlogModel.Item] {
  fileprivate func document(_ schema: StoreSchema) -> BatchBuilder {
    let document = DocumentBuilder(schema)
    for item in self {
      switch item {
      case .comment(let id, let text):
        document.row("comments", [.integer(id), text ?? .null, .missing], isTombstone: text == nil)
      case .tag(let id, let name): document.row("tags", [.integer(id), name ?? .null], isTombstone: name == nil)
      case .post(let post): document.add(post)
      }
    }
    return document.builder
  }
}

extension DocumentBuilder {
  fileprivate func add(_ post: BlogModel.PostItem) {
    if post.isTombstone { return deletedPost(post.id) }
    let row = row("posts", [.integer(post.id), post.title, post.version, post.topic])
    if case .integer = post.topic { self.row("tags", [post.topic, .missing], in: row) }
    if case .ifEqual(.integer(let id)) = post.topic { shield("tags", [.integer(id), .missing]) }
    let key: [Value] = [.integer(post.id)]
    if let keywords = post.keywords {
      let rows = keywords.sorted { $0.key < $1.key }.map { [.integer($0.key), $0.value] as [Value] }
      list("post_keywords", of: row, key: key, rows, isPartial: post.isPartial)
    }
    if let comments = post.comments {
      for comment in comments where !comment.isShield {
        self.row("comments", [.integer(comment.id), comment.text, .missing], in: row)
      }
      for comment in comments where comment.isShield { shield("comments", [.integer(comment.id), .missing, .missing]) }
      list(
        "post_comments", of: row, key: key, comments.map { [.integer($0.id)] },
        shields: Set(comments.indices.filter { comments[$0].isShield }), isPartial: post.isPartial)
    }
    if let tags = post.tags {
      for tag in tags where !tag.isShield { self.row("tags", [.integer(tag.id), .missing], in: row) }
      for tag in tags where tag.isShield { shield("tags", [.integer(tag.id), .missing]) }
      list(
        "post_tags", of: row, key: key, tags.enumerated().map { [.integer($1.id), .integer(Int64($0))] },
        shields: Set(tags.indices.filter { tags[$0].isShield }), isPartial: post.isPartial,
        hasUnknown: post.hasUnknownTag)
    }
  }
}
