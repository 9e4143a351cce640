/// What the tables of `Shapes.blog` should hold, and how rows should be counted, over dictionaries: keys, memberships,
/// links, a single child, lists that are not complete, `modified`, tombstones and `sweep`.
struct BlogModel {
  var isModified: Bool
  var sweeps: Bool

  struct Post: Equatable {
    var title: Value
    var version: Value
    var topic: Int64?
  }
  struct Comment: Equatable {
    var text: Value
    var post: Int64?
  }
  struct Place: Hashable {
    var post: Int64
    var position: Int64
  }

  struct State: Equatable {
    var posts: [Int64: Post] = [:]
    var keywords: [Place: Value] = [:]
    var comments: [Int64: Comment] = [:]
    var tags: [Int64: Value] = [:]
    /// Tags by post, with their positions.
    var links: [Int64: [Int64: Int64]] = [:]
  }

  /// One occurrence of a post, or a comment or tag at the top level.
  enum Item {
    case post(PostItem)
    case comment(Int64, text: Value?)
    case tag(Int64, name: Value?)
  }

  struct PostItem {
    var id: Int64
    var isTombstone = false
    var title: Value = .missing
    var version: Value = .missing
    var keywords: [Int64: Value]?
    var comments: [(id: Int64, text: Value, isShield: Bool)]?
    var tags: [(id: Int64, isShield: Bool)]?
    var isPartial = false
    /// `ifEqual` for a rejected one, of null when its key is not known.
    var topic: Value = .missing
    /// A tag was rejected whose key is not known.
    var hasUnknownTag = false
  }

  struct Counts: Equatable {
    var inserted = 0
    var updated = 0
    var unchanged = 0
    var deleted = 0
    var skipped = 0
  }

  enum Key: Hashable {
    case post(Int64)
    case keyword(Place)
    case comment(Int64)
    case tag(Int64)
  }

  private(set) var state = State()
  /// Of the body at hand.
  private var received: [Key: Int] = [:]
  private var skipped: [Key: Int] = [:]
  private var candidates: Set<Key> = []
  /// What rejected elements may be.
  private var spared: Set<Key> = []
  /// Links that a list of the body does not name: a rejected element still keeps them.
  private var removed: [Int64: [Int64: Int64]] = [:]

  init(isModified: Bool, sweeps: Bool) {
    self.isModified = isModified
    self.sweeps = sweeps
  }

  /// Applies the parts of a body, and counts by record. Links and memberships come at the end of a part.
  mutating func apply(_ parts: [[Item]]) -> [String: Counts] {
    let before = state
    (received, skipped, candidates, removed) = ([:], [:], [], [:])
    spared = []
    for part in parts {
      var lists: [PostItem] = []
      for item in part {
        if let post = apply(item) { lists.append(post) }
        if case .post(let post) = item { noteRejected(post) }
      }
      for post in lists where state.posts[post.id] != nil { applyMembers(post) }
      for post in lists where state.posts[post.id] != nil { applyLinks(post) }
    }
    let counts = count(before)
    if sweeps { sweepOrphans() }
    return counts
  }

  /// Gives the post when its lists count.
  private mutating func apply(_ item: Item) -> PostItem? {
    switch item {
    case .comment(let id, let text):
      received[.comment(id), default: 0] += 1
      if let text { upsertComment(id, text) } else { state.comments[id] = nil }
    case .tag(let id, let name):
      received[.tag(id), default: 0] += 1
      if let name { upsertTag(id, name) } else { buryTag(id) }
    case .post(let post):
      if post.isTombstone {
        received[.post(post.id), default: 0] += 1
        bury(post.id)
        return nil
      }
      if isStale(post) {
        skip(post)
        return nil
      }
      received[.post(post.id), default: 0] += 1
      let old = state.posts[post.id]
      state.posts[post.id] = Post(
        title: Self.merged(post.title, over: old?.title), version: Self.merged(post.version, over: old?.version),
        topic: topic(of: post, over: old?.topic))
      applyKeywords(post)
      for comment in post.comments ?? [] where !comment.isShield {
        received[.comment(comment.id), default: 0] += 1
        upsertComment(comment.id, comment.text)
      }
      for tag in post.tags ?? [] where !tag.isShield {
        received[.tag(tag.id), default: 0] += 1
        upsertTag(tag.id, .missing)
      }
      return post
    }
    return nil
  }

