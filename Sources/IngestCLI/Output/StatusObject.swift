import Diagnostics
import Pipeline
import Records
import Store

/// A store's status as one JSON object.
struct StatusObject {
  let node: JSONTree

  init(_ status: StoreStatus, store: String) {
    node = .object([
      .init("source", .text(status.source)), .init("store", .text(store)),
      .init("held_by", status.holder.map(Self.object) ?? .null),
      .init("run_count", .integer(status.runCount)), .init("runs", .list(status.runs.map(Self.object))),
      .init("continues_run", .text(status.continued)), .init("walks", .list(status.walks.map(Self.object))),
      .init("rejects", .list(status.rejects.map(Self.object))),
      .init("dangling", .list(status.dangling.map(Self.object))),
    ])
  }

  private static func object(_ holder: SourceHolder) -> JSONTree {
    .object([
      .init("process", .integer(Int(holder.process))), .init("host", .text(holder.host)),
      .init("since", .text(holder.since)), .init("is_alive", holder.life == .unknown ? .null : .boolean(true)),
    ])
  }

  private static func object(_ run: StoredRun) -> JSONTree {
    let counts = run.counts.map { counts in
      JSONTree.object(
        [.init("record", .text(counts.record))] + counts.numbers.map { .init($0.name, .integer($0.count)) })
    }
    return .object([
      .init("run_id", .integer(run.id)), .init("command", .text(run.command)), .init("mapping", .text(run.mapping)),
      .init("started_at", .text(run.startedAt)), .init("finished_at", .text(run.finishedAt)),
      .init("status", .text(run.status)), .init("message", .text(run.message)), .init("counts", .list(counts)),
    ])
  }

  private static func object(_ walk: WalkStatus) -> JSONTree {
    .object([
      .init("endpoint", .text(walk.endpoint)),
      .init("values", .object(walk.values.map { .init($0.name, .text($0.value)) })),
      .init("slice", walk.slice.map { .list([.text($0.from), .text($0.until)]) } ?? .null),
      .init("is_in_mapping", .boolean(!walk.isGone)), .init("complete_at", .text(walk.completed)),
      .init("partial", walk.partial.map(object) ?? .null),
      .init("cursor", .text(walk.cursor)),
      .init("next_slice", walk.slices.map { .list([.text($0.next), .text($0.end)]) } ?? .null),
      .init("etag", .text(walk.validators?.etag)), .init("last_modified", .text(walk.validators?.lastModified)),
      .init("fresh_until", .text(walk.freshUntil)), .init("cut", walk.cut.map(object) ?? .null),
    ])
  }

  private static func object(_ partial: (at: String, reason: String)) -> JSONTree {
    .object([.init("at", .text(partial.at)), .init("reason", .text(partial.reason))])
  }

  private static func object(_ cut: WalkStatus.Cut) -> JSONTree {
    .object([
      .init("began_at", .text(cut.began)), .init("pages", .integer(cut.pages)),
      .init("received", .integer(cut.received)), .init("goes_on_at", .text(cut.position)),
      .init("until", .text(cut.until)), .init("obstacle", .text(cut.obstacle)),
    ])
  }

  private static func object(_ group: RejectGroup) -> JSONTree {
    .object([
      .init("record", .text(group.record)), .init("field", .text(group.field)), .init("reason", .text(group.reason)),
      .init("count", .integer(group.count)), .init("latest_run", .integer(group.latestRun)),
    ])
  }

  private static func object(_ entry: StoreStatus.Dangling) -> JSONTree {
    .object([
      .init("table", .text(entry.table)), .init("column", .text(entry.column)),
      .init("refers_to", .list(entry.targets.map { .text("\($0.table).\($0.column)") })),
      .init("rows", .integer(entry.found.rows)), .init("values", .integer(entry.found.values)),
    ])
  }
}
