import Glibc

/// Reads a file descriptor, which stays open, in parts; a signal ends it while nothing comes.
struct DescriptorReader {
  private let descriptor: Int32
  private let isInterrupted: @Sendable () -> Bool

  init(_ descriptor: Int32, isInterrupted: @escaping @Sendable () -> Bool) {
    self.descriptor = descriptor
    self.isInterrupted = isInterrupted
  }

  /// So many bytes, or all that there are.
  func first(_ count: Int) throws(FetchError) -> [UInt8] {
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
    defer { chunk.deallocate() }
    // Ends: each turn brings a byte, or is the last.
    while bytes.count < count {
      let taken = try read(into: chunk, count: count - bytes.count)
      if taken == 0 { break }
      bytes += chunk[..<taken]
    }
    return bytes
  }

  func readToEnd(_ take: (UnsafeBufferPointer<UInt8>) throws(FetchError) -> Void) throws(FetchError) {
    let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    defer { chunk.deallocate() }
    while true {
      let taken = try read(into: chunk, count: chunk.count)
      if taken == 0 { return }
      try take(UnsafeBufferPointer(rebasing: chunk[..<taken]))
    }
  }

  /// 0 at the end only.
  private func read(into chunk: UnsafeMutableBufferPointer<UInt8>, count: Int) throws(FetchError) -> Int {
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var ready: Int32
      repeat {
        if isInterrupted() { throw .interrupted }
        ready = poll(&waiting, 1, 200)
      } while ready == 0 || ready < 0 && errno == EINTR
      if isInterrupted() { throw .interrupted }
      let taken = Glibc.read(descriptor, chunk.baseAddress, count)
      if taken >= 0 { return taken }
      if errno != EINTR && errno != EAGAIN {
        throw FetchError(.other, "it cannot be read: \(String(cString: strerror(errno)))")
      }
    }
  }
}
