import Pipeline
import Setup
import Store

extension Mapping {
  /// Maps a body: no request is made, and no database is touched.
  ///
  /// ```swift
  /// let mapped = try mapping.records(in: .text(#"{"data": {"boats": [{"id": "12", "name": "Lark"}]}}"#))
  /// let names = try mapped["boat"].map { try $0.value("name", as: String.self) }
  /// ```
  ///
  /// All records are in memory at once; ``forEachRecord(in:from:status:cancellation:_:)`` does without.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - route: The request that it answers; not needed when the mapping has one endpoint.
  ///   - status: The status of the response.
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/unreadableFile``, ``IngestError/Code/refused`` when it
  ///   is not said which endpoint answered, or ``IngestError/Code/failed`` when the body is no JSON, has none of the
  ///   mapping's places, or is an error by the mapping's rules. A record that cannot be taken is no error: it is in
  ///   ``MappedRecords/rejections``.
  public func records(in body: Body, from route: Route? = nil, status: Int = 200) throws(IngestError) -> MappedRecords {
    var records: [DynamicRecord] = []
    var rejections: [RejectedRecord] = []
    let report = try map(body, route, status, cancellation: nil) {
      rejections.append($0)
    } deliver: {
      records.append($0)
      return true
    }
    return MappedRecords(records: records, rejections: rejections, report: report)
  }

  /// Maps a body of any size, record by record.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - route: The request that it answers; not needed when the mapping has one endpoint.
  ///   - status: The status of the response.
  ///   - cancellation: Ends the mapping early, as does the cancellation of the task.
  ///   - take: Is given each record at the places that the mapping names, with those nested in it. It comes before the
  ///     end of the body was read: when this function throws, what was given is not the whole, and may be of a broken
  ///     body.
  /// - Returns: What was received, and what became of it, with the first of the rejected records.
  /// - Throws: What `take` throws, and ``IngestError`` as ``records(in:from:status:)``, or with the code
  ///   ``IngestError/Code/cancelled``.
  @discardableResult
  public func forEachRecord(
    in body: Body, from route: Route? = nil, status: Int = 200, cancellation: CancellationToken? = nil,
    _ take: (DynamicRecord) throws -> Void
  ) throws -> RunReport {
    var failure: (any Error)?
    do {
      return try map(body, route, status, cancellation: cancellation, reject: { _ in }) { record in
        do { try take(record) } catch { failure = error }
        return failure == nil
      }
    } catch {
      throw failure ?? error
    }
  }

  /// `deliver` gives false when it wants no more.
  private func map(
    _ body: Body, _ route: Route?, _ status: Int, cancellation: CancellationToken?,
    reject: (RejectedRecord) -> Void, deliver: (DynamicRecord) -> Bool
  ) throws(IngestError) -> RunReport {
    try body.check()
    return try withoutActuallyEscaping(reject) { reject throws(IngestError) in
      try withoutActuallyEscaping(deliver) { deliver throws(IngestError) in
        let collector = RecordCollector(loaded.plan) {
          reject(RejectedRecord($0, from: $1))
        } deliver: { record throws(StoreError) in
          guard deliver(DynamicRecord(record, self)) else { throw StoreError(.failed, "no more records are wanted") }
        }
        let work = RunWork(
          mapping: self, command: "map", isCancelled: { cancellation?.isCancelled ?? false || Task.isCancelled })
        return try work.perform(into: collector) { session throws(PipelineError) in
          try Loader(session: session, route: route.loading, status: status).load([body.input])
        }
      }
    }
  }
}
