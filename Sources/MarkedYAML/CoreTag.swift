/// An explicit tag of the core schema. Any other tag is an error: nothing here could give it a meaning.
enum CoreTag: String {
  case null, bool, int, float, str, seq, map

  private static let prefix = "tag:yaml.org,2002:"

  /// Nil for a tag outside the core schema.
  init?(_ tag: String) {
    guard tag.utf8.starts(with: Self.prefix.utf8) else { return nil }
    self.init(rawValue: String(decoding: tag.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self))
  }

  /// What a scalar is by its tag; nil when its text does not agree.
  func resolve(_ text: String) -> YAMLScalar.Core? {
    let plain = CoreSchema.resolve(text)
    switch (self, plain) {
    case (.str, _): return .text
    case (.null, .null), (.bool, .boolean), (.int, .integer), (.float, .real): return plain
    case (.float, .integer): return .real
    default: return nil
    }
  }
}
