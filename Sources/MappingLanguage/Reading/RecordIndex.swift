import Records

/// The records of a mapping by name, and what follows from how they refer to one another.
struct RecordIndex {
  let records: [RecordDeclaration]
  /// The first of each name. Numbers of records, as declarations are large.
  private let byName: [NameKey: Int]
  /// The relationships that lead to each record, be it through choices, with the records that have them.
  private var parents: [NameKey: [(record: Int, relationship: Int)]] = [:]

  init(_ records: [RecordDeclaration]) {
    self.records = records
    byName = Dictionary(
      records.enumerated().map { (NameKey($1.name.value), $0) }, uniquingKeysWith: { first, _ in first })
    for number in records.indices {
      for place in records[number].relationships.indices {
        for leaf in leafNumbers(of: records[number].relationships[place].record.value) {
          parents[NameKey(records[leaf].name.value), default: []].append((number, place))
        }
      }
    }
  }

  func record(_ name: String) -> RecordDeclaration? { byName[NameKey(name)].map { records[$0] } }

  /// What stands where a record is named: the record itself; of a choice, the records of its cases, and of theirs.
  func leaves(of name: String) -> [RecordDeclaration] {
    leafNumbers(of: name).map { records[$0] }
  }

  private func leafNumbers(of name: String) -> [Int] {
    // Most records are no choice, and lead to themselves alone.
    guard let number = byName[NameKey(name)] else { return [] }
    if records[number].cases == nil { return [number] }
    return names(from: name).compactMap { byName[NameKey($0)] }.filter { records[$0].cases == nil }
  }

  /// The name itself, and all that it leads to through choices, each once.
  func names(from start: String) -> [String] {
    var names = [start]
    var met: Set<NameKey> = [NameKey(start)]
    var next = 0
    while next < names.count {
      for case .record(let chosen) in (record(names[next])?.cases ?? []).map(\.outcome)
      where met.insert(NameKey(chosen.value)).inserted {
        names.append(chosen.value)
      }
      next += 1
    }
    return names
  }

  /// Fields are looked at first: what else a table has is dear to find.
  func hasColumn(_ name: String, _ record: RecordDeclaration) -> Bool {
    record.fields.contains { $0.column.value.isSame(as: name) } || columns(of: record).contains { $0.isSame(as: name) }
  }

  /// All columns of the record's table: fields, and what its relationships, its parents and its keys make.
  func columns(of record: RecordDeclaration) -> [String] {
    var columns = record.fields.map(\.column.value) + record.generatedColumns
    for relationship in record.relationships where relationship.shape == .one {
      let isChoice = self.record(relationship.record.value)?.cases != nil
      for child in leaves(of: relationship.record.value) {
        let prefix = relationship.name.value + (isChoice ? "_\(child.snakeName)" : "")
        columns += child.key.map { "\(prefix)_\($0.value)" }
      }
    }
    for (parent, place) in parents[NameKey(record.name.value)] ?? [] {
      columns += inherited(by: record, from: records[parent], through: records[parent].relationships[place])
    }
    return columns
  }

  /// `<parent>_<key>`, and `position`.
  private func inherited(
    by record: RecordDeclaration, from parent: RecordDeclaration, through relationship: RelationshipDeclaration
  ) -> [String] {
    guard record.keySpan == nil || relationship.isViaChild else { return [] }
    // A keyless parent is itself known by its parent's key, which is found at every depth.
    let key = parent.keySpan == nil ? identity(of: parent, depth: 0) : parent.key.map(\.value)
    let columns = key.map { "\(parent.snakeName)_\($0)" }
    return columns + (record.keySpan == nil && relationship.shape == .many ? ["position"] : [])
  }

  /// Parents above this depth are not looked for: a keyless record that contains itself is an error anyway.
  private static let deepest = 16

  private func identity(of record: RecordDeclaration, depth: Int) -> [String] {
    if record.keySpan != nil { return record.key.map(\.value) }
    if record.write?.value == .append || record.write?.value == .replace { return ["_id"] }
    guard depth < Self.deepest, let (number, place) = parents[NameKey(record.name.value)]?.first else {
      return []
    }
    let (parent, relationship) = (records[number], records[number].relationships[place])
    let key = identity(of: parent, depth: depth + 1).map { "\(parent.snakeName)_\($0)" }
    return key + (relationship.shape == .many ? ["position"] : [])
  }
}

extension RecordDeclaration {
  /// Columns that the table has beside fields and relationships.
  var generatedColumns: [String] {
    var columns: [String] = []
    if keySpan == nil, write?.value == .append || write?.value == .replace { columns.append("_id") }
    if write?.value == .history { columns += ["valid_from", "valid_to"] }
    if unmapped == .capture { columns.append("_extra") }
    if isTracked { columns += ["_ingested_at", "_run_id", "_source_url"] }
    return columns
  }

  /// What columns that refer to it begin with; of an inline child, the relationship's name.
  var snakeName: String {
    guard isInline, let last = name.value.split(separator: ".").last else { return SnakeCase.of(name.value) }
    return SnakeCase.of(String(last))
  }
}
