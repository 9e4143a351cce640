import JSONReading

/// What stands beside the records of a body and looks like paging, as lines of a mapping to be chosen from.
struct PagingHints {
  private var found: [String: (path: DraftPath, shape: ValueShape)] = [:]
  /// Paths that a hint names.
  private(set) var used: Set<DraftPath> = []
  private(set) var lines: [String] = []

  private static let nextURLs = ["next", "nexturl", "nextlink", "nextpageurl", "odatanextlink", "nexthref", "nextpage"]
  private static let cursors = [
    "nextcursor", "endcursor", "cursor", "nextpagetoken", "nexttoken", "continuationtoken", "continuation", "after",
    "scrollid", "pagetoken", "nextpageid",
  ]
  private static let hasMores = ["hasmore", "hasnextpage", "hasnext", "more", "ismore"]
  private static let totals = [
    "total", "totalcount", "totalresults", "totalrecords", "totalitems", "numfound", "count", "hits", "totalsize",
  ]
  private static let totalPages = ["totalpages", "pagecount", "pages", "lastpage", "numpages"]
  private static let pages = ["page", "currentpage", "pagenumber", "pageindex"]
  private static let offsets = ["offset", "start", "skip", "startat", "startindex"]
  private static let sizes = ["limit", "perpage", "pagesize", "size", "maxresults"]

  init(_ beside: [(path: DraftPath, shape: ValueShape)], lists: [DraftPlace]) {
    for (path, shape) in beside where shape.present == 0 || shape.isScalar {
      guard let last = path.names.last else { continue }
      let name = String(Names.snake(last).filter { $0 != "_" })
      let key = name == "href" ? Names.snake(path.names.dropLast().last ?? "") + "href" : name
      if found[key] == nil { found[key] = (path, shape) }
    }
    write(lists)
  }

  private func first(_ names: [String], where isFit: (ValueShape) -> Bool) -> DraftPath? {
    for name in names {
      if let (path, shape) = found[name], isFit(shape) { return path }
    }
    return nil
  }

  private mutating func write(_ lists: [DraftPlace]) {
    let hasMore = first(Self.hasMores) { $0.profile.booleans == $0.profile.count }
    let total = first(Self.totals) { $0.profile.isInteger }
    let pageCount = first(Self.totalPages) { $0.profile.isInteger }
    let more = [("has_more", hasMore), ("total", total), ("total_pages", pageCount)].compactMap { name, path in
      path.map { DraftNode.Entry(name, .text($0.text)) }
    }
    [hasMore, total, pageCount].compactMap(\.self).forEach { used.insert($0) }
    addLinks()
    addNumbers(more)
    guard lines.isEmpty, let hasMore, lists.count == 1, lists[0].shape.member("id")?.isScalar ?? false else { return }
    let last = lists[0].path.text == "." ? "[-1].id" : "\(lists[0].path.text)[-1].id"
    add(
      hasMore,
      [
        .init("by", .text("last_value")), .init("param", .text("starting_after")), .init("from", .text(last)),
        .init("has_more", .text(hasMore.text)),
      ])
  }

  private mutating func addLinks() {
    if let path = first(Self.nextURLs, where: { $0.profile.numbers + $0.profile.booleans == 0 }) {
      add(path, [.init("by", .text("next_url")), .init("from", .text(path.text))])
    }
    if let path = first(Self.cursors, where: { $0.profile.booleans == 0 }) {
      let param = Self.param(for: path.names.last ?? "cursor")
      add(path, [.init("by", .text("cursor")), .init("param", .text(param)), .init("from", .text(path.text))])
    }
  }

  private mutating func addNumbers(_ more: [DraftNode.Entry]) {
    if let path = first(Self.pages, where: { $0.profile.isInteger }) {
      let start = min(max(shape(at: path)?.profile.smallest ?? 1, 0), 1)
      let param = path.names.last ?? "page"
      add(path, [.init("by", .text("page")), .init("param", .text(param)), .init("start", .bare("\(start)"))] + more)
    }
    guard let path = first(Self.offsets, where: { $0.profile.isInteger }) else { return }
    let param = path.names.last ?? "offset"
    var entries: [DraftNode.Entry] = [.init("by", .text("offset")), .init("param", .text(param))]
    if let size = first(Self.sizes, where: { $0.profile.isInteger }) {
      used.insert(size)
      entries.append(.init("size_param", .text(size.names.last ?? "limit")))
      entries.append(.init("size", .bare("\(max(1, shape(at: size)?.profile.largest ?? 100))")))
    }
    add(path, entries + more)
  }

  private func shape(at path: DraftPath) -> ValueShape? { found.values.first { $0.path == path }?.shape }

  private mutating func add(_ path: DraftPath, _ entries: [DraftNode.Entry]) {
    used.insert(path)
    if let flow = DraftNode.map(entries).flow { lines.append("paginate: \(flow)") }
  }

  /// `next_cursor` is asked for by `cursor`, `nextPageToken` by `pageToken`, `endCursor` by `after`.
  private static func param(for name: String) -> String {
    if name == "endCursor" || name == "end_cursor" { return "after" }
    guard name.lowercased().hasPrefix("next") else { return name }
    let rest = name.dropFirst(4).drop { $0 == "_" || $0 == "-" }
    guard !rest.isEmpty else { return "cursor" }
    return name.contains("_") ? String(rest) : rest.prefix(1).lowercased() + rest.dropFirst()
  }
}
