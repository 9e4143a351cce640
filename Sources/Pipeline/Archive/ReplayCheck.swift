import PlanCompiler
import Records

/// What cannot be mapped a second time.
struct ReplayCheck {
  let plan: Plan

  /// Refuses endpoints whose records would be stored twice, or would get versions that never were.
  func check(_ endpoints: [Int]) throws(PipelineError) {
    for endpoint in endpoints.map({ plan.endpoints[$0] }) {
      for row in endpoint.places.flatMap(\.branches).map({ plan.rows[$0.row] }) {
        let shape = plan.tables[row.table].shape
        let record = plan.recordNames[row.record]
        switch shape.write {
        case .append:
          throw refused(endpoint.name, "'\(record)' appends its rows (write: append), and would have them twice")
        case .history where shape.modified == nil:
          throw refused(
            endpoint.name,
            "'\(record)' keeps its history, and what an old answer says would become a version of today; with "
              + "'modified' old answers are skipped")
        default: continue
        }
      }
    }
  }

  private func refused(_ endpoint: String, _ reason: String) -> PipelineError {
    PipelineError(
      .refused,
      "answers of the endpoint '\(endpoint)' cannot be mapped again: \(reason); replay others by --endpoint NAME")
  }
}
