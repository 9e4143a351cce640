/// A body's text as UTF-8, in order, once: byte order mark skipped, other encodings converted, comments blanked when the
/// format is lenient. UTF-8 itself is not checked here.
final class TextBytes {
  private let raw: RawBytes
  private let encoding: TextEncoding
  private let isLenient: Bool
  private var comments = CommentFilter()
  /// Bytes that were read to see a mark, or that could not be decoded yet.
  private var pending: [UInt8]
  /// Text that waits to be handed out, from `handed` on.
  private var ready: [UInt8] = []
  private var handed = 0
  private var isAtEnd = false
  private var fault: TextFault?
  private let isPlain: Bool
  /// Length of a UTF-8 byte order mark: offsets in the body count it.
  let markLength: Int

  private static let chunk = 1 << 16

  init(
    _ source: BodySource, _ format: BodyFormat, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(JSONError) {
    var named = TextEncoding.utf8
    if let charset = format.charset {
      guard let encoding = TextEncoding(charset: charset) else {
        throw JSONError(
          .invalidText, "the charset '\(charset)' cannot be read (utf-8, utf-16 and utf-32 can)", offset: 0, line: 1)
      }
      named = encoding
    }
    raw = try RawBytes(source, isInterrupted: isInterrupted)
    pending = try Self.first(raw)
    let marked = TextEncoding.marked(pending)
    encoding = marked?.0 ?? named
    isLenient = format.isLenient
    isPlain = encoding == .utf8 && !format.isLenient
    pending.removeFirst(marked?.length ?? 0)
    markLength = encoding == .utf8 ? marked?.length ?? 0 : 0
  }

  /// The first four bytes, or all that there are.
  private static func first(_ raw: RawBytes) throws(JSONError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < 4 {
      var byte: UInt8 = 0
      if try raw.read(into: &byte, count: 1) == 0 { break }
      bytes.append(byte)
    }
    return bytes
  }

  /// The bytes are those of another encoding than UTF-8.
  var isConverted: Bool { encoding != .utf8 }

  /// What went wrong where the bytes end before the body does; nil when they end with it.
  var failure: TextFault? { isAtEnd && handed == ready.count ? fault : nil }

  /// Gives up to `count` bytes; 0 at the end, or where `failure` says why not more.
  func read(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    if isPlain {
      if !pending.isEmpty { return give(&pending, into: target, count) }
      return readRaw(into: target, count: count)
    }
    while handed == ready.count && !isAtEnd { refill() }
    let taken = min(count, ready.count - handed)
    ready.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { target.update(from: start + handed, count: taken) }
    }
    handed += taken
    return taken
  }

  private func give(_ bytes: inout [UInt8], into target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    let taken = min(count, bytes.count)
    for index in 0..<taken { target[index] = bytes[index] }
    bytes.removeFirst(taken)
    return taken
  }

  private func readRaw(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    if isAtEnd { return 0 }
    do {
      let taken = try raw.read(into: target, count: count)
      isAtEnd = taken == 0
      return taken
    } catch {
      isAtEnd = true
      fault = TextFault(error.code, error.message, at: 0)
      return 0
    }
  }

  /// Converts the next chunk into `ready`.
  private func refill() {
    ready.removeAll(keepingCapacity: true)
    handed = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
      count = buffer.baseAddress.map { readRaw(into: $0, count: Self.chunk) } ?? 0
    }
    pending.append(contentsOf: chunk)
    var text: [UInt8] = []
    if encoding == .utf8 {
      swap(&text, &pending)
    } else if !encoding.decode(&pending, isEnd: isAtEnd, into: &text), fault == nil {
      isAtEnd = true
      fault = TextFault(.invalidText, "bytes that are no character of the body's encoding", at: 0)
    }
    guard isLenient else { return ready = text }
    comments.filter(text, into: &ready)
    guard isAtEnd && fault == nil else { return }
    comments.finish(into: &ready)
    if comments.isInComment { fault = TextFault(.syntax, "a comment that is not closed", at: 0) }
  }
}
