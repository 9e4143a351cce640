import CCurl
import Glibc

#if FAULTS
  import Faults
#endif

/// One request on one easy handle: its options, what is received, and the watch over silences.
final class Transfer {
  private let easy: UnsafeMutableRawPointer
  private let request: HTTPRequest
  private let url: WebURL
  private let limits: FetchLimits
  private let settings: LiveSettings
  private let clock: SystemClock

  private var block = HeaderBlock()
  private var receiver: BodyReceiver
  private var hasBegun = false
  /// What went wrong in a callback, which can only tell libcurl to stop.
  private var failure: FetchError?
  private var lines: UnsafeMutablePointer<curl_slist>?
  private let reason: UnsafeMutablePointer<CChar>

  private var isConnected = false
  private var sent = 0
  private var lastSign: Duration

  init(
    _ easy: UnsafeMutableRawPointer, _ request: HTTPRequest, at url: WebURL, _ limits: FetchLimits,
    _ settings: LiveSettings, isIdentified: Bool
  ) {
    self.easy = easy
    self.request = request
    self.url = url
    self.limits = limits
    self.settings = settings
    clock = SystemClock(isInterrupted: settings.isInterrupted)
    lastSign = clock.now()
    receiver = BodyReceiver(limits: limits, folder: settings.spoolFolder)
    reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
    reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    ccurl_easy_reset(easy)
    setConnection(isIdentified: isIdentified)
    setRequest()
    setReceivers()
  }

  deinit {
    // The handle keeps pointers to all of this until it is set anew.
    ccurl_easy_reset(easy)
    ccurl_slist_free_all(lines)
    reason.deallocate()
  }

  /// Runs until the answer is whole, or throws.
  func run(on connections: KeptConnections) throws(FetchError) {
    try connections.prepare(for: url.origin)
    let multi = connections.multi
    guard ccurl_multi_add_handle(multi, easy) == CURLM_OK else {
      throw FetchError(.other, "libcurl cannot begin another request", nothingSent: true)
    }
    // A transfer that is taken out before its end takes its connection along.
    defer { ccurl_multi_remove_handle(multi, easy) }
    var running: Int32 = 0
    var finished: UnsafeMutableRawPointer?
    var code = CURLE_OK
    // Ends: the silence is bounded, and so is the body.
    while true {
      if isInterrupted { throw .interrupted }
      guard ccurl_multi_perform(multi, &running) == CURLM_OK else {
        throw FetchError(.other, "libcurl failed within a request", nothingSent: hasSentNothing)
      }
      if ccurl_multi_finished(multi, &finished, &code) == 1 { break }
      let rest = try restOfSilence()
      ccurl_multi_poll(multi, Int32(min(rest, SystemClock.slice).milliseconds))
    }
    if var failure {
      failure.message = "\(place): \(failure.message)"
      throw failure
    }
    guard code == CURLE_OK else { throw CurlFailure(code, self).error }
    connections.remember(easy, for: url.origin)
  }

  private var isInterrupted: Bool {
    #if FAULTS
      if Fault.signal.isOn { return false }
    #endif
    return settings.isInterrupted()
  }

  /// The answer that was received.
  func response() throws(FetchError) -> HTTPResponse {
    var status = 0
    ccurl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
    // libcurl takes headers that break off for whole ones, and the answer for an empty body.
    guard block.isComplete else {
      throw FetchError(.dropped, "\(place) closed the connection within the headers of its answer")
    }
    let hasBody = request.method != "HEAD" && status != 204 && status != 304
    let length = try block.contentLength()
    if hasBody, let length, length != receiver.wireCount {
      throw FetchError(.truncated, "\(place) sent \(receiver.wireCount) bytes where it announced \(length)")
    }
    let isFramed = !hasBody || length != nil || !block.values("Transfer-Encoding").isEmpty
    if !isFramed && !hasBegun { try receiver.begin(encodings: block.values("Content-Encoding")) }
    return HTTPResponse(status: status, headers: block.headers, body: try receiver.finish(isFramed: isFramed))
  }

  // MARK: Time

  /// How much longer nothing may happen; throws when it is over.
  private func restOfSilence() throws(FetchError) -> Duration {
    let now = clock.now()
    if !isConnected, size(CURLINFO_PRETRANSFER_TIME_T) > 0 {
      isConnected = true
      lastSign = now
    }
    let upload = size(CURLINFO_SIZE_UPLOAD_T)
    if upload != sent { (sent, lastSign) = (upload, now) }
    // While it connects, libcurl watches (and knows better what it waits for).
    let rest = limits.timeout + (isConnected ? .zero : .seconds(1)) - (now - lastSign)
    guard rest > .zero else { throw CurlFailure(CURLE_OPERATION_TIMEDOUT, self).error }
    return rest
  }

  // MARK: What failures tell

