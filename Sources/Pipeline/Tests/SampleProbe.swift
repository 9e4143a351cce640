import Diagnostics
import JSONReading
import MappingLanguage

/// What the bodies that were looked at have at each key path.
struct SampleProbe {
  /// Records that are nested deeper are not looked at: one may contain itself.
  private static let deepest = 32

  /// One key path of one place, field or relationship.
  private struct Sight {
    let path: Located<KeyPath>
    /// Who reads it, for the message.
    let reader: String
    /// What else is read beside it.
    let others: [[KeyPath.Step]]
    /// A name that holds the other one is near too: `next_cursor` for `cursor`.
    let isLoose: Bool
    /// Some body has it, or something that other checks speak of.
    var isMet = false
    /// The first step that no body has, and what stands there instead.
    var missingStep = -1
    var siblings: Set<JSONName> = []

    /// Names that are kept: a dictionary may have any number of them.
    static let mostSiblings = 1000

    mutating func note(_ step: Int, _ object: JSONValue?) {
      guard let object else {
        isMet = true
        return
      }
      if step > missingStep { (missingStep, siblings) = (step, []) }
      guard step == missingStep, siblings.count < Self.mostSiblings else { return }
      object.forEachMember { name, _ in siblings.insert(JSONName(bytes: name.stringBytes)) }
    }
  }

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
  private let paths: [[[KeyPath.Step]]]
  private var sights: [Place: Sight] = [:]
  /// In the order in which they were met.
  private var order: [Place] = []

  init(records: [RecordDeclaration], recordOfName: [NameKey: Int]) {
    (self.records, self.recordOfName) = (records, recordOfName)
    paths = records.map { record in
      let ofFields = record.fields.flatMap { field -> [KeyPath] in
        if case .paths(let paths) = field.source { paths.map(\.value) } else { [] }
      }
      return (ofFields + record.relationships.map(\.from.value)).filter { $0.origin == .value }.map(\.steps)
    }
  }

  mutating func look(at body: JSONValue, placesOf endpoint: EndpointDeclaration) {
    let others = endpoint.places.map(\.path.value.steps)
    for place in endpoint.places {
      let values = follow(place.path, from: body, readBy: "the endpoint '\(endpoint.name.value)'", beside: others)
      for value in values { look(at: value, as: place.record.value, depth: 0) }
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
    for relationship in declaration.relationships {
      let children = follow(relationship.from, from: value, readBy: reader, beside: paths[index])
      for child in children { look(at: child, as: relationship.record.value, depth: depth + 1) }
    }
  }

  /// The values that the path leads to; what was seen on the way is kept.
  mutating func follow(
    _ path: Located<KeyPath>, from value: JSONValue, readBy reader: String, beside others: [[KeyPath.Step]],
    isLoose: Bool = false
  ) -> [JSONValue] {
    guard path.value.origin == .value else { return [] }
    let place = Place(path)
    if sights[place] == nil {
      sights[place] = Sight(path: path, reader: reader, others: others, isLoose: isLoose)
      order.append(place)
    }
    var found: [JSONValue] = []
    if sights[place]?.isMet == true {
      Self.follow(path.value.steps, 0, value, nil, &found)
    } else {
      var sight = sights[place]
      sights[place] = nil
      Self.follow(path.value.steps, 0, value, { sight?.note($0, $1) }, &found)
      sights[place] = sight
    }
    return found
  }

  /// `note` hears of a path's end, of a step that cannot be made (nil), or of a member that is absent (its object).
  private static func follow(
    _ steps: [KeyPath.Step], _ index: Int, _ value: JSONValue, _ note: ((Int, JSONValue?) -> Void)?,
    _ found: inout [JSONValue]
  ) {
    if index == steps.count {
      note?(index, nil)
      return found.append(value)
    }
    switch (steps[index], value.kind) {
    case (_, .null): return
    case (.member(let name), .object):
      guard let member = value.member(named: name) else {
        note?(index, value)
        return
      }
      follow(steps, index + 1, member, note, &found)
    case (.element(let number), .array):
      if let element = value.element(number) { follow(steps, index + 1, element, note, &found) }
    case (.eachElement, .array), (.eachMember, .object):
      var child = value.index + 1
      while child < value.next {
        let element = value.at(value.kind == .object ? child + 1 : child)
        follow(steps, index + 1, element, note, &found)
        child = element.next
      }
    default: note?(index, nil)
    }
  }

  // MARK: findings

  var findings: [Diagnostic] { order.compactMap { sights[$0].flatMap(finding) } }

  private func finding(_ sight: Sight) -> Diagnostic? {
    guard !sight.isMet, sight.missingStep >= 0, case .member(let name) = sight.path.value.steps[sight.missingStep]
    else { return nil }
    let step = sight.missingStep
    let way = sight.path.value.steps[..<step]
    let read = Set(
      sight.others.compactMap { other -> JSONName? in
        guard other.count > step, other[..<step].elementsEqual(way), case .member(let name) = other[step] else {
          return nil
        }
        return name
      })
    let names = sight.siblings.subtracting(read).map(\.description).sorted()
    let holding = sight.isLoose ? names.first { Self.isHeld(name.description, in: $0) } : nil
    guard let nearest = NearestName.nearest(to: name.description, among: names) ?? holding else { return nil }
    return Diagnostic(
      .unmatchedPath, "no body of 'tests' has '\(name)', which \(sight.reader) reads here", at: sight.path.span,
      hint: "did you mean '\(nearest)'?", severity: .warning)
  }

  /// One name is a part of the other, whatever their case and their `_`.
  private static func isHeld(_ name: String, in other: String) -> Bool {
    func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
    let (a, b) = (plain(name), plain(other))
    return min(a.utf8.count, b.utf8.count) >= 4 && (a.contains(b) || b.contains(a))
  }
}
