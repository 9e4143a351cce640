package import JSONReading

/// The members that a record's key paths read, as a tree: one pass over the record finds them all.
package struct MemberTree: Sendable {
  package struct Node: Sendable {
    package var name: JSONName
    /// Node indexes; children of one node lie together.
    package var children: Range<Int>
    package var parent: Int
  }

  /// Node 0 is the record's value itself.
  package private(set) var nodes: [Node]
  private var children: [Child: Int] = [:]

  private struct Child: Hashable {
    let parent: Int
    let name: JSONName
  }

  /// Builds the tree of these member paths; see `node(for:)`.
  package init(_ paths: [[JSONName]]) {
    nodes = [Node(name: JSONName(""), children: 0..<0, parent: 0)]
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
          nodes.append(Node(name: name, children: 0..<0, parent: node))
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
