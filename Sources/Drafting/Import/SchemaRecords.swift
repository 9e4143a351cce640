import JSONReading
import Records

/// Records from schemas: one for each component that stands at a place, or that others refer to by its key.
struct SchemaRecords {
  private static let columnLimit = 150
  /// Columns of a record and all that is nested in it: schemas that refer to one another in many ways would never end.
  private static let nestedLimit = 500
  private static let depthLimit = 3
  private static let childLimit = 4

  /// A record that is being filled.
  private struct Building {
    var record: MappingDraft.Record
    var columns: NameSet
    var relationships = NameSet()
    /// How children see its key.
    var keyColumns: [String] = []
    var owner: String
    var level = 0
    /// Components on the way: one that comes again is kept as JSON.
    var met: Set<String> = []
    var place: String
    /// Columns of the record and of the children within it.
    var columnCount = 0
    /// Objects, lists and references to records, which come behind the columns.
    var nested: [(path: DraftPath, schema: Schema, isRequired: Bool)] = []
  }

  let reader: SchemaReader
  private(set) var records: [MappingDraft.Record] = []
  private(set) var notes: [DraftNote] = []
  private var byComponent: [String: String] = [:]
  private var recordNames = NameSet()
  private var tableNames = NameSet()

  init(_ reader: SchemaReader) { self.reader = reader }

  /// The record for a place, made when it is not there yet. `named` is for what is no component.
  mutating func record(at place: SchemaPlaces.Place, named name: String, report: String) -> String {
    switch place.kind {
    case .objects: return record(place.schema, named: name, report: report)
    case .dictionary: return dictionary(place.schema, named: name, report: report)
    case .values: return values(place.schema, named: name, report: report)
    }
  }

  private mutating func record(_ schema: Schema, named name: String, report: String) -> String {
    if let component = schema.component, let known = byComponent[component] { return known }
    var building = begin(schema.component ?? name, report: schema.component ?? report)
    if let component = schema.component {
      byComponent[component] = building.record.name
      building.met = [component]
    }
    building.record.description = Self.sentence(schema.description)
    if let key = key(of: schema, named: building.owner) {
      let column = building.columns.add(Names.snake(key.name), orElse: "id")
      let path = DraftPath().member(JSONName(key.name))
      let types = SchemaTypes(key.schema)
      building.record.fields.append(
        .init(
          column: column, from: Self.from(path, column), type: types.type,
          description: Self.sentence(key.schema.description)))
      building.record.key = [column]
      building.keyColumns = [column]
    } else {
      append(&building)
    }
    // The place stays its own while what it refers to is made.
    let index = records.count
    records.append(building.record)
    fill(&building, schema, DraftPath(), isRequired: true)
    finish(&building)
    records[index] = building.record
    return building.record.name
  }

  /// A record whose key is told: its members, or nothing. `also` are members that have a column in any case. What no
  /// schema describes is captured.
  mutating func record(
    _ schema: Schema, named name: String, keys: [String], also: [String], report: String
  ) -> String {
    var building = begin(name, report: report)
    building.record.description = Self.sentence(schema.description)
    let table = Names.snake(name)
    if !table.isEmpty, table != building.owner { building.record.table = tableNames.add(table) }
    var columns: [String] = []
    for key in keys + also.filter({ !keys.contains($0) }) {
      let member = schema.properties.first { $0.name == key }.map { reader.schema($0.node) } ?? Schema()
      let path = DraftPath().member(JSONName(key))
      addColumn(&building, member, path, isRequired: false)
      if keys.contains(key) { columns.append(building.record.fields.last?.column ?? key) }
    }
    let told = Set(keys + also)
    if columns.isEmpty { append(&building) }
    building.record.key = columns
    if !columns.isEmpty { building.keyColumns = columns }
    building.record.capturesRest = schema.properties.isEmpty
    var rest = schema
    rest.properties.removeAll { told.contains($0.name) }
    fill(&building, rest, DraftPath(), isRequired: true)
    finish(&building)
    records.append(building.record)
    return building.record.name
  }

  /// Makes the column of a member one of instants: what is asked for by them has to be compared as such.
  mutating func setTime(_ column: String, in record: String, format: String) -> Bool {
    guard let index = records.firstIndex(where: { $0.name == record }),
      let field = records[index].fields.firstIndex(where: { $0.column == column })
    else { return false }
    switch records[index].fields[field].type {
    case .date, .timestamp: return true
    case nil, .text, .any:
      records[index].fields[field].type = .timestamp
      if format.hasPrefix("epoch") { records[index].fields[field].format = format }
      return true
    default: return false
    }
  }

  /// The column of a member of a record.
  func column(of member: String, in record: String) -> String? {
    let path = DraftPath().member(JSONName(member)).text
    return records.first { $0.name == record }?.fields.first { ($0.from ?? $0.column) == path }?.column
  }

  private mutating func append(_ building: inout Building) {
    building.record.write = "append"
    building.record.comments = ["nothing is described that identifies a row: rows are appended"]
    notes.append(DraftNote(building.place, "nothing is described that identifies a row: rows are appended"))
    _ = building.columns.add("_id")
    building.keyColumns = ["_id"]
  }

