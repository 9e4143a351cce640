import Diagnostics

/// A node that is read, with what the collection around it needs to know.
struct BuiltNode {
  let node: YAMLNode
  /// Where it stands, in bytes; of an alias, where the alias stands.
  var place: Range<Int>
  /// Itself and all nodes within.
  var size = 1
  /// Collections within one another: 0 for a scalar.
  var height = 0
  /// A plain `<<`.
  var isMergeKey = false
}
