import Glibc
import JSONReading
import PlanCompiler

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
  func push(_ tree: MemberTree, of value: JSONValue) -> Int {
    let base = count
    count += tree.nodes.count
    if count > capacity { grow() }
    let slots = memory + base
    slots.initialize(repeating: -1, count: tree.nodes.count)
    slots[0] = Int32(value.index)
    tree.nodes.withUnsafeBufferPointer { nodes in
      tree.names.withUnsafeBufferPointer { names in
        Filling(nodes: nodes, names: names, slots: slots).fill(0, from: value)
      }
    }
    return base
  }

  func pop(to base: Int) { count = base }

  /// Of a slot that was pushed, and not popped.
  subscript(_ slot: Int) -> Int32 { memory[slot] }

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
  let nodes: UnsafeBufferPointer<MemberTree.Node>
  let names: UnsafeBufferPointer<UInt8>
  let slots: UnsafeMutablePointer<Int32>

  /// Depth is bounded by the tree's, which the mapping bounds.
  func fill(_ node: Int, from value: JSONValue) {
    let children = nodes[node].children
    let json = value.nodes
    guard case .object = json[value.index].kind, !children.isEmpty else { return }
    // Records are regular: the member after the last hit is tried first.
    var hint = children.lowerBound
    var name = value.index + 1
    let end = Int(json[value.index].next)
    while name < end {
      if let child = find(name, of: value, among: children, from: hint) {
        slots[child] = Int32(name + 1)
        hint = child + 1 == children.upperBound ? children.lowerBound : child + 1
      }
      name = Int(json[name + 1].next)
    }
    for child in children where !nodes[child].children.isEmpty && slots[child] >= 0 {
      fill(child, from: value.at(Int(slots[child])))
    }
  }

  /// The node of the member whose name is JSON node number `index`.
  private func find(_ index: Int, of value: JSONValue, among children: Range<Int>, from hint: Int) -> Int? {
    let name = value.nodes[index]
    if name.isSpecial {
      let decoded = value.at(index).stringBytes
      return decoded.withUnsafeBufferPointer { text in children.first { isName(of: $0, text) } }
    }
    // Within its quotes.
    let text = UnsafeBufferPointer(start: value.bytes + Int(name.start) + 1, count: Int(name.end - name.start) - 2)
    if isName(of: hint, text) { return hint }
    for child in children where child != hint && isName(of: child, text) { return child }
    return nil
  }

  private func isName(of node: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = nodes[node].name
    guard name.count == text.count, let a = names.baseAddress, let b = text.baseAddress else {
      return name.count == text.count
    }
    return text.isEmpty || (a[name.lowerBound] == b[0] && memcmp(a + name.lowerBound, b, text.count) == 0)
  }
}
