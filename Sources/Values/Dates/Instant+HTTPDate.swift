extension Instant {
  /// A date of an HTTP header in one of its three forms (RFC 9110): `Sun, 06 Nov 1994 08:49:37 GMT`,
  /// `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`. Years of two digits from 69 on are 19xx.
  package init?(httpDate text: String) {
    var text = text
    let found: Instant? = text.withUTF8 { buffer in
      let bytes = Bytes(buffer).trimmed
      for pattern in HTTPDatePatterns.all {
        if case .written(let date) = pattern.read(bytes) { return date.instant(in: nil) }
      }
      return nil
    }
    guard let found else { return nil }
    self = found
  }
}

private enum HTTPDatePatterns {
  static let all: [DatePattern] = [
    "EEE, dd MMM yyyy HH:mm:ss z", "EEEE, dd-MMM-yy HH:mm:ss z", "EEE MMM d HH:mm:ss yyyy", "EEE MMM  d HH:mm:ss yyyy",
  ].map { text in
    do {
      return try DatePattern(text)
    } catch {
      preconditionFailure("the patterns of HTTP dates are valid")
    }
  }
}
