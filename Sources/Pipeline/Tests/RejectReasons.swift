/// Why records of a test were rejected, each reason once.
enum RejectReasons {
  /// Where the first record of each reason is, in which column, why, and how many others there are.
  static func texts(_ records: [RunSummary.RejectedRecord]) -> [String] {
    var found: [(record: RunSummary.RejectedRecord, others: Int)] = []
    for record in records {
      let known = found.firstIndex {
        $0.record.record == record.record && $0.record.field == record.field && $0.record.reason == record.reason
      }
      if let known { found[known].others += 1 } else { found.append((record, 0)) }
    }
    return found.map { record, others in
      let column = record.field.map { record.reason.contains("'\($0)'") ? "" : "'\($0)': " } ?? ""
      let more = others == 0 ? "" : others == 1 ? ", and one more" : ", and \(others) more"
      return "\(record.pointer): \(column)\(record.reason)\(more)"
    }
  }
}
