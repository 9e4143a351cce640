import Diagnostics
import MappingLanguage
import Values

/// Error rules and stop rules: conditions compiled, with the key paths that they read.
extension PlanCompiler {
  mutating func compileRule(_ rule: ErrorRuleDeclaration) -> ErrorRulePlan {
    ErrorRulePlan(declaration: rule, condition: rule.when.flatMap { compileCondition($0, at: rule.span) })
  }

  mutating func compilePaging(_ paginate: PaginateDeclaration) -> PaginatePlan {
    guard case .condition(let condition) = paginate.stopWhen else {
      return PaginatePlan(declaration: paginate, stopCondition: nil)
    }
    return PaginatePlan(declaration: paginate, stopCondition: compileCondition(condition, at: paginate.span))
  }

  /// A condition on a record's own value, its key paths resolved against the record's members.
  mutating func recordCondition(_ condition: Located<Condition>?, members: MemberTree) -> RecordCondition? {
    guard let condition, let compiled = compileCondition(condition.value, at: condition.span) else { return nil }
    return RecordCondition(condition: compiled, accesses: compiled.paths.map { access($0, members: members) })
  }

  mutating func compileCondition(_ condition: Condition, at span: SourceSpan) -> CompiledCondition? {
    let (compiled, issues) = CompiledCondition.compile(condition)
    for issue in issues { report(.badRegularExpression, issue.message, at: span) }
    return compiled
  }
}
