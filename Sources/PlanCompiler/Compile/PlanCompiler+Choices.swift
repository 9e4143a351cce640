import Diagnostics
import MappingLanguage
import Values

/// Choices: records that are one of several others.
extension PlanCompiler {
  /// All choices have their number before the first is compiled, so that they may name one another.
  mutating func compileChoices() {
    for (index, declaration) in mapping.records.enumerated() where declaration.isChoice {
      choiceOf[index] = choices.count
      declarationOfChoice.append(index)
      choices.append(ChoicePlan(record: countedName(declaration.name.value), cases: []))
    }
    for (index, choice) in choiceOf {
      choices[choice].cases = (mapping.records[index].cases ?? []).compactMap { compileCase($0) }
    }
  }

  private mutating func compileCase(_ declaration: CaseDeclaration) -> ChoicePlan.Case? {
    var condition: CompiledCondition?
    if let when = declaration.when {
      guard let compiled = compileCondition(when, at: declaration.span) else { return nil }
      condition = compiled
    }
    switch declaration.outcome {
    case .skip: return ChoicePlan.Case(condition: condition, outcome: .skip)
    case .reject: return ChoicePlan.Case(condition: condition, outcome: .reject)
    case .record(let name):
      guard let index = recordIndex(name.value) else { return nil }
      if let choice = choiceOf[index] { return ChoicePlan.Case(condition: condition, outcome: .choice(choice)) }
      return ChoicePlan.Case(condition: condition, outcome: .record(declaration: index))
    }
  }

  /// The records with fields that a record stands for: itself, or those of its cases, each once; nil when a choice
  /// leads back to itself.
  func leaves(of index: Int) -> [Int]? {
    var found: [Int] = []
    var met: Set<Int> = []
    func visit(_ index: Int, _ way: [Int]) -> Bool {
      guard let choice = choiceOf[index] else {
        if met.insert(index).inserted { found.append(index) }
        return true
      }
      guard !way.contains(choice) else { return false }
      for entry in choices[choice].cases {
        switch entry.outcome {
        case .record(let declaration): if !visit(declaration, way) { return false }
        case .choice(let other):
          if !visit(declarationOfChoice[other], way + [choice]) { return false }
        case .skip, .reject: continue
        }
      }
      return true
    }
    return visit(index, []) ? found : nil
  }

  /// Notes a record as used, with the choices on the way to it.
  mutating func reach(_ index: Int) {
    guard reached.insert(index).inserted, let choice = choiceOf[index] else { return }
    for entry in choices[choice].cases {
      switch entry.outcome {
      case .record(let declaration): reach(declaration)
      case .choice(let other): reach(declarationOfChoice[other])
      case .skip, .reject: continue
      }
    }
  }
}
