import Diagnostics
import JSONReading
import MappingLanguage
import Values

/// Error rules and stop rules: conditions compiled, with the key paths that they read.
extension PlanCompiler {
  mutating func compileRule(_ rule: ErrorRuleDeclaration) -> ErrorRulePlan {
    ErrorRulePlan(declaration: rule, condition: rule.when.flatMap { compileCondition($0, at: rule.span) })
  }

  mutating func compilePaging(_ paginate: PaginateDeclaration, isNDJSON: Bool) -> PaginatePlan {
    var plan = PaginatePlan(declaration: paginate, stopCondition: nil)
    if case .condition(let condition) = paginate.stopWhen {
      plan.stopCondition = compileCondition(condition.value, at: condition.span)
    }
    if isNDJSON { checkLines(plan) }
    return plan
  }

  /// Lines are records: there is nothing beside them that paging could read.
  private mutating func checkLines(_ plan: PaginatePlan) {
    let paging = plan.declaration
    let paths = [paging.from, paging.hasMore, paging.total, paging.totalPages].compactMap(\.self)
    var conditions: [Located<KeyPath>] = []
    if case .condition(let condition) = paging.stopWhen {
      conditions = (plan.stopCondition?.paths ?? []).map { Located($0, at: condition.span) }
    }
    for path in paths + conditions where path.value.isInBody {
      report(
        .badKeyPath, "paging reads '\(path.value.text)' in the body, and of NDJSON nothing but records is read",
        at: path.span, hint: "read it in a header: '$response.headers.x-next'")
    }
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
