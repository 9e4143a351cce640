import JSONReading
import MappingLanguage
import PlanCompiler
import Values

/// The stop rules: any of them ends a walk.
extension Pager {
  /// `.page`, `.end`, or what went wrong. `saysMore`: the API says that more is to come.
  mutating func verdict(records: PageCount, answer: AnswerValues, saysMore: inout Bool) -> Next {
    let rules = plan.declaration
    noteCounts(answer)
    noteContradictions(records)
    if let condition = plan.stopCondition, answer.body != nil || !condition.paths.contains(where: \.isInBody),
      condition.holds(lookup: { answer.input($0) })
    {
      return .end
    }
    if case .short = rules.stopWhen, let size = rules.size, records.first < size { return .end }
    if let path = rules.hasMore?.value {
      switch hasMore(at: path, in: answer) {
      case nil: return end(at: path, in: answer, records)
      case .page: (saysMore, hasSaidMore) = (true, true)
      case let other?: return other
      }
    }
    if let total = stand.totalPages {
      if stand.pages >= total { return .end }
      saysMore = true
    }
    if let total = stand.total {
      if stand.received >= total { return .end }
      if stand.emptyPages >= 2 { return .short(declared: total) }
      saysMore = true
    }
    guard records.all == 0, !saysMore else { return .page }
    if namesNext(answer) {
      hints.append(
        "the page is empty but names a next one: the walk ends here; 'has_more', 'total' or 'total_pages' would let it "
          + "go on")
    }
    return .end
  }

  /// What came is more than there is said to be. The walk ends with it.
  private mutating func noteContradictions(_ records: PageCount) {
    if let total = stand.total, stand.received > total {
      warn("the API declares \(total) records ('total'), and \(stand.received) came: there may be more")
    }
    if let total = stand.totalPages, stand.pages > total, records.all > 0 {
      warn("the API declares \(total) pages ('total_pages'), and page \(stand.pages) has records: there may be more")
    }
  }

  /// What an API declares holds until it declares something else.
  private mutating func noteCounts(_ answer: AnswerValues) {
    let rules = plan.declaration
    if let path = rules.totalPages?.value, let pages = count("total_pages", at: path, in: answer) {
      stand.totalPages = pages
    }
    if let path = rules.total?.value, let total = count("total", at: path, in: answer) { stand.total = total }
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
    return .failed(
      "'has_more: \(path.text)' has to lead to true or false, and \(found): where that is a word, say it by "
        + "'stop_when'")
  }
}
