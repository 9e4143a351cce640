import Fetch
import JSONReading
import Mapper
import MappingLanguage
import PlanCompiler
import Values

/// What an answer that gives no token says for itself: by the mapping's error rules, else as OAuth 2 and most others write
/// it.
struct RefusalWords {
  private(set) var message: String?
  private(set) var code: String?

  private static let messages = ["error_description", "error.message", "message", "detail"]
  private static let codes = ["error", "error.code", "code"]

  init(of response: HTTPResponse, to request: HTTPRequest, in run: RunContext) {
    let rules = run.plan.errors.filter { $0.fits(status: response.status) }
    let own = (Self.messages + Self.codes).compactMap { try? KeyPath.parse($0) }
    let paths = rules.flatMap(\.paths).filter(\.isInBody) + own
    let body = try? run.inspect(response.body.source, format: BodyFormat(), paths: paths)
    let answer = AnswerValues(
      body: body,
      context: BodyContext(
        matches: [], query: [], url: run.shownURL(of: request), status: response.status,
        headers: response.headers.map { ($0.name.lowercased(), $0.value) }, fetchedAt: "", runID: run.runID,
        variables: run.variables))
    if let rule = rules.first(where: { $0.condition.map(answer.holds) ?? true }) {
      message = answer.text(of: rule.declaration.message.map(\.value))
      code = answer.text(of: rule.declaration.code.map(\.value))
    }
    message = message ?? Self.scalar(Self.messages, in: answer)
    code = code ?? Self.scalar(Self.codes, in: answer)
  }

  /// The first that is a text or a number.
  private static func scalar(_ paths: [String], in answer: AnswerValues) -> String? {
    for text in paths {
      guard let path = try? KeyPath.parse(text), case .value(let value) = answer.find(path),
        value.kind == .text || value.kind == .number
      else { continue }
      return answer.text(of: [path])
    }
    return nil
  }

  /// ` (CODE): MESSAGE`, as far as there is one.
  var text: String { (code.map { " (\($0))" } ?? "") + (message.map { ": \($0)" } ?? "") }
  var isEmpty: Bool { message == nil && code == nil }
}
