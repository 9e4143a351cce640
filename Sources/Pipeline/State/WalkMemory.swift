import Records
import Store
import Values

/// What one walk remembers from run to run: its cursor, its validators, its last complete run, and how far it came when
/// it was cut.
///
/// Everything lies in the walk's scope; the cursor and the slices in the scope without the slice.
struct WalkMemory {
  /// What is known of the last complete run of a walk.
  struct Completion {
    var series: String
    var at: Duration
    /// Of the endpoint's rows.
    var version: String
    /// It was not continued after a cut and rejected nothing: stored rows are all that there was at that time.
    var wasWhole: Bool
    var validators: Validators?
  }

  /// What a server named the version of an answer, and the request that it answered, credentials removed.
  struct Validators {
    var url: String
    var etag: String?
    var lastModified: String?
  }

  /// A walk that was cut, or failed.
  struct Cut {
    var began: Duration
    /// What `${now}` was.
    var now: Instant
    var pager: String
    var marks: [String]
    var largest: String?
    /// Its last page was stored, and only its end is missing.
    var hasEnded: Bool
  }

  /// What an earlier run has left of a walk.
  enum Rest {
    case nothing
    case cut(Cut)
    /// Pages of it are stored, but it cannot be continued.
    case void(reason: String, pages: Int)
  }

  static let walk = "walk"
  static let mark = "mark/"
  static let version = "version"
  static let complete = "complete"
  static let cursor = "cursor"
  static let partial = "partial"
  static let slices = "slices"

  let store: any Store
  let scope: String
  /// The scope of all slices.
  let cursorScope: String
  let version: EndpointVersion

  // MARK: complete runs

  func completion() throws(StoreError) -> Completion? {
    guard let entry = try store.state(scope: cursorScope, name: Self.complete), let record = StateRecord(entry.value),
      let series = record["series"], let at = record["at"].flatMap(Int64.init), let version = record["mapping"]
    else { return nil }
    return Completion(
      series: series, at: .milliseconds(at), version: version, wasWhole: record["whole"] == "true",
      validators: record["url"].map {
        Validators(url: $0, etag: record["etag"], lastModified: record["last_modified"])
      })
  }

  func completed(_ completion: Completion) -> StateChange {
    var record = StateRecord()
    record["series"] = completion.series
    record["at"] = String(completion.at.wholeMilliseconds)
    record["mapping"] = completion.version
    record["whole"] = completion.wasWhole ? "true" : "false"
    record["url"] = completion.validators?.url
    record["etag"] = completion.validators?.etag
    record["last_modified"] = completion.validators?.lastModified
    return .set(scope: cursorScope, name: Self.complete, value: record.text)
  }

  // MARK: cut walks

  /// What can be continued at `now`, since 1970. `wasCut`: the run that left it was cut, and did not come to its end.
  func rest(at now: Duration, wasCut: Bool) throws(StoreError) -> Rest {
    guard let entry = try store.state(scope: scope, name: Self.walk), let record = StateRecord(entry.value),
      let moment = record["now"].flatMap(Instant.init(iso:)), let pager = record["pages"], record.began != nil
    else { return .nothing }
    let pages = Pager.stored(pager)?.pages ?? 1
    let hasEnded = record["ended"] == "true"
    guard record["mapping"] == version.text else {
      let kept = try store.state(scope: scope, name: Self.version).flatMap { StateRecord($0.value) }
      let changes = version.changes(since: kept).map { " (\($0))" } ?? ""
      return .void(reason: "the mapping has changed since\(changes)", pages: pages)
    }
    guard let began = record.continued(at: now) else {
      return .void(reason: "it began more than a day ago", pages: pages)
    }
    // Nothing would be asked for, and what its end could not do would be over with.
    guard !hasEnded || wasCut else { return .void(reason: "its end is missing", pages: pages) }
    return .cut(
      Cut(
        began: began, now: moment, pager: pager,
        marks: try store.state(scope: scope, prefix: Self.mark).map(\.value), largest: record["largest"],
        hasEnded: hasEnded))
  }

  /// How far the walk is, after a page; `marks` are those that the page added.
  func progressed(_ cut: Cut, page: Int, newMarks marks: [String], isFirst: Bool) -> [StateChange] {
    var record = StateRecord()
    record["mapping"] = version.text
    record.began = cut.began
    record["now"] = cut.now.rfc3339
    record["pages"] = cut.pager
    record["largest"] = cut.largest
    if cut.hasEnded { record["ended"] = "true" }
    // What an earlier walk of this scope has left is void with the first page of this one.
    var changes: [StateChange] =
      isFirst
      ? [
        .removeAll(scope: scope, prefix: Self.mark), .set(scope: scope, name: Self.version, value: version.kept),
      ] : []
    changes.append(.set(scope: scope, name: Self.walk, value: record.text))
    for (number, mark) in marks.enumerated() {
      let place = String(1_000_000_000 + page).dropFirst()
      changes.append(.set(scope: scope, name: "\(Self.mark)\(place)/\(number)", value: mark))
    }
    return changes
  }

  /// Nothing is left to continue.
  var forgotten: [StateChange] { Self.forgotten(in: scope) }

  static func forgotten(in scope: String) -> [StateChange] {
    [
      .remove(scope: scope, name: walk), .remove(scope: scope, name: version), .removeAll(scope: scope, prefix: mark),
    ]
  }

  // MARK: partial walks

  /// The walk has ended, but not all there is has come, for the reason given: known until a later one is complete.
  func ended(partial reason: String, at now: Duration) -> StateChange {
    var record = StateRecord()
    record["at"] = String(now.wholeMilliseconds)
    record["reason"] = reason
    return .set(scope: cursorScope, name: Self.partial, value: record.text)
  }

  var isWhole: StateChange { .remove(scope: cursorScope, name: Self.partial) }

  // MARK: cursors

  func cursor() throws(StoreError) -> String? {
    try store.state(scope: cursorScope, name: Self.cursor)?.value
  }

  func moved(to cursor: CursorValue) -> StateChange {
    .set(scope: cursorScope, name: Self.cursor, value: cursor.kept)
  }

  /// Where the slices of a cut run go on, and where they end.
  struct Slices {
    var next: CursorValue
    var end: CursorValue
    var began: Duration
  }

  func slices(of type: ColumnType, at now: Duration) throws(StoreError) -> Slices? {
    guard let entry = try store.state(scope: cursorScope, name: Self.slices), let record = StateRecord(entry.value),
      record["mapping"] == version.text, let began = record.continued(at: now),
      let next = record["next"].flatMap({ CursorValue(kept: $0, type: type) }),
      let end = record["end"].flatMap({ CursorValue(kept: $0, type: type) })
    else { return nil }
    return Slices(next: next, end: end, began: began)
  }

  func sliced(_ slices: Slices) -> StateChange {
    var record = StateRecord()
    record["mapping"] = version.text
    record.began = slices.began
    record["next"] = slices.next.kept
    record["end"] = slices.end.kept
    return .set(scope: cursorScope, name: Self.slices, value: record.text)
  }

  var unsliced: StateChange { .remove(scope: cursorScope, name: Self.slices) }
}
