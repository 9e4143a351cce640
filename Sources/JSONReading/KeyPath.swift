/// A member's name: compared by its bytes, never by canonical equivalence.
package struct JSONName: Hashable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }
  package init(bytes: [UInt8]) { self.bytes = bytes }

  package var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// Where a value is, relative to a record or to its context (docs/mapping-language.md, "Key paths").
package struct KeyPath: Hashable, Sendable, CustomStringConvertible {
  package enum Origin: Hashable, Sendable {
    /// The value itself.
    case value
    /// `$parent…`, so many levels up.
    case parent(levels: Int)
    /// `$key`, `$parent.$key`, …: the member's name under which the value, or its parent so many levels up, stands.
    case key(levels: Int)
    /// `$index`, `$parent.$index`, …
    case index(levels: Int)
    case root
    /// `$route.owner`
    case route(String)
    case query(String)
    case requestURL
    case responseStatus
    /// The header's name in lower case.
    case responseHeader(String)
    case fetchedAt
    case runID
    case variable(String)
  }

  package enum Step: Hashable, Sendable {
    case member(JSONName)
    /// Counted from 0, or from the end when negative.
    case element(Int)
    /// `[*]`
    case eachElement
    /// `.*`
    case eachMember
  }

  package let origin: Origin
  package let steps: [Step]
  /// As it was written.
  package let text: String

  package init(origin: Origin, steps: [Step], text: String) {
    self.origin = origin
    self.steps = steps
    self.text = text
  }

  package var description: String { text }

  package static func == (a: KeyPath, b: KeyPath) -> Bool { a.origin == b.origin && a.steps == b.steps }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(origin)
    hasher.combine(steps)
  }
}
