import JSONReading
import Records

/// Drafts one record from what stands at its place.
struct RecordDrafter {
  /// Columns beyond this stay together, as JSON.
  private static let columnLimit = 1000
  private static let depthLimit = 6
  private static let childLimit = 4

  private(set) var record: MappingDraft.Record
  private(set) var notes: [DraftNote] = []
  private var columns: NameSet
  private var relationships = NameSet()
  /// How the report names the place.
  private let place: String
  private let depth: Int
  /// The columns of the record's own primary key, as its children see them.
  private var keyColumns: [String] = []

  /// A record of a place.
  init(named name: String, table: String, at place: DraftPlace, named path: String) {
    self.init(name: name, place: path, depth: 0, reserved: [])
    record.table = table
    switch place.kind {
    case .dictionary: record.key = [addName(of: place.shape)]
    case .objects: findKey(place.shape)
    case .dictionaryOfLists:
      findKey(place.shape)
      _ = addName(of: place.shape)
    case .rows, .values: break
    }
    if record.key.isEmpty {
      record.write = "append"
      _ = columns.add("_id")
      let why = "nothing identifies a row: rows are appended, and a body that is loaded again is stored again"
      notes.append(DraftNote(path, why))
      record.comments.append(why)
    }
    keyColumns = record.key.isEmpty ? ["_id"] : record.key
    switch place.kind {
    case .objects, .dictionary, .dictionaryOfLists: addMembers(of: place.shape, DraftPath())
    case .rows: addRows(place.shape)
    case .values: addColumn(place.shape, DraftPath(), named: "value", owners: place.shape.count)
    }
    fillIfEmpty()
  }

  private init(name: String, place: String, depth: Int, reserved: [String]) {
    record = MappingDraft.Record(name: name)
    self.place = place
    self.depth = depth
    columns = NameSet(reserved)
  }

  // MARK: keys

  /// A column for the name under which a value of a dictionary stands.
  private mutating func addName(of shape: ValueShape) -> String {
    let column = columns.add(shape.member("key") == nil ? "key" : "dictionary_key")
    record.fields.append(.init(column: column, from: "$key", type: .text))
    return column
  }

  /// A member that every row has, each another.
  private mutating func findKey(_ shape: ValueShape) {
    for (name, isStrong) in KeyNames.candidates(of: Names.singular(record.table ?? "")) {
      guard let member = shape.member(name), isKey(member, of: shape) else { continue }
      let column = columns.add(Names.snake(name), orElse: "id")
      let types = ColumnTypes(member, name: "")
      record.fields.append(
        .init(column: column, from: Self.from(DraftPath().member(JSONName(name)), column), type: types.type))
      record.key = [column]
      if !isStrong { notes.append(DraftNote("\(place).\(name)", "taken for the key, since each row has another")) }
      return
    }
  }

  private func isKey(_ member: ValueShape, of shape: ValueShape) -> Bool {
    guard member.isScalar, member.nulls == 0, member.count == shape.objects, !member.hasRepeats,
      member.profile.blanks == 0
    else { return false }
    return [.integer, .text, .uuid].contains(ColumnTypes(member, name: "").type)
  }

  // MARK: members

  private mutating func addMembers(of shape: ValueShape, _ path: DraftPath) {
    for (name, member) in shape.members {
      let here = path.member(name)
      if path.steps.isEmpty, let key = record.key.first, record.fields[0].column == key,
        (record.fields[0].from ?? key) == here.text
      {
        continue
      }
      add(member, here, owners: shape.objects)
    }
  }

  private mutating func add(_ shape: ValueShape, _ path: DraftPath, owners: Int) {
    if let kind = nested(shape, path) {
      addChild(kind, path, of: shape)
    } else if shape.isObject, path.steps.count < Self.depthLimit, !shape.members.isEmpty,
      record.fields.count + shape.leaves(below: Self.depthLimit) < Self.columnLimit
    {
      if shape.emptyObjects > 0, shape.emptyObjects < shape.objects {
        notes.append(DraftNote("\(place).\(path.text)", "sometimes an empty object, which is stored as null is"))
      }
      addMembers(of: shape, path)
    } else {
      addColumn(shape, path, named: Names.snake(path.names.joined(separator: "_")), owners: owners)
    }
  }

