import JSONReading
import PlanCompiler
import Records
import Values

/// Choices and conditions: which record a value is, and whether it counts at all.
extension BodyMapper {
  /// Sets the element's branch: the number among `declarations` of the record that it is. What the choice skips or
  /// rejects is counted under the choice's name.
  func choose(_ declarations: [Int], by choice: Int, for element: inout Element) {
    let value = element.value
    // The conditions see the value in its place, as the record's own conditions do.
    frames.append(Frame(row: -1, value: value, slots: 0, element: element))
    defer { frames.removeLast() }
    element.branch = Element.noBranch
    var choice = choice
    // Ends: the compiler refuses choices that lead back to themselves.
    while true {
      let plan = plan.choices[choice]
      let fitting = plan.cases.firstIndex { $0.condition?.holds(lookup: { self.input($0, of: value) }) ?? true }
      if let fitting { coverage?.note(PlanCoverage.Case(choice: choice, number: fitting)) }
      switch fitting.map({ plan.cases[$0].outcome }) ?? .reject {
      case .record(let declaration):
        if let branch = declarations.firstIndex(of: declaration) { element.branch = branch }
        return
      case .choice(let other): choice = other
      case .skip:
        counts[plan.record].received += 1
        counts[plan.record].skipped += 1
        return
      case .reject:
        counts[plan.record].received += 1
        counts[plan.record].rejected += 1
        unsweepable.insert(plan.record)
        element.branch = Element.rejected
        return reject(
          record: plan.record, value: value, field: nil, reason: "no case of the choice takes it",
          contexts: contextsOfChoice)
      }
    }
  }

  /// Of a record at a place: what its mapping would have read, whichever record it is.
  private var contextsOfChoice: [KeyPath] {
    guard frames.count == 1, let position else { return [] }
    return contextsKept(at: position.place)
  }

  private func input(_ path: KeyPath, of value: JSONValue) -> ConditionInput {
    guard path.origin == .value else {
      return input(findContext(PathAccess(origin: .context, path: path, rest: path.dropping(0))))
    }
    return input(path.steps.isEmpty ? found(value) : evaluate(path, on: value, path: path))
  }

  /// Does the record that is being mapped meet the condition?
  func holds(_ condition: RecordCondition, base: Int) -> Bool {
    condition.condition.holds { (number: Int) in self.input(self.find(condition.accesses[number], base: base)) }
  }

  /// A wrong shape on the way counts as missing.
  private func input(_ found: Found) -> ConditionInput {
    switch found {
    case .missing, .wrong: .missing
    case .null: .value(.null)
    case .value(let raw): .value(raw)
    }
  }
}
