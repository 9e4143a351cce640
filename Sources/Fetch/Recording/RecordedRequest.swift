/// A request as recorded answers know it: without credentials.
struct RecordedRequest {
  static let bodyHeader = "Request-Body"
  static let encodedBodyHeader = "Request-Body-Base64"

  let method: String
  /// Without the parameters that are credentials, and without the values of secrets.
  let url: String
  /// Empty when there is none.
  let body: [UInt8]

  init(_ request: HTTPRequest, redactor: Redactor) throws(FetchError) {
    method = request.method
    url = redactor.redact(try WebURL(request.url).removingParameters(named: request.credentialParams).text)
    body = RecordedRequest.redacted(request.body ?? [], by: redactor)
  }

  /// What is looked for.
  var key: RecordedKey { RecordedKey(method, url, body: body) }

  /// What a file of this request answers: a GET without a body needs no line to say so.
  var keptKey: RecordedKey { RecordedKey(method, url, body: keptBody) }

  private var keptBody: [UInt8]? { method == "GET" && body.isEmpty ? nil : body }

  /// The lines of a recorded answer about the request.
  var lines: [UInt8] {
    var lines = Array("\(method) \(url)\n".utf8)
    guard let body = keptBody else { return lines }
    if RecordedRequest.isPlain(body) {
      lines += Array("\(RecordedRequest.bodyHeader): ".utf8) + body
    } else {
      lines += Array("\(RecordedRequest.encodedBodyHeader): ".utf8) + Base64.encode(body)
    }
    return lines + [0x0A]
  }

  /// For a message about an answer that is not there; empty without a body.
  var shownBody: String {
    guard !body.isEmpty else { return "" }
    let text = Redactor.printable(String(utf8: body), limit: 200)
    return " with the body \(text)"
  }

  /// A body that can stand in a line as it is.
  private static func isPlain(_ body: [UInt8]) -> Bool {
    if let first = body.first, let last = body.last, ASCII.isBlank(first) || ASCII.isBlank(last) { return false }
    return !body.contains(where: ASCII.isControl) && String(validating: body, as: UTF8.self) != nil
  }

  private static func redacted(_ body: [UInt8], by redactor: Redactor) -> [UInt8] {
    guard let first = body.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return redactor.redact(body)
    }
    var redaction = JSONRedaction(redactor)
    return redactor.redact(redaction.add(body) + redaction.finish())
  }
}

/// Method, URL and body in one spelling, compared by bytes.
struct RecordedKey: Hashable {
  let bytes: [UInt8]

  init(_ answer: RecordedAnswer) { self.init(answer.method, answer.url, body: answer.requestBody) }

  /// `body`: nil for any.
  init(_ method: String, _ url: String, body: [UInt8]?) {
    var text = url
    if var parsed = try? WebURL(url) {
      if parsed.path.isEmpty { parsed.path = "/" }
      text = parsed.text
    }
    let normalized = RecordedKey.withBareMarks(Array(PercentEncoding.normalized(text).utf8))
    // A URL has no space.
    bytes = Array("\(method) ".utf8) + normalized + (body.map { [0x20] + RecordedKey.withBareMarks($0) } ?? [])
  }

  /// A mark that stands for a secret is the same encoded and bare.
  private static func withBareMarks(_ text: [UInt8]) -> [UInt8] {
    var bytes = text
    let mark = Array("%2A%2A%2A".utf8)
    var index = 0
    while index + mark.count <= bytes.count {
      if bytes[index...].starts(with: mark) {
        bytes.replaceSubrange(index..<index + mark.count, with: Redactor.mark.utf8)
      }
      index += 1
    }
    return bytes
  }
}
