import JSONReading
import Records
import Values

/// Single values of a body, read before its records are: what error rules, stop rules and paging look at.
struct BodyInspection {
  private let arena = ByteArena()
  private var values: [(steps: [KeyPath.Step], found: Captured)] = []

  /// Reads the whole body once. A value may be 1 MiB at most.
  init(
    of source: BodySource, format: BodyFormat, limits: JSONLimits, paths: [KeyPath],
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(JSONError) {
    var captures: [PlaceTree.Capture] = []
    for path in paths {
      let capture = PlaceTree.Capture(place: nil, steps: path.leadingSteps)
      if !captures.contains(capture) { captures.append(capture) }
    }
    let tree = PlaceTree(places: [], captures: captures)
    let found = try BodyReader(tree: tree, limits: limits, format: format, isInterrupted: isInterrupted)
      .captures(of: source)
    values = zip(captures, found).map { ($0.steps, $1) }
  }

  func lookup(_ path: KeyPath) -> KeyPathLookup {
    let steps = path.leadingSteps
    switch values.first(where: { $0.steps == steps })?.found {
    case nil, .missing: return .missing
    case .wrongShape(let kind): return .wrongShape(found: kind, step: 0)
    case .value(let document):
      return path.dropping(steps.count)?.evaluate(on: document.root) ?? .value(document.root)
    }
  }

  /// For conditions; a wrong shape on the way counts as missing.
  func input(_ path: KeyPath) -> ConditionInput {
    switch lookup(path) {
    case .missing, .wrongShape: .missing
    case .value(let value): .value(RawValue(value, arena: arena))
    case .projection(let values): .value(projected(values))
    }
  }

  /// A projection as an array: null in place of an element without it.
  private func projected(_ values: [JSONValue?]) -> RawValue {
    var text: [UInt8] = [UInt8(ascii: "[")]
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += value.map { Array($0.rawText) } ?? Array("null".utf8)
    }
    text.append(UInt8(ascii: "]"))
    let bytes = text.withUnsafeBytes { arena.copy($0) }
    return RawValue(kind: .structure, text: bytes, source: bytes)
  }

  /// The first of the key paths that is present; a projection is joined by ", ".
  func text(of paths: [KeyPath]) -> String? {
    for path in paths {
      switch lookup(path) {
      case .value(let value) where !value.isNull: return Self.text(value)
      case .projection(let values):
        let texts = values.compactMap { $0 }.filter { !$0.isNull }.map(Self.text)
        if !texts.isEmpty { return texts.joined(separator: ", ") }
      default: continue
      }
    }
    return nil
  }

  private static func text(_ value: JSONValue) -> String {
    value.kind == .string ? value.stringValue : String(decoding: value.rawText, as: UTF8.self)
  }
}
