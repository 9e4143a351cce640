import Diagnostics
import Setup
import MappingLanguage
import PlanCompiler
import Store

/// What is kept where nothing else is stored: a refresh token that took the place of another one would be lost.
struct KeptToken {
  let url: String
  let loaded: LoadedMapping
  let command: String

  func keep(_ changes: [StateChange]) throws(StoreError) {
    let store: any Store
    do throws(StoreAddress.Failure) {
      store = try StoreAddress.open(url)
    } catch {
      throw StoreError(.unusable, error.message)
    }
    try store.prepare(StoreSchema(tables: []), allowingLoss: false)
    _ = try store.beginRun(entry)
    try store.keepAtOnce(changes)
    try store.endRun(status: "done", message: nil)
    try store.close()
  }

  var entry: RunEntry {
    RunEntry(
      source: loaded.plan.source, command: command, mapping: loaded.mapping.files.first?.name ?? loaded.plan.source)
  }
}
