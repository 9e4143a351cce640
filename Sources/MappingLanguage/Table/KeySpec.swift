/// One key of the mapping language: everything that is said about it, once.
package struct KeySpec: Sendable {
  package let name: String
  package let kind: ValueKind
  package let summary: String
  package let isRequired: Bool
  /// What holds without the key, as it would be written.
  package let defaultText: String?
  /// Of a `word`: what it may be.
  package let words: [String]
  /// A value, in YAML's flow form.
  package let example: String

  init(
    _ name: String, _ kind: ValueKind, _ summary: String, example: String, default defaultText: String? = nil,
    required: Bool = false, words: [String] = []
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.isRequired = required
    self.defaultText = defaultText
    self.words = words
    self.example = example
  }

  /// The same key under another name or with another example.
  package func with(name: String? = nil, example: String? = nil) -> KeySpec {
    KeySpec(
      name ?? self.name, kind, summary, example: example ?? self.example, default: defaultText, required: isRequired,
      words: words)
  }
}

/// What may stand behind a key.
package indirect enum ValueKind: Sendable {
  /// Where a key path stands, which decides what it may hold.
  package enum PathUse: Sendable {
    case place, relationship, field, body, bodyOrHeader, error, condition
    /// The condition of a rule about a whole answer: it has no record, so no name or number of one.
    case answer
  }

  /// What the keys of a dictionary are.
  package enum Keys: Sendable {
    /// Names that the author gives, of the thing named.
    case name(String)
    case keyPath(PathUse)
    case header
    case literal
  }

  case version
  /// A text without `${…}`: any scalar but null.
  case text
  /// The name of a table, column or record.
  case name
  case template, url, pathPattern
  case word, boolean
  case integer(ClosedRange<Int>)
  case duration, size, rate, status
  /// A number of rows, or a share of them.
  case share
  case keyPath(PathUse)
  case condition
  /// A regular expression of a condition, compiled here: nothing behind knows its place.
  case pattern
  /// A constant: any scalar.
  case literal
  case type
  case record, endpoint
  /// `Record` or `Record.column`
  case reference
  /// `skip`, `reject`, or a record.
  case outcome
  case anything
  /// Any value, each scalar of which may hold `${…}`.
  case jsonTemplate
  case map(MapKind)
  case dictionary(Keys, of: ValueKind)
  case list(of: ValueKind)
  /// The kind that fits the shape of what is written.
  case either([ValueKind])
  /// Null stands for nothing.
  case optional(ValueKind)

  static func oneOrMany(_ kind: ValueKind) -> ValueKind { .either([kind, .list(of: kind)]) }

  /// A value or a list of such, of which one at least is needed.
  var isOneOrMany: Bool {
    guard case .either(let kinds) = self, kinds.count == 2, case .list = kinds[1] else { return false }
    if case .dictionary = kinds[0] { return false }
    return true
  }

  static let count = ValueKind.integer(1...Int.max)

  /// What it is called in a message and in the reference.
  package var title: String {
    switch self {
    case .version: "the language version"
    case .text: "a text"
    case .name: "a name"
    case .template: "a text, which may hold ${…}"
    case .url: "a URL"
    case .pathPattern: "a path pattern"
    case .word: "a word"
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .duration: "a duration such as 30s"
    case .size: "a size such as 64MB"
    case .rate: "a rate such as 5/min"
    case .share: "a whole number, or a share such as 20%"
    case .status: "a status such as 200, 2xx or 200-299"
    case .keyPath: "a key path"
    case .condition: "a condition"
    case .pattern: "a regular expression"
    case .literal: "a single value"
    case .type: "a type"
    case .record: "the name of a record"
    case .endpoint: "the name of an endpoint"
    case .reference: "a record, or 'Record.column'"
    case .outcome: "skip, reject, or the name of a record"
    case .anything: "any value"
    case .jsonTemplate: "any value, which may hold ${…}"
    case .map, .dictionary: "a map"
    case .list(let kind): "a list (each item: \(kind.title))"
    case .either(let kinds): ValueKind.joined(kinds)
    case .optional(let kind): kind.title
    }
  }

  private static func joined(_ kinds: [ValueKind]) -> String {
    var titles: [String] = []
    for kind in kinds {
      var title = kind.title
      if case .list(let item) = kind, titles.contains(item.title) { title = "a list of these" }
      if !titles.contains(title) { titles.append(title) }
    }
    return titles.joined(separator: ", or ")
  }
}
