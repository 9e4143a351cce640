import JSONReading

/// An answer as it is recorded: unpacked, and without credentials.
struct RecordableResponse {
  /// Status line, headers, and the empty line behind them.
  let head: [UInt8]
  let body: ResponseBody

  /// What a recorded body has no more, and what is nobody else's business.
  private static let dropped = [
    "set-cookie", "set-cookie2", "authentication-info", "proxy-authentication-info", "content-encoding",
    "content-length", "transfer-encoding", "connection", "keep-alive", "trailer", "upgrade",
  ]

  init(
    _ response: HTTPResponse, to request: HTTPRequest, redactor: Redactor, folder: String
  ) throws(FetchError) {
    let type = response.header("Content-Type").map { ContentType($0) }
    var isConverted = false
    if request.bodyIsCredential {
      body = .bytes(CredentialAnswer.masked(response.body))
    } else {
      let begins = response.body.prefix(1).first
      let looksLikeJSON = begins == UInt8(ascii: "{") || begins == UInt8(ascii: "[")
      let redacted = try RedactedBody(
        response.body, charset: type?.charset, isJSON: type.map { $0.isJSON || $0.isNDJSON } ?? looksLikeJSON,
        by: redactor, folder: folder)
      (body, isConverted) = (redacted.body, redacted.isConverted)
    }
    var lines = "HTTP/1.1 \(response.status)\n"
    for header in response.headers where Self.isKept(header) {
      let isRewritten = isConverted && header.isNamed("Content-Type")
      lines += "\(header.name): \(isRewritten ? type?.essence ?? "" : redactor.redact(header.value))\n"
    }
    head = Array((lines + "\n").utf8)
  }

  private static func isKept(_ header: HTTPHeader) -> Bool {
    !dropped.contains(where: header.isNamed) && !header.name.utf8.isEmpty
      && !(header.name + header.value).utf8.contains(where: ASCII.isControl) && !header.name.utf8.contains(0x3A)
  }
}

/// What answers a request that is a credential as a whole: an access token, a session.
enum CredentialAnswer {
  /// Longer answers are no tokens.
  private static let longest = 1 << 20

  /// All texts and numbers of JSON are masked, save those that say what kind of token it is and how long it lives. What
  /// is no JSON is masked as a whole.
  static func masked(_ body: ResponseBody) -> [UInt8] {
    guard body.count > 0 else { return [] }
    guard let document = try? JSONDocument(body.source, bound: longest) else { return Array(Redactor.mark.utf8) }
    var out: [UInt8] = []
    write(document.root, named: nil, to: &out)
    return out
  }

  private static func write(_ value: JSONValue, named name: String?, to out: inout [UInt8]) {
    switch value.kind {
    case .object:
      out.append(UInt8(ascii: "{"))
      var isFirst = true
      value.forEachMember { name, member in
        if !isFirst { out.append(UInt8(ascii: ",")) }
        isFirst = false
        out += Array(name.rawText)
        out.append(UInt8(ascii: ":"))
        write(member, named: name.stringValue, to: &out)
      }
      out.append(UInt8(ascii: "}"))
    case .array:
      out.append(UInt8(ascii: "["))
      var isFirst = true
      value.forEachElement { element in
        if !isFirst { out.append(UInt8(ascii: ",")) }
        isFirst = false
        write(element, named: name, to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .string where name != "token_type", .number where !(name?.hasPrefix("expires") ?? false):
      out += Array("\"\(Redactor.mark)\"".utf8)
    default: out += Array(value.rawText)
    }
  }
}
