/// What there is to do before a database is as a mapping wants it, in the order in which it is done.
///
/// A plan is read from the database and changes nothing. Taking it is all or nothing.
package struct SchemaPlan: Sendable, Hashable {
  package struct Step: Sendable, Hashable {
    package enum Kind: String, Sendable {
      case createTable = "create table"
      case renameTable = "rename table"
      case renameColumn = "rename column"
      case addColumn = "add column"
      /// Each value is kept, written as the wider type has it.
      case widenColumn = "widen column"
      /// Another change of type: values that do not convert become null.
      case changeColumn = "change column"
      /// Another primary key. Of rows that are equal in it the last one stays; rows that lack a part of it go.
      case changeKey = "change key"
      case addForeignKey = "add foreign key"
      /// Carries out the changes of one table that precede it: the table is made anew and filled from the old one.
      case rebuildTable = "rebuild table"
      case createIndex = "create index"
    }

    package var kind: Kind
    /// The table as it is called afterwards.
    package var table: String
    package var column: String?
    /// The change in words, lower case, without a full stop.
    package var summary: String
    /// The statements, without the semicolon. Empty where a later `rebuildTable` does it, or only a note is changed.
    package var sql: [String]
    /// It loses data, or may: taken with `--allow-loss` only.
    package var isLossy: Bool
    /// Of a change without loss, the rows that it rewrites or puts into an index; of a lossy one, the rows that lose
    /// something.
    package var affectedRows: Int
    /// What is there now, where something else takes its place: a name, a type, the columns of a key.
    package var before: String?
    /// What is there afterwards.
    package var after: String?

    package init(
      _ kind: Kind, table: String, column: String? = nil, summary: String, sql: [String] = [], isLossy: Bool = false,
      affectedRows: Int = 0, before: String? = nil, after: String? = nil
    ) {
      self.kind = kind
      self.table = table
      self.column = column
      self.summary = summary
      self.sql = sql
      self.isLossy = isLossy
      self.affectedRows = affectedRows
      self.before = before
      self.after = after
    }
  }

  package var steps: [Step]
  /// What stands in the way of the plan, whatever is allowed: sentences for people.
  package var obstacles: [String]

  package init(steps: [Step] = [], obstacles: [String] = []) {
    self.steps = steps
    self.obstacles = obstacles
  }

  package var isLossy: Bool { steps.contains(where: \.isLossy) }
}
