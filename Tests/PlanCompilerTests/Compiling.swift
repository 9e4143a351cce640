import Diagnostics
import MappingLanguage
import PlanCompiler
import TestSupport
import Values

/// Mappings from text to plan.
enum Compiling {
  static func scope(checking: Bool = true, variables: [Interpolation.Variable] = []) -> Interpolation {
    Interpolation(
      variables: variables, now: Instant(seconds: 1_436_004_000), isChecking: checking, environment: { _ in nil })
  }

  /// The plan and the findings of reader and compiler, in order.
  static func of(_ text: String, named name: String = "mapping.yaml", scope: Interpolation? = nil) -> (
    plan: Plan?, diagnostics: [Diagnostic], ownDiagnostics: [Diagnostic]
  ) {
    let (mapping, findings) = MappingReader.read(SourceFile(name: name, text: text)) { _ throws(IncludeFailure) in
      throw IncludeFailure(reason: "no such file")
    }
    guard let mapping else { return (nil, findings, []) }
    let variables = mapping.variables.map {
      Interpolation.Variable(name: $0.name.value, type: $0.type?.value, value: $0.defaultValue?.value)
    }
    let (plan, own) = PlanCompiler.compile(mapping, scope: scope ?? Self.scope(variables: variables))
    return (findings.containsErrors ? nil : plan, (findings + own).inOrder(), own)
  }

  /// The plan of a mapping without errors.
  static func plan(_ text: String) throws -> Plan {
    let (plan, diagnostics, _) = of(text)
    guard let plan else { throw FixtureError(DiagnosticPrinter.text(diagnostics, colour: false)) }
    return plan
  }

  /// `records` and `endpoints`, both as YAML within braces.
  static func plan(records: String, endpoints: String) throws -> Plan {
    try plan("ingest: 1\nsource: {name: demo}\nrecords: {\(records)}\nendpoints: {\(endpoints)}\n")
  }
}
