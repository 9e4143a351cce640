import Diagnostics
import MarkedYAML

/// Reads an item of `errors`.
enum ErrorRuleReader {
  /// Nil where its status or condition cannot be read: without them it would be for other answers.
  static func rule(_ node: YAMLNode, _ context: ReadingContext) -> ErrorRuleDeclaration? {
    guard let view = MapView(node, as: .errorRule) else { return nil }
    let status = StatusReader.status(view.node("status"))
    let when = view.node("when").flatMap(ConditionReader.condition)
    if status == nil && when == nil || view.has("status") && status == nil || view.has("when") && when == nil {
      return nil
    }
    var rule = ErrorRuleDeclaration(status: status, when: when, span: node.span)
    rule.whenPaths = ConditionReader.paths(view.node("when"))
    rule.action = view.word("action", as: ErrorRuleDeclaration.Action.self)?.value
    rule.actionSpan = view.node("action")?.span
    rule.message = view.keyPaths("message")
    rule.code = view.keyPaths("code")
    if let wait = view.map("wait", as: .wait) {
      rule.wait = ErrorRuleDeclaration.Wait(
        header: wait.text("header")?.value, keyPath: wait.keyPath("key_path"), defaultWait: wait.duration("default"))
      if let span = view.entry("wait")?.keySpan {
        checkWait(rule, hasAction: view.has("action") || view.hasMisspelt("action"), at: span, context)
      }
    }
    return rule
  }

  private static func checkWait(
    _ rule: ErrorRuleDeclaration, hasAction: Bool, at span: SourceSpan, _ context: ReadingContext
  ) {
    if let action = rule.action, action != .retry {
      context.report(.conflictingKeys, "'wait' belongs to 'action: retry', not '\(action.rawValue)'", at: span)
    } else if !hasAction {
      context.report(
        .unused, "'wait' has no effect without 'action: retry'", at: span, hint: "add 'action: retry'",
        severity: .warning)
    }
  }
}
