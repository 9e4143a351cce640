import Glibc
import JSONReading
import PlanCompiler

/// Finds the members that a record's key paths read, in one pass over the record.
///
/// Slots lie on a stack: a nested record's above its parent's. Slot n belongs to node n of the record's `MemberTree`: the
/// index of the member's value among the JSON nodes, or -1.
struct MemberSlots {
  private var slots: [Int32] = []

  /// Fills the slots of a record and gives the index of the first one.
  mutating func push(_ tree: MemberTree, of value: JSONValue) -> Int {
    let base = slots.count
    slots.append(contentsOf: repeatElement(-1, count: tree.nodes.count))
    slots[base] = Int32(value.index)
    fill(tree, node: 0, from: value, base: base)
    return base
  }

  mutating func pop(to base: Int) { slots.removeSubrange(base...) }

  subscript(_ slot: Int) -> Int32 { slots[slot] }

  /// Depth is bounded by the tree's, which the mapping bounds.
  private mutating func fill(_ tree: MemberTree, node: Int, from value: JSONValue, base: Int) {
    let children = tree.nodes[node].children
    guard value.kind == .object, !children.isEmpty else { return }
    // Records are regular: the member after the last hit is tried first.
    var hint = children.lowerBound
    var name = value.index + 1
    let end = value.next
    while name < end {
      let member = value.at(name + 1)
      if let child = find(value.at(name), among: children, of: tree, from: hint) {
        slots[base + child] = Int32(member.index)
        hint = child + 1 == children.upperBound ? children.lowerBound : child + 1
      }
      name = member.next
    }
    for child in children where !tree.nodes[child].children.isEmpty && slots[base + child] >= 0 {
      fill(tree, node: child, from: value.at(Int(slots[base + child])), base: base)
    }
  }

  private mutating func find(
    _ name: JSONValue, among children: Range<Int>, of tree: MemberTree, from hint: Int
  ) -> Int? {
    guard !name.hasEscapes else {
      let bytes = name.stringBytes
      return children.first { tree.nodes[$0].name.bytes == bytes }
    }
    let text = name.stringText
    if tree.nodes[hint].name.matches(text) { return hint }
    for child in children where child != hint && tree.nodes[child].name.matches(text) { return child }
    return nil
  }
}

extension JSONName {
  @inline(__always) func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == text.count, let other = text.baseAddress else { return bytes.count == text.count }
    return bytes.withUnsafeBytes { name in name.baseAddress.map { memcmp($0, other, text.count) == 0 } ?? true }
  }
}
