import JSONReading

/// Where records stand in the answers that a schema describes: as in bodies, lists of objects, dictionaries and objects
/// with an id.
struct SchemaPlaces {
  struct Place {
    var path: DraftPath
    var kind: Kind
    var schema: Schema
  }

  enum Kind { case objects, dictionary, values }

  private static let depthLimit = 5
  /// Members that are looked at.
  private static let memberLimit = 2000
  private var left = SchemaPlaces.memberLimit
  private let reader: SchemaReader
  private(set) var places: [Place] = []
  /// What stands beside them: paging, maybe.
  private(set) var beside: [(path: DraftPath, schema: Schema)] = []

  init(_ root: Schema, _ reader: SchemaReader) {
    self.reader = reader
    let path = DraftPath()
    if let place = list(root, path) {
      places = [place]
    } else if root.isObject {
      visit(root, path, depth: 0)
    }
    if places.isEmpty, root.isObject, let found = wrappedList(in: root) {
      places = [found.place]
      beside = found.beside
    }
    guard places.isEmpty else { return }
    beside = []
    if root.isObject, !root.properties.isEmpty {
      places = [Place(path: path, kind: .objects, schema: root)]
    } else if root.isArray, let items = root.items {
      places = [Place(path: path, kind: .values, schema: reader.schema(items))]
    }
  }

  private mutating func visit(_ object: Schema, _ path: DraftPath, depth: Int) {
    if isRecord(object) {
      return places.append(Place(path: path, kind: .objects, schema: object))
    }
    if let place = dictionary(object, path) { return places.append(place) }
    guard depth < Self.depthLimit else { return }
    let values = object.properties.filter { reader.schema($0.node).isScalar }
    let isEnvelope = Envelopes.isOne(valuesNamed: values.map(\.name))
    for (name, node) in object.properties {
      guard left > 0 else { return }
      left -= 1
      let schema = reader.schema(node)
      let here = path.member(JSONName(name))
      if schema.isWriteOnly { continue }
      if let place = list(schema, here) {
        places.append(place)
      } else if schema.isObject, !schema.properties.isEmpty || schema.values != nil, isEnvelope {
        visit(schema, here, depth: depth + 1)
      } else {
        beside.append((here, schema))
      }
    }
  }

  /// The one list in an answer whose other members are values, as in bodies.
  private func wrappedList(in root: Schema) -> (place: Place, beside: [(path: DraftPath, schema: Schema)])? {
    var lists: [Place] = []
    var beside: [(path: DraftPath, schema: Schema)] = []
    var rest = members(of: root, DraftPath())[...]
    while let (path, schema) = rest.popFirst() {
      if let place = list(schema, path) {
        lists.append(place)
      } else if schema.isObject, path.steps.count < Self.depthLimit, !schema.properties.isEmpty {
        rest = (members(of: schema, path) + rest)[...]
      } else if schema.isScalar || schema.types.isEmpty && !schema.isArray && !schema.isObject {
        beside.append((path, schema))
      } else {
        return nil
      }
    }
    guard lists.count == 1, let first = lists[0].path.names.first, Envelopes.isWrapper(first) else { return nil }
    return (lists[0], beside)
  }

  private func members(of object: Schema, _ path: DraftPath) -> [(path: DraftPath, schema: Schema)] {
    object.properties.prefix(Self.memberLimit).map { (path.member(JSONName($0.name)), reader.schema($0.node)) }
      .filter { !$0.1.isWriteOnly }
  }

  /// An object with an id of its own.
  private func isRecord(_ object: Schema) -> Bool {
    KeyNames.strong.contains { name in
      object.properties.first { $0.name == name }.map { reader.schema($0.node).isScalar } ?? false
    }
  }

  private func list(_ schema: Schema, _ path: DraftPath) -> Place? {
    guard schema.isArray, let items = schema.items else { return nil }
    let element = reader.schema(items)
    guard element.isObject, !element.properties.isEmpty else { return nil }
    return Place(path: path, kind: .objects, schema: element)
  }

  private func dictionary(_ schema: Schema, _ path: DraftPath) -> Place? {
    guard schema.properties.isEmpty, let values = schema.values else { return nil }
    let value = reader.schema(values)
    guard value.isObject, !value.properties.isEmpty else { return nil }
    return Place(path: path.appending(.eachMember), kind: .dictionary, schema: value)
  }
}
