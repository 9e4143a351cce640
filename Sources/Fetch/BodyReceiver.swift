#if FAULTS
  import Faults
#endif

/// Takes a body as it comes over the wire: counts, unpacks, keeps.
struct BodyReceiver {
  /// Below this, a body may be any number of times what was sent.
  static let ratioFree = 1 << 20

  private let limits: FetchLimits
  private var spool: BodySpool
  private var inflater: Inflater?
  private(set) var wireCount = 0

  init(limits: FetchLimits, folder: String) {
    self.limits = limits
    spool = BodySpool(folder: folder)
  }

  /// To be called before the first byte, with the values of all `Content-Encoding` headers.
  mutating func begin(encodings: [String]) throws(FetchError) {
    let names = encodings.flatMap { $0.utf8.split(separator: 0x2C) }
      .map { String(utf8: ASCII.trimmed(Array($0.lowercased())[...])) }
      .filter { !$0.isEmpty && $0 != "identity" }
    guard let name = names.first else { return }
    guard names.count == 1 else {
      throw FetchError(.badEncoding, "the body is encoded \(names.count) times over; one encoding is read")
    }
    switch name {
    case "gzip", "x-gzip": inflater = Inflater(.gzip)
    case "deflate": inflater = Inflater(.deflate)
    default:
      throw FetchError(.badEncoding, "the body's encoding '\(name.prefix(40))' is not known: gzip and deflate are read")
    }
  }

  mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>) throws(FetchError) {
    wireCount += bytes.count
    guard let inflater else { return try keep(bytes) }
    try inflater.unpack(bytes) { (part) throws(FetchError) in try keep(part) }
  }

  /// The whole body.
  ///
  /// `isFramed` says that the answer told where its body ends: an empty one is then no cut stream.
  mutating func finish(isFramed: Bool) throws(FetchError) -> ResponseBody {
    #if FAULTS
      if Fault.gzip.isOn { return spool.finish() }
    #endif
    if let inflater, !inflater.isAtEnd, wireCount > 0 || !isFramed {
      throw FetchError(
        .truncated, "the compressed body breaks off after \(wireCount) bytes, before the end of its stream")
    }
    return spool.finish()
  }

  private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) throws(FetchError) {
    #if FAULTS
      if Fault.unpacked.isOn, wireCount <= limits.body { return try spool.append(bytes) }
    #endif
    let count = spool.count + bytes.count
    guard count <= limits.body else {
      throw FetchError(
        .limitBody,
        "the body is larger than limits.body of the source allows (\(limits.body) bytes, unpacked): raise it, or ask "
          + "for smaller pages")
    }
    let (allowed, isBeyondInt) = wireCount.multipliedReportingOverflow(by: limits.ratio)
    guard count <= BodyReceiver.ratioFree || isBeyondInt || count <= allowed else {
      throw FetchError(
        .limitRatio,
        "the body unpacks to more than \(limits.ratio) times what was sent (limits.ratio of the source): it may be "
          + "made to fill memory; raise the limit if you trust it")
    }
    try spool.append(bytes)
  }
}
