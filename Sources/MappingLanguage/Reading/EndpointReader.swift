import Diagnostics
import JSONReading
import MarkedYAML
import Values

/// Reads an entry of `endpoints`.
struct EndpointReader {
  let context: ReadingContext

  init(_ context: ReadingContext) { self.context = context }

  /// An endpoint with a path that cannot be read is still there, without it, so that its name is known.
  func endpoint(_ entry: YAMLEntry) -> EndpointDeclaration? {
    guard let view = MapView(entry.value, as: .endpoint) else { return nil }
    var endpoint = EndpointDeclaration(
      name: Located(entry.key.text, at: entry.keySpan), paths: paths(view), span: entry.value.span)
    endpoint.method = method(view)
    if let status = StatusReader.status(view.node("status")) { endpoint.status = status }
    endpoint.places = places(view)
    endpoint.params = SourceReader.params(view)
    AuthReader(context).checkSecrets(in: endpoint.params)
    endpoint.headers = SourceReader(context).headers(view)
    endpoint.body = RequestBodyReader.body(view.map("body", as: .body))
    if let paginate = view.map("paginate", as: .paginate) {
      // A body that cannot be read was reported.
      let isBodyBroken = view.has("body") && endpoint.body == nil
      endpoint.paginate = PaginateReader(context, body: endpoint.body, isBodyBroken: isBodyBroken).paginate(
        paginate, owner: view.entry("paginate")?.keySpan ?? view.span)
    }
    endpoint.errors = view.list("errors").compactMap { ErrorRuleReader.rule($0, context) }
    // A word that is neither true nor false is a finding already: what only fetching needs is not asked for as well.
    endpoint.isFetched = view.boolean("fetch") ?? !view.has("fetch")
    endpoint.isIdempotent = view.boolean("idempotent") ?? false
    if let each = view.map("for_each", as: .forEach) {
      endpoint.forEach = WalkReader(context).forEach(each, owner: view.entry("for_each")?.keySpan ?? view.span)
      endpoint.isForEach = true
    }
    endpoint.incremental = view.map("incremental", as: .incremental).flatMap { WalkReader(context).incremental($0) }
    endpoint.timeToLive = view.map("cache", as: .cache)?.duration("ttl")
    if let action = view.word("on_failure", as: FailureAction.self) { endpoint.onFailure = action.value }
    endpoint.isLenient = view.boolean("lenient")
    endpoint.isArchived = view.boolean("archive")
    endpoint.isNDJSON = view.text("format").map { $0.value.isSame(as: "ndjson") }
    return endpoint
  }

  private func paths(_ view: MapView) -> [Located<Template>] {
    view.list("path").compactMap(\.template).filter { (try? $0.value.pathSegments()) != nil }
  }

  private func method(_ view: MapView) -> Located<String>? {
    guard let text = view.text("method") else { return nil }
    let upper = text.value.uppercased()
    guard HeaderName.isValid(text.value), !HeaderName.bodilessMethods.contains(upper) else {
      context.report(.badValue, "'\(text.value)' is no method of a request that answers with a body", at: text.span)
      return nil
    }
    if !HeaderName.methods.contains(upper), let nearest = NearestName.nearest(to: upper, among: HeaderName.methods) {
      context.report(
        .badValue, "'\(text.value)' is no usual method", at: text.span, hint: "did you mean '\(nearest)'?",
        severity: .warning)
    }
    return Located(upper, at: text.span)
  }

  private func places(_ view: MapView) -> [PlaceDeclaration] {
    view.dictionary("records").compactMap { entry in
      guard let path = try? KeyPath.parse(entry.key.text) else { return nil }
      let location = Located(path, at: entry.keySpan)
      if let place = MapView(entry.value, as: .place) {
        return place.text("record").map {
          PlaceDeclaration(path: location, record: $0, isRequired: place.boolean("required") ?? false)
        }
      }
      return entry.value.plainText.map { PlaceDeclaration(path: location, record: $0) }
    }
  }
}

/// Reads `status`: a code, a class, a range, or a list of these.
enum StatusReader {
  static func status(_ node: YAMLNode?) -> StatusSet? {
    guard let node else { return nil }
    let ranges = node.items.compactMap { item in item.plainText.flatMap { StatusSet.range($0.value) } }
    return ranges.isEmpty ? nil : StatusSet(ranges)
  }
}
