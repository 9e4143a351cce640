import Glibc
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
  /// Adds what proves who asks when the request goes out, to its own origin only.
  package var signer: (any RequestSigner)?
  /// Names of the query parameters that carry a credential: they go to no other origin and into no message.
  package var credentialParams: [String]
  /// The body carries a credential, so it goes to no other origin.
  package var bodyIsCredential: Bool
  /// It asks for a token or a session: neither it nor its answer is ever kept.
  package var asksForCredential = false
  /// Its answer is read line by line, whatever its type.
  package var readsLines = false
  /// Which answers count by their bodies: those must be whole for certain.
  package var takes: @Sendable (Int) -> Bool = { (200..<300).contains($0) }
  /// Waits until a redirect may be followed within the request's own origin: it is another request to the same API.
  package var beforeRedirect: (@Sendable () throws(FetchError) -> Void)?

  package init(
    method: String = "GET", url: String, headers: [HTTPHeader] = [], body: [UInt8]? = nil,
    basic: (username: String, password: String)? = nil, credentialParams: [String] = [], bodyIsCredential: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.basic = basic
    self.credentialParams = credentialParams
    self.bodyIsCredential = bodyIsCredential
  }
}

package struct HTTPHeader: Sendable, Hashable {
  package var name: String
  package var value: String
  /// The value holds a secret: it goes to no other origin. `Authorization`, `Proxy-Authorization` and `Cookie` count
  /// as credentials without it.
  package var isCredential: Bool

  package init(_ name: String, _ value: String, isCredential: Bool = false) {
    self.name = name
    self.value = value
    self.isCredential = isCredential
  }

  /// What a request says that names none itself.
  static let accept = HTTPHeader("Accept", "application/json, */*;q=0.8")

  /// Is this the header of that name, in any letter case?
  package func isNamed(_ other: String) -> Bool { name.isSameHeaderName(as: other) }
}

/// A complete response: a body that was cut is a `FetchError`, never a response.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [HTTPHeader]
  /// Decoded: in memory up to 8 MiB, beyond in a temporary file.
  package var body: ResponseBody
  /// Whose answer it is when the request was redirected: as messages may show it.
  package var redirectedURL: String?
  var end = BodyEnd.told
  /// It was recorded; secrets in its headers were replaced then.
  package var isRecorded = false
  /// Secrets in its body were replaced when it was recorded.
  package var isRedacted = false

  package init(status: Int, headers: [HTTPHeader], body: ResponseBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The last header of that name, in any letter case.
  package func header(_ name: String) -> String? { headers.last { $0.isNamed(name) }?.value }
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

  package static func bytes(_ bytes: [UInt8]) -> ResponseBody { ResponseBody(.memory(bytes), count: bytes.count) }

  /// The first bytes, for an excerpt; fewer when the body is shorter or its file cannot be read.
  package func prefix(_ limit: Int) -> [UInt8] {
    switch source {
    case .memory(let bytes): return Array(bytes.prefix(limit))
    case .stream: return []
    case .file(let path):
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { close(file) }
      let wanted = min(limit, count)
      return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        while filled < wanted {
          let got = pread(file, buffer.baseAddress.map { $0 + filled }, wanted - filled, off_t(filled))
          guard got > 0 else { break }
          filled += got
        }
      }
    }
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