  private mutating func topic(of post: PostItem, over old: Int64?) -> Int64? {
    switch post.topic {
    case .integer(let id):
      received[.tag(id), default: 0] += 1
      upsertTag(id, .missing)
      if let old, old != id { candidates.insert(.tag(old)) }
      return id
    case .ifEqual(.integer(let id)) where id == old: return id
    case .ifEqual(.null):
      if let old { spared.insert(.tag(old)) }
      return nil
    case .missing: return old
    default:
      if let old { candidates.insert(.tag(old)) }
      return nil
    }
  }

  /// Rejected children count as present, whatever becomes of their parent.
  private mutating func noteRejected(_ post: PostItem) {
    if post.isTombstone { return }
    for tag in post.tags ?? [] where tag.isShield { spared.insert(.tag(tag.id)) }
    for comment in post.comments ?? [] where comment.isShield { spared.insert(.comment(comment.id)) }
    if case .ifEqual(.integer(let id)) = post.topic { spared.insert(.tag(id)) }
  }

  private static func merged(_ value: Value, over old: Value?) -> Value {
    value == .missing ? old ?? .null : value
  }

  private func isStale(_ post: PostItem) -> Bool {
    guard isModified, let old = state.posts[post.id] else { return false }
    guard case .integer(let new) = post.version, case .integer(let stored) = old.version else { return false }
    return new <= stored
  }

  private mutating func skip(_ post: PostItem) {
    skipped[.post(post.id), default: 0] += 1
    for position in (post.keywords ?? [:]).keys {
      skipped[.keyword(Place(post: post.id, position: position)), default: 0] += 1
    }
    for comment in post.comments ?? [] where !comment.isShield { skipped[.comment(comment.id), default: 0] += 1 }
    for tag in post.tags ?? [] where !tag.isShield { skipped[.tag(tag.id), default: 0] += 1 }
    if case .integer(let id) = post.topic { skipped[.tag(id), default: 0] += 1 }
  }

  private mutating func upsertComment(_ id: Int64, _ text: Value) {
    let old = state.comments[id]
    state.comments[id] = Comment(text: Self.merged(text, over: old?.text), post: old?.post)
  }

  private mutating func upsertTag(_ id: Int64, _ name: Value) {
    state.tags[id] = Self.merged(name, over: state.tags[id])
  }

  private mutating func buryTag(_ id: Int64) {
    state.tags[id] = nil
    for post in state.links.keys { state.links[post]?[id] = nil }
    for post in removed.keys { removed[post]?[id] = nil }
  }

  private mutating func bury(_ id: Int64) {
    if let topic = state.posts[id]?.topic { candidates.insert(.tag(topic)) }
    state.posts[id] = nil
    state.keywords = state.keywords.filter { $0.key.post != id }
    for (comment, value) in state.comments where value.post == id {
      state.comments[comment]?.post = nil
      candidates.insert(.comment(comment))
    }
    removed[id] = nil
    for tag in (state.links.removeValue(forKey: id) ?? [:]).keys { candidates.insert(.tag(tag)) }
  }

  private mutating func applyKeywords(_ post: PostItem) {
    guard let keywords = post.keywords else { return }
    if !post.isPartial {
      state.keywords = state.keywords.filter { $0.key.post != post.id || keywords[$0.key.position] != nil }
    }
    for (position, word) in keywords {
      let place = Place(post: post.id, position: position)
      state.keywords[place] = word == .missing ? .null : word
      received[.keyword(place), default: 0] += 1
    }
  }

