/// Rows of records with `write: append` that a walk has stored which is not continued: they stay, and come again.
struct AppendedRows {
  private let records: [String]
  private let pages: Int

  init(_ records: [String], pages: Int) {
    self.records = records
    self.pages = pages
  }

  /// Nil when there are none. `isComing`: it is the next run that stores them again.
  func remark(isComing: Bool) -> String? {
    guard let first = records.first, pages > 0 else { return nil }
    var names = [first]
    for name in records where !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { names.append(name) }
    let rows = "rows of \(names.map { "'\($0)'" }.joined(separator: ", "))"
    let extent = pages == 1 ? "1 page" : "\(pages) pages"
    return isComing
      ? "\(rows) from \(extent) stay, and the next run stores them again (write: append)"
      : "\(rows) that the cut walk stored stay, and come again: \(extent) stored twice (write: append)"
  }
}

extension WalkMemory.Cut {
  /// How many are stored.
  var pages: Int { Pager.stored(pager)?.pages ?? 1 }
}

extension WalkMemory.Rest {
  /// Why pages that are stored are asked for again.
  func notice(of endpoint: String, appended: [String]) -> Message? {
    guard case .void(let reason, let pages) = self else { return nil }
    let text = "endpoint '\(endpoint)': a walk that was cut is not continued, \(reason)"
    guard let remark = AppendedRows(appended, pages: pages).remark(isComing: false) else {
      return Message(.info, "\(text): it begins anew")
    }
    return Message(.warning, "\(text); \(remark)")
  }
}
