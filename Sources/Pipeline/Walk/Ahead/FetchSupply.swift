package import Fetch

/// What those who fetch ahead bring along.
package struct FetchSupply: Sendable {
  /// True ends a request as `interrupted`.
  package typealias Stop = @Sendable () -> Bool

  package var transport: @Sendable (@escaping Stop) throws(FetchError) -> any Transport
  package var clock: @Sendable (@escaping Stop) -> any FetchClock
  /// So many bytes of answers wait at most for one walk, beside one answer of any size.
  package var laneLimit = 64 << 20

  package init(
    clock: @escaping @Sendable (@escaping Stop) -> any FetchClock = { SystemClock(isInterrupted: $0) },
    transport: @escaping @Sendable (@escaping Stop) throws(FetchError) -> any Transport
  ) {
    self.clock = clock
    self.transport = transport
  }
}
