import Setup
import Pipeline
import PlanCompiler
import Records
import SQLiteStore
import Store

/// `ingest map`: as `load`, but rows are printed, and no database is touched.
struct MapCommand: CommandBody {
  let invocation: MapInvocation

  func run(on console: Console) -> ExitCode {
    guard let files = InputFiles.expand(invocation.files, on: console) else { return .usage }
    do throws(Preparation.Failure) {
      let preparation = try Preparation(
        mapping: invocation.mapping, options: invocation.interpolation, on: console)
      let shapes = preparation.loaded.plan.shapes.filter { $0.role != .membership }
      if let refusal = refusal(shapes, on: console) { return refusal }
      let work = LoadWork(
        preparation: preparation, files: files, routing: invocation.routing, command: "map",
        allowsLoss: false, maxRejects: invocation.maxRejects, isPartial: invocation.isPartial,
        waits: false, looksForDrift: false)
      if let refusal = work.refusal(on: console) { return refusal }
      return invocation.format == .sql ? script(work, shapes, on: console) : print(work, on: console)
    } catch {
      return error.code
    }
  }

  private func refusal(_ shapes: [TableShape], on console: Console) -> ExitCode? {
    let names = shapes.map { "'\($0.name)'" }.joined(separator: ", ")
    if let table = invocation.table, !shapes.contains(where: { $0.name == table }) {
      console.error("no table is named '\(table)'; there are \(names)")
      return .usage
    }
    if invocation.format == .csv, invocation.table == nil, shapes.count > 1 {
      console.error("csv holds one table: choose one by --table (\(names))")
      return .usage
    }
    return nil
  }

  private func print(_ work: LoadWork, on console: Console) -> ExitCode {
    let format: (any RowFormat)? =
      switch invocation.format {
      case .ndjson: NDJSONRows()
      case .csv: CSVRows()
      case .table: TableRows()
      case .none, .sql: nil
      }
    let printer = RowPrinter(output: console.output, format: format, table: invocation.table)
    let code = work.run(into: printer, on: console, isStored: false)
    if let note = format?.note { console.warning(note) }
    return code
  }

  /// The rows go through a database that is gone afterwards: only a store knows what becomes of a row that comes again.
  private func script(_ work: LoadWork, _ shapes: [TableShape], on console: Console) -> ExitCode {
    do throws(StoreError) {
      let store = try SQLiteStore.temporary()
      let printed = shapes.filter { invocation.table == nil || invocation.table == $0.name }
      return work.run(into: store, on: console, isStored: false) { () throws(StoreError) in
        try store.writeScript(of: printed) { text in
          console.output.append(text)
          return console.output.failure == nil
        }
      }
    } catch {
      return console.report(error)
    }
  }
}
