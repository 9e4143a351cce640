/// What a body may be at most; each limit is an error that names it.
package struct JSONLimits: Sendable, Hashable {
  /// Bytes of one record, as received (`limits.record`).
  package var record: Int
  /// Levels of nesting of the whole body (`limits.depth`).
  package var depth: Int

  package init(record: Int = 64 << 20, depth: Int = 512) {
    self.record = record
    self.depth = depth
  }
}
