/// What a kind of map asks of its keys together, in so far as `LanguageSchema` can say it too.
extension MapKind {
  /// Exactly one of its keys stands there.
  var hasOneKey: Bool { self == .auth || self == .body || self == .transform }

  /// Keys with a list or map that would make no sense, or nothing hold, without an entry.
  var neverEmpty: [String] {
    switch self {
    case .record, .inlineRecord: ["fields"]
    case .check: ["one_of"]
    case .conditionTest: ["in"]
    case .forEach: ["values", "bind"]
    default: []
    }
  }
}
