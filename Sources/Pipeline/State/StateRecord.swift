import Diagnostics
import JSONReading

/// A value of `_ingest_state`: a JSON object of texts, so that whoever looks into the table can read it.
struct StateRecord: Sendable, Equatable {
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

  /// The members by name, so that equal records are equal texts.
  var text: String {
    let pairs = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      "\(JSONText.quoted($0.key)):\(JSONText.quoted($0.value))"
    }
    return "{\(pairs.joined(separator: ","))}"
  }
}
