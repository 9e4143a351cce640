package import JSONReading

/// A request as it goes out: complete, with credentials.
package struct HTTPRequest: Sendable {
  /// Upper case.
  package var method: String
  /// Absolute, percent-encoded.
  package var url: String
  package var headers: [HTTPHeader]
  package var body: [UInt8]?
  /// User name and password for Basic authentication.
  package var basic: (username: String, password: String)?

  package init(
    method: String = "GET", url: String, headers: [HTTPHeader] = [], body: [UInt8]? = nil,
    basic: (username: String, password: String)? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.basic = basic
  }
}

package struct HTTPHeader: Sendable, Hashable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A complete response: a body that was cut is a `FetchError`, never a response.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [HTTPHeader]
  /// Decoded: in memory up to 8 MiB, beyond in a temporary file.
  package var body: ResponseBody

  package init(status: Int, headers: [HTTPHeader], body: ResponseBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The last header of that name, in any letter case.
  package func header(_ name: String) -> String? {
    headers.last { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Holds a response's bytes; a temporary file goes when the last holder lets go.
package final class ResponseBody: Sendable {
  package let source: BodySource
  package let count: Int
  private let cleanUp: @Sendable () -> Void

  package init(_ source: BodySource, count: Int, cleanUp: @escaping @Sendable () -> Void = {}) {
    self.source = source
    self.count = count
    self.cleanUp = cleanUp
  }

  deinit { cleanUp() }
}

/// Answers requests: live, or from recorded answers.
package protocol Transport: AnyObject {
  func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse
}

package struct FetchLimits: Sendable, Hashable {
  /// The longest silence.
  package var timeout: Duration
  /// Bytes of a body after unpacking (`limits.body`).
  package var body: Int
  /// How much larger a body may be than what was sent (`limits.ratio`).
  package var ratio: Int

  package init(timeout: Duration = .seconds(30), body: Int = 256 << 20, ratio: Int = 200) {
    self.timeout = timeout
    self.body = body
    self.ratio = ratio
  }
}

/// Why there is no response.
package struct FetchError: Error, Sendable {
  package enum Code: String, Sendable {
    case resolve, connect, timeout, dropped, truncated, tls
    case limitBody = "limit-body"
    case limitRatio = "limit-ratio"
    case badEncoding = "bad-encoding"
    case badURL = "bad-url"
    case badHeader = "bad-header"
    case redirect
    case notRecorded = "not-recorded"
    case unavailable
    case other
  }

  package var code: Code
  /// For people; the URL in it is redacted by whoever prints it.
  package var message: String
  /// Nothing of the request had been sent when it failed.
  package var nothingSent: Bool

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
