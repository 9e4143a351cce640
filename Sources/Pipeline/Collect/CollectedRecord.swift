import Records
package import Store

/// A row as it was mapped, with the records nested in it: a copy that outlives its batch.
package struct CollectedRecord: Sendable {
  /// Of a relationship, whether or not something was found.
  package struct Relationship: Sendable {
    package var name: String
    package var isList: Bool
    package var records: [CollectedRecord]
  }

  /// Index into `Plan.tables`.
  package var table: Int
  /// One for each column; nil is what the response does not have, or what only a store knows: a generated key.
  package var values: [StoredValue?]
  /// `delete_when` holds: only the key is there.
  package var isDeleted: Bool
  /// In the order of the mapping.
  package var relationships: [Relationship] = []

  package init(table: Int, values: [StoredValue?], isDeleted: Bool = false) {
    self.table = table
    self.values = values
    self.isDeleted = isDeleted
  }
}

extension Cell {
  /// As a store would hold it; nil when that is for the store to say.
  var collected: StoredValue? {
    if rule == .generatedKey { return nil }
    return switch kind {
    case .missing: nil
    case .null: .null
    case .integer: .integer(integerValue)
    case .real: .real(realValue)
    case .text: .text(stringValue)
    case .bytes: .bytes(Array(rawBytes))
    }
  }
}
