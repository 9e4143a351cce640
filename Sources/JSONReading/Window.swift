/// A stretch of a body in memory. Who keeps it keeps the bytes of the records that were read from it.
final class Window {
  /// Bytes behind the text that may be read, and are zero.
  static let padding = 64

  let bytes: UnsafeMutablePointer<UInt8>
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity + Self.padding)
    (bytes + capacity).initialize(repeating: 0, count: Self.padding)
  }

  deinit { bytes.deallocate() }

  /// Makes the bytes behind the text's end what `ScannedText` wants them to be.
  func pad(from end: Int) { (bytes + end).update(repeating: 0, count: Self.padding) }
}
