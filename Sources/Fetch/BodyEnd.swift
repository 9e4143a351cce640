import JSONReading

/// What is known of where a body ends.
enum BodyEnd: Sendable {
  /// All: by its length, its last chunk, or the protocol; TLS, too, ends a connection by a word (close_notify).
  case told
  /// The connection was closed, as it is when a server dies.
  case closed
  /// The connection was closed, and TLS had not been ended.
  case lost
}

extension HTTPResponse {
  /// Throws when the body may have been cut and nobody would notice.
  ///
  /// Where only the connection's end is the body's, JSON in braces, brackets or quotes tells itself whether it is whole.
  /// Lines do not, nor does a number, nor a body of nothing, which would be a page without records.
  func checkEnd(for request: HTTPRequest, from url: WebURL) throws(FetchError) {
    guard end != .told, request.takes(status), status != 205 else { return }
    let place = "\(url.host):\(url.origin.port)"
    let extent = "\(body.count) bytes of a body without a length (no Content-Length, no chunks)"
    if end == .lost {
      throw FetchError(
        .truncated,
        "\(place) closed the connection after \(extent), and without ending TLS (no close_notify): it was cut")
    }
    guard !tellsItsEnd(readsLines: request.readsLines) else { return }
    throw FetchError(
      .truncated, "\(place) closed the connection after \(extent): whether that is all of it cannot be told")
  }

  private func tellsItsEnd(readsLines: Bool) -> Bool {
    // What is not read at all is said so later, in its own words.
    guard let format = try? bodyFormat(isNDJSON: readsLines) else { return body.count > 0 }
    if format.isNDJSON { return false }
    // Also of UTF-16 and UTF-32: their marks and zeros.
    let ignored: Set<UInt8> = [0x00, 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    guard let first = body.prefix(4096).first(where: { !ignored.contains($0) }) else { return false }
    // A comment (`lenient`) could be all that came.
    return !ASCII.isDigit(first) && first != UInt8(ascii: "-") && first != UInt8(ascii: "/")
  }
}
