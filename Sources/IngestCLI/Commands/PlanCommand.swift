import Ingest
import Pipeline
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
      let store = try StoreAddress.openExisting(url)
      let plan = try store.plan(StoreSchema(loaded.plan))
      try store.close()
      print(plan, on: console)
      return .done
    } catch let error as StoreAddress.Failure {
      console.error(error.message)
      return .usage
    } catch {
      return console.report(error)
    }
  }

  private func print(_ plan: SchemaPlan, on console: Console) {
    for step in plan.steps {
      let rows = step.affectedRows == 0 ? "" : " (\(step.affectedRows) rows)"
      console.result("-- \(step.summary)\(rows)\(step.isLossy ? "; loses data: only with --allow-loss" : "")")
      for statement in step.sql { console.output.append(statement + ";\n") }
    }
    for obstacle in plan.obstacles { console.warning(obstacle) }
    if plan.steps.isEmpty, plan.obstacles.isEmpty { console.info("the tables are as the mapping wants them") }
  }
}
