import Fetch
import Pipeline
import Setup
import Store

/// Why something could not be done: everything that this library throws, save what your own closures throw.
///
/// Decide by ``code``; ``message`` is a sentence for people. Neither holds a secret of the
/// mapping, save those of fewer than four characters, which cannot be told from other text.
///
/// ```swift
/// do {
///   print(try await run.fetch())
/// } catch let error where error.code == .invalidMapping {
///   for diagnostic in error.diagnostics { print(diagnostic) }
/// } catch {
///   print(error.message, error.report?.received ?? 0)
/// }
/// ```
public struct IngestError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is. Later versions may have more codes.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code as a word, such as `invalid-mapping`.
    public let description: String

    /// A file cannot be read: a mapping, or a body.
    public static let unreadableFile = Code(description: "unreadable-file")
    /// The mapping has errors: see ``IngestError/diagnostics``.
    public static let invalidMapping = Code(description: "invalid-mapping")
    /// An argument of a call makes no sense: a variable that the mapping does not have, a page count of 0.
    public static let invalidArgument = Code(description: "invalid-argument")
    /// A table, column or relationship is asked for that is not there.
    public static let unknownName = Code(description: "unknown-name")
    /// A value is not of the Swift type asked for, or is null or missing where that type has no such value.
    public static let typeMismatch = Code(description: "type-mismatch")
    /// A run cannot begin as it is asked for: an endpoint is not known, a secret has no value, the store is none or
    /// would lose data. Nothing was asked or stored.
    public static let refused = Code(description: "refused")
    /// The run failed on its way: a request, a body, a limit. What was committed before stays, and the next run
    /// continues there.
    public static let failed = Code(description: "failed")
    /// The store cannot be read or written, or another run holds it.
    public static let store = Code(description: "store")
    /// The run was cancelled. What was committed before stays, and the next run continues there.
    public static let cancelled = Code(description: "cancelled")
  }

  /// What kind of failure it is.
  public let code: Code
  /// What happened, where, and what to do: a sentence for people, without a full stop.
  public let message: String
  /// The findings about the mapping, errors and warnings, in the order of their places; empty unless the code is
  /// ``Code/invalidMapping``.
  public let diagnostics: [MappingDiagnostic]
  /// What the run had received and stored when it ended; nil when none had begun.
  public let report: RunReport?

  /// The code and the message, and each diagnostic on lines of its own.
  public var description: String {
    (["\(code): \(message)"] + diagnostics.map(\.description)).joined(separator: "\n")
  }

  init(_ code: Code, _ message: String, diagnostics: [MappingDiagnostic] = [], report: RunReport? = nil) {
    self.code = code
    self.message = message
    self.diagnostics = diagnostics
    self.report = report
  }

  init(_ failure: PipelineError, report: RunReport? = nil) {
    let code: Code =
      switch failure.kind {
      case .failed: .failed
      case .refused: .refused
      case .interrupted: .cancelled
      }
    self.init(code, failure.message, report: report)
  }

  init(_ failure: StoreError, report: RunReport? = nil) {
    let code: Code =
      switch failure.code {
      case .refused: .refused
      case .interrupted: .cancelled
      case .unusable, .damaged, .busy, .diskFull, .constraint, .failed: .store
      }
    self.init(code, failure.message, report: report)
  }

  init(_ failure: StoreAddress.Failure) { self.init(failure.isUsage ? .refused : .store, failure.message) }

  init(_ failure: FetchError) { self.init(failure.code == .interrupted ? .cancelled : .failed, failure.message) }

  /// `name` is not among those that there are.
  static func unknown(_ what: String, _ name: String, among names: [String]) -> IngestError {
    let known = names.isEmpty ? "there is none" : "there are \(names.map { "'\($0)'" }.joined(separator: ", "))"
    return IngestError(.unknownName, "no \(what) is named '\(name)'; \(known)")
  }
}
