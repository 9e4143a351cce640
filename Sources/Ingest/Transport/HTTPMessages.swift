import Fetch

/// A header of a request or a response. A name may come several times.
public struct HTTPHeader: Sendable, Hashable {
  /// The name, in any letter case.
  public let name: String
  /// The value.
  public let value: String

  /// A header.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request as it goes out, credentials included.
///
/// Its ``description`` holds none; do not print the rest.
public struct HTTPRequest: Sendable, Hashable, CustomStringConvertible {
  /// The method, in capitals.
  public let method: String
  /// The URL: absolute, percent-encoded, with its query.
  public let url: String
  /// All headers that the API wants, with those that prove who asks; not `Host`, `Content-Length` and the like, which are
  /// the client's.
  public let headers: [HTTPHeader]
  /// The body; nil when there is none.
  public let body: [UInt8]?
  /// The longest silence that the mapping allows (`timeout`). It is for the transport to keep it.
  public let timeout: Duration

  /// The method and the URL without its query.
  public var description: String { "\(method) \(url.prefix { $0 != "?" })" }

  /// The last header of that name, in any letter case.
  public func header(_ name: String) -> String? { headers.last(of: name) }

  init(_ request: Fetch.HTTPRequest, timeout: Duration) {
    method = request.method
    url = request.url
    headers = request.headers.map { HTTPHeader($0.name, $0.value) }
    body = request.body
    self.timeout = timeout
  }
}

/// A whole answer.
public struct HTTPResponse: Sendable, Hashable {
  /// The status, such as 200.
  public var status: Int
  /// The headers. Of them count `Content-Type`, `Link`, `ETag`, `Last-Modified`, `Retry-After`, those of rate limits, and
  /// what the mapping reads.
  public var headers: [HTTPHeader]
  /// The body, unpacked.
  public var body: [UInt8]

  /// An answer.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer of JSON text, with its `Content-Type`.
  public init(status: Int, headers: [HTTPHeader] = [], json: String) {
    self.init(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")] + headers, body: Array(json.utf8))
  }

  /// The last header of that name, in any letter case.
  public func header(_ name: String) -> String? { headers.last(of: name) }
}

extension [HTTPHeader] {
  fileprivate func last(of name: String) -> String? {
    last { Fetch.HTTPHeader($0.name, $0.value).isNamed(name) }?.value
  }
}
