import Setup
import Pipeline
import PlanCompiler
import Store

/// `ingest status`: what is in a store, and what the next run will do. It changes nothing.
struct StatusCommand: CommandBody {
  let invocation: StatusInvocation

  func run(on console: Console) -> ExitCode {
    do throws(Preparation.Failure) {
      return look(try Preparation(lookingBy: invocation.mapping, on: console).loaded, on: console)
    } catch {
      return error.code
    }
  }

  private func look(_ loaded: LoadedMapping, on console: Console) -> ExitCode {
    do {
      let url = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
      let printer = StatusPrinter(store: url, format: invocation.format)
      guard let store = try StoreAddress.openToRead(url) else {
        printer.printNothing(of: loaded.plan.source, on: console)
        return .done
      }
      let status = try StoreStatus(of: store, mapping: loaded.mapping, plan: loaded.plan)
      try store.close()
      printer.print(status, on: console)
      return .done
    } catch {
      return console.report(error)
    }
  }
}
