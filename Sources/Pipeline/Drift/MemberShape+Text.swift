import Diagnostics
import JSONReading

/// As the store remembers it: JSON that people can read.
extension MemberShape {
  /// `{"kinds": {"object": 3}, "members": {…}, "elements": {…}, "entries": {…}}`; names in the order of their bytes, so that
  /// equal shapes are equal texts.
  var text: String {
    let counts = Kind.allCases.compactMap { kind in kinds[kind].map { "\"\(kind.rawValue)\":\($0)" } }
    var parts = ["\"kinds\":{\(counts.joined(separator: ","))}"]
    let names = members.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    if !names.isEmpty {
      let texts = names.map { name in JSONText.quoted(name.description) + ":" + (members[name]?.text ?? "{}") }
      parts.append("\"members\":{\(texts.joined(separator: ","))}")
    }
    if let element { parts.append("\"elements\":\(element.text)") }
    // Said only where it is not what entries without members mean.
    if let entry {
      if !isDictionary { parts.append("\"dictionary\":false") }
      parts.append("\"entries\":\(entry.text)")
    }
    return "{\(parts.joined(separator: ","))}"
  }

  /// Nil for what is no shape.
  convenience init?(_ text: String) {
    guard let document = try? JSONDocument(Array(text.utf8)), document.root.kind == .object else { return nil }
    self.init()
    withExtendedLifetime(document) { read(document.root) }
  }

  private func read(_ value: JSONValue) {
    var hasOthers = false
    for (name, part) in Self.parts(of: value) {
      switch name {
      case "kinds":
        for (kind, count) in Self.parts(of: part) {
          guard let kind = Kind(rawValue: kind), let count = Int(String(decoding: count.rawText, as: UTF8.self)) else {
            continue
          }
          add(count, of: kind)
        }
      case "members":
        part.forEachMember { name, shape in member(named: JSONName(bytes: name.stringBytes)).read(shape) }
      case "elements": elements().read(part)
      case "dictionary": hasOthers = part.kind == .false
      case "entries":
        if !hasOthers { fold() }
        entries().read(part)
      default: continue
      }
    }
  }

  private static func parts(of value: JSONValue) -> [(String, JSONValue)] {
    var parts: [(String, JSONValue)] = []
    value.forEachMember { name, value in parts.append((name.stringValue, value)) }
    return parts
  }
}
