import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler
import Values

#if FAULTS
  import Faults
#endif

/// The records of a page, before filters.
struct PageCount {
  var all = 0
  /// At the endpoint's first place: what totals, sizes and offsets count.
  var first = 0
  /// Of the records themselves; nil where it is not known, or is not all that the page brings.
  var digest: BodyDigest?
}

/// `paginate`: what the next page is asked by, and when the walk ends.
///
/// A value: it can be written down after each page (`saved` and `marks`), and a walk that was cut goes on from there. Pages
/// and offsets then go on one page earlier, since rows may have moved meanwhile; all others, and those whose rows would be
/// stored twice, at the page that is missing.
struct Pager {
  enum Next {
    /// `ask` says what it is asked by.
    case page
    case end
    /// There is more, for the reason given, but nothing to ask for it by: the walk is partial.
    case incomplete(String)
    /// The bound of `max_pages`: the walk is partial.
    case bounded(Int)
    /// There is another page than `limits.pages` allows.
    case overLimit(Int)
    /// What the API says of further pages cannot be followed: it repeats itself, or is not understood.
    case failed(String)
    /// The page came before: nothing of it is stored.
    case repeated(String)
    /// Fewer records came than the API declared.
    case short(declared: Int)
  }

  /// What the next page is asked by.
  enum Position {
    /// As the walk begins.
    case first
    /// A page or an offset.
    case number(Int)
    /// A cursor or last value: a text or a number.
    case value(Literal)
    /// With marks in place of credentials.
    case url(String)
  }

  /// Where a walk is, before a request.
  struct Stand {
    var position: Position
    var pages = 0
    var received = 0
    /// Pages without records, one after the other, up to here.
    var emptyPages = 0
    /// As the API declared them last.
    var total: Int?
    var totalPages: Int?
  }

  let plan: PaginatePlan
  var stand: Stand
  /// Of pages and offsets: where the walk was before the page that came last.
  var before: Stand?
  /// Digests of the bodies and positions that the walk has seen.
  var seen: Set<String> = []
  /// What the last page added to them, to be kept beside `saved`: give all of them back to go on.
  var marks: [String] = []
  /// The first page of each run that had a part in the walk.
  var attempts = [1]
  /// What could not be used, each said once.
  private(set) var warnings: [String] = []
  /// What matters only where something depends on the walk being complete.
  var hints: [String] = []
  /// Records of a page before that had fewer than the offset went on by.
  var shortPage: Int?
  private var hasSkipped = false
  /// Some page had `has_more`.
  var hasSaidMore = false
  private var warned: [KeyPath] = []
  /// Of the page before, and how many pages in a row have these records.
  private var latest: (digest: BodyDigest, pages: Int)?
  private let limit: Int
  private let maxPages: Int?

  /// `maxPages` is the command's; the smaller of it and the mapping's holds.
  init(_ plan: PaginatePlan, limit: Int, maxPages: Int? = nil) {
    self.plan = plan
    self.limit = limit
    self.maxPages = [plan.declaration.maxPages, maxPages].compactMap(\.self).min()
    stand = Stand(position: plan.firstPosition)
  }

  var kind: PaginateDeclaration.Kind { plan.declaration.by }
  var pages: Int { stand.pages }
  var received: Int { stand.received }

  /// What the next request sends.
  var ask: PageAsk {
    let rules = plan.declaration
    var parameters: [(parameter: PageParameter, value: Literal)] = []
    if let parameter = rules.sizeParam, let size = rules.size { parameters.append((parameter, .number(String(size)))) }
    let value: Literal?
    switch stand.position {
    case .url(let url): return .url(url)
    case .first: value = rules.start
    case .number(let number): value = .number(String(number))
    case .value(let literal): value = literal
    }
    if let parameter = rules.param, let value { parameters.append((parameter, value)) }
    return .parameters(parameters)
  }

  /// Key paths that paging reads in bodies.
  var bodyPaths: [KeyPath] { plan.paths.filter(\.isInBody) }

  /// Did an earlier page with records have this body?
  func repeats(_ body: BodyDigest) -> Bool { seen.contains(Self.mark(.body, body)) }

  /// What stands against another request; nil when nothing does. A walk that goes on may have no request left.
  var blocked: Next? {
    if let maxPages, stand.pages >= maxPages { return .bounded(maxPages) }
    return stand.pages >= limit ? .overLimit(limit) : nil
  }

