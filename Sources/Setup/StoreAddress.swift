package import PlanCompiler
package import MappingLanguage
import SQLiteStore
package import Store

/// Where a run stores: `--store`, else the mapping's `store.url`, else a SQLite file named after the source.
package enum StoreAddress {
  package struct Failure: Error, Sendable {
    package var message: String
    /// Another name would do, or the same when others may use it: else the database is in use, is damaged, or the disk
    /// fails.
    package var isUsage = true

    init(message: String) { self.message = message }

    init(_ error: StoreError) {
      message = error.message
      isUsage = error.code == .unusable
    }
  }

  package static func url(option: String?, mapping: Mapping, scope: Interpolation) throws(Failure) -> String {
    if let option { return option }
    guard let declared = mapping.store?.url else { return "sqlite:\(try fileName(of: mapping))" }
    switch scope.text(of: declared.value) {
    case .text(let text): return text
    case .unresolved(let name): throw Failure(message: "the store's URL needs '\(name)', which has no value")
    case .invalid(let message): throw Failure(message: "the store's URL: \(message)")
    }
  }

  /// In the folder at hand: a name that leads elsewhere is no name of a file.
  private static func fileName(of mapping: Mapping) throws(Failure) -> String {
    let name = mapping.source.name.value
    guard !name.utf8.contains(UInt8(ascii: "/")) else {
      throw Failure(
        message: "the source's name '\(name)' is no name of a file: say where to store, by --store or store.url")
    }
    return "\(name).db"
  }

  /// Opens the store; a SQLite file that is not there is made.
  package static func open(_ url: String) throws(Failure) -> any ReadableStore {
    let path = try path(of: url)
    do throws(StoreError) {
      return try SQLiteStore(path: path)
    } catch {
      throw Failure(error)
    }
  }

  /// Opens the store to look at it, which changes nothing, and works while others write; nil when it is not there.
  package static func openToRead(_ url: String) throws(Failure) -> (any InspectableStore)? {
    let path = try path(of: url)
    guard FileText.exists(path) else { return nil }
    do throws(StoreError) {
      return try SQLiteStore(reading: path)
    } catch {
      throw Failure(error)
    }
  }

  /// Opens a store that is there, to shorten what it keeps of earlier runs.
  package static func openToPrune(_ url: String) throws(Failure) -> any PrunableStore {
    let path = try path(of: url)
    do throws(StoreError) {
      return try SQLiteStore(path: path)
    } catch {
      throw Failure(error)
    }
  }

  private static func path(of url: String) throws(Failure) -> String {
    let scheme = "sqlite:"
    guard url.hasPrefix(scheme) else {
      if url.hasPrefix("postgres:") || url.hasPrefix("postgresql:") {
        throw Failure(message: "this version cannot store in PostgreSQL: use --store sqlite:FILE")
      }
      throw Failure(message: "'\(url.prefix { $0 != ":" })' is no store: use sqlite:FILE")
    }
    let path = String(url.dropFirst(scheme.count))
    guard !path.isEmpty else { throw Failure(message: "'sqlite:' needs the name of a file") }
    guard !path.utf8.elementsEqual(":memory:".utf8) else {
      throw Failure(message: "'\(url)' would be gone when the command ends: name a file, or use 'ingest map'")
    }
    guard !FileText.isSpecial(path) else { throw Failure(message: "'\(path)' is no regular file: name another") }
    return path
  }

  /// Opens a store to look at it: a file that is not there is not made, and looks like an empty store.
  package static func openExisting(_ url: String) throws(Failure) -> any ReadableStore {
    let path = url.hasPrefix("sqlite:") ? String(url.dropFirst("sqlite:".count)) : ""
    guard !path.isEmpty, !FileText.isReadableFile(path) else { return try open(url) }
    do throws(StoreError) {
      return try temporary()
    } catch {
      throw Failure(error)
    }
  }

  /// Opens a store that has to be there.
  package static func openFilled(_ url: String) throws(Failure) -> any ReadableStore {
    let path = url.hasPrefix("sqlite:") ? String(url.dropFirst("sqlite:".count)) : ""
    guard path.isEmpty || FileText.isReadableFile(path) else {
      throw Failure(message: "the database '\(path)' is not there, or cannot be read: name another by --store")
    }
    return try open(url)
  }

  /// A store in memory, for the tests of a mapping.
  package static func temporary() throws(StoreError) -> any ReadableStore { try SQLiteStore(path: ":memory:") }

  /// Names of the tables and views that the store makes for itself, beside those of the schema.
  package static func bookkeepingTables(beside schema: StoreSchema) throws(StoreError) -> [String] {
    try SQLiteStore.bookkeepingTables(beside: schema)
  }
}
