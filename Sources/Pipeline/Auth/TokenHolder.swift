import Fetch
import Synchronization

/// A token as it is sent.
struct Token: Sendable {
  var value: String
  /// By the run's clock; nil: until it is refused.
  var expiry: Duration?
  /// Counts the tokens of a run.
  var number: Int
}

/// What an answer that gives a token says.
struct IssuedToken: Sendable {
  var value: String
  /// Nil when it is not said.
  var lifetime: Duration?
  /// The one to be used next, where the API gives another each time.
  var refreshToken: String?
}

/// The token of a run, shared by all its walks: one of them gets it, the others wait for it.
final class TokenHolder: Sendable {
  /// A token is replaced so long before its end, or in the last tenth of its life if that is shorter.
  static let margin = Duration.seconds(30)

  private struct State {
    var token: Token?
    var count = 0
    var past: Past
  }

  /// What came of asking for tokens before.
  struct Past: Sendable {
    /// The refresh token to ask with; nil where none is needed.
    var saved: SavedToken?
    /// Why the API gives none, and what it was asked with: to ask again would be no use, or lock somebody out.
    var refusal: (refreshToken: String?, error: FetchError)?
  }

  typealias Get = (inout Past) throws(FetchError) -> IssuedToken

  let issuer: any TokenIssuer
  private let state: Mutex<State>

  init(_ issuer: any TokenIssuer, named saved: SavedToken? = nil) {
    self.issuer = issuer
    state = Mutex(State(past: Past(saved: saved)))
  }

  /// The token to send now: a new one when there is none, or its end is near.
  func token(now: Duration, get: Get) throws(FetchError) -> Token {
    try state.withLock { state throws(FetchError) in
      if let token = state.token, token.expiry.map({ $0 > now }) ?? true { return token }
      return try TokenHolder.replace(&state, now: now, get: get)
    }
  }

  /// Replaces the token of that number, unless somebody has done so already.
  func renew(_ number: Int, now: Duration, get: Get) throws(FetchError) {
    try state.withLock { state throws(FetchError) in
      guard state.token?.number ?? number == number else { return }
      _ = try TokenHolder.replace(&state, now: now, get: get)
    }
  }

  /// `now` is a moment before the token is asked for, so that its end is not taken to be later than it is.
  private static func replace(_ state: inout State, now: Duration, get: Get) throws(FetchError) -> Token {
    state.token = nil
    let issued = try get(&state.past)
    state.count += 1
    let expiry = issued.lifetime.map { now + $0 - min(margin, $0 / 10) }
    let token = Token(value: issued.value, expiry: expiry, number: state.count)
    state.token = token
    return token
  }
}
