import JSONReading
import PlanCompiler

/// What columns read of a request (`$route.owner`, `$query.page`, `$request.url`) where it is only said which endpoint has
/// answered: there is no such value then.
struct UnroutedValues {
  struct Column {
    /// `Review.property_id`
    var name: String
    var value: String
    var isKey: Bool
  }

  /// Those that have no other source, and no default.
  private(set) var columns: [Column] = []
  private let pattern: String?

  init(of endpoint: EndpointPlan, in plan: Plan) {
    pattern = endpoint.patterns.first?.text
    for row in plan.rows(filledBy: endpoint) {
      let record = plan.recordNames[plan.rows[row].record]
      for field in plan.rows[row].fields where field.defaultValue == nil {
        guard case .paths(let paths) = field.source, let first = paths.first,
          paths.allSatisfy({ $0.path.isOfRequest })
        else { continue }
        columns.append(Column(name: "\(record).\(field.name)", value: first.path.text, isKey: field.isKey))
      }
    }
  }

  /// Of a key: every record would be rejected.
  var refusal: String? {
    guard let key = columns.first(where: \.isKey) else { return nil }
    return "'\(key.name)' is a part of the key and reads '\(key.value)', which has no value by '--endpoint' alone: "
      + advice
  }

  var warning: String? {
    guard !columns.isEmpty else { return nil }
    let names = columns.map { "'\($0.name)' (\($0.value))" }.joined(separator: ", ")
    return "\(names) \(columns.count == 1 ? "has" : "have") no value by '--endpoint' alone: \(advice)"
  }

  private var advice: String {
    "say which request the bodies answer, as --path \(pattern ?? "/…") with its values, and the query"
  }
}

extension KeyPath {
  fileprivate var isOfRequest: Bool {
    switch origin {
    case .route, .query, .requestURL: true
    default: false
    }
  }
}
