import Glibc

/// Signs requests as Amazon's services want it (Signature Version 4), in the header `Authorization`.
///
/// Signed are the method, the path, the whole query, the body, the host, and each header that the request has of its own.
/// `X-Amz-Date` is added, for `s3` also `X-Amz-Content-Sha256`. The token of temporary keys is a header,
/// `X-Amz-Security-Token`, like any other.
package struct AWSSignature: RequestSigner {
  private let accessKey: String
  private let secretKey: String
  private let region: String
  private let service: String
  private let epoch: @Sendable () -> Duration

  /// `epoch`: since 1970; a signature is good for some minutes.
  package init(
    accessKey: String, secretKey: String, region: String, service: String, epoch: @escaping @Sendable () -> Duration
  ) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.region = region
    self.service = service
    self.epoch = epoch
  }

  /// What others than the sender may change on the way, and what holds the signature.
  private static let unsigned = [
    "authorization", "connection", "expect", "proxy-authorization", "te", "transfer-encoding", "user-agent",
    "x-amzn-trace-id",
  ]

  private var isS3: Bool { service.hasSameBytes(as: "s3") }

  package func headers(for request: HTTPRequest, at url: WebURL) -> [HTTPHeader] {
    let time = AWSSignature.timestamp(epoch())
    let sum = Hexadecimal.text(SHA256.hash(request.body ?? []))
    var own = [HTTPHeader("X-Amz-Date", time)]
    if isS3 { own.append(HTTPHeader("X-Amz-Content-Sha256", sum)) }
    let headers = canonicalHeaders(request.headers + own, host: url.hostAndPort)
    let names = headers.map(\.name).joined(separator: ";")
    let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
    let canonical = [request.method, path(of: url), AWSSignature.query(of: url), lines, names, sum]
      .joined(separator: "\n")
    let scope = "\(time.prefix(8))/\(region)/\(service)/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(Hexadecimal.text(SHA256.hash(Array(canonical.utf8))))"
    let signature = Hexadecimal.text(SHA256.keyed(key(of: String(time.prefix(8))), Array(text.utf8)))
    let value =
      "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    return own + [HTTPHeader("Authorization", value, isCredential: true)]
  }

  private func key(of day: String) -> [UInt8] {
    [day, region, service, "aws4_request"].reduce(Array("AWS4\(secretKey)".utf8)) { key, part in
      SHA256.keyed(key, Array(part.utf8))
    }
  }

  /// Names in lower case and in order; values without the blanks around and of one blank within; of one name, joined.
  private func canonicalHeaders(_ headers: [HTTPHeader], host: String) -> [(name: String, value: String)] {
    var merged: [(name: String, value: String)] = []
    for header in headers {
      let name = String(utf8: header.name.utf8.lowercased())
      guard !AWSSignature.unsigned.contains(name) else { continue }
      let value = header.value.utf8.split(whereSeparator: ASCII.isBlank).map { String(utf8: $0) }.joined(separator: " ")
      if let index = merged.firstIndex(where: { $0.name == name }) {
        merged[index].value += "," + value
      } else {
        merged.append((name, value))
      }
    }
    if !merged.contains(where: { $0.name == "host" }) { merged.append(("host", host)) }
    return merged.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Encoded once more, without `.`, `..` and empty segments; for S3, whose names may hold all of these, as it is sent.
  private func path(of url: WebURL) -> String {
    let path = url.path.isEmpty ? "/" : url.path
    guard !isS3 else { return AWSSignature.encoded(PercentEncoding.decode(path.utf8), keepsSlash: true) }
    var segments: [String] = []
    for segment in path.utf8.split(separator: 0x2F).map({ String(utf8: $0) }) {
      switch segment {
      case ".": continue
      case "..": _ = segments.popLast()
      default: segments.append(AWSSignature.encoded(Array(segment.utf8), keepsSlash: false))
      }
    }
    let end = path.utf8.last == 0x2F && !segments.isEmpty ? "/" : ""
    return "/" + segments.joined(separator: "/") + end
  }

  /// Each name and value decoded and encoded anew, in the order of the encoded names, then values.
  private static func query(of url: WebURL) -> String {
    let pairs = url.parameters.map { parameter -> (name: String, value: String) in
      let bytes = Array(parameter.text.utf8)
      let name = bytes.prefix { $0 != 0x3D }
      return (
        encoded(PercentEncoding.decode(name), keepsSlash: false),
        encoded(PercentEncoding.decode(bytes.dropFirst(name.count + 1)), keepsSlash: false)
      )
    }
    let sorted = pairs.sorted { one, other in
      if one.name.hasSameBytes(as: other.name) { return one.value.utf8.lexicographicallyPrecedes(other.value.utf8) }
      return one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
    return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  private static func encoded(_ bytes: [UInt8], keepsSlash: Bool) -> String {
    guard keepsSlash else { return PercentEncoding.strict(bytes) }
    let parts = bytes.split(separator: 0x2F, omittingEmptySubsequences: false)
    return parts.map { PercentEncoding.strict(Array($0)) }.joined(separator: "/")
  }

  /// `20150830T123600Z`
  private static func timestamp(_ epoch: Duration) -> String {
    var seconds = time_t(epoch.components.seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let day = digits(parts.tm_year + 1900, 4) + digits(parts.tm_mon + 1, 2) + digits(parts.tm_mday, 2)
    return "\(day)T\(digits(parts.tm_hour, 2))\(digits(parts.tm_min, 2))\(digits(parts.tm_sec, 2))Z"
  }
}

extension WebURL {
  /// As the header `Host` has it: the port only where it is not the scheme's own.
  var hostAndPort: String {
    origin.port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(origin.port)"
  }
}