  private mutating func applyMembers(_ post: PostItem) {
    guard let comments = post.comments else { return }
    for comment in comments where !comment.isShield { state.comments[comment.id]?.post = post.id }
    if post.isPartial { return }
    for (id, comment) in state.comments where comment.post == post.id && !comments.contains(where: { $0.id == id }) {
      state.comments[id]?.post = nil
      candidates.insert(.comment(id))
    }
  }

  private mutating func applyLinks(_ post: PostItem) {
    guard let tags = post.tags else { return }
    let old = state.links[post.id] ?? [:]
    let known = old.merging(removed[post.id] ?? [:]) { old, _ in old }
    let shields = tags.filter(\.isShield).compactMap { tag in known[tag.id].map { (tag.id, $0) } }
    var links = (post.isPartial ? old : [:]).merging(shields) { old, _ in old }
    for (position, tag) in tags.enumerated() where !tag.isShield && state.tags[tag.id] != nil {
      if links[tag.id] != nil { continue }
      links[tag.id] = post.isPartial ? (links.values.max() ?? -1) + 1 : Int64(position)
    }
    for tag in old.keys where links[tag] == nil {
      candidates.insert(.tag(tag))
      if post.hasUnknownTag { spared.insert(.tag(tag)) }
    }
    removed[post.id] = known.filter { links[$0.key] == nil }
    state.links[post.id] = links
  }

  private mutating func sweepOrphans() {
    for key in candidates where received[key] == nil && skipped[key] == nil && !spared.contains(key) {
      switch key {
      case .comment(let id): if state.comments[id]?.post == nil { state.comments[id] = nil }
      case .tag(let id):
        let isTopic = state.posts.values.contains { $0.topic == id }
        if !isTopic, !state.links.values.contains(where: { $0[id] != nil }) { state.tags[id] = nil }
      case .post, .keyword: break
      }
    }
  }

  private func count(_ before: State) -> [String: Counts] {
    var counts: [String: Counts] = [:]
    for (key, count) in received {
      let change = change(of: key, since: before)
      let record = Self.record(of: key)
      counts[record, default: Counts()].unchanged += count - (change.isChange ? 1 : 0)
      counts[record, default: Counts()].inserted += change.isInserted ? 1 : 0
      counts[record, default: Counts()].updated += change.isUpdated ? 1 : 0
      counts[record, default: Counts()].deleted += change.isDeleted ? 1 : 0
    }
    for (key, count) in skipped { counts[Self.record(of: key), default: Counts()].skipped += count }
    return counts
  }

  private struct Change {
    var isInserted = false
    var isUpdated = false
    var isDeleted = false
    var isChange: Bool { isInserted || isUpdated || isDeleted }

    init<Row: Equatable>(_ old: Row?, _ new: Row?) {
      isInserted = old == nil && new != nil
      isDeleted = old != nil && new == nil
      isUpdated = old != nil && new != nil && old != new
    }
  }

  private func change(of key: Key, since before: State) -> Change {
    switch key {
    case .post(let id): return Change(before.posts[id], state.posts[id])
    case .comment(let id): return Change(before.comments[id], state.comments[id])
    case .tag(let id): return Change(before.tags[id], state.tags[id])
    case .keyword(let place):
      var change = Change(before.keywords[place], state.keywords[place])
      change.isDeleted = false
      return change
    }
  }

  private static func record(of key: Key) -> String {
    switch key {
    case .post: "Post"
    case .keyword: "Keyword"
    case .comment: "Comment"
    case .tag: "Tag"
    }
  }
}

extension BlogModel.Counts {
  var text: String {
    "+\(inserted) ~\(updated) =\(unchanged)" + (deleted > 0 ? " -\(deleted)" : "") + (skipped > 0 ? " s\(skipped)" : "")
  }
}
