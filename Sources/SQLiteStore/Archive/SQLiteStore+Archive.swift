package import Store

extension SQLiteStore {
  package var hasArchive: Bool { true }

  package func archive(_ response: ArchivedResponse, _ body: ArchivedBody) throws(StoreError) {
    precondition(transactions.isOpen, "an answer is kept between begin and commit")
    let id = try responses.add(response, body, run: runID, source: source, scope: walk?.scope.scope)
    if walk?.firstResponse == nil { walk?.firstResponse = id }
  }

  /// In the transaction that ends a walk: where it removed rows, answers of earlier walks of its scope are obsolete, since
  /// they hold what is gone. Rows without a key are always those of the last walk.
  func noteObsolete(_ sweeps: [SweepOutcome]) throws(StoreError) {
    guard let walk, !walk.scope.isReplay else { return }
    let removes = sweeps.contains { $0.reason == nil && ($0.deleted > 0 || isKeyless($0.record)) }
    guard removes else { return }
    try responses.makeObsolete(
      before: walk.firstResponse ?? .max, source: source, scope: walk.scope.scope, run: runID)
  }

  private func isKeyless(_ record: String) -> Bool {
    prepared.sightings?.tables.contains { $0.key.isEmpty && $0.record.utf8.elementsEqual(record.utf8) } ?? false
  }

  package func archived(_ query: ArchiveQuery, after id: Int64) throws(StoreError) -> StoredResponse? {
    try responses.next(query, after: id)
  }

  package func archivedBytes(of id: Int64, from offset: Int, count: Int) throws(StoreError) -> [UInt8] {
    try responses.bytes(of: id, from: offset, count: count)
  }

  package func archivedRuns(source: String, scope: String) throws(StoreError) -> Int {
    try responses.runs(source: source, scope: scope)
  }

  package func obsoleteCount(_ query: ArchiveQuery) throws(StoreError) -> Int { try responses.obsoleteCount(query) }
}
