import Diagnostics
import MarkedYAML

/// Reads `paginate`.
struct PaginateReader {
  let context: ReadingContext

  init(_ context: ReadingContext) { self.context = context }

  /// What each kind of pages cannot do without.
  private static let members = [
    "page": ["param", "start"], "offset": ["param"], "cursor": ["param", "from"], "next_url": ["from"],
    "link_header": [], "last_value": ["param", "from"],
  ]

  /// Nil for the kinds that are not available yet, and where something is missing.
  func paginate(_ view: MapView, owner: SourceSpan) -> PaginateDeclaration? {
    let by = view.text("by")?.value ?? ""
    var isComplete = true
    for member in Self.members[by] ?? [] where !view.has(member) {
      isComplete = false
      if view.hasMisspelt(member) { continue }
      context.report(.missingKey, "'by: \(by)' needs '\(member)'", at: owner)
    }
    let stop = view.node("stop_when")
    if stop?.plainText?.value.isSame(as: "short") == true, !view.has("size") {
      context.report(.missingKey, "'stop_when: short' needs 'size'", at: owner)
    }
    guard isComplete, by == "page", let param = view.text("param") else { return nil }
    guard let start = view.integer("start") else { return nil }
    var paginate = PaginateDeclaration(param: param, start: start, span: view.span)
    paginate.step = view.integer("step") ?? 1
    paginate.sizeParam = view.text("size_param")
    paginate.size = view.integer("size")
    paginate.hasMore = view.keyPath("has_more")
    paginate.total = view.keyPath("total")
    paginate.totalPages = view.keyPath("total_pages")
    paginate.maxPages = view.integer("max_pages")
    if let condition = stop.flatMap(ConditionReader.condition) {
      paginate.stopWhen = .condition(condition)
    } else if stop?.plainText?.value.isSame(as: "short") == true {
      paginate.stopWhen = .short
    }
    return paginate
  }
}
