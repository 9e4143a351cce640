package import Diagnostics
package import JSONReading
package import Values

/// A record: fields, relationships, identity, and the table that it fills; or a choice among records (`cases`).
package struct RecordDeclaration: Sendable {
  package enum WriteMode: String, Sendable, CaseIterable {
    case upsert, insert, append, replace, history
  }
  /// What becomes of top-level members that no field or relationship begins with.
  package enum Unmapped: String, Sendable, CaseIterable {
    case ignore, warn, capture, fail
  }

  /// The name; for an inline child `User.tags`, with the place of the relationship's name.
  package var name: Located<String>
  package var table: Located<String>?
  /// Column names.
  package var key: [Located<String>]
  package var fields: [FieldDeclaration]
  package var relationships: [RelationshipDeclaration]
  package var write: Located<WriteMode>?
  /// `switch`: the record is a choice, and has nothing else. Nil for a record with fields.
  package var cases: [CaseDeclaration]?
  /// `where`: records for which it does not hold are filtered.
  package var filter: Located<Condition>?
  /// `delete_when`: records for which it holds delete their row.
  package var tombstone: Located<Condition>?
  /// What `where`, `delete_when` and the conditions of `switch` look at.
  package var conditionPaths: [Located<KeyPath>] = []
  /// A column of `fields`: an incoming row that is not newer in it is skipped.
  package var modified: Located<String>?
  package var sweep: SweepDeclaration?
  package var unmapped = Unmapped.ignore
  package var indexes: [IndexDeclaration] = []
  /// It has `_ingested_at`, `_run_id` and `_source_url`.
  package var isTracked = false
  /// The table's former name.
  package var renamedFrom: Located<String>?
  package var description: String?
  package var isInline = false
  /// It says `fields`, be they readable or not.
  package var hasFields = true
  /// Where the key `key` itself stands.
  package var keySpan: SourceSpan?
  package var span: SourceSpan

  package init(
    name: Located<String>, table: Located<String>? = nil, key: [Located<String>] = [], fields: [FieldDeclaration] = [],
    relationships: [RelationshipDeclaration] = [], span: SourceSpan
  ) {
    self.name = name
    self.table = table
    self.key = key
    self.fields = fields
    self.relationships = relationships
    self.span = span
  }
}
