/// Why there is no response.
package struct FetchError: Error, Sendable {
  package enum Code: String, Sendable, CaseIterable {
    /// The host's name has no address.
    case resolve
    /// No connection to the host or its proxy.
    case connect
    /// A silence longer than `timeout`.
    case timeout
    /// The connection went away before the answer was whole.
    case dropped
    /// The answer ended before its own length, or its compressed stream did.
    case truncated
    case tls
    /// The proxy wants to know who asks.
    case proxy
    /// What proves to the API who asks could not be got.
    case auth
    /// What came is no HTTP, or contradicts itself about where the body ends.
    case badAnswer = "bad-answer"
    case limitBody = "limit-body"
    case limitRatio = "limit-ratio"
    case limitHeader = "limit-header"
    /// The body's content encoding is unknown or broken.
    case badEncoding = "bad-encoding"
    case badContentType = "bad-content-type"
    case badURL = "bad-url"
    case badHeader = "bad-header"
    case redirect
    /// The server asks for a longer wait than `retry.max_wait` allows.
    case wait
    case notRecorded = "not-recorded"
    case badRecording = "bad-recording"
    /// There is no libcurl.
    case unavailable
    /// A signal asked to stop.
    case interrupted
    case other
  }

  package var code: Code
  /// For people; holds no URL with its query, no credential and no value of a header.
  package var message: String
  /// Nothing of the request had been sent when it failed.
  package var nothingSent: Bool
  /// A credential was refused: to ask with it again is no use.
  package var isFinal = false

  package init(_ code: Code, _ message: String, nothingSent: Bool = false) {
    self.code = code
    self.message = message
    self.nothingSent = nothingSent
  }

  /// Would another try have a chance (docs/mapping-language.md, "retry")?
  package var isTransient: Bool {
    switch code {
    case .resolve, .connect, .timeout, .dropped, .truncated: true
    default: false
    }
  }
}
