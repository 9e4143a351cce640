import CZlib

/// What servers send compressed.
enum Packed {
  static func gzip(_ bytes: [UInt8]) -> [UInt8] { pack(bytes, window: 31) }
  static func zlib(_ bytes: [UInt8]) -> [UInt8] { pack(bytes, window: 15) }
  static func rawDeflate(_ bytes: [UInt8]) -> [UInt8] { pack(bytes, window: -15) }

  private static func pack(_ bytes: [UInt8], window: Int32) -> [UInt8] {
    var stream = z_stream()
    deflateInit2_(
      &stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    var input = bytes
    return [UInt8](unsafeUninitializedCapacity: bytes.count + bytes.count / 1000 + 64) { output, filled in
      input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        deflate(&stream, Z_FINISH)
      }
      filled = output.count - Int(stream.avail_out)
    }
  }
}
