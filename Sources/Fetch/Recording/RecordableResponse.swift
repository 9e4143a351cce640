/// An answer as it is recorded: unpacked, and without credentials.
struct RecordableResponse {
  /// Status line, headers, and the empty line behind them.
  let head: [UInt8]
  let body: ResponseBody
  /// Secrets in the body were replaced.
  let isRedacted: Bool

  /// What a recorded body has no more, and what is nobody else's business.
  private static let dropped = [
    "set-cookie", "set-cookie2", "authentication-info", "proxy-authentication-info", "content-encoding",
    "content-length", "transfer-encoding", "connection", "keep-alive", "trailer", "upgrade",
  ]

  init(
    _ response: HTTPResponse, redactor: Redactor, folder: String
  ) throws(FetchError) {
    let type = response.header("Content-Type").map { ContentType($0) }
    let begins = response.body.prefix(1).first
    let looksLikeJSON = begins == UInt8(ascii: "{") || begins == UInt8(ascii: "[")
    let redacted = try RedactedBody(
      response.body, charset: type?.charset, isJSON: type.map { $0.isJSON || $0.isNDJSON } ?? looksLikeJSON,
      by: redactor, folder: folder)
    body = redacted.body
    isRedacted = redacted.isAltered || response.isRedacted
    var lines = "HTTP/1.1 \(response.status)\n"
    for header in response.headers where Self.isKept(header) {
      let isRewritten = redacted.isConverted && header.isNamed("Content-Type")
      let value = isRewritten ? type?.essence ?? "" : redactor.redact(header.value)
      let line = "\(redactor.redact(header.name)): \(value)"
      // A secret may hold the colon that parted it.
      if !redactor.contains(line) { lines += line + "\n" }
    }
    head = Array((lines + "\n").utf8)
  }

  private static func isKept(_ header: HTTPHeader) -> Bool {
    !dropped.contains(where: header.isNamed) && !header.name.utf8.isEmpty
      && !(header.name + header.value).utf8.contains(where: ASCII.isControl) && !header.name.utf8.contains(0x3A)
  }
}
