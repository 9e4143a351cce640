import Glibc

/// Buffered writing to a file descriptor, for results of any size.
///
/// Nothing throws: after a failed write all further bytes are dropped, and `failure` says why. A loop that prints
/// much asks it now and then, so that it does not work for nobody.
package final class OutputBuffer {
  package enum Failure: Equatable {
    /// Nobody reads any more: not worth a word.
    case closed
    /// The error of `write(2)`.
    case failed(Int32)
  }

  package private(set) var failure: Failure?
  private let descriptor: Int32
  private let start: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private var count = 0

  /// - Parameter descriptor: stays open; the caller owns it.
  package init(descriptor: Int32, capacity: Int = 1 << 16) {
    self.descriptor = descriptor
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  package func append(_ byte: UInt8) {
    if count == capacity { flush() }
    start[count] = byte
    count += 1
  }

  package func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    if bytes.count > capacity - count {
      flush()
      if bytes.count > capacity {
        write(source, bytes.count)
        return
      }
    }
    UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  package func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  package func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// The decimal digits of a number.
  package func append(decimal number: Int64) {
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { room in
      var at = room.count
      var rest = number.magnitude
      repeat {
        at -= 1
        room[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        at -= 1
        room[at] = UInt8(ascii: "-")
      }
      append(UnsafeRawBufferPointer(rebasing: room[at...]))
    }
  }

  /// Hands everything to the descriptor.
  package func flush() {
    write(start, count)
    count = 0
  }

  private func write(_ bytes: UnsafeRawPointer, _ count: Int) {
    guard failure == nil else { return }
    switch Descriptor.write(UnsafeRawBufferPointer(start: bytes, count: count), to: descriptor) {
    case 0: break
    case EPIPE: failure = .closed
    case let code: failure = .failed(code)
    }
  }
}
