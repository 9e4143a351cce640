/// A body's text in UTF-8, once and in order, whatever it is encoded in: for those who search it.
package final class UTF8Text {
  private let text: TextBytes

  /// `charset` is the one that the content type names. A charset that cannot be read is an error.
  package init(_ source: BodySource, charset: String?) throws(JSONError) {
    text = try TextBytes(source, BodyFormat(charset: charset))
  }

  /// The text is not what the body's bytes are: they were converted.
  package var isConverted: Bool { text.isConverted }

  /// Gives up to `count` bytes; 0 at the end only. A byte order mark is left out.
  package func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(JSONError) -> Int {
    let taken = text.read(into: target, count: count)
    if taken == 0, let fault = text.failure {
      throw JSONError(fault.code, fault.message, offset: 0, line: 1)
    }
    return taken
  }
}
