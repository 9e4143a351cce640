import CZlib

/// Unpacks a gzip or deflate stream as it comes, and knows whether the stream has reached its end.
final class Inflater {
  enum Encoding: Sendable {
    case gzip, deflate
  }

  private let encoding: Encoding
  /// zlib's state points back at it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableBufferPointer<UInt8>
  private var isStarted = false
  /// The end of the stream was seen; behind it only another gzip member may follow.
  private(set) var isAtEnd = false

  init(_ encoding: Encoding) {
    self.encoding = encoding
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(capacity: 64 << 10)
  }

  deinit {
    if isStarted { inflateEnd(stream) }
    stream.deallocate()
    output.deallocate()
  }

  /// Unpacks what came and hands on what it holds, at most 64 KiB at a time.
  func unpack(
    _ bytes: UnsafeBufferPointer<UInt8>, into sink: (UnsafeBufferPointer<UInt8>) throws(FetchError) -> Void
  ) throws(FetchError) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    if !isStarted { try start(with: base[0]) }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: base)
    stream.pointee.avail_in = UInt32(bytes.count)
    // Ends: each turn takes input, gives output, or throws.
    while stream.pointee.avail_in > 0 || (stream.pointee.avail_out == 0 && !isAtEnd) {
      if isAtEnd { try startNextMember() }
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      let status = inflate(stream, Z_NO_FLUSH)
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw broken() }
      isAtEnd = status == Z_STREAM_END
      let given = output.count - Int(stream.pointee.avail_out)
      if given > 0 { try sink(UnsafeBufferPointer(rebasing: output[..<given])) }
      if status == Z_BUF_ERROR && given == 0 { break }
    }
  }

  private func start(with first: UInt8) throws(FetchError) {
    // 15 bits of window; + 16: gzip; negative: raw. Servers send "deflate" with and without the header of zlib.
    let hasZlibHeader = first & 0x0F == 8
    let window: Int32 = encoding == .gzip ? 31 : hasZlibHeader ? 15 : -15
    let status = inflateInit2_(stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw FetchError(.other, "there is no memory left to unpack the body") }
    isStarted = true
    stream.pointee.avail_out = 1
  }

  /// A gzip stream may consist of several members; anything else behind the end is refused.
  private func startNextMember() throws(FetchError) {
    guard encoding == .gzip, stream.pointee.next_in.pointee == 0x1F, inflateReset(stream) == Z_OK else {
      throw FetchError(.badEncoding, "bytes follow the end of the compressed body")
    }
    isAtEnd = false
  }

  private func broken() -> FetchError {
    let name = encoding == .gzip ? "gzip" : "deflate"
    return FetchError(.badEncoding, "the body cannot be unpacked: it is announced as \(name), and is not valid \(name)")
  }
}
