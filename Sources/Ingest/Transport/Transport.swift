/// Answers the requests of a run: another HTTP client, or a test.
///
/// ```swift
/// struct OnePage: Transport {
///   func send(_ request: HTTPRequest) async throws -> HTTPResponse {
///     HTTPResponse(status: 200, json: #"{"data": {"boats": []}}"#)
///   }
/// }
///
/// let run = Run(mapping: mapping, store: .sqlite("boats.db"), transport: OnePage())
/// ```
///
/// A transport sends the request as it is and gives the whole answer, whatever its status. It does not try again, and does
/// not wait for rate limits: the run does. A redirect is an answer like any other, and fails the run: a client that
/// follows redirects has to take credentials off where they lead to another origin. A body has to be unpacked already.
public protocol Transport: Sendable {
  /// Sends a request and gives the answer.
  ///
  /// It is called outside of the threads of tasks' callers, and its task is cancelled when the run is.
  ///
  /// - Throws: Anything, when there is no answer: the run fails, and says the error's description. ``TransportError``
  ///   may say that another try has a chance.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// Why a transport has no answer.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened: a sentence for people, without a full stop, and without a URL's query or a credential.
  public let description: String
  /// Another try has a chance, as after a timeout or a connection that broke: the run tries again, as the mapping's
  /// `retry` says.
  public let isTransient: Bool

  /// An error for people, and whether another try has a chance.
  public init(_ description: String, isTransient: Bool = false) {
    self.description = description
    self.isTransient = isTransient
  }
}
