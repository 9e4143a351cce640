import CCurl
import Glibc

/// What a failure of libcurl means to people: its own words mislead now and then ("out of memory" for a long header).
struct CurlFailure {
  let error: FetchError

  init(_ code: CURLcode, _ transfer: Transfer) {
    let (kind, sentence) = CurlFailure.meaning(of: code, transfer)
    error = FetchError(kind, sentence, nothingSent: transfer.hasSentNothing)
  }

  private static func meaning(of code: CURLcode, _ transfer: Transfer) -> (FetchError.Code, String) {
    let place = transfer.place
    if let shortage = shortage(code) { return (.connect, "cannot connect to \(place): \(shortage)") }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return (.resolve, "cannot resolve the host name '\(transfer.host)': check base_url and the network")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return (.resolve, "cannot resolve the name of the proxy\(proxyNote(transfer))")
    case CURLE_COULDNT_CONNECT: return connect(transfer)
    case CURLE_PROXY:
      return (.connect, "the proxy refuses to connect to \(place)\(proxyNote(transfer))")
    case CURLE_OPERATION_TIMEDOUT: return (.timeout, silence(transfer))
    case CURLE_GOT_NOTHING:
      return (.dropped, "\(place) closed the connection without an answer")
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR:
      return dropped(transfer)
    case CURLE_PARTIAL_FILE:
      return (
        .truncated,
        "\(place) broke off within the body, after \(transfer.received) bytes; if it stays so, the server or a proxy "
          + "cuts it"
      )
    case CURLE_OUT_OF_MEMORY:
      // That is how libcurl reports a header line of more than 100 KB.
      return (.limitHeader, "a header of \(place) is longer than \(HeaderBlock.lineLimit) bytes")
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
      return (.badAnswer, "what \(place) answers is not HTTP, or its headers are broken")
    case CURLE_BAD_CONTENT_ENCODING:
      return (.badEncoding, "the answer of \(place) uses a transfer encoding that is not read")
    case CURLE_URL_MALFORMAT: return (.badURL, "libcurl refuses the URL of \(place)")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_USE_SSL_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_CLIENTCERT:
      return tls(code, transfer)
    default:
      return (.other, "the request to \(place) failed: \(String(cString: ccurl_easy_strerror(code)))")
    }
  }

  /// A 407 is the proxy's, not the API's; nil when there is no proxy.
  static func proxyWantsName(_ transfer: Transfer) -> FetchError? {
    guard transfer.proxy != nil else { return nil }
    return FetchError(
      .proxy, "the proxy wants a user name and password, or other ones (407)\(proxyNote(transfer))", nothingSent: true)
  }

  /// Without a socket there is no connection, and libcurl keeps no reason for it.
  private static func shortage(_ code: CURLcode) -> String? {
    guard [CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY].contains(code) else {
      return nil
    }
    let probe = dup(STDERR_FILENO)
    if probe >= 0 {
      close(probe)
      return nil
    }
    switch errno {
    case EMFILE: return "too many open files; raise the limit (ulimit -n) or lower 'concurrency'"
    case ENFILE: return "too many open files on this machine"
    default: return nil
    }
  }

  private static func connect(_ transfer: Transfer) -> (FetchError.Code, String) {
    let reason: String
    switch transfer.systemError {
    case ECONNREFUSED: reason = "the connection was refused; is the server running, and is the port right?"
    case 0: reason = "no connection came about"
    case let number: reason = String(cString: strerror(number))
    }
    let place = transfer.proxy == nil ? transfer.place : "the proxy of \(transfer.place)"
    return (.connect, "cannot connect to \(place): \(reason)\(proxyNote(transfer))")
  }

  private static func silence(_ transfer: Transfer) -> String {
    let (place, time) = (transfer.place, transfer.timeout.spoken)
    if !transfer.hasConnected { return "no connection to \(place) within \(time) (timeout)\(proxyNote(transfer))" }
    if !transfer.hasBegunAnswer { return "no answer from \(place) within \(time) (timeout)" }
    return "\(place) fell silent for \(time) within its answer, after \(transfer.received) bytes (timeout)"
  }

  private static func dropped(_ transfer: Transfer) -> (FetchError.Code, String) {
    let place = transfer.place
    if let status = refusedTunnel(transfer) {
      if status == 407, let refusal = proxyWantsName(transfer) { return (refusal.code, refusal.message) }
      return (.connect, "the proxy refuses to connect to \(place) (\(status))\(proxyNote(transfer))")
    }
    // Endless headers end in libcurl's own bound, which has no code of its own.
    if transfer.words.contains("Too large response headers") {
      return (.limitHeader, "the headers of \(place) are longer than \(HeaderBlock.totalLimit) bytes together")
    }
    if let refusal = wantsCertificate(transfer) { return refusal }
    guard transfer.hasBegunAnswer else {
      let isUnidentified = transfer.scheme == "https" && transfer.tls.certificate == nil
      let guess = isUnidentified ? "; a server that wants a client certificate ('tls.cert') may do so" : ""
      return (.dropped, "\(place) dropped the connection before it answered\(guess)")
    }
    return (.dropped, "\(place) dropped the connection within its answer, after \(transfer.received) bytes")
  }

  /// The server's own word on the client certificate: TLS 1.3 sends it when the connection stands already.
  private static func wantsCertificate(_ transfer: Transfer) -> (FetchError.Code, String)? {
    let words = transfer.words
    if words.contains("certificate required") {
      return (.tls, "\(transfer.place) wants a client certificate: name its file in 'tls.cert' (and 'tls.key')")
    }
    let refusals = ["bad certificate", "unknown ca", "certificate unknown", "certificate expired"]
    guard transfer.tls.certificate != nil, words.contains("alert"), refusals.contains(where: words.contains) else {
      return nil
    }
    return (.tls, "\(transfer.place) refuses the client certificate ('tls.cert'): \(words)")
  }

  /// What may be done about a certificate that is not trusted.
  private static func advice(_ transfer: Transfer) -> String {
    let words = transfer.words
    guard ["issuer certificate", "self-signed", "self signed"].contains(where: words.contains) else { return "" }
    return transfer.tls.caFile == nil
      ? "; if its authority is your own, name its certificate's file in 'tls.ca_file'"
      : "; 'tls.ca_file' does not hold its authority"
  }

  private static func tls(_ code: CURLcode, _ transfer: Transfer) -> (FetchError.Code, String) {
    let (place, words) = (transfer.place, transfer.words)
    if let refusal = wantsCertificate(transfer) { return refusal }
    if code == CURLE_SSL_CONNECT_ERROR, words.contains("handshake failure"), transfer.tls.certificate == nil {
      return (.tls, "no safe connection to \(place): \(words); the server may want a client certificate ('tls.cert')")
    }
    // A connection that goes away during the handshake is no verdict on the certificate.
    if code == CURLE_SSL_CONNECT_ERROR, words.contains("SSL_ERROR_SYSCALL") || words.contains("reset by peer") {
      return (.dropped, "\(place) dropped the connection while TLS was being set up")
    }
    if words.contains("wrong version number") {
      return (.tls, "\(place) does not speak TLS on this port; is http:// meant?")
    }
    if code == CURLE_SSL_CACERT_BADFILE {
      return (.tls, "the file of 'tls.ca_file' cannot be used: \(words)")
    }
    if code == CURLE_SSL_CERTPROBLEM { return (.tls, "the client certificate or its key cannot be used: \(words)") }
    let reason = words.isEmpty ? String(cString: ccurl_easy_strerror(code)) : words
    return (.tls, "no safe connection to \(place): \(reason)\(advice(transfer))")
  }

  /// What the proxy answers when it is asked for a way to the server; libcurl has no code for it.
  private static func refusedTunnel(_ transfer: Transfer) -> Int? {
    let words = transfer.words
    guard transfer.proxy != nil, words.contains("CONNECT") else { return nil }
    return ASCII.number(words.utf8.drop { !ASCII.isDigit($0) }.prefix(while: ASCII.isDigit))
  }

  /// Where the connection goes in truth, without the proxy's credentials.
  private static func proxyNote(_ transfer: Transfer) -> String {
    guard let proxy = transfer.proxy else { return "" }
    let origin = proxy.variable.map { " of the environment, \($0)" } ?? ""
    return " (through the proxy \(Redactor().redacted(url: proxy.url))\(origin))"
  }
}
