import Diagnostics
import JSONReading
import MappingLanguage

/// Whether relationships are lists, or one, in the bodies that were looked at as they are declared.
struct RelationshipShapes {
  private struct Seen {
    let relationship: RelationshipDeclaration
    var lists = 0
    var objects = 0
  }

  private var seen: [ObjectIdentifier: [Int: Seen]] = [:]

  /// A value that a relationship's key path leads to. Texts and numbers tell nothing, nor does an empty list.
  mutating func note(_ value: JSONValue, of relationship: RelationshipDeclaration) {
    let isList = value.kind == .array && value.next > value.index + 1
    guard isList || value.kind == .object, !relationship.from.value.isOfMany, relationship.from.value.steps.count > 0
    else { return }
    let (file, offset) = (ObjectIdentifier(relationship.span.file), relationship.span.start.offset)
    var known = seen[file, default: [:]][offset] ?? Seen(relationship: relationship)
    if isList { known.lists += 1 } else { known.objects += 1 }
    seen[file, default: [:]][offset] = known
  }

  /// In no certain order.
  var findings: [Diagnostic] { seen.values.flatMap(\.values).compactMap(finding) }

  private func finding(_ seen: Seen) -> Diagnostic? {
    let relationship = seen.relationship
    let name = relationship.name.value
    let record = relationship.record.value
    switch relationship.shape {
    case .one where seen.lists > 0 && seen.objects == 0:
      return warning(
        "'\(name)' is a list in the bodies of 'tests', and is declared as one '\(record)'", of: relationship,
        hint: "write [\(record)]")
    case .many where seen.lists == 0 && seen.objects > 0:
      return warning(
        "'\(name)' is one object in the bodies of 'tests', and is declared as a list of '\(record)'", of: relationship,
        hint: "write \(record) without brackets")
    default: return nil
    }
  }

  private func warning(_ message: String, of relationship: RelationshipDeclaration, hint: String) -> Diagnostic {
    let isInline = relationship.record.span.start == relationship.name.span.start
    return Diagnostic(
      .badRelationship, message, at: relationship.record.span, hint: isInline ? nil : hint, severity: .warning)
  }
}

extension KeyPath {
  /// Does it lead to several values?
  fileprivate var isOfMany: Bool { steps.contains(.eachElement) || steps.contains(.eachMember) }
}
