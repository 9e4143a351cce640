import CCurl
import Glibc

/// The connections that libcurl keeps from one request to the next, none of which holds bytes that nobody asked for.
///
/// A server that says more after its answer (a second answer, a late "408 Request Timeout") would be heard as the
/// answer to the next request. libcurl looks for such bytes only now and then.
final class KeptConnections {
  private(set) var multi: UnsafeMutableRawPointer
  /// One at most for each origin: requests are sent one at a time, and those that need a new connection do not keep it.
  private var sockets: [Origin: Int32] = [:]

  init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

  deinit { ccurl_multi_cleanup(multi) }

  /// Lets go of all connections when the one to the origin holds unread bytes, or its end. A new connection for this
  /// one request would not do: libcurl could take the old one for the request after it.
  func prepare(for origin: Origin) throws(FetchError) {
    guard let socket = sockets[origin], KeptConnections.isReadable(socket) else { return }
    guard let fresh = ccurl_multi_init() else {
      throw FetchError(.unavailable, "libcurl has no memory left to begin", nothingSent: true)
    }
    ccurl_multi_cleanup(multi)
    multi = fresh
    sockets = [:]
  }

  /// Remembers the connection of a request, which has ended well and still belongs to `multi`.
  func remember(_ easy: UnsafeMutableRawPointer, for origin: Origin) {
    var version = 0
    ccurl_get_long(easy, CURLINFO_HTTP_VERSION, &version)
    let socket = ccurl_kept_socket(easy)
    // An answer of HTTP/2 names its request; what comes between answers there is the protocol's own talk.
    let isPlain = version <= Int(CURL_HTTP_VERSION_1_1)
    sockets[origin] = socket >= 0 && isPlain ? socket : nil
  }

  private static func isReadable(_ socket: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) != 0
  }
}
