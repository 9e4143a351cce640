import Diagnostics
import MappingLanguage
import Records

/// The order of fetching: endpoints that store the parents of a `for_each` come before it.
extension PlanCompiler {
  mutating func orderEndpoints() -> [Int] {
    let filling = endpoints.contains { $0.forEach != nil } ? endpointsByTable() : [:]
    var sorting = EndpointSorting(waitsFor: endpoints.indices.map { parents(of: $0, among: filling) })
    for index in endpoints.indices { sorting.visit(index) }
    for index in sorting.circular.sorted() {
      guard let each = endpoints[index].declaration.forEach else { continue }
      report(
        .badValue,
        "the endpoint '\(endpoints[index].name)' waits for one that waits for it: they are fetched in the order written",
        at: each.span, severity: .warning)
    }
    return sorting.circular.isEmpty ? sorting.order : Array(endpoints.indices)
  }

  /// Endpoints that store rows for which the endpoint is walked; one that stores its own parents does not wait for
  /// itself.
  private func parents(of index: Int, among filling: [NameKey: [Int]]) -> [Int] {
    guard case .rows(let parents)? = endpoints[index].forEach else { return [] }
    return (filling[NameKey(parents.table)] ?? []).filter { $0 != index }
  }

  /// The endpoints that are fetched and store rows of a table, for each table whose rows some endpoint is walked for.
  private func endpointsByTable() -> [NameKey: [Int]] {
    let wanted = Set(
      endpoints.compactMap { endpoint -> NameKey? in
        if case .rows(let parents)? = endpoint.forEach { NameKey(parents.table) } else { nil }
      })
    let ends = rows.indices.filter { wanted.contains(NameKey(shape(ofRow: $0).name)) }
    // A long chain of records is not walked for each of its endpoints where it leads to none of these.
    let leading = PlaceReach.rows(reaching: Set(ends), in: rows)
    var found: [NameKey: [Int]] = [:]
    for (index, endpoint) in endpoints.enumerated() where endpoint.declaration.isFetched {
      let reached = PlaceReach.rows(
        from: endpoint.places.flatMap(\.branches).map(\.row), in: rows, lookers: leading)
      for name in Set(reached.map { NameKey(shape(ofRow: $0).name) }) where wanted.contains(name) {
        found[name, default: []].append(index)
      }
    }
    return found
  }
}

/// Sorts so that what an endpoint waits for comes first, and otherwise nothing moves.
private struct EndpointSorting {
  let waitsFor: [[Int]]
  private(set) var order: [Int] = []
  private var done: Set<Int> = []
  /// Endpoints that wait for one another.
  private(set) var circular: Set<Int> = []
  private var path: [Int] = []

  init(waitsFor: [[Int]]) { self.waitsFor = waitsFor }

  mutating func visit(_ index: Int) {
    if done.contains(index) { return }
    if let start = path.firstIndex(of: index) { return circular.formUnion(path[start...]) }
    path.append(index)
    for other in waitsFor[index] { visit(other) }
    path.removeLast()
    order.append(index)
    done.insert(index)
  }
}
