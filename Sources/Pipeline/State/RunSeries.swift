import PlanCompiler
import Store
import Values

/// A run that was cut, and those that continue it: a walk that one of them completed is not walked again.
///
/// The series lasts until a run of it comes to its end, be that a failure; and a day at most.
struct RunSeries {
  /// The number of its first run.
  let name: String
  let isContinued: Bool
  private let state: String
  /// Of the names under which series are kept, in the source's own scope.
  static let prefix = "series/"

  /// `selection`: which endpoints are walked; another choice is no continuation. A walk knows itself whether its endpoint
  /// is the same.
  init(
    _ run: RunContext, _ store: any Store, selection: [String], now: Duration, isFull: Bool
  ) throws(StoreError) {
    var variables = BodyDigest()
    for variable in run.variables { variables.add(Array("\(variable.name)=\(variable.value.plainText);".utf8)[...]) }
    var endpoints = BodyDigest()
    for name in selection { endpoints.add(Array("\(name);".utf8)[...]) }
    state = Self.prefix + endpoints.text
    let version = variables.text
    if !isFull, let record = try store.state(scope: "", name: state).flatMap({ StateRecord($0.value) }),
      record["version"] == version, record.continued(at: now) != nil, let first = record["run"]
    {
      (name, isContinued) = (first, true)
      return
    }
    (name, isContinued) = (String(run.runID), false)
    var record = StateRecord()
    record["run"] = name
    record.began = now
    record["version"] = version
    try store.keep([.set(scope: "", name: state, value: record.text)])
  }

  /// The run came to its end: the next one walks everything again. Kept with the run's row, so that a cut lies before
  /// both or behind both.
  var ending: [StateChange] { [.remove(scope: "", name: state)] }
}
