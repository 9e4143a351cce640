import Setup
import Pipeline
import PlanCompiler
import Store

/// `ingest explain TABLE.COLUMN KEY…`: where one stored value came from. It changes nothing.
struct ExplainValueCommand: CommandBody {
  let invocation: ExplainValueInvocation

  func run(on console: Console) -> ExitCode {
    do throws(Preparation.Failure) {
      return explain(try Preparation(lookingBy: invocation.mapping, on: console), on: console)
    } catch {
      return error.code
    }
  }

  private func explain(_ preparation: Preparation, on console: Console) -> ExitCode {
    let loaded = preparation.loaded
    Interruption.watch()
    do {
      let address = try ColumnAddress(invocation.column, in: loaded.plan)
      let url = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
      guard let store = try StoreAddress.openToRead(url) else {
        console.error(
          "there is no row with \(invocation.key.joined(separator: ", ")): the database '\(url)' is not there yet")
        return .failed
      }
      defer { try? store.close() }
      let explainer = ValueExplainer(
        mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, redactor: preparation.redactor, store: store,
        isInterrupted: { Interruption.isAsked })
      ValueExplanationPrinter(try explainer.explain(address, key: invocation.key)).print(on: console)
      return .done
    } catch let unknown as ColumnAddress.Unknown {
      console.error(unknown.message, hint: unknown.hint)
      return .usage
    } catch {
      return console.report(error)
    }
  }
}
