import Fetch
import Setup
import JSONReading
import Pipeline
import Store

/// `ingest load`: bodies from files and standard input into the store.
struct LoadCommand: CommandBody {
  let invocation: LoadInvocation

  func run(on console: Console) -> ExitCode {
    guard let files = InputFiles.expand(invocation.files, on: console) else { return .usage }
    do throws(Preparation.Failure) {
      let preparation = try Preparation(
        mapping: invocation.mapping, options: invocation.interpolation, on: console)
      return load(files, preparation, on: console)
    } catch {
      return error.code
    }
  }

  private func load(_ files: [String], _ preparation: Preparation, on console: Console) -> ExitCode {
    let work = LoadWork(
      preparation: preparation, files: files, routing: invocation.routing, command: "load",
      allowsLoss: invocation.allowsLoss, maxRejects: invocation.maxRejects, isPartial: invocation.isPartial,
      waits: invocation.waits, looksForDrift: invocation.looksForDrift)
    if let refusal = work.refusal(on: console) { return refusal }
    let store: any Store
    do throws(StoreAddress.Failure) {
      let url = try StoreAddress.url(
        option: invocation.store, mapping: preparation.loaded.mapping, scope: preparation.loaded.scope)
      store = try StoreAddress.open(url)
    } catch {
      return console.report(error)
    }
    return work.run(into: store, on: console, isStored: true)
  }
}
