import JSONReading

/// Where records stand in a body.
struct DraftPlace {
  enum Kind {
    /// One object, or the elements of a list.
    case objects
    /// Arrays whose elements are columns.
    case rows
    /// An object's members, by their names.
    case dictionary
    /// The elements of the lists that an object's members are, by their names.
    case dictionaryOfLists
    /// Anything else: a value alone.
    case values
  }

  var path: DraftPath
  var kind: Kind
  /// Of one record, or of the dictionary's values.
  var shape: ValueShape
}

/// Finds the places of records in a body: lists of objects, dictionaries, and objects that have an id, outside of one
/// another. A body without any is one record itself.
struct DraftPlaces {
  private static let depthLimit = 6
  private(set) var places: [DraftPlace] = []
  /// What stands beside the places, for hints on paging and for the report.
  private(set) var beside: [(path: DraftPath, shape: ValueShape)] = []
  private(set) var notes: [DraftNote] = []

  /// `isWhole`: each body is a record, or a list of them, as lines are.
  init(_ root: ValueShape, isWhole: Bool) {
    let path = DraftPath()
    if isWhole {
      let isRows = root.isArray && root.otherArrays == 0 && root.columns.count > 1
      places = [DraftPlace(path: path, kind: root.isObject ? .objects : isRows ? .rows : .values, shape: root)]
    } else if let place = Self.list(root, path) {
      places = [place]
    } else if root.isObject {
      visit(root, path, depth: 0)
    }
    if places.isEmpty, root.isObject, let found = Self.wrappedList(in: root) {
      places = [found.place]
      beside = found.beside
    }
    guard places.isEmpty else { return }
    beside = []
    places = [DraftPlace(path: path, kind: root.isObject ? .objects : .values, shape: root)]
  }

  private mutating func visit(_ object: ValueShape, _ path: DraftPath, depth: Int) {
    if Self.isRecord(object) { return places.append(DraftPlace(path: path, kind: .objects, shape: object)) }
    if let place = Self.dictionary(object, path) { return places.append(place) }
    guard depth < Self.depthLimit else { return }
    let values = object.members.filter { $0.shape.isScalar }
    let isEnvelope = Envelopes.isOne(valuesNamed: values.map(\.name.description))
    for (name, shape) in object.members {
      let here = path.member(name)
      if let place = Self.list(shape, here) {
        places.append(place)
      } else if shape.isObject, isEnvelope {
        visit(shape, here, depth: depth + 1)
      } else {
        beside.append((here, shape))
      }
    }
  }

  /// The one list in a body whose other members are values: `{"made_by": …, "data": {"boats": […]}}`.
  private static func wrappedList(
    in root: ValueShape
  ) -> (place: DraftPlace, beside: [(path: DraftPath, shape: ValueShape)])? {
    var lists: [DraftPlace] = []
    var beside: [(path: DraftPath, shape: ValueShape)] = []
    var rest = root.members.map { (path: DraftPath().member($0.name), shape: $0.shape) }[...]
    while let (path, shape) = rest.popFirst() {
      if let place = list(shape, path) {
        lists.append(place)
      } else if shape.isObject, path.steps.count < depthLimit, dictionary(shape, path) == nil {
        rest = (shape.members.map { (path: path.member($0.name), shape: $0.shape) } + rest)[...]
      } else if shape.isScalar || shape.present == 0 {
        beside.append((path, shape))
      } else {
        return nil
      }
    }
    guard lists.count == 1, let first = lists[0].path.names.first, Envelopes.isWrapper(first) else { return nil }
    return (lists[0], beside)
  }

  /// A list of objects, or of rows.
  private static func list(_ shape: ValueShape, _ path: DraftPath) -> DraftPlace? {
    guard shape.isArray, let element = shape.element, element.present > 0 else { return nil }
    if element.isObject { return DraftPlace(path: path, kind: .objects, shape: element) }
    if element.isArray, element.otherArrays == 0, element.columns.count > 1 {
      return DraftPlace(path: path, kind: .rows, shape: element)
    }
    return path.steps.isEmpty ? DraftPlace(path: path, kind: .values, shape: element) : nil
  }

  /// An object with an id of its own.
  private static func isRecord(_ shape: ValueShape) -> Bool {
    guard shape.member("jsonrpc") == nil else { return false }
    return KeyNames.strong.contains { name in
      guard let member = shape.member(name) else { return false }
      return member.isScalar && member.profile.booleans == 0
    }
  }

  static func dictionary(_ shape: ValueShape, _ path: DraftPath) -> DraftPlace? {
    let members = path.appending(.eachMember)
    if Dictionaries.isOneOfLists(shape), let element = shape.allValues.element {
      return DraftPlace(path: members.appending(.eachElement), kind: .dictionaryOfLists, shape: element)
    }
    guard Dictionaries.isOne(shape) else { return nil }
    return DraftPlace(path: members, kind: .dictionary, shape: shape.allValues)
  }
}
