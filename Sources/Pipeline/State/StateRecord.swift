import Diagnostics
import JSONReading

/// A value of `_ingest_state`: a JSON object of texts, so that whoever looks into the table can read it.
struct StateRecord: Sendable {
  private var members: [String: String] = [:]

  init() {}

  /// Nil for what is no object of texts.
  init?(_ text: String) {
    guard let document = try? JSONDocument(Array(text.utf8)), document.root.kind == .object else { return nil }
    var members: [String: String] = [:]
    document.root.forEachMember { name, value in
      if value.kind == .string { members[name.stringValue] = value.stringValue }
    }
    self.members = members
  }

  subscript(_ name: String) -> String? {
    get { members[name] }
    set { members[name] = newValue }
  }

  var names: [String] { Array(members.keys) }
  var isEmpty: Bool { members.isEmpty }

  /// When what the record is about began, since 1970.
  var began: Duration? {
    get { self["began"].flatMap(Int64.init).map { .milliseconds($0) } }
    set { self["began"] = newValue.map { String($0.wholeMilliseconds) } }
  }

  /// `began`, if what began then can still be continued at `now`.
  func continued(at now: Duration) -> Duration? {
    guard let began, now >= began, now - began < Self.longestCut else { return nil }
    return began
  }

  /// For how long a walk or run that was cut can be continued.
  static let longestCut = Duration.seconds(24 * 3600)

  /// The members by name, so that equal records are equal texts.
  var text: String {
    let pairs = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      "\(JSONText.quoted($0.key)):\(JSONText.quoted($0.value))"
    }
    return "{\(pairs.joined(separator: ","))}"
  }
}

extension Duration {
  var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
