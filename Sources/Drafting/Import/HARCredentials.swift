import MappingLanguage

/// What of requests proves who asks, by its kind; values are never looked at beyond the scheme's name.
struct HARCredentials {
  let prefix: String
  private var schemes: [String] = []
  private var headers: [String] = []
  private var queries: [String] = []
  private var hasCookies = false
  private(set) var notes: [String] = []

  init(prefix: String) { self.prefix = prefix }

  mutating func add(query name: String) { if !queries.contains(name) { queries.append(name) } }

  mutating func look(at list: [(name: String, value: String)]) {
    for (name, value) in list {
      let folded = name.lowercased()
      if folded == "authorization" {
        let scheme = value.split(separator: " ").first.map { $0.lowercased() } ?? ""
        let known = ["bearer", "basic", "digest"].contains(scheme) ? scheme : "other"
        if !schemes.contains(known) { schemes.append(known) }
      } else if folded == "cookie" {
        hasCookies = true
      } else if LikelySecret.isNamed(name) || LikelySecret.isOne(value), !folded.hasPrefix(":"),
        !folded.hasPrefix("sec-")
      {
        guard HeaderName.fault(in: name) == nil, !LikelySecret.isOne(name) else {
          notes.append("a header whose name cannot be sent, or looks like a credential itself, is not carried over")
          continue
        }
        // What browsers and proxies add for themselves proves nothing to the API.
        if Self.technical.contains(where: { folded == $0 || folded.hasPrefix($0 + "-") }), !LikelySecret.isNamed(name) {
          continue
        }
        if !headers.contains(where: { $0.lowercased() == folded }) { headers.append(name) }
      }
    }
  }

  private static let technical = [
    "user-agent", "referer", "if-none-match", "etag", "traceparent", "tracestate", "baggage", "x-request-id",
    "x-correlation-id", "sentry-trace", "x-b3-traceid", "x-b3-spanid", "x-amzn-trace-id", "x-client-data", "origin",
  ]

  private func secret(_ name: String) -> DraftNode { .text(LikelySecret.reference(prefix, name)) }

  mutating func write(to draft: inout MappingDraft) {
    for scheme in schemes where draft.auth == nil {
      switch scheme {
      case "bearer": draft.auth = .map([.init("bearer", .map([.init("token", secret("TOKEN"))]))])
      case "basic", "digest":
        let login: [DraftNode.Entry] = [.init("username", secret("USERNAME")), .init("password", secret("PASSWORD"))]
        draft.auth = .map([.init(scheme, .map(login))])
      default: notes.append("an Authorization header of a kind that is not known is not carried over")
      }
    }
    for name in headers { key(name, in: "header", &draft) }
    for name in queries { key(name, in: "query", &draft) }
    if hasCookies { notes.append("cookies are not carried over; if the API asks for a log-in, see 'auth: session'") }
  }

  private mutating func key(_ name: String, in place: String, _ draft: inout MappingDraft) {
    let value = secret(name)
    if draft.auth == nil {
      draft.auth = .map([.init("api_key", .map([.init(place, .text(name)), .init("value", value)]))])
    } else if place == "header" {
      draft.headers.append(.init(name, value))
    } else {
      draft.params.append(.init(name, value))
    }
  }
}
