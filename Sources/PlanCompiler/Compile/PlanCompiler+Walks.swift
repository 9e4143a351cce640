import Diagnostics
import MappingLanguage
import Records
import Values

/// `for_each` and `incremental`: which rows an endpoint is walked for, and what its walks remember.
extension PlanCompiler {
  // MARK: for_each

  mutating func compileForEach(
    _ declaration: EndpointDeclaration, patterns: [PathPattern]
  ) -> ForEachPlan? {
    guard let each = declaration.forEach else { return nil }
    let parameters = patterns.first?.parameterNames ?? []
    let asked = eachNames(of: declaration)
    // A misspelt `${each.NAME}` is the fault, not what it was meant to name.
    let meant = unknownNames(asked, each).compactMap { nearestName(to: $0.value, each) }
    for binding in unusedBindings(of: declaration, parameters: parameters)
    where !meant.contains(where: { $0.isSame(as: binding.name.value) }) {
      report(unused: binding, parameters: parameters)
    }
    let bound = each.bindings.map(\.name.value)
    switch each.source {
    case .values(let values):
      for name in asked where !bound.contains(where: { $0.isSame(as: name.value) }) {
        report(.badInterpolation, "'${each.\(name.value)}' is bound to nothing", at: name.span, hint: boundHint(bound))
      }
      return each.bindings.first.map { .values(values.map(\.value), name: $0.name.value) }
    case .record(let name): return parentRows(of: name, each, asked: asked)
    }
  }

  /// What neither the path nor a `${each.NAME}` names.
  func unusedBindings(of declaration: EndpointDeclaration, parameters: [String]) -> [ForEachDeclaration.Binding] {
    let used = parameters + eachNames(of: declaration).map(\.value)
    return (declaration.forEach?.bindings ?? []).filter { binding in
      !used.contains { $0.isSame(as: binding.name.value) }
    }
  }

  private mutating func report(unused binding: ForEachDeclaration.Binding, parameters: [String]) {
    let name = binding.name.value
    report(
      .unknownParameter, "'bind' names '\(name)', which no path parameter and no '${each.\(name)}' uses",
      at: binding.name.span, hint: parameters.isEmpty ? nil : "the path has \(Self.quoted(parameters))")
  }

  /// What `${each.NAME}` may name: what is bound, and the columns of the parent's.
  private func eachNames(_ each: ForEachDeclaration) -> [String] {
    let bound = each.bindings.map(\.name.value)
    guard case .record(let name) = each.source, let row = recordIndex(name.value).flatMap({ ownRow[$0] }) else {
      return bound
    }
    return bound + shape(ofRow: row).columns.map(\.name)
  }

  private func nearestName(to name: String, _ each: ForEachDeclaration) -> String? {
    NearestName.meant(by: name, among: eachNames(each))
  }

  private func unknownNames(_ asked: [Located<String>], _ each: ForEachDeclaration) -> [Located<String>] {
    let known = eachNames(each)
    return asked.filter { name in !known.contains { $0.isSame(as: name.value) } }
  }

  private func boundHint(_ names: [String]) -> String? {
    names.isEmpty ? nil : "'bind' names \(Self.quoted(names))"
  }

  static func quoted(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }

  private mutating func parentRows(
    of name: Located<String>, _ each: ForEachDeclaration, asked: [Located<String>]
  ) -> ForEachPlan? {
    guard let index = recordIndex(name.value) else { return nil }
    reach(index)
    guard let row = ownRow[index] else {
      let what = mapping.records[index].isChoice ? "is a choice among records" : "has no key of its own"
      report(
        .badValue, "'\(name.value)' \(what), so it has no rows to walk for", at: name.span,
        hint: "name a record with a 'key'")
      return nil
    }
    let shape = shape(ofRow: row)
    var columns: [ParentRowsPlan.Column] = []
    var required: [Int] = []
    for binding in each.bindings {
      guard let column = binding.column,
        let place = parentColumn(column.value, as: binding.name.value, at: column.span, shape, &columns)
      else { continue }
      if !required.contains(place) { required.append(place) }
    }
    let unknown = unknownNames(asked, each)
    for name in unknown {
      report(
        .unknownColumn, "'${each.\(name.value)}' is not bound, and '\(shape.name)' has no such column", at: name.span,
        hint: nearestName(to: name.value, each).map { "did you mean '${each.\($0)}'?" })
    }
    let settled = each.bindings.map(\.name.value) + unknown.map(\.value)
    for name in asked where !settled.contains(where: { $0.isSame(as: name.value) }) {
      _ = parentColumn(name.value, as: name.value, at: name.span, shape, &columns)
    }
    var condition = each.condition?.value
    if shape.write == .history {
      condition = "\(condition.map { "(\n\($0)\n) AND " } ?? "")\"valid_to\" IS NULL"
    }
    let key = shape.primaryKey.map { shape.columns[$0].name }
    return .rows(
      ParentRowsPlan(
        record: name.value, table: shape.name, columns: columns, required: required,
        order: key.isEmpty ? [TableShape.generatedKey] : key, condition: condition,
        conditionPlace: each.condition.map { "\($0.span.place): 'for_each.where' over the record '\(name.value)'" }))
  }

