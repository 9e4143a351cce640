import JSONReading

/// What stands beside the records of a body and looks like paging, as lines of a mapping to be chosen from.
struct PagingHints {
  /// What stands at a place, as far as paging goes.
  enum Kind {
    case integer(smallest: Int64?, largest: Int64?)
    case boolean, text, null, other

    init(_ shape: ValueShape) {
      let profile = shape.profile
      if shape.present == 0 {
        self = .null
      } else if !shape.isScalar {
        self = .other
      } else if profile.isInteger, profile.numbers == profile.count {
        self = .integer(smallest: profile.smallest, largest: profile.largest)
      } else if profile.booleans == profile.count {
        self = .boolean
      } else {
        self = profile.texts == profile.count ? .text : .other
      }
    }

    init(_ schema: Schema) {
      switch schema.types {
      case ["integer"], ["number"]: self = .integer(smallest: nil, largest: nil)
      case ["boolean"]: self = .boolean
      case ["string"]: self = .text
      case []: self = .null
      default: self = .other
      }
    }

    var isInteger: Bool {
      if case .integer = self { true } else { false }
    }

    var isText: Bool {
      switch self {
      case .text, .null: true
      case .integer, .boolean, .other: false
      }
    }
  }

  private var found: [String: (path: DraftPath, kind: Kind)] = [:]
  /// Paths that a hint names.
  private(set) var used: Set<DraftPath> = []
  private(set) var lines: [String] = []
  /// Where the next page's URL, and its cursor, are.
  private(set) var nextURL: DraftPath?
  private(set) var cursor: DraftPath?
  /// What tells the last page: `has_more`, `total`, `total_pages`.
  private(set) var ends: [DraftNode.Entry] = []

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

  /// Is it a name of paging, in small letters alone?
  static func isName(_ name: String) -> Bool {
    [nextURLs, cursors, hasMores, totals, totalPages, pages, offsets, sizes].contains { $0.contains(name) }
      || ["previous", "prev", "first", "last"].contains(name)
  }

  /// `list`: where the records of the one list are, and whether they have an id.
  init(_ beside: [(path: DraftPath, kind: Kind)], list: (path: DraftPath, hasID: Bool)?) {
    for (path, kind) in beside {
      guard let last = path.names.last else { continue }
      if case .other = kind { continue }
      let name = String(Names.snake(last).filter { $0 != "_" })
      let key = name == "href" ? Names.snake(path.names.dropLast().last ?? "") + "href" : name
      if found[key] == nil { found[key] = (path, kind) }
    }
    write(list)
  }

  private func first(_ names: [String], where isFit: (Kind) -> Bool) -> DraftPath? {
    for name in names {
      if let (path, kind) = found[name], isFit(kind) { return path }
    }
    return nil
  }

  private mutating func write(_ list: (path: DraftPath, hasID: Bool)?) {
    let hasMore = first(Self.hasMores) { if case .boolean = $0 { true } else { false } }
    let total = first(Self.totals, where: \.isInteger)
    let pageCount = first(Self.totalPages, where: \.isInteger)
    ends = [("has_more", hasMore), ("total", total), ("total_pages", pageCount)].compactMap { name, path in
      path.map { DraftNode.Entry(name, .text($0.text)) }
    }
    [hasMore, total, pageCount].compactMap(\.self).forEach { used.insert($0) }
    addLinks()
    addNumbers()
    guard lines.isEmpty, let hasMore, let list, list.hasID else { return }
    let last = list.path.text == "." ? "[-1].id" : "\(list.path.text)[-1].id"
    add(
      hasMore,
      [
        .init("by", .text("last_value")), .init("param", .text("starting_after")), .init("from", .text(last)),
        .init("has_more", .text(hasMore.text)),
      ])
  }

  private mutating func addLinks() {
    nextURL = first(Self.nextURLs, where: \.isText)
    cursor = first(Self.cursors) { $0.isText || $0.isInteger }
    if let nextURL { add(nextURL, [.init("by", .text("next_url")), .init("from", .text(nextURL.text))]) }
    if let cursor {
      let param = Self.param(for: cursor.names.last ?? "cursor")
      add(cursor, [.init("by", .text("cursor")), .init("param", .text(param)), .init("from", .text(cursor.text))])
    }
  }

  private mutating func addNumbers() {
    if let path = first(Self.pages, where: \.isInteger) {
      let start = min(max(bounds(at: path).smallest ?? 1, 0), 1)
      let param = path.names.last ?? "page"
      add(path, [.init("by", .text("page")), .init("param", .text(param)), .init("start", .bare("\(start)"))] + ends)
    }
    guard let path = first(Self.offsets, where: \.isInteger) else { return }
    let param = path.names.last ?? "offset"
    var entries: [DraftNode.Entry] = [.init("by", .text("offset")), .init("param", .text(param))]
    if let size = first(Self.sizes, where: \.isInteger) {
      used.insert(size)
      entries.append(.init("size_param", .text(size.names.last ?? "limit")))
      entries.append(.init("size", .bare("\(max(1, bounds(at: size).largest ?? 100))")))
    }
    add(path, entries + ends)
  }

  private func bounds(at path: DraftPath) -> (smallest: Int64?, largest: Int64?) {
    guard case .integer(let smallest, let largest)? = found.values.first(where: { $0.path == path })?.kind else {
      return (nil, nil)
    }
    return (smallest, largest)
  }

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
