package import Records

/// What a field says about its values, before it is compiled into a `Conversion`.
package struct ConversionSpec: Sendable {
  package var type: ColumnType
  /// Empty: the type's own notations.
  package var formats: [String]
  /// An IANA zone name; nil means UTC.
  package var timeZone: String?
  package var transforms: [Transform]
  package var map: [(from: Literal, to: Literal)]?
  package var mapElse: Literal?
  package var check: Check?

  package init(
    type: ColumnType = .any, formats: [String] = [], timeZone: String? = nil, transforms: [Transform] = [],
    map: [(from: Literal, to: Literal)]? = nil, mapElse: Literal? = nil, check: Check? = nil
  ) {
    self.type = type
    self.formats = formats
    self.timeZone = timeZone
    self.transforms = transforms
    self.map = map
    self.mapElse = mapElse
    self.check = check
  }
}

/// One step of `transform`.
package enum Transform: Sendable, Hashable {
  case trim, lowercase, uppercase, stripHTML, urlDecode, squeeze
  case replace(pattern: String, with: String)
  case extract(String)
  case split(String)
  case prefix(String)
  case suffix(String)
  case shift(Int)
}

/// What a value must fulfil beyond its type; it is not applied to null.
package struct Check: Sendable, Hashable {
  /// As the column's type compares.
  package var min: Literal?
  package var max: Literal?
  /// A search, by PCRE2.
  package var pattern: String?
  /// In code points.
  package var minLength: Int?
  package var maxLength: Int?
  package var oneOf: [Literal]?

  package init(
    min: Literal? = nil, max: Literal? = nil, pattern: String? = nil, minLength: Int? = nil, maxLength: Int? = nil,
    oneOf: [Literal]? = nil
  ) {
    self.min = min
    self.max = max
    self.pattern = pattern
    self.minLength = minLength
    self.maxLength = maxLength
    self.oneOf = oneOf
  }
}

/// Why a `ConversionSpec` cannot be compiled: which part of it, and what is wrong.
package struct ConversionIssue: Error, Sendable, Hashable {
  package enum Part: Sendable, Hashable {
    case format(Int)
    case timeZone
    case transform(Int)
    /// The entry of `map` whose value its type refuses.
    case mapValue(Int)
    case mapElse
    case checkMin, checkMax, checkPattern, checkLength
    case checkOneOf(Int)
  }

  package enum Kind: Sendable, Hashable {
    case badDatePattern, unknownTimeZone, badRegularExpression, badConstant, badValue
  }

  package var part: Part
  package var kind: Kind
  package var message: String
  package var hint: String?

  package init(_ part: Part, _ kind: Kind, _ message: String, hint: String? = nil) {
    self.part = part
    self.kind = kind
    self.message = message
    self.hint = hint
  }
}

/// What became of a value.
package enum Converted {
  case cell(Cell)
  case null
  /// The reason, for people; it names types and lengths, never the value.
  case invalid(String)
}
