import JSONReading
import PlanCompiler
import Records

/// A member that was named in a warning.
struct UnmappedMember: Hashable {
  var row: Int
  var name: JSONName
}

/// Members of a record that nothing maps: ignored, named, kept as JSON, or the end of the run.
extension BodyMapper {
  func noteUnmapped(_ value: JSONValue, of row: UnsafePointer<MappedRow>) throws {
    if case .ignore = row.pointee.plan.unmapped { return }
    let rowPlan = row.pointee.plan
    guard value.kind == .object else { return }
    var captured: [UInt8] = []
    try value.forEachMember { name, member in
      let name = JSONName(bytes: name.stringBytes)
      guard !rowPlan.mappedMembers.contains(name) else { return }
      switch rowPlan.unmapped {
      case .ignore: break
      case .warn: warnUnmapped(name, row: row.pointee.index)
      case .fail:
        throw MappingFailure(
          record: plan.recordNames[rowPlan.record], field: name.description, pointer: pointer(of: value),
          reason: "nothing maps this member, and 'unmapped' is 'fail'")
      case .capture:
        captured.append(captured.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
        JSONText.append(name.bytes, to: &captured)
        captured.append(UInt8(ascii: ":"))
        member.appendMinified(to: &captured)
      }
    }
    guard case .capture(let column) = rowPlan.unmapped else { return }
    if !captured.isEmpty { captured.append(UInt8(ascii: "}")) }
    let text = captured.withUnsafeBytes { arena.copy($0) }
    cells[column] = captured.isEmpty ? .null : .text(text)
  }

  private func warnUnmapped(_ name: JSONName, row: Int) {
    guard warnedUnmapped.insert(UnmappedMember(row: row, name: name)).inserted else { return }
    warn("'\(plan.recordNames[plan.rows[row].record])' has a member '\(name)' that nothing maps")
  }
}
