/// A change of what a source remembers from run to run (`_ingest_state`).
///
/// Values belong to a scope: a walk's, or the source as a whole, which is the empty one.
package enum StateChange: Sendable, Hashable {
  case set(scope: String, name: String, value: String)
  case remove(scope: String, name: String)
  /// All values of the scope whose names begin so.
  case removeAll(scope: String, prefix: String)
}

package struct StateEntry: Sendable, Hashable {
  package var name: String
  package var value: String
  /// The run that kept it.
  package var run: Int64

  package init(name: String, value: String, run: Int64) {
    self.name = name
    self.value = value
    self.run = run
  }
}

/// Stored rows for which an endpoint walks (`for_each`).
package struct ParentQuery: Sendable, Hashable {
  package var table: String
  /// What is read of each row.
  package var columns: [String]
  /// In the order of these; the key, so that a run asks in the same order each time.
  package var order: [String]
  /// Indexes into `columns`: a row with a null in one of them has no walk.
  package var required: [Int]
  /// SQL over columns.
  package var condition: String?
  /// Where the mapping has it, in words.
  package var conditionPlace: String?

  package init(
    table: String, columns: [String], order: [String], required: [Int], condition: String? = nil,
    conditionPlace: String? = nil
  ) {
    self.table = table
    self.columns = columns
    self.order = order
    self.required = required
    self.condition = condition
    self.conditionPlace = conditionPlace
  }
}

/// Parent rows as they were when they were asked for, whatever is stored meanwhile.
package protocol ParentRows: AnyObject {
  /// Rows that have no walk, for a null.
  var nullCount: Int { get }
  /// The next rows, `limit` at most; empty after the last.
  func next(_ limit: Int) throws(StoreError) -> [[StoredValue]]
}

/// A store that remembers nothing fulfils this by doing nothing; but for `keepAtOnce`, of which others rely on more.
extension Store {
  package func hold(_ source: String, waiting: (() throws(StoreError) -> Void)?) throws(StoreError) {}
  package func keep(_ changes: [StateChange]) throws(StoreError) {}
  package func keep(_ file: LoadedFile) throws(StoreError) {}
  package func state(scope: String, prefix: String) throws(StoreError) -> [StateEntry] { [] }
  package func state(named name: String, besides source: String) throws(StoreError) -> [String] { [] }
  package func parents(_ query: ParentQuery) throws(StoreError) -> any ParentRows { NoParents() }

  package func state(scope: String, name: String) throws(StoreError) -> StateEntry? {
    try state(scope: scope, prefix: name).first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

/// Of a table that is not there.
package final class NoParents: ParentRows {
  package let nullCount = 0

  package init() {}

  package func next(_ limit: Int) throws(StoreError) -> [[StoredValue]] { [] }
}
