import JSONReading

/// A body packed with zstd, as the archive keeps it.
package struct PackedBody: Sendable {
  /// The packed bytes: in memory, or in a temporary file when there are many.
  package let bytes: ResponseBody
  /// How many they stand for.
  package let size: Int

  /// Packs a body. `folder` is where the file of a large one is made.
  package init(_ body: ResponseBody, folder: String = "/tmp") throws(FetchError) {
    let packer = try ZstdPacker()
    var spool = BodySpool(folder: folder)
    var size = 0
    try body.forEachPart { (part) throws(FetchError) in
      size += part.count
      try packer.add(part) { (packed) throws(FetchError) in try spool.append(packed) }
    }
    try packer.finish { (packed) throws(FetchError) in try spool.append(packed) }
    bytes = spool.finish()
    self.size = size
  }

  /// Unpacks what `read` hands out in parts. A body of another size, or one that is cut, is an error.
  package static func unpacked(
    size: Int, folder: String = "/tmp",
    _ read: ((_ part: [UInt8]) throws(FetchError) -> Void) throws(FetchError) -> Void
  ) throws(FetchError) -> ResponseBody {
    let unpacker = try ZstdUnpacker()
    var spool = BodySpool(folder: folder)
    try read { (part) throws(FetchError) in
      try unpacker.add(part) { (bytes) throws(FetchError) in
        guard spool.count + bytes.count <= size else { throw broken() }
        try spool.append(bytes)
      }
    }
    guard unpacker.isAtEnd, spool.count == size else { throw broken() }
    return spool.finish()
  }

  private static func broken() -> FetchError {
    FetchError(.truncated, "the packed body is not the one that was kept")
  }
}
