package import JSONReading

/// The members that a record's key paths read, as a tree: one pass over the record finds them all.
///
/// Every member of every record is compared with it, so nodes hold numbers only: looking at one counts no reference.
package struct MemberTree: Sendable {
  package struct Node: Sendable {
    /// Where its name stands in `names`.
    package var name: Range<Int>
    /// Node indexes; children of one node lie together.
    package var children: Range<Int>
    package var parent: Int
  }

  /// Node 0 is the record's value itself.
  package private(set) var nodes: [Node]
  /// The names of all nodes, one behind the other.
  package private(set) var names: [UInt8] = []
  private var children: [Child: Int] = [:]

  private struct Child: Hashable {
    let parent: Int
    let name: JSONName
  }

  /// Builds the tree of these member paths; see `node(for:)`.
  package init(_ paths: [[JSONName]]) {
    nodes = [Node(name: 0..<0, children: 0..<0, parent: 0)]
    var pending: [(node: Int, paths: [ArraySlice<JSONName>])] = [(0, paths.map { $0[...] })]
    var next = 0
    while next < pending.count {
      let (node, rest) = pending[next]
      next += 1
      let start = nodes.count
      var below: [[ArraySlice<JSONName>]] = []
      for path in rest {
        guard let name = path.first else { continue }
        let child = Child(parent: node, name: name)
        if let number = children[child] {
          below[number - start].append(path.dropFirst())
        } else {
          children[child] = nodes.count
          let end = names.count + name.bytes.count
          nodes.append(Node(name: names.count..<end, children: 0..<0, parent: node))
          names += name.bytes
          below.append([path.dropFirst()])
        }
      }
      nodes[node].children = start..<nodes.count
      for (offset, paths) in below.enumerated() { pending.append((start + offset, paths)) }
    }
  }

  /// The node of a path that the tree was built from.
  package func node(for path: [JSONName]) -> Int {
    var node = 0
    for name in path {
      guard let child = children[Child(parent: node, name: name)] else {
        preconditionFailure("a member tree holds every path that it was built from")
      }
      node = child
    }
    return node
  }
}
