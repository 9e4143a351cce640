import Setup
import Pipeline
import PlanCompiler
import Store

/// `ingest plan`: what the next run would change in the tables. It changes nothing.
struct PlanCommand: CommandBody {
  let invocation: PlanInvocation

  func run(on console: Console) -> ExitCode {
    do throws(Preparation.Failure) {
      let preparation = try Preparation(
        mapping: invocation.mapping, options: invocation.interpolation, on: console)
      return plan(preparation.loaded, on: console)
    } catch {
      return error.code
    }
  }

  private func plan(_ loaded: LoadedMapping, on console: Console) -> ExitCode {
    do {
      let url = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
      let store: any ReadableStore = try StoreAddress.openToRead(url) ?? StoreAddress.temporary()
      let plan = try store.plan(StoreSchema(loaded.plan))
      try store.close()
      PlanPrinter(plan, shapes: loaded.plan.shapes).print(on: console)
      return .done
    } catch {
      return console.report(error)
    }
  }
}
