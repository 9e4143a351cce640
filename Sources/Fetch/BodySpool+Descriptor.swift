import Glibc

extension BodySpool {
  /// Reads a descriptor to its end: for a stream that has to be read twice.
  package static func read(descriptor: Int32, folder: String = "/tmp") throws(FetchError) -> ResponseBody {
    var spool = BodySpool(folder: folder)
    let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    defer { chunk.deallocate() }
    while true {
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
