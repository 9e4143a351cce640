import Fetch

/// Sends the tries of one request, each with the credentials of its moment.
struct AuthorizedSending {
  /// Nil where nobody is asked: answers were recorded.
  let authority: RunAuthority?
  let fetcher: TokenFetcher
  /// The number of the token that was sent last.
  private var used: Int?

  init(_ authority: RunAuthority?, _ fetcher: TokenFetcher) {
    self.authority = authority
    self.fetcher = fetcher
  }

  mutating func send(_ request: HTTPRequest) throws(FetchError) -> HTTPResponse {
    guard let authority else { return try fetcher.transport.send(request, limits: fetcher.limits) }
    var request = request
    request.beforeRedirect = { [limiter = fetcher.limiter, clock = fetcher.clock] () throws(FetchError) in
      try limiter.acquire(sleepingBy: clock)
    }
    guard authority.isHome(request.url) else { return try sendElsewhere(&request) }
    if let tokens = authority.tokens {
      let token = try tokens.token(now: fetcher.clock.now()) { past throws(FetchError) in
        try get(&past, tokens, authority)
      }
      used = token.number
      try tokens.issuer.put(token.value, on: &request)
    }
    authority.sign(&request)
    guard let digest = authority.digest else { return try fetcher.transport.send(request, limits: fetcher.limits) }
    return try send(request, answering: digest)
  }

  /// Gets another token than the one that was sent.
  func renew() throws(FetchError) {
    guard let authority, let tokens = authority.tokens, let used else { return }
    try tokens.renew(used, now: fetcher.clock.now()) { past throws(FetchError) in
      try get(&past, tokens, authority)
    }
  }

  private func get(
    _ past: inout TokenHolder.Past, _ tokens: TokenHolder, _ authority: RunAuthority
  ) throws(FetchError) -> IssuedToken {
    var fetcher = fetcher
    if let means = fetcher.means { (fetcher.transport, fetcher.clock) = (means.transport, means.clock) }
    // The rate limit is the API's; a token endpoint elsewhere has its own.
    if !authority.isHome(tokens.issuer.request(refreshToken: nil).url) {
      fetcher.limiter = RateLimiter(requests: nil, maxWait: fetcher.retry.maxWait, clock: fetcher.clock)
    }
    return try fetcher.token(from: tokens.issuer, &past)
  }

  /// The first 401 is no refusal: it is how the server says what is to be answered.
  private func send(_ request: HTTPRequest, answering digest: DigestSession) throws(FetchError) -> HTTPResponse {
    let nonce = digest.nonce
    var response = try fetcher.transport.send(request, limits: fetcher.limits)
    if response.status == 401, digest.accept(response.headers, after: nonce) {
      try fetcher.limiter.acquire(sleepingBy: fetcher.clock)
      response = try fetcher.transport.send(request, limits: fetcher.limits)
    }
    digest.note(response.headers)
    return response
  }

  private func sendElsewhere(_ request: inout HTTPRequest) throws(FetchError) -> HTTPResponse {
    guard request.body == nil || !request.bodyIsCredential else {
      throw FetchError(
        .redirect, "the request leads to another origin than 'base_url', and its body holds a credential",
        nothingSent: true)
    }
    try request.dropCredentials()
    return try fetcher.transport.send(request, limits: fetcher.limits)
  }
}