  private mutating func dictionary(_ schema: Schema, named name: String, report: String) -> String {
    var building = begin(schema.component ?? name, report: report)
    let column = building.columns.add("key")
    building.record.fields = [.init(column: column, from: "$key", type: .text)]
    building.record.key = [column]
    building.keyColumns = [column]
    fill(&building, schema, DraftPath(), isRequired: true)
    finish(&building)
    records.append(building.record)
    return building.record.name
  }

  private mutating func values(_ schema: Schema, named name: String, report: String) -> String {
    var building = begin(name, report: report)
    append(&building)
    let types = SchemaTypes(schema)
    building.record.fields = [.init(column: "value", from: ".", type: types.type, format: types.format)]
    records.append(building.record)
    return building.record.name
  }

  private mutating func begin(_ name: String, report: String) -> Building {
    let isPlain = name.utf8.first.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
    let isName = isPlain && name.utf8.allSatisfy { $0 < 0x80 && Character(Unicode.Scalar($0)).isLetterOrDigit }
    let record = recordNames.add(isName && name.utf8.count < 50 ? name : Names.record(name), orElse: "Record")
    let snake = Names.snake(record)
    let table = tableNames.add(snake, orElse: "record")
    var building = Building(
      record: MappingDraft.Record(name: record), columns: NameSet(), owner: snake, place: report)
    if table != snake { building.record.table = table }
    return building
  }

  // MARK: keys

  private func key(of schema: Schema, named owner: String) -> (name: String, schema: Schema)? {
    for (name, isStrong) in KeyNames.candidates(of: Names.singular(owner)) where isStrong {
      guard let node = schema.properties.first(where: { $0.name == name })?.node else { continue }
      let member = reader.schema(node)
      // Where it is said what is always there, a key is: `id` is taken at its word.
      let isThere = schema.required.isEmpty || schema.required.contains(name) || name == "id"
      if member.types == ["integer"] || member.types == ["string"], !member.isWriteOnly, !member.isNullable, isThere {
        return (name, member)
      }
    }
    return nil
  }

  /// A component whose objects always have their key: others may refer to it.
  private func isKeyed(_ schema: Schema) -> Bool {
    guard let component = schema.component, let key = key(of: schema, named: Names.snake(component)) else {
      return false
    }
    return schema.required.contains(key.name) && !key.schema.isNullable
  }

  // MARK: members

  private mutating func fill(_ building: inout Building, _ schema: Schema, _ path: DraftPath, isRequired: Bool) {
    for (name, node) in schema.properties {
      let member = reader.schema(node)
      let here = path.member(JSONName(name))
      if member.isWriteOnly { continue }
      if path.steps.isEmpty, let key = building.record.key.first, building.record.fields[0].column == key,
        (building.record.fields[0].from ?? key) == here.text
      {
        continue
      }
      let isThere = isRequired && schema.required.contains(name) && !member.isNullable
      if member.isObject || member.isArray {
        building.nested.append((here, member, isThere))
      } else {
        addColumn(&building, member, here, isRequired: isThere)
      }
    }
  }

  private mutating func addColumn(
    _ building: inout Building, _ schema: Schema, _ path: DraftPath, named name: String? = nil, isRequired: Bool
  ) {
    let column = building.columns.add(name ?? Names.snake(path.names.joined(separator: "_")))
    let types = SchemaTypes(schema)
    if let note = types.note { notes.append(DraftNote("\(building.place).\(path.text)", note)) }
    building.columnCount += 1
    building.record.fields.append(
      .init(
        column: column, from: Self.from(path, column), type: types.type, format: types.format,
        isRequired: isRequired, description: Self.sentence(schema.description)))
  }

  /// Objects and lists, nearest first; flattening one may bring more.
  private mutating func finish(_ building: inout Building) {
    while !building.nested.isEmpty {
      let (path, schema, isRequired) = building.nested.removeFirst()
      if schema.isArray {
        list(&building, path, schema)
      } else {
        object(&building, path, schema, isRequired: isRequired)
      }
    }
    if building.record.fields.isEmpty {
      building.record.fields = [.init(column: building.columns.add("value"), from: ".", type: .json)]
    }
  }

  private mutating func object(_ building: inout Building, _ path: DraftPath, _ schema: Schema, isRequired: Bool) {
    if isKeyed(schema), building.level == 0 {
      let (name, target) = reference(&building, path, schema)
      building.record.relationships.append(.init(name: name, from: Self.from(path, name), record: .one(target)))
      return
    }
    if let place = values(of: schema, path), building.level < Self.childLimit, !isMet(place.schema, building),
      hasRoom(building, place.schema)
    {
      return child(&building, place.path, named: path, place.schema, isDictionary: true)
    }
    let isRoom = hasRoom(building, schema)
    guard !schema.properties.isEmpty, path.steps.count < Self.depthLimit, isRoom, !isMet(schema, building) else {
      if !schema.properties.isEmpty {
        let why = isMet(schema, building) ? "contains itself" : isRoom ? "nested too deep" : "too many columns"
        notes.append(DraftNote("\(building.place).\(path.text)", "\(why): kept as JSON"))
      }
      return addColumn(&building, schema, path, isRequired: false)
    }
    let before = building.met
    if let component = schema.component { building.met.insert(component) }
    let waiting = building.nested
    building.nested = []
    fill(&building, schema, path, isRequired: isRequired)
    // What is nested here is looked at while the component counts as met.
    let inner = building.nested
    building.nested = []
    for part in inner {
      building.nested = [part]
      finish(&building)
    }
    building.nested = waiting
    building.met = before
  }

