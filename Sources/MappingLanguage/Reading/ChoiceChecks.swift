import Diagnostics

/// What can be said of a choice's cases together: which of them nothing reaches, and that choices come to an end.
struct ChoiceChecks {
  let index: RecordIndex
  let context: ReadingContext

  func check(_ choice: RecordDeclaration) {
    guard let cases = choice.cases else { return }
    unreachable(cases)
    // Through choices only: a record may well contain the choice that it belongs to.
    for case .record(let name) in cases.map(\.outcome)
    where index.names(from: name.value).contains(where: { $0.isSame(as: choice.name.value) }) {
      context.report(
        .badRelationship, "the choice '\(choice.name.value)' leads back to itself", at: name.span,
        hint: "name a record that has fields")
    }
  }

  private func unreachable(_ cases: [CaseDeclaration]) {
    for (number, later) in cases.enumerated() {
      let taken = cases[..<number].first { earlier in
        guard let condition = earlier.when else { return true }
        return later.when.map { condition.covers($0) } ?? false
      }
      guard let taken else { continue }
      let place = (taken.whenSpan ?? taken.span).place(from: later.span)
      if taken.when == nil {
        context.report(
          .unused, "nothing reaches this case: the 'else' in \(place) takes all values before it", at: later.span,
          hint: "put 'else' last", severity: .warning)
      } else {
        context.report(
          .unused, "nothing reaches this case: the condition in \(place) takes its values before it",
          at: later.whenSpan ?? later.span, severity: .warning)
      }
    }
  }
}
