import Diagnostics
import JSONReading
import MappingLanguage

/// What the bodies that were looked at have at each key path.
struct SampleProbe {
  /// Records that are nested deeper are not looked at: one may contain itself.
  private static let deepest = 32

  private struct Place: Hashable {
    let file: ObjectIdentifier
    let offset: Int
    let path: KeyPath

    init(_ path: Located<KeyPath>) {
      (file, offset, self.path) = (ObjectIdentifier(path.span.file), path.span.start.offset, path.value)
    }
  }

  private let records: [RecordDeclaration]
  private let recordOfName: [NameKey: Int]
  /// Those that each record reads.
  private let paths: [[KeyPath]]
  private var sights: [Place: SampleSight] = [:]
  /// Of which one is enough: each with the first of them.
  private var alternatives: [Place: [Place]] = [:]
  /// In the order in which they were met.
  private var order: [Place] = []
  private var shapes = RelationshipShapes()
  private var envelopes = EnvelopeProbe()
  private var root: JSONValue?

  init(records: [RecordDeclaration], recordOfName: [NameKey: Int]) {
    (self.records, self.recordOfName) = (records, recordOfName)
    paths = records.map { record in
      let ofFields = record.fields.flatMap { field -> [KeyPath] in
        if case .paths(let paths) = field.source { paths.map(\.value) } else { [] }
      }
      return ofFields + record.relationships.map(\.from.value)
    }
  }

  /// A body that is no error.
  mutating func look(at body: JSONValue, of endpoint: EndpointDeclaration) {
    root = body
    defer { root = nil }
    let name = "'\(endpoint.name.value)'"
    let others = endpoint.places.map(\.path.value)
    for place in endpoint.places {
      let values = follow(place.path, from: body, readBy: "the endpoint \(name)", beside: others)
      for value in values {
        if let index = recordOfName[NameKey(place.record.value)] {
          envelopes.note(value, at: place, of: records[index])
        }
        look(at: value, as: place.record.value, depth: 0)
      }
    }
    let paging = endpoint.paginate?.bodyPaths ?? []
    for path in paging {
      _ = follow(
        path, from: body, readBy: "the paging of \(name)", beside: paging.map(\.value) + others, isLoose: true)
    }
  }

  /// An error's body, by the rules that may be meant for it.
  mutating func look(at body: JSONValue, of rules: [ErrorRuleDeclaration]) {
    root = body
    defer { root = nil }
    // Of several messages one is enough.
    for rule in rules {
      let message = "the rule on line \(rule.span.start.line)"
      follow(oneOf: rule.message, from: body, readBy: message)
      follow(oneOf: rule.code, from: body, readBy: message)
      for path in rule.whenPaths { _ = follow(path, from: body, readBy: message, beside: []) }
    }
  }

  /// A list stands for its elements, and a list in it for theirs.
  private mutating func look(at value: JSONValue, as record: String, depth: Int) {
    if value.kind == .array {
      var child = value.index + 1
      while child < value.next {
        look(at: value.at(child), as: record, depth: depth)
        child = value.at(child).next
      }
      return
    }
    guard value.kind == .object, depth < Self.deepest, let index = recordOfName[NameKey(record)] else { return }
    let declaration = records[index]
    let reader = "'\(declaration.name.value)'"
    for field in declaration.fields {
      guard case .paths(let sources) = field.source, sources.count == 1, let source = sources.first else { continue }
      _ = follow(source, from: value, readBy: reader, beside: paths[index])
    }
    for path in declaration.conditionPaths { _ = follow(path, from: value, readBy: reader, beside: []) }
    for relationship in declaration.relationships {
      for path in relationship.completePaths { _ = follow(path, from: value, readBy: reader, beside: []) }
      let children = follow(relationship.from, from: value, readBy: reader, beside: paths[index])
      for child in children {
        shapes.note(child, of: relationship)
        look(at: child, as: relationship.record.value, depth: depth + 1)
      }
    }
  }

  // MARK: following

  private mutating func follow(oneOf sources: [Located<KeyPath>], from value: JSONValue, readBy reader: String) {
    if sources.count > 1, alternatives[Place(sources[0])] == nil {
      for source in sources { alternatives[Place(source)] = sources.map(Place.init) }
    }
    for source in sources { _ = follow(source, from: value, readBy: reader, beside: []) }
  }

  /// The values that the path leads to; what was seen on the way is kept.
  private mutating func follow(
    _ path: Located<KeyPath>, from value: JSONValue, readBy reader: String, beside others: [KeyPath],
    isLoose: Bool = false
  ) -> [JSONValue] {
    let start: JSONValue
    switch path.value.origin {
    case .value: start = value
    case .root: start = root ?? value
    default: return []
    }
    let place = Place(path)
    if sights[place] == nil {
      let beside = others.filter { $0.origin == path.value.origin }.map(\.steps)
      sights[place] = SampleSight(path, readBy: reader, beside: beside, isLoose: isLoose)
      order.append(place)
    }
    var found: [JSONValue] = []
    if sights[place]?.isMet == true {
      Self.follow(path.value.steps, 0, start, nil, &found)
    } else {
      var sight = sights[place]
      sights[place] = nil
      Self.follow(path.value.steps, 0, start, { sight?.note($0, $1) }, &found)
      sights[place] = sight
    }
    return found
  }

  private static func follow(
    _ steps: [KeyPath.Step], _ index: Int, _ value: JSONValue, _ note: ((Int, SampleSight.Step) -> Void)?,
    _ found: inout [JSONValue]
  ) {
    if index == steps.count {
      note?(index, .end)
      return found.append(value)
    }
    switch (steps[index], value.kind) {
    case (_, .null): return
    case (.member(let name), .object):
      guard let member = value.member(named: name) else {
        note?(index, .absent(value))
        return
      }
      follow(steps, index + 1, member, note, &found)
    case (.member, .array): if !value.isEmptyArray { note?(index, .list) }
    case (.element(let number), .array):
      if let element = value.element(number) { follow(steps, index + 1, element, note, &found) }
    case (.eachElement, .array), (.eachMember, .object):
      var child = value.index + 1
      while child < value.next {
        let element = value.at(value.kind == .object ? child + 1 : child)
        follow(steps, index + 1, element, note, &found)
        child = element.next
      }
    default: note?(index, .end)
    }
  }

  // MARK: findings

  var findings: [Diagnostic] {
    let unmatched = order.filter { place in
      !(alternatives[place] ?? []).contains { sights[$0]?.isMet ?? false }
    }
    return unmatched.compactMap { sights[$0]?.finding } + shapes.findings + envelopes.findings
  }
}

extension JSONValue {
  fileprivate var isEmptyArray: Bool { kind == .array && next == index + 1 }
}
