import Pipeline
import Setup
import Store

/// A database that runs fill: where it is, not a connection to it.
///
/// Each run opens the database and closes it when it ends. A SQLite file that is not there is made by the first run, and
/// its tables are made and widened as the mapping wants them. Read it by whatever reads SQLite; ``records(of:mapping:)``
/// is for small tables and tests.
public struct Store: Sendable, Hashable {
  /// The address: `sqlite:` and the path of a file.
  public let url: String

  /// A store by its address, such as `sqlite:boats.db`. Whether it can be opened turns out when it is used.
  public init(url: String) { self.url = url }

  /// A SQLite file, relative to the current folder.
  public static func sqlite(_ path: String) -> Store { Store(url: "sqlite:\(path)") }

  /// The rows of a table, in the order in which they were stored; empty when the store does not have the table yet.
  ///
  /// All of them are read into memory. Columns that are not the mapping's are left out.
  ///
  /// - Parameters:
  ///   - table: The name of one of the mapping's tables.
  ///   - mapping: The mapping that fills it, which knows the types of its columns.
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/unknownName`` when the table is not the mapping's,
  ///   ``IngestError/Code/refused`` when the store cannot be opened, or ``IngestError/Code/store``.
  public func records(of table: String, mapping: Mapping) throws(IngestError) -> [DynamicRecord] {
    let table = try mapping.table(table)
    let store = try open { url throws(StoreAddress.Failure) in try StoreAddress.openExisting(url) }
    do throws(StoreError) {
      defer { try? store.close() }
      guard try store.has(table: table.name) else { return [] }
      let stored = try store.readRows(of: table.name)
      let places = table.columns.map { column in
        stored.columns.firstIndex { $0.utf8.elementsEqual(column.name.utf8) }
      }
      return stored.rows.map { row in
        DynamicRecord(table: table, stored: places.map { place in place.map { row[$0] } })
      }
    } catch {
      throw IngestError(error)
    }
  }

  /// The store that runs fill.
  func open() throws(IngestError) -> any RunStore {
    try open { url throws(StoreAddress.Failure) in try StoreAddress.open(url) }
  }

  private func open(
    _ body: (String) throws(StoreAddress.Failure) -> any ReadableStore
  ) throws(IngestError) -> any ReadableStore {
    do throws(StoreAddress.Failure) {
      return try body(url)
    } catch {
      throw IngestError(error)
    }
  }
}

extension Mapping {
  /// The store that the mapping's `store` section names; without one, the SQLite file `SOURCE.db`.
  ///
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/refused`` when the address needs a value that is not
  ///   there.
  public func defaultStore() throws(IngestError) -> Store {
    do throws(StoreAddress.Failure) {
      return Store(url: try StoreAddress.url(option: nil, mapping: loaded.mapping, scope: loaded.scope))
    } catch {
      throw IngestError(error)
    }
  }
}
