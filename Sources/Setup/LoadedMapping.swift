package import Diagnostics
import Glibc
package import MappingLanguage
import Pipeline
package import PlanCompiler
import Records
import Values

/// A mapping that was read and compiled: what every command begins with.
package struct LoadedMapping: Sendable {
  package let mapping: Mapping
  package let plan: Plan
  package private(set) var scope: Interpolation

  /// The same, with secrets from elsewhere.
  package func replacing(secret: @escaping @Sendable (String) -> String?) -> LoadedMapping {
    var loaded = self
    loaded.scope.secret = secret
    return loaded
  }

  /// What the mapping is compiled for.
  package enum Purpose: Sendable {
    /// Variables need no value, and no secret is read.
    case checking
    /// Its store is looked into: what has no value is no fault, but what has one is read.
    case looking(secrets: Secrets)
    /// `settings` are those of `--set`. Beside variables they may name what a walk of `endpoint` is bound to: its path
    /// parameters, and the names of its `for_each`.
    case running(settings: [(name: String, value: String)], secrets: Secrets, endpoint: String? = nil)
  }

  package struct Outcome: Sendable {
    /// Nil when findings forbid it.
    package var loaded: LoadedMapping?
    /// Without the warnings that a comment in the mapping allows.
    package var diagnostics: [Diagnostic]
    /// What could be made of a mapping that has errors; nothing is run by it.
    package var draft: LoadedMapping?
    /// Those that a comment allows.
    package var allowed: [Diagnostic] = []
    /// The comments that do so; nil where the mapping cannot be read at all.
    package var allowances: Allowances?
  }

  /// Why a mapping cannot even be looked at, or not with these settings: exit code 2.
  package struct Failure: Error, Sendable {
    package var message: String

    package init(message: String) { self.message = message }
  }

  /// Reads a mapping's file, what it includes, and compiles it.
  ///
  /// `replacing`: what files hold in place of what is on the disk.
  package static func read(
    _ path: String, for purpose: Purpose, replacing: [String: [UInt8]] = [:]
  ) throws(Failure) -> Outcome {
    if let bytes = replacing[path] {
      return try read(SourceFile(name: path, bytes: bytes), for: purpose, replacing: replacing)
    }
    switch FileText.read(path, limit: MappingReader.mostBytes) {
    case .failed(let reason): throw Failure(message: "the mapping '\(path)' cannot be read: \(reason)")
    case .bytes(let bytes):
      return try read(SourceFile(name: path, bytes: bytes), for: purpose, replacing: replacing)
    }
  }

  package static func read(
    _ file: SourceFile, for purpose: Purpose, replacing: [String: [UInt8]] = [:]
  ) throws(Failure) -> Outcome {
    let (mapping, findings) = MappingReader.read(file) { path throws(IncludeFailure) in
      if let bytes = replacing[path] { return bytes }
      switch FileText.read(path, limit: MappingReader.mostBytes) {
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
    var all = findings + fresh
    if let plan { all += SQLCheck.findings(in: mapping, plan) }
    if case .checking = purpose, let insecurity = mapping.source.tls.insecurity { all.append(insecurity) }
    all = all.inOrder()
    let allowances = Allowances(in: mapping.files)
    let (left, allowed) = allowances.split(all)
    var outcome = Outcome(loaded: nil, diagnostics: left, allowed: allowed, allowances: allowances)
    outcome.draft = plan.map { LoadedMapping(mapping: mapping, plan: $0, scope: scope) }
    guard let plan, !all.containsErrors else { return outcome }
    try check(scope.each.map(\.name), for: purpose, plan: plan, mapping: mapping)
    outcome.loaded = outcome.draft
    return outcome
  }

  // MARK: variables

  private static func scope(of mapping: Mapping, for purpose: Purpose) throws(Failure) -> Interpolation {
    var variables = mapping.variables.map {
      Interpolation.Variable(name: $0.name.value, type: $0.type?.value, value: $0.defaultValue?.value)
    }
    let environment: @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    if case .looking(let secrets) = purpose {
      return Interpolation(
        variables: variables, now: .now(), isChecking: true, secret: { secrets.value($0) }, environment: environment)
    }
    guard case .running(let settings, let secrets, let endpoint) = purpose else {
      return Interpolation(variables: variables, now: .now(), isChecking: true, environment: { _ in nil })
    }
    var bound: [(name: String, value: Literal)] = []
    for setting in settings {
      if let index = variables.firstIndex(where: { $0.name.utf8.elementsEqual(setting.name.utf8) }) {
        variables[index].value = try literal(setting.value, for: variables[index])
      } else if endpoint != nil {
        bound.append((setting.name, .text(setting.value)))
      } else {
        throw unknown(setting.name, among: variables.map(\.name))
      }
    }
    var scope = Interpolation(
      variables: variables, now: .now(), secret: { secrets.value($0) }, environment: environment)
    scope.each = bound
    scope.namesInSecretsFile = secrets.namesInFile
    return scope
  }

  /// Can a walk of the endpoint be bound to these names?
  private static func check(
    _ names: [String], for purpose: Purpose, plan: Plan, mapping: Mapping
  ) throws(Failure) {
    guard case .running(_, _, let wanted?) = purpose,
      let endpoint = plan.endpoints.first(where: { $0.name.utf8.elementsEqual(wanted.utf8) })
    else { return }
    let known = endpoint.boundNames + (endpoint.patterns.first?.parameterNames ?? [])
    for name in names where !known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      throw unknown(name, among: mapping.variables.map(\.name.value) + known)
    }
  }

  private static func unknown(_ name: String, among known: [String]) -> Failure {
    let names = known.map { "'\($0)'" }.joined(separator: ", ")
    return Failure(
      message: "--set names the variable '\(name)', which the mapping does not have"
        + (names.isEmpty ? "" : "; it has \(names)"))
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
