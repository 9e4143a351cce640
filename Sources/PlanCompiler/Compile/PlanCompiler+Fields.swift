import Diagnostics
import JSONReading
import MappingLanguage
import Records
import Values

/// Fields: key paths resolved against the record's members, conversions compiled, constants made.
extension PlanCompiler {
  mutating func compileField(
    _ field: FieldDeclaration, column: Int, isKey: Bool, members: MemberTree
  ) -> FieldPlan? {
    let (compiled, issues) = Conversion.compile(field.conversion)
    for issue in issues { reportIssue(issue, of: field) }
    guard let conversion = compiled else { return nil }
    var source = FieldPlan.Source.paths([])
    switch field.source {
    case .paths(let paths): source = .paths(paths.map { access($0.value, members: members) })
    case .jq(let program):
      guard let compiled = compileProgram(program) else { return nil }
      source = .program(compiled)
    case .const(let template):
      guard let cell = constant(template, conversion: conversion) else { return nil }
      source = .constant(cell)
    }
    return FieldPlan(
      column: column, name: field.column.value, source: source, conversion: conversion,
      defaultValue: defaultCell(of: field, conversion: conversion), isRequired: field.isRequired,
      onMissing: presence(field.onMissing), onNull: presence(field.onNull), onInvalid: invalid(field.onInvalid),
      isKey: isKey)
  }

  func access(_ path: KeyPath, members: MemberTree) -> PathAccess {
    guard path.origin == .value else {
      return PathAccess(origin: .context, path: path, rest: path.dropping(0))
    }
    let leading = path.leadingMembers
    return PathAccess(origin: .member(node: members.node(for: leading)), path: path, rest: path.dropping(leading.count))
  }

  private mutating func compileProgram(_ text: Located<String>) -> JQProgram? {
    do throws(JQProgram.Fault) {
      return try JQProgram(text.value)
    } catch {
      report(.badProgram, error.message, at: text.span, hint: error.hint)
      return nil
    }
  }

  private mutating func constant(_ template: Located<Template>, conversion: Conversion) -> ConstantCell? {
    guard declares(template.value.pieces) else { return nil }
    switch scope.literal(of: template.value) {
    case .unresolved(let name):
      if !scope.isChecking {
        report(.badInterpolation, "'\(name)' has no value", at: template.span, hint: scope.remedy(name))
      }
      return ConstantCell { _ in .null }
    case .invalid(let message):
      report(.badInterpolation, message, at: template.span)
      return nil
    case .literal(let literal):
      return makeCell(literal, at: template.span, what: "the constant") {
        conversion.convert(RawValue($0, arena: $1), into: $1)
      }
    }
  }

  private mutating func defaultCell(of field: FieldDeclaration, conversion: Conversion) -> ConstantCell? {
    guard let value = field.defaultValue else { return nil }
    return makeCell(value.value, at: value.span, what: "the default") { conversion.convert($0, into: $1) }
  }

  private mutating func makeCell(
    _ literal: Literal, at span: SourceSpan, what: String, convert: (Literal, ByteArena) -> Converted
  ) -> ConstantCell? {
    var reason: String?
    let cell = ConstantCell { arena in
      switch convert(literal, arena) {
      case .cell(let cell): return cell
      case .null: return .null
      case .invalid(let text):
        reason = text
        return .null
      }
    }
    guard let reason else { return cell }
    report(.badConstant, "\(what) does not fit its column: \(reason)", at: span)
    return nil
  }

  private mutating func reportIssue(_ issue: ConversionIssue, of field: FieldDeclaration) {
    let code: DiagnosticCode =
      switch issue.kind {
      case .badDatePattern: .badDatePattern
      case .unknownTimeZone: .unknownTimeZone
      case .badRegularExpression: .badRegularExpression
      case .badConstant: .badConstant
      case .badValue: .badValue
      }
    report(code, issue.message, at: field.conversionSpans[issue.part] ?? field.span, hint: issue.hint)
  }

  private func presence(_ rule: FieldDeclaration.OnMissing) -> FieldPlan.Presence {
    switch rule {
    case .keep: .keep
    case .null: .null
    case .default: .default
    case .error: .error
    }
  }

  private func presence(_ rule: FieldDeclaration.OnNull) -> FieldPlan.Presence {
    switch rule {
    case .keep: .keep
    case .null: .null
    case .default: .default
    case .error: .error
    }
  }

  private func invalid(_ rule: FieldDeclaration.OnInvalid) -> FieldPlan.Invalid {
    switch rule {
    case .reject: .reject
    case .null: .null
    case .fail: .fail
    case .keepText: .keepText
    }
  }
}
