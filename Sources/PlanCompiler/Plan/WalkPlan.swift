package import Records
package import Values

/// `for_each`, resolved: what an endpoint is walked for.
package enum ForEachPlan: Sendable {
  case rows(ParentRowsPlan)
  /// Each value is bound to the name.
  case values([Literal], name: String)
}

/// The stored rows of a record for each of which there is a walk.
package struct ParentRowsPlan: Sendable {
  /// A column that is read, with the names by which templates and path parameters ask for it.
  package struct Column: Sendable {
    package var name: String
    package var type: ColumnType
    package var bindings: [String]
  }

  /// The record's name.
  package var record: String
  package var table: String
  package var columns: [Column]
  /// Columns of which none may be null, as indexes into `columns`.
  package var required: [Int]
  /// The primary key.
  package var order: [String]
  package var condition: String?
  /// Where the mapping has it, in words.
  package var conditionPlace: String?
}

/// `incremental`, resolved.
package struct IncrementalPlan: Sendable {
  /// The column as a field of each record that stands at a place of the endpoint.
  package struct Field: Sendable, Hashable {
    /// Index into `Plan.rows`.
    package var row: Int
    /// Index into the row plan's fields.
    package var field: Int
  }

  package var column: String
  package var type: ColumnType
  package var fields: [Field]
  package var param: String
  package var format: DateFormat?
  package var start: CursorValue?
  package var lookback: Duration?
  package var slice: Duration?
  package var untilParam: String?
  /// Nil is now.
  package var end: CursorValue?
}

extension EndpointPlan {
  /// What `for_each` binds, by the names in `${each.NAME}`.
  package var boundNames: [String] {
    switch forEach {
    case nil: []
    case .values(_, let name)?: [name]
    case .rows(let rows)?: rows.columns.flatMap(\.bindings)
    }
  }
}