  /// The column's place among those that are read.
  private mutating func parentColumn(
    _ name: String, as binding: String, at span: SourceSpan, _ shape: TableShape,
    _ columns: inout [ParentRowsPlan.Column]
  ) -> Int? {
    guard let column = shape.columns.first(where: { $0.name.isSame(as: name) }) else {
      let nearest = NearestName.meant(by: name, among: shape.columns.map(\.name))
      report(
        .unknownColumn, "the table '\(shape.name)' has no column '\(name)'", at: span,
        hint: nearest.map { "did you mean '\($0)'?" })
      return nil
    }
    guard column.type != .bytes, column.type != .json else {
      report(.badValue, "a value of type \(column.type.rawValue) cannot stand in a request", at: span)
      return nil
    }
    if let known = columns.firstIndex(where: { $0.name.isSame(as: name) }) {
      columns[known].bindings.append(binding)
      return known
    }
    columns.append(ParentRowsPlan.Column(name: column.name, type: column.type, bindings: [binding]))
    return columns.count - 1
  }

  /// The names in `${each.NAME}` of an endpoint's request.
  private func eachNames(of declaration: EndpointDeclaration) -> [Located<String>] {
    declaration.requestTemplates.flatMap { template in
      template.value.pieces.compactMap { piece in
        if case .each(let name, _) = piece { Located(name, at: template.span) } else { nil }
      }
    }
  }

  // MARK: incremental

  mutating func compileIncremental(_ declaration: EndpointDeclaration, places: [PlacePlan]) -> IncrementalPlan? {
    guard let incremental = declaration.incremental else { return nil }
    let column = incremental.column
    var fields: [IncrementalPlan.Field] = []
    for row in places.flatMap(\.branches).map(\.row) {
      guard let field = rows[row].fields.firstIndex(where: { $0.name.isSame(as: column.value) }),
        !fields.contains(where: { $0.row == row })
      else { continue }
      fields.append(IncrementalPlan.Field(row: row, field: field))
    }
    guard let first = fields.first else {
      if places.isEmpty { return nil }
      let names = places.flatMap(\.branches).flatMap { rows[$0.row].fields.map(\.name) }
      report(
        .unknownColumn, "no record at the places of '\(declaration.name.value)' has a column '\(column.value)'",
        at: column.span, hint: NearestName.meant(by: column.value, among: names).map { "did you mean '\($0)'?" })
      return nil
    }
    if case .constant = rows[first.row].fields[first.field].source {
      report(.badValue, "'\(column.value)' is a constant, so it is no cursor", at: column.span)
      return nil
    }
    let conversion = rows[first.row].fields[first.field].conversion
    guard isOrdered(conversion.type, fields, at: column) else { return nil }
    var plan = IncrementalPlan(
      column: column.value, type: conversion.type, fields: fields, param: incremental.param.value)
    plan.untilParam = incremental.untilParam?.value
    plan.lookback = incremental.lookback?.value
    plan.slice = incremental.slice?.value
    plan.start = constant(incremental.start, conversion)
    plan.end = constant(incremental.end, conversion)
    checkDates(incremental, conversion.type)
    if let format = incremental.format {
      do throws(DatePattern.Fault) {
        let isDate = [.date, .timestamp].contains(conversion.type)
        plan.format = try DateFormat(format.value, reading: isDate ? conversion.type : nil)
      } catch {
        report(.badDatePattern, error.message, at: format.span, hint: error.hint)
      }
    }
    return plan
  }

  private mutating func isOrdered(
    _ type: ColumnType, _ fields: [IncrementalPlan.Field], at column: Located<String>
  ) -> Bool {
    guard CursorValue.types.contains(type) else {
      report(
        .badValue, "values of type \(type.rawValue) do not follow one another, so '\(column.value)' is no cursor",
        at: column.span)
      return false
    }
    if let other = fields.map({ rows[$0.row].fields[$0.field].conversion.type }).first(where: { $0 != type }) {
      report(
        .badValue, "'\(column.value)' is \(type.rawValue) in one record and \(other.rawValue) in another",
        at: column.span)
      return false
    }
    if type == .any {
      report(
        .badValue, "'\(column.value)' has no type, so dates are compared as texts, letter by letter", at: column.span,
        hint: "give the column a type", severity: .warning)
    }
    return true
  }

  private mutating func checkDates(_ incremental: IncrementalDeclaration, _ type: ColumnType) {
    if type == .date, let slice = incremental.slice, slice.value < .seconds(86_400) {
      report(.badValue, "'\(incremental.column.value)' is a date, so a slice is a day at least", at: slice.span)
    }
    guard type != .date, type != .timestamp else { return }
    let spans = [
      ("format", incremental.format?.span), ("lookback", incremental.lookback?.span),
      ("slice", incremental.slice?.span),
    ]
    for case (let key, let span?) in spans {
      report(.badValue, "'\(key)' is about dates, and '\(incremental.column.value)' is \(type.rawValue)", at: span)
    }
  }

  /// `start` and `end` are values of the column.
  private mutating func constant(_ literal: Located<Literal>?, _ conversion: Conversion) -> CursorValue? {
    guard let literal else { return nil }
    let arena = ByteArena()
    switch conversion.convert(literal.value, into: arena) {
    case .cell(let cell):
      if let value = CursorValue(cell, type: conversion.type) { return value }
    case .null: break
    case .invalid(let reason):
      report(.badConstant, "the value is no \(conversion.type.rawValue): \(reason)", at: literal.span)
      return nil
    }
    report(.badConstant, "nothing is asked from null", at: literal.span)
    return nil
  }
}

extension EndpointDeclaration {
  /// What is interpolated into the endpoint's own requests.
  var requestTemplates: [Located<Template>] {
    paths.prefix(1) + params.flatMap(\.values) + headers.map { Located($0.value.value, at: $0.span) }
      + (body?.templates ?? [])
  }
}
