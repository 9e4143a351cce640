import Setup
import Pipeline
import PlanCompiler

/// `ingest route METHOD URL`: which descriptors match, and why the others do not.
struct RouteCommand: CommandBody {
  let invocation: RouteInvocation

  func run(on console: Console) -> ExitCode {
    let outcome: LoadedMapping.Outcome
    do throws(LoadedMapping.Failure) {
      outcome = try LoadedMapping.read(invocation.mapping, for: .checking)
    } catch {
      console.error(error.message)
      return .usage
    }
    console.log(outcome.diagnostics)
    guard let loaded = outcome.loaded else { return .usage }
    switch RoutedPath(invocation.url, mapping: loaded.mapping, scope: loaded.scope) {
    case .elsewhere(let origin):
      console.error("nothing matches: \(origin) is not the mapping's 'base_url'")
      return .failed
    case .path(let path):
      let explanation = RouteExplanation(plan: loaded.plan, method: invocation.method, path: path, status: 200)
      for line in explanation.lines { console.result(line.text) }
      if explanation.lines.contains(where: \.matches) { return .done }
      console.error("nothing matches \(invocation.method) \(path)")
      return .failed
    }
  }
}
