import Ingest
import Pipeline
import PlanCompiler
import Records
import Store

/// `ingest map`: as `load`, but rows are printed, and no database is touched.
struct MapCommand: CommandBody {
  let invocation: MapInvocation

  func run(on console: Console) -> ExitCode {
    guard InputFiles.areThere(invocation.files, on: console) else { return .usage }
    do throws(Preparation.Failure) {
      let preparation = try Preparation(
        mapping: invocation.mapping, options: invocation.interpolation, on: console)
      let names = preparation.loaded.plan.shapes.map(\.name)
      if let table = invocation.table, !names.contains(table) {
        console.error("no table is named '\(table)'; there are \(names.map { "'\($0)'" }.joined(separator: ", "))")
        return .usage
      }
      let store = RowPrinter(
        output: console.output, isSilent: invocation.format == .none, table: invocation.table)
      let work = LoadWork(
        preparation: preparation, files: invocation.files, routing: invocation.routing, command: "map",
        allowsLoss: false, maxRejects: invocation.maxRejects, isPartial: invocation.isPartial,
        waits: false, looksForDrift: false)
      if let refusal = work.refusal(on: console) { return refusal }
      return work.run(into: store, on: console, isStored: false)
    } catch {
      return error.code
    }
  }
}
