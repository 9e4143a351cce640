import JSONReading
import PlanCompiler
import Records

/// Rejections: the record whole, its place, and the context that its mapping reads.
extension BodyMapper {
  func reject(record: Int, value: JSONValue, field: String?, reason: String, contexts: [KeyPath]) {
    batch.rejections.append(
      rejection(record: record, value: value, field: field, reason: reason, contexts: contexts))
  }

  func rejection(record: Int, value: JSONValue, field: String?, reason: String, contexts: [KeyPath]) -> Rejection {
    let endpoint = position.map { plan.endpoints[places[$0.place].endpoint].name } ?? ""
    return Rejection(
      record: plan.recordNames[record], pointer: pointer(of: value), field: field, reason: reason,
      value: Array(value.rawText), context: contextText(contexts), body: batch.body, endpoint: endpoint)
  }

  /// The JSON pointer of a value: of the top-level record, and from there to the node.
  func pointer(of value: JSONValue) -> String {
    guard let position, let top = frames.first?.value else { return "" }
    var steps = position.steps
    var current = top
    // The way down is found again: only a rejection pays for it.
    while current.index != value.index, value.index > current.index, value.index < current.next {
      guard let (step, child) = current.child(holding: value.index) else { break }
      steps.append(step)
      current = child
    }
    return JSONPointer(steps).description
  }

  private func contextText(_ paths: [KeyPath]) -> String? {
    guard !paths.isEmpty else { return nil }
    var text: [UInt8] = [UInt8(ascii: "{")]
    for (index, path) in paths.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      JSONText.append(Array(path.text.utf8), to: &text)
      text.append(UInt8(ascii: ":"))
      switch findContext(PathAccess(origin: .context, path: path, rest: path.steps.isEmpty ? nil : path)) {
      case .value(let raw): JSONText.append(raw, to: &text)
      default: text += Array("null".utf8)
      }
    }
    text.append(UInt8(ascii: "}"))
    return String(decoding: text, as: UTF8.self)
  }
}

extension JSONValue {
  /// The member or element that holds a node, or is it.
  fileprivate func child(holding node: Int) -> (RecordPosition.Step, JSONValue)? {
    var found: (RecordPosition.Step, JSONValue)?
    var number = 0
    forEachElement { element in
      if node >= element.index, node < element.next { found = (.element(number), element) }
      number += 1
    }
    forEachMember { name, member in
      if node >= member.index, node < member.next { found = (.member(JSONName(bytes: name.stringBytes)), member) }
    }
    return found
  }
}
