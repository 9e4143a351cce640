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
    let store: any ReadableStore
    do throws(StoreAddress.Failure) {
      store = try StoreAddress.open(url)
    } catch {
      throw StoreError(error.isUsage ? .unusable : .failed, error.message)
    }
    do throws(StoreError) {
      try keep(changes, in: store)
    } catch  where error.code == .busy {
      // A run may be within a transaction for as long as it fetches.
      try store.setAside(changes, for: entry.source)
    }
    try store.close()
  }

  private func keep(_ changes: [StateChange], in store: any ReadableStore) throws(StoreError) {
    try store.prepare(StoreSchema(tables: []), allowingLoss: false)
    try store.keep(changes, under: entry)
  }

  var entry: RunEntry {
    RunEntry(
      source: loaded.plan.source, command: command, mapping: loaded.mapping.files.first?.name ?? loaded.plan.source)
  }
}
