import JSONReading
import MappingLanguage
import PlanCompiler

/// Key paths of `paginate` that an answer does not have. That ends a walk, and so would a mistake in the key path.
extension Pager {
  /// `has_more` is not true. A next page that is named all the same, by an API that never had `has_more`, is one that
  /// nobody would ask for.
  mutating func end(at hasMore: KeyPath, in answer: AnswerValues, _ records: PageCount) -> Next {
    guard case .missing = answer.find(hasMore) else { return .end }
    // An API that had it before leaves it out where it is false.
    if !hasSaidMore, namesNext(answer) {
      let named = plan.declaration.from.map { "'\($0.value.text)'" } ?? "a link with rel=next"
      return .incomplete(
        "'\(hasMore.text)' (has_more) is not there, and \(named) names a next page; if the last page is like that, "
          + "'stop_when: {\(hasMore.text): {not: true}}' says so in place of 'has_more'")
    }
    noteAbsence(of: hasMore, "has_more", in: answer, records)
    return .end
  }

  /// The cursor or next URL is not there, and nothing says that more is to come.
  mutating func noteAbsence(in answer: AnswerValues, _ records: PageCount, _ saysMore: Bool) {
    guard !saysMore, let path = plan.declaration.from?.value else { return }
    noteAbsence(of: path, "from", in: answer, records)
  }

  /// Of a walk that ends with its first page: whether the API leaves it out on last pages, or never had it, cannot be told
  /// apart.
  mutating func noteAbsence(of path: KeyPath, _ key: String, in answer: AnswerValues, _ records: PageCount) {
    guard stand.pages == 1, records.all > 0, case .missing = answer.find(path) else { return }
    hints.append(
      "'\(path.text)' (\(key)) is not there, so the walk ends with its first page; if the API leaves it out where nothing "
        + "follows, 'stop_when: {\(path.text): null}' says so")
  }
}
