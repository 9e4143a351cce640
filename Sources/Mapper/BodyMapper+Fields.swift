import JSONReading
import PlanCompiler
import Records
import Values

/// What is wrong with a record: the column, when one is at fault, and the reason.
struct Fault {
  var field: String?
  var reason: String
}

/// What a field's source gives.
enum Found {
  case missing
  case null
  case value(RawValue)
  case wrong(String)
}

/// Fields: look up, convert, and apply the rules for what is missing, null or invalid.
extension BodyMapper {
  /// Fills the cells of the row at hand. All fields are read, so that the key of a rejected record is known; the first
  /// fault is the one that is told.
  /// `keyOnly`: a tombstone needs nothing else.
  func mapFields(of row: UnsafePointer<MappedRow>, value: JSONValue, base: Int, keyOnly: Bool) throws -> Fault? {
    var first: Fault?
    let (json, text, cells, found, arena) = (value.nodes, value.bytes, cells, slots.from(base), lentArena)
    let isObject = json[value.index].kind == .object
    for (index, lane) in row.pointee.lanes.enumerated() where lane.isKey || !keyOnly {
      if lane.node >= 0 {
        let slot = Int(found[Int(lane.node)])
        let isPut =
          slot >= 0 ? lane.put(slot, of: json, text, into: cells, arena) : isObject && lane.putMissing(into: cells)
        if isPut { continue }
      }
      let field = row.pointee.plan.fields[index]
      switch try evaluate(field, of: value, in: row, base: base, self.arena) {
      case .cell(let cell): cells[field.column] = cell
      case .fault(let reason):
        cells[field.column] = .null
        if first == nil { first = Fault(field: field.name, reason: reason) }
      }
    }
    if !nulledColumns.isEmpty { countNulled(of: row, isRejected: first != nil) }
    return first
  }

  /// A rejected record's values become nothing at all.
  private func countNulled(of row: UnsafePointer<MappedRow>, isRejected: Bool) {
    if !isRejected {
      for column in nulledColumns { nulled[RowColumn(row: row.pointee.index, column: column), default: 0] += 1 }
    }
    nulledColumns.removeAll(keepingCapacity: true)
  }

  private enum Outcome {
    case cell(Cell)
    case fault(String)
  }

  /// `arena` is the batch's: fetched once for a row, since it costs a reference to fetch.
  private func evaluate(
    _ field: FieldPlan, of value: JSONValue, in row: UnsafePointer<MappedRow>, base: Int, _ arena: ByteArena
  ) throws -> Outcome {
    if field.node >= 0 {
      let slot = slots[base + field.node]
      if slot >= 0 { return try convert(RawValue(value.at(Int(slot)), arena: arena), field, row, arena) }
    }
    let found: Found
    switch field.source {
    case .constant(let constant): return .cell(constant.cell)
    case .program(let program): found = try run(program, of: field, on: value)
    case .paths(let paths): found = paths.count == 1 ? find(paths[0], base: base) : findFirst(paths, base: base)
    }
    switch found {
    case .missing: return missing(field, whole: row.pointee.plan.isWrittenWhole)
    case .null: return null(field)
    case .wrong(let reason): return try invalid(field, reason: reason, raw: nil)
    case .value(let raw): return try convert(raw, field, row, arena)
    }
  }

  private func convert(
    _ raw: RawValue, _ field: FieldPlan, _ row: UnsafePointer<MappedRow>, _ arena: ByteArena
  ) throws -> Outcome {
    if field.isUntypedKey { note(raw.kind, inKey: field.column, of: row.pointee.index) }
    switch field.conversion.convert(raw, into: arena) {
    case .cell(let cell): return .cell(cell)
    case .null: return null(field)
    case .invalid(let reason): return try invalid(field, reason: reason, raw: raw)
    }
  }

  private func missing(_ field: FieldPlan, whole: Bool) -> Outcome {
    switch field.onMissing {
    case .error: return .fault("it is missing, and 'on_missing' is 'error'")
    case .null where field.isRequired || field.isKey: return .fault("it is missing")
    case .null: return .cell(.null)
    case .default:
      if let value = field.defaultValue { return .cell(value.cell) }
    case .keep:
      if var cell = field.defaultValue?.cell {
        // A key decides which row is meant, and a row that is written whole has no earlier value: both take it always.
        cell.rule = field.isKey || whole ? .write : .onlyInsert
        return .cell(cell)
      }
    }
    if field.isKey { return .fault("the key is missing") }
    if field.isRequired { return .fault("it is required, and missing") }
    return .cell(whole || field.onMissing == .default ? .null : .missing)
  }

  private func null(_ field: FieldPlan) -> Outcome {
    if field.onNull == .default, let value = field.defaultValue { return .cell(value.cell) }
    if field.onNull == .error { return .fault("it is null, and 'on_null' is 'error'") }
    if field.isKey { return .fault("the key is null") }
    if field.isRequired { return .fault("it is required, and null") }
    return .cell(field.onNull == .keep ? .missing : .null)
  }

