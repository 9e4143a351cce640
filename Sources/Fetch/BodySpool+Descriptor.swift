import Glibc

extension BodySpool {
  /// Reads a descriptor to its end: for a stream that has to be read twice. `isInterrupted` ends it.
  package static func read(
    descriptor: Int32, folder: String = "/tmp", isInterrupted: () -> Bool = { false }
  ) throws(FetchError) -> ResponseBody {
    var spool = BodySpool(folder: folder)
    let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    defer { chunk.deallocate() }
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var ready: Int32
      repeat {
        if isInterrupted() { throw .interrupted }
        ready = poll(&waiting, 1, 200)
      } while ready == 0 || ready < 0 && errno == EINTR
      if isInterrupted() { throw .interrupted }
      let count = Glibc.read(descriptor, chunk.baseAddress, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw FetchError(.other, String(cString: strerror(errno)))
      }
      if count == 0 { return spool.finish() }
      try spool.append(UnsafeBufferPointer(rebasing: chunk[..<count]))
    }
  }
}