  /// `host:port`.
  var place: String { "\(url.host):\(url.origin.port)" }
  var host: String { url.host }
  var scheme: String { url.scheme }
  var timeout: Duration { limits.timeout }
  var tls: TLSSettings { settings.tls }
  /// The proxy that the request goes through, and the variable of the environment that names it, if one does.
  var proxy: (url: String, variable: String?)? {
    if let proxy = settings.proxy { return (proxy, nil) }
    return EnvironmentProxy.find(for: url.scheme, host: url.host).map { ($0.url, $0.variable) }
  }
  var hasBegunAnswer: Bool { !block.headers.isEmpty }
  var hasConnected: Bool { isConnected || size(CURLINFO_PRETRANSFER_TIME_T) > 0 }
  var received: Int { receiver.wireCount }
  /// libcurl's own words on the failure; may be empty.
  var words: String { String(cString: reason) }

  var hasSentNothing: Bool {
    var count = 0
    ccurl_get_long(easy, CURLINFO_REQUEST_SIZE, &count)
    return count == 0
  }

  var systemError: Int32 {
    var number = 0
    ccurl_get_long(easy, CURLINFO_OS_ERRNO, &number)
    return Int32(truncatingIfNeeded: number)
  }

  private func size(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    ccurl_get_size(easy, info, &value)
    return Int(value)
  }
}

// MARK: - Options

extension Transfer {
  private func setConnection(isIdentified: Bool) {
    set(CURLOPT_URL, url.text)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_BUFFERSIZE, 256 << 10)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, limits.timeout.milliseconds))
    set(CURLOPT_USERAGENT, settings.userAgent)
    ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, reason)
    if let proxy = settings.proxy {
      set(CURLOPT_PROXY, proxy)
      set(CURLOPT_NOPROXY, "")
    }
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SSL_VERIFYPEER, settings.tls.isInsecure ? 0 : 1)
    set(CURLOPT_SSL_VERIFYHOST, settings.tls.isInsecure ? 0 : 2)
    if let file = settings.tls.caFile {
      set(CURLOPT_CAINFO, file)
      // In place of the system's authorities, which libcurl would go on to trust.
      ccurl_set_pointer(easy, CURLOPT_CAPATH, nil)
    }
    if isIdentified, let certificate = settings.tls.certificate {
      set(CURLOPT_SSLCERT, certificate)
      set(CURLOPT_SSLKEY, settings.tls.key ?? certificate)
      // Or a key with a passphrase would be asked for on the terminal.
      set(CURLOPT_KEYPASSWD, "")
    }
  }

  private func setRequest() {
    if request.method == "HEAD" { set(CURLOPT_NOBODY, 1) }
    // A POST without a body has one of no bytes: servers insist on its length.
    if let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil) {
      set(CURLOPT_POST, 1)
      ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      (body + [0]).withUnsafeBytes { bytes in _ = ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress) }
    }
    set(CURLOPT_CUSTOMREQUEST, request.method)
    // On a connection that was kept and then dropped libcurl sends again by itself: not what must be sent once only.
    if !["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(request.method) {
      set(CURLOPT_FRESH_CONNECT, 1)
      set(CURLOPT_FORBID_REUSE, 1)
    }

    for header in request.headers {
      append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    if let basic = request.basic {
      append("Authorization: Basic \(String(utf8: Base64.encode(Array("\(basic.username):\(basic.password)".utf8))))")
    }
    for header in [HTTPHeader.accept, HTTPHeader("Accept-Encoding", "gzip, deflate")]
    where !request.headers.contains(where: { $0.isNamed(header.name) }) {
      append("\(header.name): \(header.value)")
    }
    // Without it libcurl waits for a "100 Continue" before a large body.
    append("Expect:")
    // Nor does it say that a body is a form when nobody has.
    if !request.headers.contains(where: { $0.isNamed("Content-Type") }) { append("Content-Type:") }
    ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, lines)
  }

  private func setReceivers() {
    // The body comes as it was sent: it is unpacked where it is counted.
    set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      Transfer.deliver(bytes, size * count, to: context) { (transfer, bytes) throws(FetchError) in
        try transfer.block.receive(bytes)
      }
    }
    ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      Transfer.deliver(bytes, size * count, to: context) { (transfer, bytes) throws(FetchError) in
        try transfer.receive(bytes)
      }
    }
  }

  private func receive(_ bytes: UnsafeBufferPointer<UInt8>) throws(FetchError) {
    if !hasBegun {
      hasBegun = true
      try receiver.begin(encodings: block.values("Content-Encoding"))
    }
    try receiver.receive(bytes)
  }

  /// Hands bytes from libcurl to the transfer; another number than their count ends it.
  private static func deliver(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, to context: UnsafeMutableRawPointer?,
    _ take: (Transfer, UnsafeBufferPointer<UInt8>) throws(FetchError) -> Void
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    transfer.lastSign = transfer.clock.now()
    let raw = UnsafeRawBufferPointer(start: bytes, count: count)
    do throws(FetchError) {
      try raw.withMemoryRebound(to: UInt8.self) { (bytes) throws(FetchError) in try take(transfer, bytes) }
      return count
    } catch {
      transfer.failure = error
      return count == 0 ? 1 : 0
    }
  }

  private func set(_ option: CURLoption, _ value: Int) { ccurl_set_long(easy, option, value) }
  private func set(_ option: CURLoption, _ value: String) { ccurl_set_text(easy, option, value) }
  private func append(_ line: String) { lines = ccurl_slist_append(lines, line) ?? lines }
}
