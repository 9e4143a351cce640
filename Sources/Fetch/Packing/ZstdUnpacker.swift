import CZstd

/// Unpacks zstd as it comes, and knows whether the stream has reached its end.
package final class ZstdUnpacker {
  /// The library's name of the error.
  private static let windowTooLarge = "Frame requires too much memory for decoding"

  private let context: OpaquePointer
  private let output: UnsafeMutableBufferPointer<UInt8>
  /// The end of a frame was seen; behind it only another one may follow.
  package private(set) var isAtEnd = false

  package init() throws(FetchError) {
    guard let context = ZSTD_createDCtx() else { throw ZstdPacker.noMemory() }
    self.context = context
    output = .allocate(capacity: ZSTD_DStreamOutSize())
  }

  deinit {
    ZSTD_freeDCtx(context)
    output.deallocate()
  }

  /// Unpacks what came and hands on what it holds.
  package func add(
    _ bytes: [UInt8], into sink: (UnsafeBufferPointer<UInt8>) throws(FetchError) -> Void
  ) throws(FetchError) {
    var taken = 0
    // Ends: each turn takes input or gives output.
    while true {
      var (given, rest) = (0, 0)
      let before = taken
      bytes.withUnsafeBufferPointer { source in
        var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: taken)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        rest = ZSTD_decompressStream(context, &target, &input)
        (taken, given) = (input.pos, target.pos)
      }
      guard ZSTD_isError(rest) == 0 else {
        if String(cString: ZSTD_getErrorName(rest)) == Self.windowTooLarge {
          throw FetchError(.other, "the body cannot be unpacked: its zstd needs more than 128 MiB of memory (--long)")
        }
        throw FetchError(.badEncoding, "the body cannot be unpacked: it is damaged, or no zstd")
      }
      // Behind the end of a frame the library waits for another one.
      if rest == 0 { isAtEnd = true } else if taken > before { isAtEnd = false }
      if given > 0 { try sink(UnsafeBufferPointer(rebasing: output[..<given])) }
      if taken == bytes.count, given < output.count { return }
    }
  }
}
