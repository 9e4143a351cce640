import Diagnostics

/// A finding about a mapping: what is wrong, where, and what to do.
///
/// Its ``description`` is what `ingest validate` prints:
///
/// ```text
/// boats.yaml:7:12: error[unknown-type]: no type is named 'interger'
///     types: {interger: id}
///             ^~~~~~~~
///   hint: did you mean 'integer'?
/// ```
public struct MappingDiagnostic: Sendable, Hashable, CustomStringConvertible {
  /// Whether the finding forbids to use the mapping.
  public enum Severity: String, Sendable, Hashable {
    /// The mapping cannot be used.
    case error
    /// The mapping can be used, though it hardly says what is meant.
    case warning
  }

  /// Short words in kebab-case, such as `unknown-type`; a code keeps its meaning from version to version.
  public let code: String
  /// Whether the finding forbids to use the mapping.
  public let severity: Severity
  /// The fact, in lower case and without a full stop.
  public let message: String
  /// What to do about it, if there is one thing to do.
  public let hint: String?
  /// The name of the file, as it was given or as an `include` has it.
  public let file: String
  /// The line of the place, from 1.
  public let line: Int
  /// The column of the place, in Unicode scalars from 1.
  public let column: Int
  /// The finding with its line of the file, the place underlined; without a line break at its end.
  public let description: String

  init(_ diagnostic: Diagnostic) {
    code = diagnostic.code.rawValue
    severity =
      switch diagnostic.severity {
      case .error: .error
      case .warning: .warning
      }
    message = diagnostic.message
    hint = diagnostic.hint
    file = diagnostic.span.file.name
    (line, column) = (diagnostic.span.start.line, diagnostic.span.start.column)
    let text = DiagnosticPrinter.text([diagnostic], colour: false)
    description = text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
