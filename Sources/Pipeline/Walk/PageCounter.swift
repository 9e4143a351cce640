import JSONReading
import MappingLanguage
import PlanCompiler
import Values

/// `paginate: {by: page}`: which page comes next, and when the walk ends.
struct PageCounter {
  enum Next {
    case page
    case end
    /// The bound of `max_pages` or `limits.pages`: the walk is partial.
    case bounded(Int)
    /// Fewer records came than the API declared.
    case short(declared: Int)
  }

  let plan: PaginatePlan
  private(set) var page: Int
  private(set) var pages = 0
  private(set) var received = 0
  private var emptyPages = 0
  private let limit: Int

  init(_ plan: PaginatePlan, limit: Int) {
    self.plan = plan
    self.limit = limit
    page = plan.declaration.start
  }

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

  /// Counts a page that was taken, and decides.
  mutating func next(records: Int, body: BodyInspection?) -> Next {
    pages += 1
    received += records
    emptyPages = records == 0 ? emptyPages + 1 : 0
    let verdict = verdict(records: records, body: body)
    guard case .page = verdict else { return verdict }
    if let bound = plan.declaration.maxPages, pages >= bound { return .bounded(bound) }
    if pages >= limit { return .bounded(limit) }
    page += plan.declaration.step
    return .page
  }

  private func verdict(records: Int, body: BodyInspection?) -> Next {
    let rules = plan.declaration
    if let condition = plan.stopCondition, let body, condition.holds(lookup: { body.input($0) }) { return .end }
    if case .short = rules.stopWhen, let size = rules.size, records < size { return .end }
    var saysMore = false
    if let path = rules.hasMore?.value {
      guard case .value(let value)? = body?.lookup(path), value.kind == .true else { return .end }
      saysMore = true
    }
    if let path = rules.totalPages?.value, let total = body?.integer(path) {
      if pages >= total { return .end }
      saysMore = true
    }
    if let path = rules.total?.value, let total = body?.integer(path) {
      if received >= total { return .end }
      if emptyPages >= 2 { return .short(declared: total) }
      saysMore = true
    }
    return records == 0 && !saysMore ? .end : .page
  }
}
