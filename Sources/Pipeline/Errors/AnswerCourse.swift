import Diagnostics
import Fetch
import JSONReading
import Mapper
import MappingLanguage
import PlanCompiler
import Values

/// What is to be done with an answer, by the rules of the endpoint, then of the top level.
struct AnswerCourse {
  enum Action {
    /// It is a response of the endpoint: its records are taken.
    case take
    /// The retry table decides, and without it the answer fails.
    case usual
    case fail
    case retry(ErrorRuleDeclaration.Wait?)
    case ignore
    case stop
    /// Another token is to be got, and the request sent once more.
    case refreshAuth

    /// As `_ingest_errors` names it, where no other try follows.
    var name: String {
      switch self {
      case .take: "take"
      case .usual, .fail, .retry, .refreshAuth: "fail"
      case .ignore: "ignore"
      case .stop: "stop"
      }
    }
  }

  var action: Action
  /// The API's own words, by the rule's `message`.
  var message: String?
  var code: String?
  /// The rule that fits, whether it says an action or not.
  var rule: SourceSpan?

  /// Key paths of the rule's words; empty where it names none.
  var wordPaths: [KeyPath] = []

  var hasRule: Bool { rule != nil }

  /// With the API's words as they are told and kept.
  func redacted(by redactor: Redactor) -> AnswerCourse {
    var course = self
    course.message = message.map { Excerpt.words($0, by: redactor) }
    course.code = code.map { Excerpt.words($0, by: redactor) }
    return course
  }

  static let take = AnswerCourse(action: .take)
}

/// The rules that an endpoint's answers are judged by: its own, then the top level's.
struct AnswerJudge {
  let endpoint: EndpointPlan
  let rules: [ErrorRulePlan]

  init(endpoint: EndpointPlan, plan: Plan) {
    self.endpoint = endpoint
    rules = endpoint.errors + plan.errors
  }

  /// Key paths that the rules read in a body with this status.
  func paths(status: Int) -> [KeyPath] {
    rules.filter { $0.fits(status: status) }.flatMap(\.paths).filter(\.isInBody)
  }

  /// Does judging a success need a look into its body? A rule that names its status makes an error of it, with a message.
  func looksInto(status: Int) -> Bool {
    rules.contains { ($0.condition != nil || $0.declaration.status != nil) && $0.fits(status: status) }
  }

  /// Is it a response of the endpoint, whatever is in it?
  func takes(status: Int) -> Bool {
    endpoint.declaration.status.contains(status) && !looksInto(status: status)
  }

  func course(of answer: AnswerValues) -> AnswerCourse {
    let status = answer.context.status
    let isExpected = endpoint.declaration.status.contains(status)
    for rule in rules where rule.fits(status: status) {
      // A rule without a status and a condition would make an error of every success.
      if rule.condition == nil, rule.declaration.status == nil, isExpected { continue }
      if let condition = rule.condition, !answer.holds(condition) { continue }
      return AnswerCourse(
        action: action(of: rule), message: answer.text(of: rule.declaration.message.map(\.value)),
        code: answer.text(of: rule.declaration.code.map(\.value)), rule: rule.declaration.span,
        wordPaths: (rule.declaration.message + rule.declaration.code).map(\.value))
    }
    if isExpected { return .take }
    return AnswerCourse(action: .usual)
  }

  private func action(of rule: ErrorRulePlan) -> AnswerCourse.Action {
    switch rule.declaration.action {
    case nil: .usual
    case .fail: .fail
    case .refreshAuth: .refreshAuth
    case .retry: .retry(rule.declaration.wait)
    case .ignore: .ignore
    case .stop: .stop
    }
  }
}

extension ErrorRulePlan {
  /// What it reads of an answer.
  var paths: [KeyPath] {
    (condition?.paths ?? []) + declaration.message.map(\.value) + declaration.code.map(\.value)
      + [declaration.wait?.keyPath?.value].compactMap { $0 }
  }
}
