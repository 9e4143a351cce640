import CZstd

/// Packs bytes with zstd as they come, with a checksum at the end.
package final class ZstdPacker {
  private let context: OpaquePointer
  private let output: UnsafeMutableBufferPointer<UInt8>

  package init() throws(FetchError) {
    guard let context = ZSTD_createCCtx() else { throw ZstdPacker.noMemory() }
    self.context = context
    output = .allocate(capacity: ZSTD_CStreamOutSize())
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
  }

  deinit {
    ZSTD_freeCCtx(context)
    output.deallocate()
  }

  /// Hands on what has been packed so far.
  package func add(
    _ bytes: [UInt8], into sink: (UnsafeBufferPointer<UInt8>) throws(FetchError) -> Void
  ) throws(FetchError) {
    try pack(bytes, ZSTD_e_continue, into: sink)
  }

  /// Hands on the rest; nothing may be added behind it.
  package func finish(
    into sink: (UnsafeBufferPointer<UInt8>) throws(FetchError) -> Void
  ) throws(FetchError) {
    try pack([], ZSTD_e_end, into: sink)
  }

  private func pack(
    _ bytes: [UInt8], _ directive: ZSTD_EndDirective,
    into sink: (UnsafeBufferPointer<UInt8>) throws(FetchError) -> Void
  ) throws(FetchError) {
    var taken = 0
    // Ends: each turn takes input or gives output, until nothing is left.
    while true {
      var (given, rest) = (0, 0)
      bytes.withUnsafeBufferPointer { source in
        var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: taken)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        rest = ZSTD_compressStream2(context, &target, &input, directive)
        (taken, given) = (input.pos, target.pos)
      }
      guard ZSTD_isError(rest) == 0 else { throw ZstdPacker.noMemory() }
      if given > 0 { try sink(UnsafeBufferPointer(rebasing: output[..<given])) }
      let isDone = directive == ZSTD_e_end ? rest == 0 : taken == bytes.count
      if isDone { return }
    }
  }

  static func noMemory() -> FetchError { FetchError(.other, "there is no memory left to pack or unpack a body") }
}
