import CCurl

/// How requests leave this machine.
package struct LiveSettings: Sendable {
  /// `ingest/VERSION`.
  package var userAgent: String
  /// Where a body of more than 8 MiB is kept while it is mapped.
  package var spoolFolder: String
  /// Nil: as libcurl reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
  package var proxy: String?
  package var tls: TLSSettings
  /// Where the client certificate may go; nil: to the origin of each request.
  package var certificateOrigins: Set<Origin>?
  /// Asked a few times a second; true ends the request as `interrupted`.
  package var isInterrupted: @Sendable () -> Bool

  package init(
    userAgent: String, spoolFolder: String = "/tmp", proxy: String? = nil, tls: TLSSettings = TLSSettings(),
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.userAgent = userAgent
    self.spoolFolder = spoolFolder
    self.proxy = proxy
    self.tls = tls
    self.isInterrupted = isInterrupted
  }
}

/// `source.tls`. TLS 1.2 is the least, whatever stands here.
package struct TLSSettings: Sendable, Hashable {
  package var caFile: String?
  /// The client certificate and its key, without a passphrase.
  package var certificate: String?
  package var key: String?
  /// Takes any certificate. Whoever sets it warns on every run.
  package var isInsecure: Bool

  package init(caFile: String? = nil, certificate: String? = nil, key: String? = nil, isInsecure: Bool = false) {
    self.caFile = caFile
    self.certificate = certificate
    self.key = key
    self.isInsecure = isInsecure
  }
}

/// Sends requests by libcurl, one at a time over kept connections.
///
/// Redirects are followed here: at most ten, never from https to http, and no credential reaches another origin
/// (`RedirectTrail`). Bodies are unpacked and counted here, too (`BodyReceiver`). A response has been received whole
/// (`BodyEnd`). libcurl is loaded by the first
/// transport.
package final class LiveTransport: Transport {
  private let settings: LiveSettings
  private let easy: UnsafeMutableRawPointer
  private let connections: KeptConnections

  package init(_ settings: LiveSettings) throws(FetchError) {
    if let sentence = ccurl_load() { throw FetchError(.unavailable, String(cString: sentence), nothingSent: true) }
    guard let multi = ccurl_multi_init(), let easy = ccurl_easy_init() else {
      throw FetchError(.unavailable, "libcurl has no memory left to begin", nothingSent: true)
    }
    self.settings = settings
    self.easy = easy
    connections = KeptConnections(multi)
  }

  deinit { ccurl_easy_cleanup(easy) }

  package func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
    try RequestCheck.check(request)
    let home = try WebURL(request.url)
    var trail = RedirectTrail(request, at: home)
    var (request, url) = (request, home)
    // Ends: the trail refuses an eleventh redirect.
    while true {
      let isIdentified = settings.certificateOrigins?.contains(url.origin) ?? (url.origin == home.origin)
      let response: HTTPResponse
      do throws(FetchError) {
        response = try exchange(request, at: url, isIdentified: isIdentified, limits, isFirst: trail.isEmpty)
      } catch {
        guard !trail.isEmpty, error.code != .interrupted else { throw error }
        var error = error
        error.message += " (redirected to \(trail.shown(url)))"
        throw error
      }
      guard let next = try trail.next(after: request, at: url, response) else {
        try response.checkEnd(for: request, from: url)
        guard !trail.isEmpty else { return response }
        var response = response
        response.redirectedURL = trail.shown(url)
        return response
      }
      url = try WebURL(next.url)
      request = next
      if url.origin == home.origin { try request.beforeRedirect?() }
    }
  }

  /// One request and its answer, whatever its status.
  private func exchange(
    _ request: HTTPRequest, at url: WebURL, isIdentified: Bool, _ limits: FetchLimits, isFirst: Bool
  ) throws(FetchError) -> HTTPResponse {
    let signed = request.signed(at: url)
    if request.signer != nil { try RequestCheck.check(signed) }
    let transfer = Transfer(easy, signed, at: url, limits, settings, isIdentified: isIdentified)
    do throws(FetchError) {
      try transfer.run(on: connections)
      let response = try transfer.response()
      if response.status == 407, let refusal = CurlFailure.proxyWantsName(transfer) { throw refusal }
      return response
    } catch {
      var error = error
      // A request that was redirected has been sent, even when its successor was not.
      if !isFirst { error.nothingSent = false }
      throw error
    }
  }
}