  private func hasRoom(_ building: Building, _ schema: Schema) -> Bool {
    building.record.fields.count + schema.properties.count <= Self.columnLimit
      && building.columnCount + schema.properties.count <= Self.nestedLimit
  }

  private func isMet(_ schema: Schema, _ building: Building) -> Bool {
    schema.component.map { building.met.contains($0) } ?? false
  }

  private func values(of schema: Schema, _ path: DraftPath) -> SchemaPlaces.Place? {
    guard schema.properties.isEmpty, let values = schema.values else { return nil }
    let value = reader.schema(values)
    guard value.isObject, !value.properties.isEmpty else { return nil }
    return SchemaPlaces.Place(path: path.appending(.eachMember), kind: .dictionary, schema: value)
  }

  private mutating func list(_ building: inout Building, _ path: DraftPath, _ schema: Schema) {
    guard let node = schema.items, building.level < Self.childLimit else {
      return addColumn(&building, schema, path, isRequired: false)
    }
    let element = reader.schema(node)
    if isKeyed(element), building.level == 0 {
      let (name, target) = reference(&building, path, element)
      building.record.relationships.append(.init(name: name, from: Self.from(path, name), record: .list(of: target)))
    } else if element.isObject, !element.properties.isEmpty, !isMet(element, building), hasRoom(building, element) {
      child(&building, path, named: path, element, isDictionary: false)
    } else if element.isScalar {
      child(&building, path, named: path, element, isDictionary: false)
    } else {
      if isMet(element, building) {
        notes.append(DraftNote("\(building.place).\(path.text)", "contains itself: kept as JSON"))
      }
      addColumn(&building, schema, path, isRequired: false)
    }
  }

  /// A relationship to a record of its own.
  private mutating func reference(
    _ building: inout Building, _ path: DraftPath, _ schema: Schema
  ) -> (name: String, record: String) {
    let target = record(schema, named: "", report: building.place)
    let name = building.relationships.add(Names.snake(path.names.joined(separator: "_")), orElse: "related")
    let key = records.first { $0.name == target }?.key.first ?? "id"
    let column = "\(name)_\(key)"
    let free = building.columns.add(column)
    guard free != column else { return (name, target) }
    return (building.relationships.add(name + "_record"), target)
  }

  private mutating func child(
    _ building: inout Building, _ path: DraftPath, named names: DraftPath, _ schema: Schema, isDictionary: Bool
  ) {
    let name = building.relationships.add(Names.snake(names.names.joined(separator: "_")), orElse: "items")
    let reserved = building.keyColumns.map { "\(building.owner)_\($0)" } + ["position"]
    var child = Building(
      record: MappingDraft.Record(name: name), columns: NameSet(reserved), keyColumns: reserved, owner: name,
      level: building.level + 1, met: building.met, place: "\(building.place).\(names.text)",
      columnCount: building.columnCount)
    if let component = schema.component { child.met.insert(component) }
    if isDictionary {
      let key = child.columns.add("key")
      child.record.fields = [.init(column: key, from: "$key", type: .text)]
    }
    if schema.isScalar {
      let last = Names.singular(Names.snake(names.names.last ?? ""))
      addColumn(&child, schema, DraftPath(), named: last.isEmpty ? "value" : last, isRequired: false)
    } else {
      fill(&child, schema, DraftPath(), isRequired: true)
      finish(&child)
    }
    building.columnCount = child.columnCount
    building.record.relationships.append(
      .init(name: name, from: Self.from(path, name), record: .inline(child.record)))
  }

  // MARK: texts

  private static func from(_ path: DraftPath, _ column: String) -> String? {
    let text = path.text
    return text.utf8.elementsEqual(column.utf8) && path.steps.count == 1 ? nil : text
  }

  /// The first sentence of a description, on one line.
  static func sentence(_ text: String?) -> String? {
    guard let text else { return nil }
    let words = LikelySecret.masked(text).split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let end = words.firstRange(of: ". ")?.lowerBound ?? words.endIndex
    var sentence = words[..<end].prefix(160)
    if sentence.endIndex == end, sentence.hasSuffix(".") { sentence.removeLast() }
    if sentence.endIndex < end, words[sentence.endIndex...] == "." { return String(sentence) }
    return sentence.isEmpty ? nil : String(sentence) + (sentence.endIndex < end ? "…" : "")
  }
}

extension Character {
  fileprivate var isLetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
