import JSONReading
import MappingLanguage
import PlanCompiler
import Values

/// `paginate: {by: page}`: which page comes next, and when the walk ends.
struct PageCounter {
  enum Next {
    case page
    case end
    /// The bound of `max_pages`: the walk is partial.
    case bounded(Int)
    /// There is another page than `limits.pages` allows.
    case overLimit(Int)
    /// What the API says of further pages cannot be understood.
    case unreadable(String)
    /// Fewer records came than the API declared.
    case short(declared: Int)
    /// A page came again.
    case repeated
  }

  let plan: PaginatePlan
  private(set) var page: Int
  private(set) var pages = 0
  private(set) var received = 0
  private var emptyPages = 0
  /// Counts that could not be used, each said once.
  private(set) var warnings: [String] = []
  private var warned: [KeyPath] = []
  private let limit: Int
  private let maxPages: Int?
  /// What `page`, `pages` and `received` were before the last page.
  private var before = [0, 0, 0]

  init(_ plan: PaginatePlan, limit: Int, maxPages: Int?) {
    self.plan = plan
    self.limit = limit
    self.maxPages = [plan.declaration.maxPages, maxPages].compactMap(\.self).min()
    page = plan.declaration.start
  }

  /// Goes on one page earlier than where the walk was cut: rows may have moved between pages meanwhile.
  init?(_ plan: PaginatePlan, limit: Int, maxPages: Int?, resuming saved: String) {
    let numbers = saved.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    self.init(plan, limit: limit, maxPages: maxPages)
    (page, pages, received) = (numbers[0], numbers[1], numbers[2])
  }

  var saved: String { before.map(String.init).joined(separator: " ") }

  var parameters: [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    if let name = plan.declaration.sizeParam, let size = plan.declaration.size {
      parameters.append((name.value, String(size)))
    }
    parameters.append((plan.declaration.param.value, String(page)))
    return parameters
  }

  /// Key paths that the stop rules read.
  var paths: [KeyPath] {
    [plan.declaration.hasMore?.value, plan.declaration.total?.value, plan.declaration.totalPages?.value].compactMap {
      $0
    }
      + (plan.stopCondition?.paths ?? [])
  }

  /// Those that are in the body.
  var bodyPaths: [KeyPath] { paths.filter(\.isInBody) }

  /// Counts a page that was taken, and decides.
  mutating func next(records: Int, answer: AnswerValues) -> Next {
    before = [page, pages, received]
    pages += 1
    received += records
    emptyPages = records == 0 ? emptyPages + 1 : 0
    let verdict = verdict(records: records, answer: answer)
    guard case .page = verdict else { return verdict }
    if let bound = maxPages, pages >= bound { return .bounded(bound) }
    if pages >= limit { return .overLimit(limit) }
    page += plan.declaration.step
    return .page
  }

  private mutating func verdict(records: Int, answer: AnswerValues) -> Next {
    let rules = plan.declaration
    if let condition = plan.stopCondition, answer.body != nil || !condition.paths.contains(where: \.isInBody),
      condition.holds(lookup: { answer.input($0) })
    {
      return .end
    }
    if case .short = rules.stopWhen, let size = rules.size, records < size { return .end }
    var saysMore = false
    if let path = rules.hasMore?.value {
      switch hasMore(at: path, in: answer) {
      case nil: return .end
      case .page: saysMore = true
      case let other?: return other
      }
    }
    if let path = rules.totalPages?.value, let total = count("total_pages", at: path, in: answer) {
      if pages >= total { return .end }
      saysMore = true
    }
    if let path = rules.total?.value, let total = count("total", at: path, in: answer) {
      if received >= total { return .end }
      if emptyPages >= 2 { return .short(declared: total) }
      saysMore = true
    }
    return records == 0 && !saysMore ? .end : .page
  }

  /// Nil where there is no more: it is false or missing.
  private func hasMore(at path: KeyPath, in answer: AnswerValues) -> Next? {
    let found: String
    switch answer.find(path) {
    case .missing, .null: return nil
    case .value(let raw) where raw.kind == .boolean: return raw.flag ? .page : nil
    // A header is text always.
    case .value(let raw) where !path.isInBody && raw.kind == .text && raw.text.elementsEqual("true".utf8): return .page
    case .value(let raw) where !path.isInBody && raw.kind == .text && raw.text.elementsEqual("false".utf8): return nil
    case .value(let raw): found = "it is \(raw.spoken)"
    case .wrong(let reason): found = reason
    }
    return .unreadable("'has_more' is true or false, and not what stands at '\(path.text)': \(found)")
  }

  /// A count that the API declares; one that cannot be used is named once.
  private mutating func count(_ key: String, at path: KeyPath, in answer: AnswerValues) -> Int? {
    let (number, problem) = answer.count(path)
    if let problem, !warned.contains(path) {
      warned.append(path)
      warnings.append("'\(key)' is no number at '\(path.text)': \(problem); the walk goes on without it")
    }
    return number
  }
}
