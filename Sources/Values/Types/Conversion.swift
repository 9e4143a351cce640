package import Records

/// A field's conversion, compiled once: transform → map → blank text is null → type → check.
///
/// It is immutable and shared by threads. The bytes of a cell that it gives lie in the value's own bytes or in `arena`.
package final class Conversion: Sendable {
  package let type: ColumnType
  let formats: [DateFormat]
  /// Nil is UTC.
  let zone: TimeZoneRules?
  let steps: [TransformStep]
  let table: ValueTable?
  let check: CompiledCheck?
  let isPlainTimestamp: Bool
  /// Nothing but a type.
  private let isPlain: Bool
  /// The type, where there is nothing else to mind: no step, no table, no check, and of dates no format but ISO 8601.
  package let plainType: ColumnType?

  private init(
    type: ColumnType, formats: [DateFormat], zone: TimeZoneRules?, steps: [TransformStep] = [],
    table: ValueTable? = nil, check: CompiledCheck? = nil
  ) {
    self.type = type
    self.formats = formats
    self.zone = zone
    self.steps = steps
    self.table = table
    self.check = check
    isPlainTimestamp = type == .timestamp && formats == [.iso8601]
    isPlain = steps.isEmpty && table == nil && check == nil
    plainType = isPlain && formats == [.iso8601] ? type : nil
  }

  /// All that is wrong with the specification; the conversion is there when nothing is.
  package static func compile(_ spec: ConversionSpec) -> (conversion: Conversion?, issues: [ConversionIssue]) {
    var issues: [ConversionIssue] = []
    let formats = compileFormats(spec, &issues)
    var zone: TimeZoneRules?
    do throws(ConversionIssue) {
      if let name = spec.timeZone { zone = try TimeZoneRules.named(name) }
    } catch {
      issues.append(error)
    }
    let steps = TransformStep.compile(spec.transforms, &issues)
    // Constants are judged by the type as it stands, unless that is broken itself.
    guard issues.isEmpty else {
      CompiledCheck.findBadPattern(spec.check, &issues)
      return (nil, issues)
    }
    let bare = Conversion(type: spec.type, formats: formats, zone: zone)
    let table = ValueTable.compile(spec, bare, &issues)
    let check = spec.check.flatMap { CompiledCheck.compile($0, bare, &issues) }
    guard issues.isEmpty else { return (nil, issues) }
    return (
      Conversion(type: spec.type, formats: formats, zone: zone, steps: steps, table: table, check: check), []
    )
  }

  private static func compileFormats(_ spec: ConversionSpec, _ issues: inout [ConversionIssue]) -> [DateFormat] {
    guard [.date, .time, .timestamp].contains(spec.type), !spec.formats.isEmpty else { return [.iso8601] }
    var formats: [DateFormat] = []
    for (index, text) in spec.formats.enumerated() {
      do throws(DatePattern.Fault) {
        formats.append(try DateFormat(text, reading: spec.type))
      } catch {
        issues.append(ConversionIssue(.format(index), .badDatePattern, error.message, hint: error.hint))
      }
    }
    return formats
  }

  /// A value on its way to the column. Null is null before anything else is asked.
  package func convert(_ raw: RawValue, into arena: ByteArena) -> Converted {
    if raw.kind == .null { return .null }
    return isPlain ? typed(raw, arena) : convertInSteps(raw, arena)
  }

  /// A constant: a default. It passes no transform, no table and no check; a date may also be written as ISO 8601,
  /// whatever `format` says of the API's dates.
  package func convert(_ literal: Literal, into arena: ByteArena) -> Converted {
    if literal == .null { return .null }
    let raw = RawValue(literal, arena: arena)
    let converted = typed(raw, arena)
    guard case .invalid = converted, formats != [.iso8601] else { return converted }
    let plain = Conversion(type: type, formats: [.iso8601], zone: zone).typed(raw, arena)
    if case .invalid = plain { return converted }
    return plain
  }

  private func convertInSteps(_ raw: RawValue, _ arena: ByteArena) -> Converted {
    var value = raw
    if !steps.isEmpty {
      switch TransformStep.apply(steps[...], to: raw, arena) {
      case .invalid(let reason): return .invalid(reason)
      case .value(let transformed): value = transformed
      }
    }
    if value.kind == .null { return .null }
    let converted: Converted
    if let table {
      converted = table.look(up: value, arena)
    } else {
      converted = typed(value, arena)
    }
    guard let check, case .cell(let cell) = converted else { return converted }
    return check.reason(against: cell, arena).map { .invalid($0) } ?? converted
  }

  /// The type alone.
  func typed(_ raw: RawValue, _ arena: ByteArena) -> Converted {
    switch type {
    case .text: return text(raw, arena)
    case .any: return any(raw, arena)
    case .json: return raw.kind == .null ? .null : .cell(.text(JSONText.text(of: raw, into: arena)))
    default: break
    }
    var value = raw
    switch raw.kind {
    case .null: return .null
    case .text:
      value.text = raw.text.trimmed
      if value.text.isEmpty { return .null }
    case .structure: return .invalid("\(raw.shape) is not \(type.withArticle)")
    case .boolean, .number: break
    }
    switch type {
    case .integer: return integer(value)
    case .real: return real(value)
    case .decimal: return decimal(value, arena)
    case .boolean: return boolean(value)
    case .date, .time, .timestamp: return date(value, arena)
    case .uuid: return uuid(value, arena)
    case .url: return url(value)
    case .bytes: return bytes(value, arena)
    case .any, .text, .json: preconditionFailure("these types are converted before blank text is looked at")
    }
  }
}

extension ColumnType {
  /// `an integer`, for messages.
  var withArticle: String {
    switch self {
    case .any: "a value"
    case .text: "text"
    case .integer: "an integer"
    case .json: "JSON"
    case .bytes: "base64"
    case .uuid: "a UUID"
    case .url: "an absolute URL"
    case .real: "a real number"
    case .decimal: "a decimal number"
    case .boolean, .date, .time, .timestamp: "a " + rawValue
    }
  }
}
