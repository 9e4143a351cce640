package import Diagnostics
package import JSONReading
package import Values

/// A record: fields, relationships, identity, and the table that it fills.
package struct RecordDeclaration: Sendable {
  package enum WriteMode: String, Sendable, CaseIterable {
    case upsert, insert, append, replace, history
  }

  /// The name; for an inline child `User.tags`, with the place of the relationship's name.
  package var name: Located<String>
  package var table: Located<String>?
  /// Column names.
  package var key: [Located<String>]
  package var fields: [FieldDeclaration]
  package var relationships: [RelationshipDeclaration]
  package var write: Located<WriteMode>?
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

/// A field with everything that the record says about it: `types` and `naming` are applied already.
package struct FieldDeclaration: Sendable {
  package enum OnMissing: String, Sendable, CaseIterable {
    case keep, null, `default`, error
  }
  package enum OnNull: String, Sendable, CaseIterable {
    case null, keep, `default`, error
  }
  package enum OnInvalid: String, Sendable, CaseIterable {
    case reject, null, fail, keepText = "keep_text"
  }
  package enum Source: Sendable {
    /// The first that is present counts.
    case paths([Located<KeyPath>])
    case const(Located<Template>)
  }

  package var column: Located<String>
  package var source: Source
  package var conversion: ConversionSpec
  /// Where each part of `conversion` stands, for findings that its compilation makes.
  package var conversionSpans: [ConversionIssue.Part: SourceSpan] = [:]
  package var typeSpan: SourceSpan?
  package var defaultValue: Located<Literal>?
  package var isRequired = false
  package var onMissing = OnMissing.keep
  package var onNull = OnNull.null
  package var onInvalid = OnInvalid.reject
  package var description: String?
  package var span: SourceSpan

  package init(column: Located<String>, source: Source, conversion: ConversionSpec, span: SourceSpan) {
    self.column = column
    self.source = source
    self.conversion = conversion
    self.span = span
  }
}

package struct RelationshipDeclaration: Sendable {
  package enum Shape: Sendable, Hashable {
    case one, many
  }

  package var name: Located<String>
  package var shape: Shape
  /// The child's record name; of an inline child, the name that it got.
  package var record: Located<String>
  package var from: Located<KeyPath>
  /// `link` or `child`, where it is said.
  package var via: Located<String>?
  /// `replace` or `union`, where it is said.
  package var policy: Located<String>?
  package var span: SourceSpan

  package init(
    name: Located<String>, shape: Shape, record: Located<String>, from: Located<KeyPath>, span: SourceSpan
  ) {
    self.name = name
    self.shape = shape
    self.record = record
    self.from = from
    self.span = span
  }
}
