package import Diagnostics

/// A value of a YAML text, with its place.
///
/// Aliases and merge keys are expanded already: an expanded node keeps the span of the place where it was written.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    case mapping([YAMLEntry])
  }

  package let content: Content
  /// From the first to behind the last character; of a flow or block collection, the whole of it.
  package let span: SourceSpan

  package init(_ content: Content, span: SourceSpan) {
    self.content = content
    self.span = span
  }
}

/// One key of a map with its value. A key is always a scalar.
package struct YAMLEntry: Sendable {
  package let key: YAMLScalar
  package let keySpan: SourceSpan
  package let value: YAMLNode

  package init(key: YAMLScalar, keySpan: SourceSpan, value: YAMLNode) {
    self.key = key
    self.keySpan = keySpan
    self.value = value
  }
}

/// A scalar: its text, and what the core rules of YAML 1.2 make of it.
///
/// A number with a leading zero is text. Only plain scalars are anything but text.
package struct YAMLScalar: Sendable, Hashable {
  package enum Core: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// A decimal integer of any size, exact as its text; that may have a `+`: see `numberText`.
    case integer
    /// A number with a fraction or an exponent, exact as its text; that may be `.5` or `5.`: see `numberText`.
    case real
    case text
  }

  /// The text after YAML's own escapes; empty for a value that is not there.
  package let text: String
  package let core: Core
  /// Was it written without quotes?
  package let isPlain: Bool

  package init(text: String, core: Core, isPlain: Bool) {
    self.text = text
    self.core = core
    self.isPlain = isPlain
  }
}
