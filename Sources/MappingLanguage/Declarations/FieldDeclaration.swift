package import Diagnostics
package import JSONReading
package import Values

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
    /// A program that runs on the record's own value; it is not compiled yet.
    case jq(Located<String>)
  }
  package enum Index: Sendable, Hashable {
    case none, plain, unique
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
  /// Without a type of its own the field has the target's, in `conversion`.
  package var references: ReferenceDeclaration?
  package var index = Index.none
  /// The column's former name.
  package var renamedFrom: Located<String>?
  package var description: String?
  package var span: SourceSpan

  package init(column: Located<String>, source: Source, conversion: ConversionSpec, span: SourceSpan) {
    self.column = column
    self.source = source
    self.conversion = conversion
    self.span = span
  }
}

/// `references` of a field: the record whose key it holds, or one column of it.
package struct ReferenceDeclaration: Sendable {
  /// Never a choice; both parts have the place of the whole value.
  package var record: Located<String>
  /// Nil: the record's key, which is then one column.
  package var column: Located<String>?

  package init(record: Located<String>, column: Located<String>? = nil) {
    self.record = record
    self.column = column
  }
}
