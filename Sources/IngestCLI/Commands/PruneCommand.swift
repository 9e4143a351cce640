import Setup
import Pipeline
import PlanCompiler
import Store

/// `ingest prune --keep TIME`: removes what is kept of old runs.
struct PruneCommand: CommandBody {
  let invocation: PruneInvocation

  func run(on console: Console) -> ExitCode {
    do throws(Preparation.Failure) {
      return prune(try Preparation(lookingBy: invocation.mapping, on: console).loaded, on: console)
    } catch {
      return error.code
    }
  }

  private func prune(_ loaded: LoadedMapping, on console: Console) -> ExitCode {
    Interruption.watch()
    do {
      let url = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
      guard try hasRuns(url, of: loaded.plan.source) else {
        console.result("nothing to remove: there is no run of '\(loaded.plan.source)' yet")
        return .done
      }
      let store = try StoreAddress.openToPrune(url)
      do {
        let outcome = try Pruner(store: store, plan: loaded.plan).prune(
          keeping: invocation.keep, waits: invocation.waits, isInterrupted: { Interruption.isAsked },
          report: console.report)
        try store.close()
        print(outcome, of: loaded.plan.source, on: console)
        return .done
      } catch {
        // Why it failed is the news; whoever comes next must not find the source held.
        try? store.close()
        throw error
      }
    } catch {
      return console.report(error)
    }
  }

  /// A file of others gets no bookkeeping, and none is made where there is none.
  private func hasRuns(_ url: String, of source: String) throws -> Bool {
    guard let store = try StoreAddress.openToRead(url) else { return false }
    defer { try? store.close() }
    return try store.runCount(of: source) > 0
  }

  private func print(_ outcome: PruningOutcome, of source: String, on console: Console) {
    let stays = outcome.runsLeft == 1 ? "1 stays" : "\(outcome.runsLeft) stay"
    guard outcome.runs > 0 else {
      return console.result("\(source): no run can go; \(stays)")
    }
    console.result("\(source): \(Self.count(outcome.runs, "run was", "runs were")) removed, \(stays)")
    let parts = [
      outcome.responses == 0
        ? nil : Self.count(outcome.responses, "archived answer", "archived answers") + " (\(outcome.bytes) bytes)",
      outcome.errors == 0 ? nil : Self.count(outcome.errors, "error", "errors"),
      outcome.files == 0 ? nil : Self.count(outcome.files, "note of a file", "notes of files"),
    ].compactMap(\.self)
    if !parts.isEmpty { console.result("  with \(parts.joined(separator: ", "))") }
    if outcome.rejects > 0 {
      let records = Self.count(outcome.rejects, "rejected record", "rejected records")
      console.result("  with \(records), which cannot be mapped again now")
    }
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}