  private func invalid(_ field: FieldPlan, reason: String, raw: RawValue?) throws -> Outcome {
    switch field.onInvalid {
    case .reject: return .fault(reason)
    case .null:
      if field.isKey || field.isRequired { return .fault(reason) }
      nulledColumns.append(field.column)
      return .cell(.null)
    case .keepText:
      guard let raw else { return .fault(reason) }
      switch raw.kind {
      case .boolean: return .cell(.text(arena.copy(raw.flag ? "true" : "false")))
      default: return .cell(.text(raw.text))
      }
    case .fail:
      throw MappingFailure(
        record: plan.recordNames[plan.rows[frames[frames.count - 1].row].record], field: field.name,
        pointer: pointer(of: frames[frames.count - 1].value), reason: "\(reason), and its 'on_invalid' is 'fail'")
    }
  }

  /// Runs a jq program on the record; its first output is the value.
  func run(_ program: JQProgram, of field: FieldPlan, on value: JSONValue) throws -> Found {
    let id = ObjectIdentifier(program)
    let runner = runners[id] ?? JQRunner(program, isInterrupted: isInterrupted)
    runners[id] = runner
    switch runner.run(on: value, arena: arena) {
    case .missing: return .missing
    case .value(let raw): return raw.kind == .null ? .null : .value(raw)
    case .invalid(let reason): return .wrong(reason)
    case .failed(let reason):
      throw MappingFailure(
        record: plan.recordNames[plan.rows[frames[frames.count - 1].row].record], field: field.name,
        pointer: pointer(of: value), reason: reason)
    case .interrupted: throw JSONError(.interrupted, "the mapping was asked to stop", offset: 0, line: 1)
    }
  }

  // MARK: key paths

  /// The first that is present, not null and of a right shape on the way.
  func findFirst(_ paths: [PathAccess], base: Int) -> Found {
    var sawNull = false
    var wrong: String?
    for path in paths {
      switch find(path, base: base) {
      case .value(let value): return .value(value)
      case .null: sawNull = true
      case .missing: break
      case .wrong(let reason): wrong = wrong ?? reason
      }
    }
    if let wrong { return .wrong(wrong) }
    return sawNull ? .null : .missing
  }

  func find(_ access: PathAccess, base: Int) -> Found {
    guard case .member(let node) = access.origin else { return findContext(access) }
    let slot = slots[base + node]
    guard slot >= 0 else { return obstacle(to: access, node: node, base: base).map { .wrong($0.fault) } ?? .missing }
    let value = frames[frames.count - 1].value.at(Int(slot))
    guard let rest = access.rest else { return found(value) }
    return evaluate(rest, on: value, path: access.path)
  }

  func found(_ value: JSONValue) -> Found {
    value.isNull ? .null : .value(RawValue(value, arena: arena))
  }

  /// Evaluates the steps of a key path that no slot holds; `path` is the whole, for messages.
  func evaluate(_ rest: KeyPath, on value: JSONValue, path: KeyPath) -> Found {
    switch rest.evaluate(on: value) {
    case .missing: return .missing
    case .value(let value): return found(value)
    case .projection(let values): return .value(projected(values))
    case .wrongShape(let kind, let step):
      return .wrong(wrongShape(of: kind, in: path, at: path.steps.count - rest.steps.count + step))
    }
  }

  /// What is wrong on the way to a member that is not there; nil where it may be missing.
  func obstacle(to access: PathAccess, node: Int, base: Int) -> (value: JSONValue, fault: String)? {
    let members = rows[frames[frames.count - 1].row].plan.members
    var ancestor = node
    var missing = 0
    while slots[base + ancestor] < 0 {
      ancestor = members.nodes[ancestor].parent
      missing += 1
    }
    let value = frames[frames.count - 1].value.at(Int(slots[base + ancestor]))
    switch value.kind {
    case .object, .null: return nil
    case .array where value.isEmpty: return nil
    default:
      let depth = access.path.leadingMembers.count - missing
      return (value, wrongShape(of: value.kind, in: access.path, at: depth))
    }
  }

  /// A projection as JSON text: each element's value, null in place of one without it.
  private func projected(_ values: [JSONValue?]) -> RawValue {
    var text: [UInt8] = [UInt8(ascii: "[")]
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      if let value { value.appendMinified(to: &text) } else { text += Array("null".utf8) }
    }
    text.append(UInt8(ascii: "]"))
    let bytes = text.withUnsafeBytes { arena.copy($0) }
    return RawValue(kind: .structure, text: bytes, source: bytes)
  }

  /// What stands where step number `step` wanted something else; for an array where a member was wanted, the path that
  /// was probably meant.
  func wrongShape(of kind: JSONKind, in path: KeyPath, at step: Int) -> String {
    let way = KeyPath.text(of: path.steps.prefix(step))
    let place = way.isEmpty ? "the value" : "'\(way)'"
    let expected = path.steps[step].expected
    guard kind == .array, expected == .object else {
      return "\(place) is \(kind.spoken), where '\(path.text)' expects \(expected.spoken)"
    }
    return "\(place) is an array: \(path.suggestion(forListAt: step))"
  }
}
