/// The code of a finding: short words in kebab-case, never reused. The comment of a case is its explanation.
package enum DiagnosticCode: String, CaseIterable, Sendable {
  /// The text is not YAML, or uses a part of YAML that mappings do not have.
  case yamlSyntax = "yaml-syntax"
  /// A map has the same key twice.
  case duplicateKey = "duplicate-key"
  /// An alias names no anchor, or contains itself.
  case unknownAlias = "unknown-alias"
  /// The file is nested too deep, too large, or its aliases expand to too much.
  case yamlLimit = "yaml-limit"
  /// A file that `include` names is not there, cannot be read, or includes itself.
  case badInclude = "bad-include"
  /// The first key of a mapping is its language version, `ingest: 1`.
  case missingVersion = "missing-version"
  /// The file is written for another version of the mapping language.
  case unknownVersion = "unknown-version"
  /// A map has a key that the language does not know there.
  case unknownKey = "unknown-key"
  /// A list stands where a map belongs, or the like.
  case wrongKind = "wrong-kind"
  /// A key that must be there is not.
  case missingKey = "missing-key"
  /// A value is not one of those that its key may have.
  case badValue = "bad-value"
  /// Two keys exclude each other.
  case conflictingKeys = "conflicting-keys"
  /// A record is named that no section declares.
  case unknownRecord = "unknown-record"
  /// A field names a type that the language does not have.
  case unknownType = "unknown-type"
  /// A column is named that the record does not have.
  case unknownColumn = "unknown-column"
  /// An endpoint is named that no section declares.
  case unknownEndpoint = "unknown-endpoint"
  /// A key path cannot be read.
  case badKeyPath = "bad-key-path"
  /// A date pattern cannot be read, or does not fit its type.
  case badDatePattern = "bad-date-pattern"
  /// A time zone is not known.
  case unknownTimeZone = "unknown-time-zone"
  /// A regular expression cannot be read.
  case badRegularExpression = "bad-regular-expression"
  /// `${…}` cannot be read, or names something that it may not name there.
  case badInterpolation = "bad-interpolation"
  /// A variable is used that no section declares.
  case unknownVariable = "unknown-variable"
  /// A path parameter is used that no path of the record's endpoints has.
  case unknownParameter = "unknown-parameter"
  /// Two columns of one table have one name, letter case aside.
  case duplicateColumn = "duplicate-column"
  /// Two records, or two relationships, fill one table.
  case duplicateTable = "duplicate-table"
  /// The same name is given twice, in two files or two lists.
  case duplicateName = "duplicate-name"
  /// Two descriptors read one key path of one pattern.
  case duplicateDescriptor = "duplicate-descriptor"
  /// A name begins with `_ingest`, or with what a store keeps for itself.
  case reservedName = "reserved-name"
  /// A name is longer than a store allows, is empty, or holds a NUL.
  case badName = "bad-name"
  /// A record has no identity where it needs one, or one where it may have none.
  case badIdentity = "bad-identity"
  /// A relationship cannot be stored as it is declared.
  case badRelationship = "bad-relationship"
  /// A default, a constant or a table value does not fit the type of its column.
  case badConstant = "bad-constant"
  /// A path pattern cannot be read.
  case badPattern = "bad-pattern"
  /// A URL cannot be read.
  case badURL = "bad-url"
  /// Something is declared that nothing reaches.
  case unused = "unused"
  /// A sample or an expectation of `tests` does not hold.
  case failingTest = "failing-test"
  /// A file cannot be read.
  case unreadableFile = "unreadable-file"
  /// TLS verification is switched off.
  case insecure = "insecure"
  /// A secret is written into the mapping itself.
  case secretInClear = "secret-in-clear"
  /// A jq program cannot be read, or uses what it may not use.
  case badProgram = "bad-program"
}
