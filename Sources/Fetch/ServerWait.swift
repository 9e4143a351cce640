/// How long a server asks to be left alone, read from its words.
package enum ServerWait {
  /// A wait, and where it was read, for messages.
  package struct Request: Sendable, Hashable {
    package var wait: Duration
    package var origin: String
    /// The mapping says so itself; else the server did.
    package var isOfRule: Bool

    package init(wait: Duration, origin: String, isOfRule: Bool = false) {
      self.wait = wait
      self.origin = origin
      self.isOfRule = isOfRule
    }
  }

  /// A number above this is no count of seconds but a moment.
  static let epochBound = 1e9

  /// What a failed answer asks for: `Retry-After`, else the reset of a rate limit that is used up.
  ///
  /// On a 429 the reset counts also when the answer does not say what remains. What cannot be read is ignored.
  package static func afterFailure(status: Int, headers: [HTTPHeader], epoch: Duration) -> Request? {
    if let text = last("Retry-After", headers), let wait = read(text, epoch: epoch, isEpochAllowed: false) {
      return Request(wait: wait, origin: "Retry-After")
    }
    return ofRateLimit(headers: headers, epoch: epoch, isLimited: status == 429)
  }

  /// What `wait: {header, key_path, default}` of a rule comes to: the first of the three that can be read.
  ///
  /// `value` is the text that stands at the rule's key path in the body.
  package static func ofRule(
    header: String?, value: (path: String, text: String)?, fallback: Duration?, headers: [HTTPHeader], epoch: Duration
  ) -> Request? {
    if let header, let text = last(header, headers), let wait = read(text, epoch: epoch) {
      return Request(wait: wait, origin: "the header \(header)")
    }
    if let value, let wait = read(value.text, epoch: epoch) {
      return Request(wait: wait, origin: "the value at \(value.path)")
    }
    return fallback.map { Request(wait: $0, origin: "the rule's default", isOfRule: true) }
  }

  /// What must pass before the next request, after any answer: the reset of a rate limit of which nothing remains.
  package static func beforeNext(headers: [HTTPHeader], epoch: Duration) -> Request? {
    ofRateLimit(headers: headers, epoch: epoch, isLimited: false)
  }

  /// Seconds, a date of HTTP, a moment as RFC 3339 has it, or, where allowed, seconds since 1970 above 10⁹.
  ///
  /// Nil when it is none of these; zero when the moment has passed.
  package static func read(_ text: String, epoch: Duration, isEpochAllowed: Bool = true) -> Duration? {
    let bytes = Array(ASCII.trimmed(Array(text.utf8)[...]))
    if let seconds = seconds(bytes) {
      guard isEpochAllowed, seconds > epochBound else { return duration(seconds) }
      return max(.zero, duration(seconds) - epoch)
    }
    guard let moment = HTTPDate.read(bytes) else { return nil }
    return max(.zero, moment - epoch)
  }

  private static func ofRateLimit(headers: [HTTPHeader], epoch: Duration, isLimited: Bool) -> Request? {
    var longest: Request?
    for (origin, remainder) in [
      ("RateLimit-Reset", "RateLimit-Remaining"), ("X-RateLimit-Reset", "X-RateLimit-Remaining"),
    ] {
      guard let reset = last(origin, headers), let wait = read(reset, epoch: epoch) else { continue }
      let remaining = last(remainder, headers).flatMap { seconds(Array(ASCII.trimmed(Array($0.utf8)[...]))) }
      guard remaining == 0 || remaining == nil && isLimited else { continue }
      if wait > longest?.wait ?? .zero || longest == nil { longest = Request(wait: wait, origin: origin) }
    }
    return longest
  }

  private static func last(_ name: String, _ headers: [HTTPHeader]) -> String? {
    headers.last { $0.isNamed(name) }?.value
  }

  /// A number that is not negative, with a fraction or without.
  private static func seconds(_ bytes: [UInt8]) -> Double? {
    guard let first = bytes.first, ASCII.isDigit(first), bytes.count <= 40,
      bytes.allSatisfy({ ASCII.isDigit($0) || $0 == 0x2E })
    else { return nil }
    return Double(String(utf8: bytes))
  }

  private static func duration(_ seconds: Double) -> Duration { .milliseconds(Int64(min(seconds, 1e15) * 1000)) }
}
