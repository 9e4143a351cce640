/// What a store could not do.
package struct StoreError: Error, Sendable {
  package enum Code: String, Sendable {
    /// The database cannot be opened, read or written.
    case unusable
    /// It is a database, and what is in it contradicts itself.
    case damaged
    /// Another process holds it.
    case busy
    case diskFull = "disk-full"
    /// A step of the schema would lose data.
    case refused
    /// A constraint of the database, not of the mapping, forbids a row.
    case constraint
    /// A signal asked to stop while the store waited for another run, or worked long.
    case interrupted
    /// Something else that the database said.
    case failed
  }

  package var code: Code
  /// For people: what happened, where, and what to do. No value of a record.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
