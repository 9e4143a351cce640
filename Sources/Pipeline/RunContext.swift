import Diagnostics
import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler
import Values

/// What all parts of a run read, from any thread.
struct RunContext: Sendable {
  let mapping: Mapping
  let plan: Plan
  let scope: Interpolation
  let redactor: Redactor
  let runID: Int64
  /// Asked between pages, bodies and parts of a body.
  let isInterrupted: @Sendable () -> Bool
  /// What is told how far the run is.
  var progress = RunProgress()

  /// `$var` values of records.
  var variables: [(name: String, value: Literal)] {
    scope.variables.compactMap { variable in variable.value.map { (variable.name, $0) } }
  }

  /// The request as messages show it: method and URL.
  func shown(_ request: HTTPRequest) -> String { "\(request.method) \(shownURL(of: request))" }

  /// Credentials are removed.
  func shownURL(of request: HTTPRequest) -> String {
    redactor.redacted(url: request.url, credentialParams: request.credentialParams)
  }

  /// Reads single values of a body, or gives nil when it is no JSON. Throws when one of them is not one value: a member
  /// on the way stands twice, or it is too large.
  func inspect(
    _ source: BodySource, format: BodyFormat, paths: [KeyPath],
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(JSONError) -> BodyInspection? {
    guard !paths.isEmpty, !format.isNDJSON else { return nil }
    do throws(JSONError) {
      return try BodyInspection(
        of: source, format: format, limits: mapping.source.limits.json, paths: paths, isInterrupted: isInterrupted)
    } catch {
      switch error.code {
      case .syntax, .invalidText, .io: return nil
      case .duplicateMember, .limitDepth, .limitRecord, .interrupted: throw error
      }
    }
  }
}
