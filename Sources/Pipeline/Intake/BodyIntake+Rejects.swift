import JSONReading
import Mapper
import PlanCompiler
import Records
import Store

/// Records that were rejected before, and kept.
extension BodyIntake {
  /// Maps and stores a kept record. Nil when it was taken; else why not, and then nothing has changed.
  func take(
    _ reject: KeptReject, at position: RecordPosition, context: BodyContext, store: any ReadableStore
  ) throws -> String? {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(reject.value)
    } catch {
      return "what was kept of it is no JSON: \(error.message)"
    }
    let kept = KeptContext(reject.context)
    let before = mapper.tally
    _ = mapper.begin(context)
    try store.begin()
    do {
      mapper.beginBody(BodyName(reject.source), in: batch)
      try mapper.receive(document, at: position, keeping: kept)
      _ = mapper.takeUnsweepable()
      if let reason = try verdict(reject, kept, store) ?? write(reject, store) {
        try giveUp(before)
        return reason
      }
      try store.removeReject(reject.id)
      show(batch)
      batch.reset()
      try commit()
      return nil
    } catch {
      try giveUp(before)
      throw error
    }
  }

  private func giveUp(_ before: BodyMapper.Tally) throws {
    batch.reset()
    mapper.restore(before)
    try store.rollback()
  }

  /// Why the record cannot be stored.
  private func verdict(_ reject: KeptReject, _ kept: KeptContext, _ store: any ReadableStore) throws -> String? {
    if let path = kept.lacking { return "its mapping reads '\(path.text)', which was not kept with it" }
    if let again = rejection(of: reject) { return again.reason }
    if let record = try store.vanishedRecord(in: batch) {
      return "'\(record)' loses what walks do not see, and none has seen this one since: it may be gone"
    }
    return nil
  }

  /// A unique index may refuse it.
  private func write(_ reject: KeptReject, _ store: any ReadableStore) throws -> String? {
    try store.write(batch, endsBody: true)
    return rejection(of: reject)?.reason
  }

  /// Of the record itself; not of what is nested in it.
  private func rejection(of reject: KeptReject) -> Rejection? {
    batch.rejections.first { rejection in
      rejection.pointer.utf8.elementsEqual(reject.pointer.utf8) && isTop(rejection.record)
    }
  }

  private func isTop(_ record: String) -> Bool {
    mapper.placesOfBody.contains { place in
      let names = [place.record] + place.branches.map { plan.recordNames[plan.rows[$0.row].record] }
      return names.contains { $0.utf8.elementsEqual(record.utf8) }
    }
  }

  /// Counts a record that stays rejected; false when the plan has no such record.
  func keepRejected(_ reject: KeptReject, reason: String) -> Bool {
    guard let index = plan.recordNames.firstIndex(where: { $0.utf8.elementsEqual(reject.record.utf8) }) else {
      return false
    }
    mapper.countRejected(index)
    var rejection = Rejection(
      record: reject.record, pointer: reject.pointer, field: nil, reason: reason, value: reject.value,
      context: reject.context, body: 0, endpoint: reject.endpoint)
    rejection.field = reason.utf8.elementsEqual(reject.reason.utf8) ? reject.field : nil
    showRejected(rejection, from: BodyName(reject.source))
    return true
  }

  /// Keeps the counts of records that stay.
  func countKept() throws(StoreError) {
    try store.begin()
    do {
      try commit()
    } catch {
      throw error as? StoreError ?? StoreError(.failed, "\(error)")
    }
  }
}
