import JSONReading
import Mapper
import PlanCompiler
import Records
import Values

/// What error rules, stop rules and paging can read of an answer: single values of its body, and the `$…` values that
/// are known before it is read.
struct AnswerValues {
  /// Nil when the body is no JSON value, or nothing reads it.
  let body: BodyInspection?
  let context: BodyContext
  private let arena = ByteArena()

  init(body: BodyInspection?, context: BodyContext) {
    self.body = body
    self.context = context
  }

  /// For conditions; a wrong shape on the way counts as missing.
  func input(_ path: KeyPath) -> ConditionInput {
    guard !path.isInBody else { return body?.input(path) ?? .missing }
    return literal(path).map { .value(RawValue($0, arena: arena)) } ?? .missing
  }

  /// Of a body that is no JSON nothing holds, not even a 'not'.
  func holds(_ condition: CompiledCondition) -> Bool {
    (body != nil || !condition.paths.contains(where: \.isInBody)) && condition.holds(lookup: { input($0) })
  }

  /// The first of the key paths that is present; a projection is joined by ", ".
  func text(of paths: [KeyPath]) -> String? {
    for path in paths {
      if path.isInBody {
        if let text = body?.text(of: [path]) { return text }
      } else if let literal = literal(path), let text = literal.written {
        return text
      }
    }
    return nil
  }

  /// What a single value is, for those that need one of a certain kind.
  enum Found {
    case missing, null
    case value(RawValue)
    /// Why there is none, for people.
    case wrong(String)
  }

  func find(_ path: KeyPath) -> Found {
    guard path.isInBody else {
      return literal(path).map { $0 == .null ? .null : .value(RawValue($0, arena: arena)) } ?? .missing
    }
    switch body?.lookup(path) {
    case nil, .missing: return .missing
    case .value(let value): return value.isNull ? .null : .value(RawValue(value, arena: arena))
    case .projection: return .wrong("it is many values")
    case .wrongShape(let kind, _): return .wrong("\(kind.spoken) stands on the way to it")
    }
  }

  /// A count, written as a JSON number or as text.
  func count(_ path: KeyPath) -> (number: Int?, problem: String?) {
    switch find(path) {
    case .missing: return (nil, nil)
    case .null: return (nil, "it is null")
    case .wrong(let reason): return (nil, reason)
    case .value(let raw):
      guard raw.kind == .number || raw.kind == .text else { return (nil, "it is \(raw.spoken)") }
      guard case .cell(let cell)? = Self.wholeNumber?.convert(raw, into: arena) else {
        return (nil, "it is \(raw.spoken) that is no whole number")
      }
      return cell.integerValue < 0 ? (nil, "it is below zero") : (Int(cell.integerValue), nil)
    }
  }

  private static let wholeNumber = Conversion.compile(ConversionSpec(type: .integer)).conversion

  /// Nil: the value is missing.
  private func literal(_ path: KeyPath) -> Literal? {
    switch path.origin {
    case .value, .root, .parent, .key, .index: nil
    case .route(let name):
      context.matches.first?.parameters.first { $0.name.utf8.elementsEqual(name.utf8) }.map { .text($0.value) }
    case .query(let name): context.query.first { $0.name.utf8.elementsEqual(name.utf8) }.map { .text($0.value) }
    case .requestURL: context.url.map { .text($0) }
    case .responseStatus: .number(String(context.status))
    case .responseHeader(let name):
      context.headers.first { $0.name.utf8.elementsEqual(name.utf8) }.map { .text($0.value) }
    case .fetchedAt: .text(context.fetchedAt)
    case .runID: .number(String(context.runID))
    case .variable(let name): context.variables.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
  }
}

extension Literal {
  /// Nil for null.
  fileprivate var written: String? {
    switch self {
    case .null: nil
    case .boolean(let value): value ? "true" : "false"
    case .number(let text), .text(let text): text
    }
  }
}

extension RawValue {
  /// What kind of value it is, for messages; never the value.
  var spoken: String {
    switch kind {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .text: "a text"
    case .structure: text.first == UInt8(ascii: "[") ? "an array" : "an object"
    }
  }
}
