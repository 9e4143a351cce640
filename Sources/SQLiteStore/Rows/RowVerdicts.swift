import Records

/// What was decided about each row of a batch that comes with its document order.
///
/// `RowSink` goes through `RecordBatch.order`, parents before what is nested in them: a row whose parent was not applied
/// is passed over with it, and every other row is handed to the writer of its table, alone (a record's) or with its list
/// (a keyless child's). A writer that does not apply a row says so here, by `skip` or `reject`, and counts it; whatever
/// is nested in the row is then counted by the sink. Links and memberships come last, when all rows are decided: those
/// of a parent that was not applied are passed over, and a link of a rejected child is a shield.
///
/// A batch without an order has no verdicts: writers get nil, and apply every row.
final class RowVerdicts {
  enum Verdict: UInt8 {
    /// Applied, or still to be looked at.
    case applied
    /// Not newer than the stored row, or the stored row stays as it is: so are the rows that are nested in it.
    case skipped
    /// It would break a unique index: the rows that are nested in it are not received.
    case rejected
    /// A row that it is nested in was rejected.
    case notReceived
  }

  /// Why a row was rejected.
  struct Breach {
    var row: RowReference
    /// The column at fault, when it is one.
    var field: String?
    var reason: String
  }

  /// Table by table, row by row.
  private var verdicts: [[Verdict]]
  /// Rows that were rejected, in order.
  private(set) var breaches: [Breach] = []

  init(_ batch: RecordBatch) {
    verdicts = batch.tables.map { [Verdict](repeating: .applied, count: $0.rows.count) }
  }

  subscript(row: RowReference) -> Verdict { verdicts[Int(row.table)][Int(row.row)] }

  func applies(_ row: RowReference) -> Bool { self[row] == .applied }

  /// The stored row stays as it is.
  func skip(_ row: RowReference) { decide(.skipped, row) }

  /// The row cannot be stored.
  func reject(_ row: RowReference, field: String?, reason: String) {
    decide(.rejected, row)
    breaches.append(Breach(row: row, field: field, reason: reason))
  }

  /// What becomes of everything that is nested in a row; a record at the top level is nested in none.
  func verdict(belowParent parent: RowReference) -> Verdict {
    guard parent.table >= 0 else { return .applied }
    switch self[parent] {
    case .applied: return .applied
    case .skipped: return .skipped
    case .rejected, .notReceived: return .notReceived
    }
  }

  func decide(_ verdict: Verdict, _ row: RowReference) { verdicts[Int(row.table)][Int(row.row)] = verdict }
}
