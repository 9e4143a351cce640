/// What a mapping makes of a body.
public struct MappedRecords: Sendable {
  /// The records at the places that the mapping names, with those nested in them: table by table, in the order of the
  /// body. Those for which `delete_when` holds have ``DynamicRecord/isDeleted``.
  public let records: [DynamicRecord]
  /// All records that were rejected, nested ones too.
  public let rejections: [RejectedRecord]
  /// What was received, and what became of it.
  public let report: RunReport

  /// All rows of a table, nested ones too, as often as they come; empty when there is none. Rows of link tables are not
  /// among them.
  public subscript(table: String) -> [DynamicRecord] {
    records.flatMap(\.descendants).filter { $0.table.name.utf8.elementsEqual(table.utf8) }
  }
}