  /// Counts a page that was taken, and decides. `request` is the one that it answers.
  mutating func next(records: PageCount, answer: AnswerValues, body: BodyDigest, request: HTTPRequest) -> Next {
    before = kind.isCounted ? stand : nil
    marks = []
    stand.pages += 1
    stand.received += records.first
    stand.emptyPages = records.all == 0 ? stand.emptyPages + 1 : 0
    if records.all > 0, !note(.body, body) { return .repeated(Self.repeatedBody) }
    // One record alone may come again by its number: a list that grows at its front moves on while it is read.
    if records.all > (kind.isCounted ? 1 : 0), let digest = records.digest, repeats(records: digest) {
      return .repeated(Self.repeatedRecords)
    }
    // Records behind those of a page that seemed to be the last.
    if records.first > 0, let shortPage { warnOfSkipped(after: shortPage) }
    noteFirst(request)
    var saysMore = false
    var next = verdict(records: records, answer: answer, saysMore: &saysMore)
    if case .page = next { next = advance(records: records, answer: answer, request: request, saysMore: saysMore) }
    if case .end = next, let total = stand.total, stand.received < total { return .short(declared: total) }
    guard case .page = next else { return next }
    return blocked ?? .page
  }

  static let repeatedBody =
    "it gave the same body as a page before: the API does not seem to follow what 'paginate' asks for"
  /// What to do where positions repeat.
  static let circle = "the pages lead in a circle; look at 'paginate', or tell the API's operators"
  static let repeatedRecords = "it gave the same records as a page before"

  /// A page that is asked for by its number is another page. What the API itself says how to ask for may bring a record
  /// again, as a list of changes does; but not always the same.
  private mutating func repeats(records digest: BodyDigest) -> Bool {
    #if FAULTS
      if Fault.repeats.isOn { return false }
    #endif
    if kind.isCounted { return !note(.records, digest) }
    latest = (digest, latest?.digest == digest ? (latest?.pages ?? 0) + 1 : 1)
    return latest?.pages ?? 0 > Self.mostAlike
  }

  /// Pages in a row.
  private static let mostAlike = 2

  /// How much of the walk has come, as far as the API says how much there is.
  var share: RunProgress.Share? {
    if let all = stand.total { return RunProgress.Share(done: stand.received, all: all, unit: .records) }
    return stand.totalPages.map { RunProgress.Share(done: stand.pages, all: $0, unit: .pages) }
  }

  // MARK: what was seen

  enum MarkKind: String {
    case body = "b"
    case position = "p"
    case records = "r"
  }

  /// False when it was seen before.
  mutating func note(_ kind: MarkKind, _ digest: BodyDigest) -> Bool {
    let mark = Self.mark(kind, digest)
    marks.append("\(stand.pages).\(attempts.count).\(mark)")
    return seen.insert(mark).inserted
  }

  static func mark(_ kind: MarkKind, _ digest: BodyDigest) -> String { kind.rawValue + digest.text }

  /// What the first request asked by must not come back either.
  private mutating func noteFirst(_ request: HTTPRequest) {
    guard stand.pages == 1 else { return }
    if kind.followsURLs {
      _ = note(.position, BodyDigest(of: request.identity(of: request.url)))
    } else if !kind.isCounted, let start = plan.declaration.start {
      _ = note(.position, BodyDigest(of: start.plainText))
    }
  }

  // MARK: warnings

  mutating func warn(_ text: String) { warnings.append(text) }

  /// By a fixed step, of a page that has fewer records.
  mutating func warnOfSkipped(after count: Int) {
    guard !hasSkipped, let step = plan.declaration.step ?? plan.declaration.size else { return }
    hasSkipped = true
    warn(
      "a page has \(count) records, and the next offset is \(step) further: records are skipped; leave out 'size' and "
        + "'step', or let 'size_param' ask for no more than the server gives")
  }

  /// A count that the API declares; one that cannot be used is named once.
  mutating func count(_ key: String, at path: KeyPath, in answer: AnswerValues) -> Int? {
    let (number, problem) = answer.count(path)
    if let problem, !warned.contains(path) {
      warned.append(path)
      warnings.append("'\(key)' is no number at '\(path.text)': \(problem); the walk goes on without it")
    }
    return number
  }
}

extension PaginatePlan {
  /// Key paths that paging reads in answers.
  var paths: [KeyPath] {
    let named = [declaration.from, declaration.hasMore, declaration.total, declaration.totalPages]
    return named.compactMap { $0?.value } + (stopCondition?.paths ?? [])
  }

  fileprivate var firstPosition: Pager.Position {
    guard declaration.by.isCounted else { return .first }
    // The reader takes whole numbers only.
    return .number(declaration.start.flatMap { Int($0.plainText) } ?? 0)
  }
}
