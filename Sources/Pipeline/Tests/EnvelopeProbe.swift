import Diagnostics
import JSONReading
import MappingLanguage

/// Places that name what is around the records: objects with no member of the record, whose own member has them.
struct EnvelopeProbe {
  private struct Sight {
    let place: PlaceDeclaration
    /// Some object there has a member of the record.
    var isMet = false
    /// The member that has them, in the first body that shows it.
    var inner: String?
  }

  private var sights: [SourcePosition: [ObjectIdentifier: Sight]] = [:]

  /// `value`: an object at the place.
  mutating func note(_ value: JSONValue, at place: PlaceDeclaration, of record: RecordDeclaration) {
    let names = record.leadingNames
    guard value.kind == .object, !names.isEmpty else { return }
    let (file, start) = (ObjectIdentifier(place.path.span.file), place.path.span.start)
    var sight = sights[start, default: [:]][file] ?? Sight(place: place)
    if value.count(of: names) > 0 {
      sight.isMet = true
    } else if sight.inner == nil {
      value.forEachMember { name, member in
        let first = member.kind == .array ? member.element(0) : member
        guard sight.inner == nil, let first, first.kind == .object, first.count(of: names) * 2 >= names.count else {
          return
        }
        sight.inner = JSONName(bytes: name.stringBytes).description
      }
    }
    sights[start, default: [:]][file] = sight
  }

  var findings: [Diagnostic] {
    sights.values.flatMap(\.values).compactMap { sight in
      guard !sight.isMet, let inner = sight.inner else { return nil }
      let (place, member) = (sight.place, KeyPath.quotedIfNeeded(inner))
      let path = place.path.value.steps.isEmpty ? member : "\(place.path.value.text).\(member)"
      return Diagnostic(
        .unmatchedPath,
        "what stands at '\(place.path.value.text)' in the bodies of 'tests' has no member that '\(place.record.value)' reads",
        at: place.path.span, hint: "did you mean '\(path)'?", severity: .warning)
    }
  }
}

extension RecordDeclaration {
  /// The members of the record's own value that fields of one key path begin with.
  fileprivate var leadingNames: [JSONName] {
    fields.compactMap { field in
      guard case .paths(let paths) = field.source, paths.count == 1, paths[0].value.origin == .value else { return nil }
      return paths[0].value.leadingMembers.first
    }
  }
}

extension JSONValue {
  fileprivate func count(of names: [JSONName]) -> Int { names.count { member(named: $0) != nil } }
}
