import MappingLanguage
import PlanCompiler
import Records
import Store
import Values

/// The walks of an endpoint, one after the other: one, or one for each stored parent or value.
struct WalkPlanner {
  private enum Source {
    case one
    case values([Literal], name: String)
    case rows(any ParentRows, ParentRowsPlan)
  }

  private let endpoint: Int
  private var scope: Interpolation
  private var source: Source
  private var next = 0
  private var rows: [[StoredValue]] = []

  /// Parents are read some at a time, so that any number of them will do.
  private static let rowsAtOnce = 1000

  /// `binding`: one walk, bound to these values.
  init(_ endpoint: Int, _ session: RunSession, binding: [RouteParameter]?) throws(StoreError) {
    try self.init(endpoint, plan: session.plan, scope: session.scope, store: session.store)
    guard let binding else { return }
    source = .one
    scope.each += binding.map { ($0.name, .text($0.value)) }
  }

  init(_ endpoint: Int, plan: Plan, scope: Interpolation, store: any Store) throws(StoreError) {
    self.endpoint = endpoint
    self.scope = scope
    switch plan.endpoints[endpoint].forEach {
    case nil: source = .one
    case .values(let values, let name)?: source = .values(values, name: name)
    case .rows(let plan)?: source = .rows(try store.parents(plan.query), plan)
    }
  }

  /// Parents without a walk, for a null.
  var nullCount: Int { if case .rows(let rows, _) = source { rows.nullCount } else { 0 } }

  /// Nil after the last walk.
  mutating func nextWalk() throws(StoreError) -> Walk? {
    defer { next += 1 }
    switch source {
    case .one: return next == 0 ? Walk(endpoint: endpoint, scope: scope) : nil
    case .values(let values, let name):
      return next < values.count ? walk(binding: [(name, values[next])]) : nil
    case .rows(let parents, let plan):
      if next == rows.count {
        rows = try parents.next(Self.rowsAtOnce)
        next = 0
      }
      guard next < rows.count else { return nil }
      var bound: [(name: String, value: Literal)] = []
      for (column, value) in zip(plan.columns, rows[next]) {
        let literal = value.literal(of: column.type)
        bound += column.bindings.map { ($0, literal) }
      }
      return walk(binding: bound)
    }
  }

  private func walk(binding values: [(name: String, value: Literal)]) -> Walk {
    var scope = scope
    scope.each = values
    return Walk(endpoint: endpoint, scope: scope)
  }
}

extension ParentRowsPlan {
  var query: ParentQuery {
    ParentQuery(
      table: table, columns: columns.map(\.name), order: order, required: required, condition: condition,
      conditionPlace: conditionPlace)
  }
}

extension StoredValue {
  /// As requests carry a stored value: moments as RFC 3339, booleans as words.
  fileprivate func literal(of type: ColumnType) -> Literal {
    switch self {
    case .null: .null
    case .integer(let number): type == .boolean ? .boolean(number != 0) : .number(String(number))
    case .real(let number): .number("\(number)")
    case .text(let text):
      type == .timestamp ? .text(Instant(iso: text)?.rfc3339 ?? text) : type == .decimal ? .number(text) : .text(text)
    // The compiler refuses columns of bytes.
    case .bytes: .null
    }
  }
}
