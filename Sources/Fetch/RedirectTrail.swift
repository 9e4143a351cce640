#if FAULTS
  import Faults
#endif

/// Where redirects lead: decided here and not by libcurl, which would carry an `X-Api-Key` to any host.
struct RedirectTrail {
  static let limit = 10

  /// Every form in which a credential of the first request could stand in a `Location`.
  private let credentials: Redactor
  private var seen: [String] = []

  init(_ request: HTTPRequest, at url: WebURL) { credentials = RedirectTrail.credentials(of: request, at: url) }

  /// Finds the credentials of a request in whatever form they stand in a text.
  static func credentials(of request: HTTPRequest, at url: WebURL) -> Redactor {
    var secrets = request.headers.filter(\.holdsCredential).flatMap { header in
      // "Bearer TOKEN": the token alone is the secret.
      [header.value] + header.value.split(separator: " ").dropFirst().map(String.init)
    }
    if let basic = request.basic { secrets.append(basic.password) }
    secrets += RedirectTrail.credentialPairs(of: url, named: request.credentialParams).map { pair in
      String(utf8: PercentEncoding.decode(pair.utf8.drop { $0 != 0x3D }.dropFirst()))
    }
    return Redactor(secrets: secrets)
  }

  /// No redirect was followed yet.
  var isEmpty: Bool { seen.isEmpty }

  /// A URL as messages may show it: a server may have put a credential of its own into the query.
  func shown(_ url: WebURL) -> String {
    credentials.redact("\(url.origin.text)\(url.path)") + (url.query == nil ? "" : "?…")
  }

  /// The request that the redirect asks for; nil when the answer is none.
  mutating func next(after request: HTTPRequest, at url: WebURL, _ answer: HTTPResponse) throws(FetchError)
    -> HTTPRequest?
  {
    guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.header("Location") else {
      return nil
    }
    if seen.isEmpty { seen.append("\(request.method) \(url.text)") }
    let target: WebURL
    do { target = try url.resolve(location) } catch {
      throw RedirectTrail.refusal("\(url.origin.text) redirects to a URL that is refused: \(error.message)")
    }
    guard url.scheme == "http" || target.scheme == "https" else {
      throw RedirectTrail.refusal("\(url.origin.text) redirects from https to http, which is refused")
    }
    var next = RedirectTrail.withMethod(after: answer.status, request)
    next.url = try destination(target, from: url, &next)
    let step = "\(next.method) \(next.url)"
    guard !seen.contains(where: { $0.hasSameBytes(as: step) }) else {
      throw RedirectTrail.refusal(
        "\(shown(url)) redirects in a circle, to \(shown(target)): a log-in may be missing ('auth'), or look at "
          + "'base_url'")
    }
    guard seen.count <= RedirectTrail.limit else {
      throw RedirectTrail.refusal(
        "more than \(RedirectTrail.limit) redirects follow one another: look at 'base_url' and 'path'")
    }
    seen.append(step)
    return next
  }

  private func destination(
    _ target: WebURL, from url: WebURL, _ request: inout HTTPRequest
  ) throws(FetchError) -> String {
    let pairs = RedirectTrail.credentialPairs(of: url, named: request.credentialParams)
    guard target.origin != url.origin else {
      let present = RedirectTrail.credentialPairs(of: target, named: request.credentialParams)
      guard present.isEmpty, !pairs.isEmpty else { return target.text }
      var target = target
      target.query = ([target.query ?? ""] + pairs).filter { !$0.isEmpty }.joined(separator: "&")
      return target.text
    }
    guard request.body == nil || !request.bodyIsCredential else {
      throw RedirectTrail.refusal(
        "\(url.origin.text) redirects a request whose body holds a credential to another origin, \(target.origin.text)")
    }
    #if FAULTS
      let kept = request
    #endif
    request.removeCredentials()
    #if FAULTS
      if Fault.redirect.isOn { request = kept }
    #endif
    let stripped = target.removingParameters(named: request.credentialParams)
    guard !credentials.contains(stripped.text) else {
      throw RedirectTrail.refusal(
        "\(url.origin.text) redirects to another origin, \(target.origin.text), with a credential in the URL")
    }
    return stripped.text
  }

  /// 303, and 301 and 302 after POST, become GET without a body; all others repeat the request.
  private static func withMethod(after status: Int, _ request: HTTPRequest) -> HTTPRequest {
    let becomesGet = status == 303 ? request.method != "HEAD" : status < 303 && request.method == "POST"
    guard becomesGet else { return request }
    var next = request
    next.method = "GET"
    next.body = nil
    next.headers.removeAll { header in
      ["content-type", "content-encoding", "content-language", "content-location"].contains(where: header.isNamed)
    }
    return next
  }

  private static func credentialPairs(of url: WebURL, named names: [String]) -> [String] {
    url.parameters.filter { $0.isNamed(in: names) }.map(\.text)
  }

  private static func refusal(_ sentence: String) -> FetchError { FetchError(.redirect, sentence) }
}
