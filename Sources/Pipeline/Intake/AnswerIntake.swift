import Fetch
import JSONReading
import Mapper
import MappingLanguage
import PlanCompiler
import Store

/// An answer that is at hand, and that nobody has judged: of a file, or of the archive.
struct HandedAnswer {
  var source: BodySource
  var format: BodyFormat
  var context: BodyContext
  /// Whose error rules count.
  var endpoint: EndpointPlan
  /// How reports name the body.
  var name: String
  /// Nil where the answer was routed by an endpoint's name.
  var method: String?
  var url: String?
}

/// Takes in answers that are at hand: judges each by the error rules, then stores its rows.
struct AnswerIntake {
  let session: RunSession

  enum Taken {
    case taken
    /// A rule says that there are no rows here: the walk is partial.
    case ignored
    /// A rule says that the walk ends here.
    case ended
  }

  /// `closing` is what else belongs into the transaction of the rows.
  func take(
    _ answer: HandedAnswer, closing: (BodyIntake.Taken) throws -> Void = { _ in }
  ) throws(PipelineError) -> Taken {
    let judge = AnswerJudge(endpoint: answer.endpoint, plan: session.plan)
    let status = answer.context.status
    let isExpected = answer.endpoint.declaration.status.contains(status)
    let course: AnswerCourse
    do throws(BodyFailure) {
      var inspection: BodyInspection?
      if !isExpected || judge.looksInto(status: status) {
        inspection = try inspect(answer, paths: judge.paths(status: status))
      }
      course = judge.course(of: AnswerValues(body: inspection, context: answer.context))
        .redacted(by: session.redactor)
      if case .take = course.action {
        _ = try session.intake.take(
          answer.source, format: answer.format, context: answer.context, name: answer.name, closing: closing)
        session.sayWarnings()
        return .taken
      }
    } catch {
      throw try failed(error, answer)
    }
    return try refuse(answer, course: course)
  }

  private func inspect(_ answer: HandedAnswer, paths: [KeyPath]) throws(BodyFailure) -> BodyInspection? {
    do throws(JSONError) {
      return try session.context.inspect(
        answer.source, format: answer.format, paths: paths, isInterrupted: session.isInterrupted)
    } catch {
      throw BodyFailure(error, name: answer.name)
    }
  }

  /// Keeps why a body was not taken, and tells it.
  func failed(_ failure: BodyFailure, _ answer: HandedAnswer) throws(PipelineError) -> PipelineError {
    if case .interrupted = failure.cause { return .interrupted }
    let excerpt =
      failure.cause.isOfText ? Excerpt.text(of: answer.source, line: failure.line, by: session.redactor) : nil
    try session.record(entry(answer, code: failure.code, message: failure.message, excerpt: excerpt, action: "fail"))
    session.sayWarnings()
    return PipelineError("\(failure.name)\(failure.told(with: excerpt))")
  }

  /// An error answer: it is kept, and its rule decides what follows.
  private func refuse(_ answer: HandedAnswer, course: AnswerCourse) throws(PipelineError) -> Taken {
    let excerpt = Excerpt.text(of: answer.source, by: session.redactor)
    if let rule = course.rule { try session.keep(.rule(rule)) }
    try session.record(
      entry(answer, code: course.code, message: course.message, excerpt: excerpt, action: course.action.name))
    let text = AnswerText(
      endpoint: answer.endpoint.name, method: answer.method ?? "GET", url: answer.url ?? answer.name,
      status: answer.context.status, course: course, excerpt: excerpt
    ).text
    switch course.action {
    case .ignore:
      session.report(Message(.warning, "\(text); it is ignored, as its rule says"))
      return .ignored
    case .stop:
      session.report(Message(.info, "\(text); its rule ends the load"))
      return .ended
    default: throw PipelineError(text)
    }
  }

  private func entry(
    _ answer: HandedAnswer, code: String?, message: String?, excerpt: String?, action: String
  ) -> ErrorEntry {
    ErrorEntry(
      endpoint: answer.endpoint.name, method: answer.method, url: answer.url, status: answer.context.status, code: code,
      message: message, excerpt: excerpt, action: action)
  }
}
