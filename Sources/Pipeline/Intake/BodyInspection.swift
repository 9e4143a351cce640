import JSONReading
import Records
import Values

/// Single values of a body, read before its records are: what error rules, stop rules and paging look at.
struct BodyInspection {
  private let arena = ByteArena()
  private var values: [(members: [JSONName], document: JSONDocument?)] = []

  /// Reads the whole body once. A value may be 1 MiB at most.
  init(of source: BodySource, format: BodyFormat, limits: JSONLimits, paths: [KeyPath]) throws {
    var captures: [PlaceTree.Capture] = []
    for path in paths {
      let capture = PlaceTree.Capture(place: nil, members: path.leadingMembers)
      if !captures.contains(capture) { captures.append(capture) }
    }
    let tree = PlaceTree(places: [], captures: captures)
    let documents = try BodyReader(tree: tree, limits: limits, format: format).captures(of: source)
    values = zip(captures, documents).map { ($0.members, $1) }
  }

  func lookup(_ path: KeyPath) -> KeyPathLookup {
    let members = path.leadingMembers
    guard let document = values.first(where: { $0.members == members })?.document else { return .missing }
    return path.dropping(members.count)?.evaluate(on: document.root) ?? .value(document.root)
  }

  /// For conditions; a wrong shape on the way counts as missing.
  func input(_ path: KeyPath) -> ConditionInput {
    switch lookup(path) {
    case .missing, .wrongShape, .projection: .missing
    case .value(let value): .value(RawValue(value, arena: arena))
    }
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

  func integer(_ path: KeyPath) -> Int? {
    guard case .value(let value) = lookup(path) else { return nil }
    return Int(Self.text(value))
  }

  private static func text(_ value: JSONValue) -> String {
    value.kind == .string ? value.stringValue : String(decoding: value.rawText, as: UTF8.self)
  }
}
