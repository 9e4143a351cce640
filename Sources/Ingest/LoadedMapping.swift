package import Diagnostics
import Glibc
package import MappingLanguage
package import PlanCompiler
import Records
import Values

/// A mapping that was read and compiled: what every command begins with.
package struct LoadedMapping: Sendable {
  package let mapping: Mapping
  package let plan: Plan
  package let scope: Interpolation

  /// What the mapping is compiled for.
  package enum Purpose: Sendable {
    /// Variables need no value, and no secret is read.
    case checking
    /// `settings` are those of `--set`.
    case running(settings: [(name: String, value: String)], secrets: Secrets)
  }

  package struct Outcome: Sendable {
    /// Nil when findings forbid it.
    package var loaded: LoadedMapping?
    package var diagnostics: [Diagnostic]
  }

  /// Why a mapping cannot even be looked at, or not with these settings: exit code 2.
  package struct Failure: Error, Sendable {
    package var message: String

    package init(message: String) { self.message = message }
  }

  /// Reads a mapping's file, what it includes, and compiles it.
  package static func read(_ path: String, for purpose: Purpose) throws(Failure) -> Outcome {
    switch FileText.read(path, limit: 8 << 20) {
    case .failed(let reason): throw Failure(message: "the mapping '\(path)' cannot be read: \(reason)")
    case .bytes(let bytes): return try read(SourceFile(name: path, bytes: bytes), for: purpose)
    }
  }

  package static func read(_ file: SourceFile, for purpose: Purpose) throws(Failure) -> Outcome {
    let (mapping, findings) = MappingReader.read(file) { path throws(IncludeFailure) in
      switch FileText.read(path, limit: 8 << 20) {
      case .bytes(let bytes): return bytes
      case .failed(let reason): throw IncludeFailure(reason: reason)
      }
    }
    guard let mapping else { return Outcome(loaded: nil, diagnostics: findings) }
    let scope = try scope(of: mapping, for: purpose)
    let (plan, more) = PlanCompiler.compile(mapping, scope: scope)
    // What the reader has found already is not said twice, in other words.
    let known = Set(findings.map(FindingPlace.init))
    let fresh = more.filter { !known.contains(FindingPlace($0)) }
    let diagnostics = (findings + fresh).inOrder()
    guard let plan, !diagnostics.containsErrors else { return Outcome(loaded: nil, diagnostics: diagnostics) }
    return Outcome(loaded: LoadedMapping(mapping: mapping, plan: plan, scope: scope), diagnostics: diagnostics)
  }

  // MARK: variables

  private static func scope(of mapping: Mapping, for purpose: Purpose) throws(Failure) -> Interpolation {
    var variables = mapping.variables.map {
      Interpolation.Variable(name: $0.name.value, type: $0.type?.value, value: $0.defaultValue?.value)
    }
    guard case .running(let settings, let secrets) = purpose else {
      return Interpolation(variables: variables, now: .now(), isChecking: true, environment: { _ in nil })
    }
    for setting in settings {
      guard let index = variables.firstIndex(where: { $0.name.utf8.elementsEqual(setting.name.utf8) }) else {
        let known = variables.map { "'\($0.name)'" }.joined(separator: ", ")
        throw Failure(
          message: "--set names the variable '\(setting.name)', which the mapping does not have"
            + (known.isEmpty ? "" : "; it has \(known)"))
      }
      variables[index].value = try literal(setting.value, for: variables[index])
    }
    return Interpolation(
      variables: variables, now: .now(), secret: { secrets.value($0) },
      environment: { name in getenv(name).map { String(cString: $0) } })
  }

  /// The text of `--set` as the variable's type has it; without one, as its default is written.
  private static func literal(_ text: String, for variable: Interpolation.Variable) throws(Failure) -> Literal {
    let type =
      switch (variable.type, variable.value) {
      case (let type?, _): type
      case (nil, .number?): ColumnType.decimal
      case (nil, .boolean?): ColumnType.boolean
      default: ColumnType.text
      }
    switch (Literal.text(text).typed(as: type), variable.type) {
    case (.invalid(let reason), _): throw Failure(message: "--set \(variable.name)=\(text): \(reason)")
    case (.literal(.null), _):
      throw Failure(message: "--set \(variable.name)=\(text): \(type.rawValue) has no blank value")
    // Without a type of its own, a number stays one.
    case (.literal(.text(let digits)), nil) where type == .decimal: return .number(digits)
    case (.literal(let literal), _): return literal
    }
  }
}

/// What tells findings apart.
private struct FindingPlace: Hashable {
  let code: DiagnosticCode
  let file: ObjectIdentifier
  let start: SourcePosition

  init(_ finding: Diagnostic) {
    code = finding.code
    file = ObjectIdentifier(finding.span.file)
    start = finding.span.start
  }
}
