import Diagnostics
import JSONReading
import MappingLanguage
import Values

/// Error rules and stop rules: conditions compiled, with the key paths that they read.
extension PlanCompiler {
  mutating func compileRule(_ rule: ErrorRuleDeclaration) -> ErrorRulePlan {
    ErrorRulePlan(
      declaration: rule, condition: rule.when.flatMap { compileCondition($0, at: rule.span) },
      conditionPaths: rule.when?.keyPaths ?? [])
  }

  mutating func compilePaging(_ paginate: PaginateDeclaration) -> PaginatePlan {
    guard case .condition(let condition) = paginate.stopWhen else {
      return PaginatePlan(declaration: paginate, stopCondition: nil, stopPaths: [])
    }
    return PaginatePlan(
      declaration: paginate, stopCondition: compileCondition(condition, at: paginate.span),
      stopPaths: condition.keyPaths)
  }

  private mutating func compileCondition(_ condition: Condition, at span: SourceSpan) -> CompiledCondition? {
    let (compiled, issues) = CompiledCondition.compile(condition)
    for issue in issues { report(.badRegularExpression, issue.message, at: span, hint: issue.hint) }
    return compiled
  }
}
