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

  /// Builds the tree of these member paths; see `node(for:)`.
  package init(_ paths: [[JSONName]]) {
    nodes = [Node(name: JSONName(""), children: 0..<0, parent: 0)]
    var pending: [(node: Int, paths: [ArraySlice<JSONName>])] = [(0, paths.map { $0[...] })]
    var next = 0
    while next < pending.count {
      let (node, rest) = pending[next]
      next += 1
      var names: [JSONName] = []
      for path in rest {
        if let first = path.first, !names.contains(first) { names.append(first) }
      }
      let start = nodes.count
      nodes[node].children = start..<start + names.count
      for name in names { nodes.append(Node(name: name, children: 0..<0, parent: node)) }
      for (offset, name) in names.enumerated() {
        pending.append((start + offset, rest.filter { $0.first == name }.map { $0.dropFirst() }))
      }
    }
  }

  /// The node of a path that the tree was built from.
  package func node(for path: [JSONName]) -> Int {
    var node = 0
    for name in path {
      guard let child = nodes[node].children.first(where: { nodes[$0].name == name }) else {
        preconditionFailure("a member tree holds every path that it was built from")
      }
      node = child
    }
    return node
  }
}
