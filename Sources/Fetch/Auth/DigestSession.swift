import Synchronization

/// Digest authentication over all requests of a run: the challenge of one answer serves those that follow.
package final class DigestSession: RequestSigner {
  private struct State {
    var challenge: DigestChallenge?
    var clientNonce = ""
    /// Requests that were sent under the challenge.
    var count: UInt32 = 0
  }

  private let username: String
  private let password: String
  private let makeNonce: @Sendable () -> String
  private let state = Mutex(State())

  package init(
    username: String, password: String, clientNonce: @escaping @Sendable () -> String = DigestSession.randomNonce
  ) {
    self.username = username
    self.password = password
    makeNonce = clientNonce
  }

  /// The server's nonce that the next request uses; nil before there was a challenge.
  package var nonce: String? { state.withLock { $0.challenge?.nonce } }

  package func headers(for request: HTTPRequest, at url: WebURL) -> [HTTPHeader] {
    let current = state.withLock { state -> State? in
      guard state.challenge != nil else { return nil }
      state.count += 1
      return state
    }
    guard let current, let challenge = current.challenge else { return [] }
    let answer = challenge.answer(
      username: username, password: password, request: request, target: url.target, clientNonce: current.clientNonce,
      count: current.count)
    return [HTTPHeader("Authorization", answer, isCredential: true)]
  }

  /// Takes up the challenge of a 401 to a request that was sent under `nonce`: should it be sent again?
  ///
  /// Not when nothing in it can be answered, nor when the server has refused this nonce's answer for good: then user
  /// name or password are wrong.
  package func accept(_ headers: [HTTPHeader], after nonce: String?) -> Bool {
    guard let challenge = DigestChallenge.strongest(in: headers) else { return false }
    if let nonce, !challenge.isStale, challenge.nonce.hasSameBytes(as: nonce) { return false }
    let clientNonce = makeNonce()
    state.withLock { $0 = State(challenge: challenge, clientNonce: clientNonce) }
    return true
  }

  /// Takes up the nonce that a server wants to see next.
  package func note(_ headers: [HTTPHeader]) {
    guard let info = headers.last(where: { $0.isNamed("Authentication-Info") }),
      let next = AuthenticateHeader.parameters(of: info.value).first(where: { $0.name == "nextnonce" })?.value
    else { return }
    let clientNonce = makeNonce()
    state.withLock { state in
      guard state.challenge != nil else { return }
      state.challenge?.nonce = next
      (state.clientNonce, state.count) = (clientNonce, 0)
    }
  }

  /// What an answer that refuses asks for, when that is no digest that can be answered; nil when it asks for nothing.
  package static func otherwiseAsked(_ headers: [HTTPHeader]) -> String? {
    let challenges = AuthenticateHeader.challenges(in: headers)
    guard !challenges.isEmpty, DigestChallenge.strongest(in: headers) == nil else { return nil }
    return challenges.map { challenge in
      challenge.isOf("digest") ? "Digest by '\(challenge.value("algorithm") ?? "MD5")'" : "'\(challenge.scheme)'"
    }.joined(separator: ", ")
  }

  package static func randomNonce() -> String {
    Hexadecimal.text((0..<16).map { _ in UInt8.random(in: 0...255) })
  }
}
