package import JSONReading
package import Mapper
package import PlanCompiler
import Records
package import Store

/// Takes bodies in: reads, maps and stores each as a whole, and counts.
///
/// A body that fails leaves the tables as they were before it. Lines of NDJSON are bodies of their own that share
/// transactions.
package final class BodyIntake {
  let plan: Plan
  let store: any Store
  let mapper: BodyMapper
  /// The one that is being filled.
  @exclusivity(unchecked) private(set) var batch: RecordBatch
  private let writer: BatchWriter
  private let limits: JSONLimits
  package internal(set) var summary: RunSummary
  /// Of the walk at hand, when it may remove rows.
  @exclusivity(unchecked) var watch: WalkWatch?
  /// Only with `--drift`.
  var drift: DriftWatch?
  /// Bodies that bring the same records are told (`Taken.sum`).
  var sumsRecords = false

  let isInterrupted: @Sendable () -> Bool

  package init(
    plan: Plan, store: any Store, limits: JSONLimits, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.isInterrupted = isInterrupted
    self.plan = plan
    self.store = store
    self.limits = limits
    batch = RecordBatch(shapes: plan.shapes)
    writer = BatchWriter(store, shapes: plan.shapes)
    mapper = BodyMapper(plan: plan, batch: batch)
    mapper.isInterrupted = isInterrupted
    summary = RunSummary(source: plan.source)
    summary.records = plan.recordNames.map { RunSummary.Counts(record: $0) }
  }

  package var warnings: [String] { mapper.warnings }

  /// What a body brought, for paging.
  package struct Taken: Sendable {
    /// Records before filters, at each of `BodyMapper.placesOfBody`.
    package var records: [Int]
    /// Of the records, before filters; nil where they do not stand for the body.
    var sum: TextSum?
    /// There is nothing in it but white space.
    var isBlank = false
  }

  /// Reads one body and stores its records. `name` is how reports name it. `closing` is what else belongs into the
  /// body's transaction (of NDJSON, the last one), before it is committed.
  package func take(
    _ source: BodySource, format: BodyFormat, context: BodyContext, name: String,
    closing: (Taken) throws -> Void = { _ in }
  ) throws(BodyFailure) -> Taken {
    drift?.note(source, format: format, context: context)
    let tree = mapper.begin(context)
    watch?.cover(mapper.placesOfBody)
    if format.isNDJSON {
      return try takeLines(source, format: format, tree: tree, context: context, name: name, closing: closing)
    }
    do {
      try store.begin()
    } catch {
      throw BodyFailure(.store(error), name: name)
    }
    let (before, shown) = (mapper.tally, summary.preview)
    mapper.sum = sumsRecords && mapper.placesOfBody.areSelfContained ? TextSum() : nil
    defer { mapper.sum = nil }
    do {
      mapper.beginBody(BodyName(name), in: batch) { [weak self] batch in
        guard let self else { return batch }
        try handOver(endsBody: false)
        return self.batch
      }
      var receiver = mapper
      let body = try BodyReader(tree: tree, limits: limits, format: format, isInterrupted: isInterrupted)
        .read(source, into: &receiver)
      try check(body)
      watch?.note(body, at: mapper.placesOfBody, of: name)
      try writeRest()
      let taken = Taken(records: body.counts, sum: mapper.sum, isBlank: body.rootKind == nil)
      try closing(taken)
      try commit()
      return taken
    } catch {
      throw undo(error, counts: before, shown: shown, name: name)
    }
  }

  /// Hands the batch to the writing thread and begins another. The store is not to be used before `writeRest`.
  func handOver(endsBody: Bool) throws(StoreError) {
    batch = try writer.hand(batch, endsBody: endsBody) { show($0) }
  }

  /// Writes what is left of a body; then the store is there for other things.
  func writeRest() throws(StoreError) {
    try writer.finish { show($0) }
    try store.write(batch, endsBody: true)
    show(batch)
    batch.reset()
  }

  /// A body without records: `closing` has a transaction of its own.
  func takeNothing(closing: () throws -> Void) throws(BodyFailure) {
    let (before, shown) = (mapper.tally, summary.preview)
    do {
      try store.begin()
      try closing()
      try commit()
    } catch {
      throw undo(error, counts: before, shown: shown, name: "")
    }
  }

  private func takeLines(
    _ source: BodySource, format: BodyFormat, tree: PlaceTree, context: BodyContext, name: String,
    closing: (Taken) throws -> Void
  ) throws(BodyFailure) -> Taken {
    let before = mapper.tally
    var lines = LineIntake(intake: self, context: context, name: name)
    let reader = NDJSONReader(tree: tree, limits: limits, format: format, isInterrupted: isInterrupted)
    do {
      try lines.read(source, by: reader, closing: closing)
    } catch {
      // What was committed is counted elsewhere by now.
      throw undo(error, counts: before, shown: lines.shown, name: name)
    }
    if let failure = lines.failure { throw failure }
    return Taken(records: lines.records)
  }

  // MARK: shared

  /// A body in which no place is found is not what the mapping is for.
  func check(_ body: BodySummary) throws {
    if body.areAllFound { return }
    let places = mapper.placesOfBody
    for (index, place) in places.enumerated() where place.isRequired && body.places[index] != .found {
      if body.rootKind == nil { continue }
      let path = "the key path '\(place.path)' is required, and"
      if body.places[index] == .null { throw PlaceError(message: "\(path) is null") }
      throw PlaceError(message: "\(path) is not there; \(PlaceError.whatIsThere(in: body))")
    }
    guard !body.isEmpty, !places.isEmpty, body.places.allSatisfy({ $0 == .absent }) else { return }
    throw PlaceError.nothingFound(places.map { ($0.path.text, $0.record) }, in: body)
  }

  func show(_ batch: RecordBatch) {
    for rejection in batch.rejections { summary.show(rejection, from: batch.bodies[Int(rejection.body)]) }
  }

  func showRejected(_ rejection: Rejection, from body: BodyName) { summary.show(rejection, from: body) }

  func commit() throws {
    let counts = mapper.takeCounts()
    let received = counts.enumerated().compactMap { index, count -> ReceivedCounts? in
      guard count.received > 0 else { return nil }
      var entry = ReceivedCounts(record: plan.recordNames[index])
      entry.received = count.received
      entry.filtered = count.filtered
      entry.skipped = count.skipped
      entry.rejected = count.rejected
      return entry
    }
    let nulled = mapper.takeNulled()
    let outcomes = try store.commit(received)
    add(received, outcomes)
    summary.add(nulled)
  }

  private func add(_ received: [ReceivedCounts], _ outcomes: [RecordOutcome]) {
    for entry in received {
      guard let index = summary.records.firstIndex(where: { $0.record == entry.record }) else { continue }
      summary.records[index].received += entry.received
      summary.records[index].filtered += entry.filtered
      summary.records[index].rejected += entry.rejected
      summary.records[index].skipped += entry.skipped
    }
    for outcome in outcomes {
      guard let index = summary.records.firstIndex(where: { $0.record == outcome.record }) else { continue }
      summary.records[index].received -= outcome.notReceived
      summary.records[index].inserted += outcome.inserted
      summary.records[index].updated += outcome.updated
      summary.records[index].unchanged += outcome.unchanged
      summary.records[index].deleted += outcome.deleted
      summary.records[index].skipped += outcome.skipped
      summary.records[index].rejected += outcome.rejected
    }
  }

  /// The end of a walk has removed rows.
  func note(_ outcome: WalkOutcome) {
    for sweep in outcome.sweeps where sweep.deleted > 0 {
      guard let index = summary.records.firstIndex(where: { $0.record == sweep.record }) else { continue }
      summary.records[index].swept += sweep.deleted
    }
  }

  /// A walk has come to nothing. Its rejected records may stay counted.
  func takeBack(to before: RunSummary, keepingRejected: Bool = false) {
    let after = summary
    summary = before
    guard keepingRejected else { return }
    summary = after
    summary.nulled = before.nulled
    for index in summary.records.indices {
      let rejected = after.records[index].rejected - before.records[index].rejected
      summary.records[index] = before.records[index]
      summary.records[index].received += rejected
      summary.records[index].rejected += rejected
    }
  }

  /// `shown`: the rejections that are to be shown of what was kept before.
  private func undo(
    _ error: any Error, counts: BodyMapper.Tally, shown: [RunSummary.RejectedRecord], name: String
  ) -> BodyFailure {
    writer.abandon()
    batch = RecordBatch(shapes: plan.shapes)
    mapper.restore(counts)
    summary.preview = shown
    do {
      try store.rollback()
    } catch {
      return BodyFailure(.store(error), name: name)
    }
    return BodyFailure(error, name: name)
  }
}
