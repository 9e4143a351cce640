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
    let fresh = more.filter { finding in
      !findings.contains { $0.code == finding.code && $0.span.start == finding.span.start }
    }
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

  /// The text of `--set` as the variable's type has it.
  private static func literal(_ text: String, for variable: Interpolation.Variable) throws(Failure) -> Literal {
    let isNumeric =
      switch (variable.type, variable.value) {
      case (.integer, _), (.real, _), (.decimal, _), (nil, .number): true
      default: false
      }
    let isBoolean = variable.type == .boolean || (variable.type == nil && variable.value.map(isBoolean) == true)
    let type = variable.type ?? (isNumeric ? .decimal : isBoolean ? .boolean : .text)
    if let reason = invalid(text, as: type) {
      throw Failure(message: "--set \(variable.name)=\(text): \(reason)")
    }
    if isNumeric { return .number(text) }
    if isBoolean { return .boolean(["true", "t", "yes", "y", "on", "1"].contains(text.lowercased())) }
    return .text(text)
  }

  private static func isBoolean(_ literal: Literal) -> Bool {
    if case .boolean = literal { true } else { false }
  }

  private static func invalid(_ text: String, as type: ColumnType) -> String? {
    guard let conversion = Conversion.compile(ConversionSpec(type: type)).conversion else { return nil }
    if case .invalid(let reason) = conversion.convert(.text(text), into: ByteArena()) { return reason }
    return nil
  }
}
