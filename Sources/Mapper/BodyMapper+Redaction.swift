import JSONReading
import PlanCompiler
import Records
import Values

/// What stands in an answer that was kept, in place of secrets: no value of the API's.
package struct Redaction: Sendable {
  package var mark: [UInt8]
  /// The body was altered; else only what stands around it may have been.
  package var isInBody: Bool

  package init(mark: [UInt8], isInBody: Bool) {
    self.mark = mark
    self.isInBody = isInBody
  }
}

/// Records of which a part was replaced: they are rejected, and all others are taken.
extension BodyMapper {
  func isAltered(_ record: JSONValue, by redaction: Redaction) -> Bool {
    guard let position else { return false }
    if redaction.isInBody {
      if record.rawText.firstRange(of: redaction.mark) != nil { return true }
      let names = position.steps.lazy.compactMap { if case .member(let name) = $0 { name.bytes } else { nil } }
      if names.contains(where: { $0.firstRange(of: redaction.mark) != nil }) { return true }
      for document in places[position.place].captures.lazy.compactMap({ position.captures[$0] })
      where document.root.rawText.firstRange(of: redaction.mark) != nil { return true }
    }
    return contextsKept(at: position.place).contains { path in
      switch path.origin {
      case .responseHeader, .variable: break
      default: return false
      }
      let access = PathAccess(origin: .context, path: path, rest: path.steps.isEmpty ? nil : path)
      guard case .value(let raw) = findContext(access) else { return false }
      return raw.text.firstRange(of: redaction.mark) != nil
    }
  }

  /// What the mapping of the place's records reads around them, whichever record it is.
  func contextsKept(at index: Int) -> [KeyPath] {
    let place = places[index].plan
    let conditions = plan.choices.conditionPaths(of: place.choice).filter { $0.origin != .value }
    var met: Set<KeyPath> = []
    return (place.branches.flatMap { plan.rows[$0.row].keptContexts } + conditions).filter { met.insert($0).inserted }
  }

  func rejectAltered(_ element: Element, at place: PlacePlan) {
    let record = place.choice.map { plan.choices[$0].record } ?? plan.rows[place.branches[0].row].record
    frames.append(Frame(row: -1, value: element.value, slots: 0, element: element))
    defer { frames.removeLast() }
    counts[record].received += 1
    counts[record].rejected += 1
    unsweepable.insert(record)
    var rejection = rejection(
      record: record, value: element.value, field: nil,
      reason: "a secret in it was replaced before it was kept: ask the API again",
      contexts: position.map { contextsKept(at: $0.place) } ?? [])
    rejection.isRedacted = true
    batch.rejections.append(rejection)
  }
}