  private mutating func addColumn(_ shape: ValueShape, _ path: DraftPath, named wanted: String, owners: Int) {
    guard record.fields.count < Self.columnLimit else {
      if !record.capturesRest {
        record.capturesRest = true
        notes.append(DraftNote(place, "more than \(Self.columnLimit) members: the others are kept in '_extra'"))
      }
      return
    }
    let column = columns.add(wanted)
    let types = ColumnTypes(shape, name: path.names.last ?? "")
    if let note = types.note ?? types.doubt { notes.append(DraftNote("\(place).\(path.text)", note)) }
    var remarks: [String] = []
    if owners > shape.count, owners > 1 { remarks.append("absent in \(owners - shape.count) of \(owners)") }
    if shape.nulls > 0, shape.present > 0 { remarks.append("null in \(shape.nulls) of \(shape.count)") }
    if let note = types.note { remarks.append(note) }
    record.fields.append(
      .init(
        column: column, from: Self.from(path, column), type: types.type, format: types.format,
        remark: remarks.isEmpty ? nil : remarks.joined(separator: "; ")))
  }

  private mutating func addRows(_ shape: ValueShape) {
    for (index, column) in shape.columns.enumerated() {
      addColumn(
        column, DraftPath(steps: [.element(index)]), named: "column_\(index + 1)", owners: shape.arrays)
    }
  }

  /// A record has one column at least.
  private mutating func fillIfEmpty() {
    guard record.fields.isEmpty else { return }
    let column = columns.add("value")
    record.fields.append(.init(column: column, from: ".", type: .json))
  }

  private static func from(_ path: DraftPath, _ column: String) -> String? {
    let text = path.text
    return text.utf8.elementsEqual(column.utf8) && path.steps.count == 1 ? nil : text
  }

  // MARK: children

  private enum Nested {
    /// Objects in a list, or one of them in place of a list.
    case list(ValueShape)
    case dictionary(DraftPlace)
    /// Texts, numbers or booleans.
    case values(ValueShape)
  }

  private func nested(_ shape: ValueShape, _ path: DraftPath) -> Nested? {
    guard depth < Self.childLimit, path.steps.count <= Self.depthLimit else { return nil }
    if let place = DraftPlaces.dictionary(shape, path) { return .dictionary(place) }
    guard shape.arrays > 0, shape.profile.count == 0, let element = shape.element, element.present > 0 else {
      return nil
    }
    if element.isObject { return .list(shape.allElements) }
    guard element.isScalar, element.nulls == 0, shape.objects == 0 else { return nil }
    return ColumnTypes(element, name: "").type == .json ? nil : .values(element)
  }

  private mutating func addChild(_ nested: Nested, _ path: DraftPath, of shape: ValueShape) {
    let name = relationships.add(Names.snake(path.names.joined(separator: "_")), orElse: "items")
    let owner = depth == 0 ? Names.snake(record.name) : record.name
    let reserved = keyColumns.map { "\(owner)_\($0)" } + ["position"]
    var child = RecordDrafter(name: name, place: "\(place).\(path.text)", depth: depth + 1, reserved: reserved)
    child.keyColumns = reserved
    var from = Self.from(path, name)
    switch nested {
    case .list(let element):
      if element.nulls > 0 {
        notes.append(DraftNote("\(place).\(path.text)", "null elements of the list give no row"))
      }
      if let id = KeyNames.strong.first(where: { element.member($0).map { child.isKey($0, of: element) } ?? false }) {
        notes.append(
          DraftNote("\(place).\(path.text)", "'\(id)' identifies its elements: they could be a record with a key"))
      }
      child.addMembers(of: element, DraftPath())
    case .dictionary(let place):
      from = place.path.text
      _ = child.addName(of: place.shape)
      child.addMembers(of: place.shape, DraftPath())
    case .values(let element):
      let last = Names.singular(Names.snake(path.names.last ?? ""))
      child.addColumn(element, DraftPath(), named: last.isEmpty ? "value" : last, owners: element.count)
    }
    child.fillIfEmpty()
    notes += child.notes
    record.relationships.append(.init(name: name, from: from, record: .inline(child.record)))
  }
}

extension ValueShape {
  /// How many columns the members of an object would be.
  func leaves(below depth: Int) -> Int {
    guard depth > 0, isObject, !members.isEmpty else { return 1 }
    return members.reduce(0) { $0 + $1.shape.leaves(below: depth - 1) }
  }
}
