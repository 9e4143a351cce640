import Glibc
package import JSONReading

/// A body of a file or of standard input, unpacked where it is packed.
///
/// A packed body is unpacked whole before anything of it is read, so that one that is cut or broken brings nothing: it
/// is kept as an answer's body is, in memory while it is small and in a temporary file beyond.
package struct InputBody: Sendable {
  package let source: BodySource
  /// Keeps what the source names.
  private let holder: ResponseBody?
  private let opened: OpenedFile?

  /// A file: packed if its name says so. Other files are read in place, but what is no regular file, such as a pipe, is
  /// read as standard input is: it waits for who is to write, until a signal comes.
  ///
  /// - Parameters:
  ///   - ratio: how many times larger than the file a body may become.
  ///   - isKept: it has to be read twice.
  package init(
    file path: String, ratio: Int, isKept: Bool = true, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(FetchError) {
    let packing = Packing(ofFile: path)
    guard packing != nil || OpenedFile.isSpecial(path) else {
      self.init(.file(path))
      return
    }
    let file = try OpenedFile(path)
    // It closes the descriptor that is read below.
    defer { withExtendedLifetime(file) {} }
    let reader = DescriptorReader(file.descriptor, isInterrupted: isInterrupted)
    if let packing {
      self.init(try Self.unpacked(reader, first: [], packing, ratio: ratio))
    } else {
      self = try Self.stream(file.descriptor, of: file, reader, ratio: ratio, isKept: isKept)
    }
  }

  /// Standard input: packed if its first bytes say so. `isKept`: it has to be read twice.
  package init(
    standardInput descriptor: Int32 = 0, ratio: Int, isKept: Bool,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(FetchError) {
    let reader = DescriptorReader(descriptor, isInterrupted: isInterrupted)
    self = try Self.stream(descriptor, of: nil, reader, ratio: ratio, isKept: isKept)
  }

  private init(_ source: BodySource, of opened: OpenedFile? = nil) {
    (self.source, holder, self.opened) = (source, nil, opened)
  }

  private init(_ body: ResponseBody) { (source, holder, opened) = (body.source, body, nil) }

  private static func stream(
    _ descriptor: Int32, of file: OpenedFile?, _ reader: DescriptorReader, ratio: Int, isKept: Bool
  ) throws(FetchError) -> InputBody {
    let first = try reader.first(4)
    if let packing = Packing(magic: first) {
      return InputBody(try unpacked(reader, first: first, packing, ratio: ratio))
    }
    guard isKept else { return InputBody(.stream(descriptor, behind: first), of: file) }
    var spool = BodySpool(folder: "/tmp")
    try spool.append(first)
    try reader.readToEnd { (bytes) throws(FetchError) in try spool.append(bytes) }
    return InputBody(spool.finish())
  }

  private static func unpacked(
    _ reader: DescriptorReader, first: [UInt8], _ packing: Packing, ratio: Int
  ) throws(FetchError) -> ResponseBody {
    var unpacking = try Unpacking(packing, ratio: ratio)
    try unpacking.add(first)
    try reader.readToEnd { (bytes) throws(FetchError) in try unpacking.add(Array(bytes)) }
    return try unpacking.finish()
  }
}

/// A file that is open to be read, until nobody holds it. A pipe is open at once, whether somebody writes or not: who
/// reads waits.
private final class OpenedFile: Sendable {
  let descriptor: Int32

  init(_ path: String) throws(FetchError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw FetchError(.other, "'\(path)' cannot be opened: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Is it there, and no regular file?
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }
}

/// A packed body on its way into a spool.
private struct Unpacking {
  private enum Stream {
    case gzip(Inflater)
    case zstd(ZstdUnpacker)
  }

  private let packing: Packing
  private let ratio: Int
  private let stream: Stream
  private var spool = BodySpool(folder: "/tmp")
  private var taken = 0

  init(_ packing: Packing, ratio: Int) throws(FetchError) {
    self.packing = packing
    self.ratio = ratio
    stream =
      switch packing {
      case .gzip: .gzip(Inflater(.gzip))
      case .zstd: .zstd(try ZstdUnpacker())
      }
  }

  mutating func add(_ bytes: [UInt8]) throws(FetchError) {
    taken += bytes.count
    do throws(FetchError) {
      switch stream {
      case .zstd(let unpacker): try unpacker.add(bytes) { (part) throws(FetchError) in try keep(part) }
      case .gzip(let inflater):
        var failure: FetchError?
        bytes.withUnsafeBufferPointer { buffer in
          do throws(FetchError) {
            try inflater.unpack(buffer) { (part) throws(FetchError) in try keep(part) }
          } catch {
            failure = error
          }
        }
        if let failure { throw failure }
      }
    } catch {
      guard error.code == .badEncoding else { throw error }
      throw FetchError(
        .badEncoding,
        "the body cannot be unpacked: it is damaged, or no \(packing.spoken); nothing of it is taken: get the file "
          + "again")
    }
  }

  private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) throws(FetchError) {
    let count = spool.count + bytes.count
    let (allowed, isBeyondInt) = taken.multipliedReportingOverflow(by: ratio)
    guard count <= BodyReceiver.ratioFree || isBeyondInt || count <= allowed else {
      throw FetchError(
        .limitRatio,
        "the body unpacks to more than \(ratio) times its packed size (limits.ratio of the source): it may be made to "
          + "fill the disk; raise the limit if you trust it")
    }
    try spool.append(bytes)
  }

  mutating func finish() throws(FetchError) -> ResponseBody {
    let isWhole =
      switch stream {
      case .gzip(let inflater): inflater.isAtEnd
      case .zstd(let unpacker): unpacker.isAtEnd
      }
    guard isWhole else {
      throw FetchError(
        .truncated,
        "the packed body breaks off after \(taken) bytes, before the end of its \(packing.spoken); "
          + "nothing of it is taken: get the file again")
    }
    return spool.finish()
  }
}
