import Diagnostics
import MarkedYAML
import Values

/// Reads `source`, and what endpoints have in common with it: headers and parameters.
struct SourceReader {
  let context: ReadingContext

  init(_ context: ReadingContext) { self.context = context }

  func source(_ view: MapView?, main: SourceFile) -> SourceDeclaration {
    let start = main.span(0, 0)
    let name = view?.text("name") ?? Located(FilePath.stem(of: main.name), at: view?.span ?? start)
    var source = SourceDeclaration(name: name, span: view?.span ?? start)
    guard let view else { return source }
    source.baseURL = view.template("base_url")
    let auth = AuthReader(context)
    auth.checkPassword(in: source.baseURL, of: "base_url")
    source.auth = auth.auth(view.map("auth", as: .auth))
    if let tls = view.map("tls", as: .tls) { source.tls = AuthReader.tls(tls) }
    source.proxy = auth.proxy(view)
    source.headers = headers(view)
    source.params = Self.params(view)
    auth.checkSecrets(in: source.params)
    if let timeout = view.duration("timeout") { source.timeout = timeout }
    source.rateLimit = view.text("rate_limit").flatMap { Quantity.rate($0.value) }
    if let retry = view.map("retry", as: .retry) { source.retry = Self.retry(retry) }
    if let limits = view.map("limits", as: .limits) { source.limits = Self.limits(limits) }
    source.isLenient = view.boolean("lenient") ?? false
    source.isNDJSON = view.text("format")?.value.isSame(as: "ndjson") ?? false
    source.concurrency = view.integer("concurrency") ?? 1
    return source
  }

  static func params(_ view: MapView, key: String = "params") -> [ParameterDeclaration] {
    view.dictionary(key).map { entry in
      let values = entry.value.isNull ? [] : entry.value.items.compactMap(\.template)
      return ParameterDeclaration(name: Located(entry.key.text, at: entry.keySpan), values: values)
    }
  }

  func headers(_ view: MapView) -> [Located<HeaderDeclaration>] {
    var first: [NameKey: SourceSpan] = [:]
    return view.dictionary("headers").compactMap { entry in
      if let before = first.updateValue(entry.keySpan, forKey: NameKey(folding: entry.key.text)) {
        context.report(
          .duplicateName, "the header '\(entry.key.text)' stands twice, first in \(before.place(from: entry.keySpan))",
          at: entry.keySpan, hint: "letter case does not tell headers apart", severity: .warning)
      }
      if HeaderName.isReserved(entry.key.text), let fault = HeaderName.fault(in: entry.key.text) {
        context.report(.badName, fault, at: entry.keySpan, hint: "leave it out")
      }
      guard let value = entry.value.template else { return nil }
      for case .text(let text) in value.value.pieces where !HeaderName.isValidValue(text) {
        context.report(
          .badValue, "the value of the header '\(entry.key.text)' holds a line break or another control character",
          at: value.span)
      }
      if SecretName.isHeader(entry.key.text) { AuthReader(context).secret(value, of: entry.key.text) }
      return Located(HeaderDeclaration(name: entry.key.text, value: value.value), at: entry.keySpan)
    }
  }

  private static func retry(_ view: MapView) -> RetryDeclaration {
    var retry = RetryDeclaration()
    if let attempts = view.integer("attempts"), attempts > 0 { retry.attempts = attempts }
    if let backoff = view.word("backoff", as: RetryDeclaration.Backoff.self) { retry.backoff = backoff.value }
    if let wait = view.duration("wait") { retry.wait = wait }
    if let longest = view.duration("max_wait") { retry.maxWait = longest }
    return retry
  }

  private static func limits(_ view: MapView) -> LimitsDeclaration {
    var limits = LimitsDeclaration()
    if let record = view.size("record") { limits.record = record }
    if let body = view.size("body") { limits.body = body }
    if let depth = view.integer("depth"), depth > 0 { limits.depth = depth }
    if let ratio = view.integer("ratio"), ratio > 0 { limits.ratio = ratio }
    if let pages = view.integer("pages"), pages > 0 { limits.pages = pages }
    return limits
  }
}
