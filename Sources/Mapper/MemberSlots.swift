import JSONReading

/// Finds the members that a record's key paths read, in one pass over the record.
///
/// Slots lie on a stack: a nested record's above its parent's. Slot n belongs to node n of the record's `MemberTree`: the
/// index of the member's value among the JSON nodes, or -1.
final class MemberSlots {
  // Every member of every record comes by here, so slots are plain memory: an array would be checked at each of them for
  // bounds, overlapping access and other holders.
  @exclusivity(unchecked) private var memory = UnsafeMutablePointer<Int32>.allocate(capacity: 64)
  @exclusivity(unchecked) private var capacity = 64
  @exclusivity(unchecked) private var count = 0

  deinit { memory.deallocate() }

  /// Fills the slots of a record and gives the index of the first one.
  func push(_ members: MemberNames, of value: JSONValue) -> Int {
    let base = count
    count += members.nodes.count
    if count > capacity { grow() }
    let slots = memory + base
    slots.initialize(repeating: -1, count: members.nodes.count)
    slots[0] = Int32(value.index)
    Filling(members: members, slots: slots).fill(0, from: value)
    return base
  }

  func pop(to base: Int) { count = base }

  /// Of a slot that was pushed, and not popped.
  subscript(_ slot: Int) -> Int32 { memory[slot] }

  /// The slots from one on, until the next push.
  func from(_ slot: Int) -> UnsafePointer<Int32> { UnsafePointer(memory + slot) }

  private func grow() {
    let larger = max(count, 2 * capacity)
    let moved = UnsafeMutablePointer<Int32>.allocate(capacity: larger)
    moved.moveInitialize(from: memory, count: capacity)
    memory.deallocate()
    (memory, capacity) = (moved, larger)
  }
}

/// The slots of one record while they are filled.
private struct Filling {
  let members: MemberNames
  let slots: UnsafeMutablePointer<Int32>

  /// Depth is bounded by the tree's, which the mapping bounds.
  func fill(_ number: Int, from value: JSONValue) {
    let nodes = members.nodes
    let node = nodes[number]
    let children = node.children
    let (json, text) = (value.nodes, value.bytes)
    guard case .object = json[value.index].kind, !children.isEmpty else { return }
    // Records are regular: the member after the last hit is tried first.
    var hint = children.lowerBound
    var index = value.index + 1
    let end = Int(json[value.index].next)
    while index < end {
      let name = json[index]
      var child = hint
      // Within its quotes.
      let (start, count) = (text + Int(name.start) + 1, Int(name.end - name.start) - 2)
      if name.isSpecial {
        child = find(value.at(index), below: node)
      } else if !nodes[hint].isNamed(start, count) {
        child = members.child(of: node, start, count)
      }
      if child >= 0 {
        slots[child] = Int32(truncatingIfNeeded: index + 1)
        hint = child + 1 == children.upperBound ? children.lowerBound : child + 1
      }
      index = Int(json[index + 1].next)
    }
    for child in children where !nodes[child].children.isEmpty && slots[child] >= 0 {
      fill(child, from: value.at(Int(slots[child])))
    }
  }

  /// Of a name that is written with escapes.
  private func find(_ name: JSONValue, below node: MemberNames.Node) -> Int {
    name.stringBytes.withUnsafeBufferPointer { members.child(of: node, $0) }
  }
}
