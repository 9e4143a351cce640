import Diagnostics
import JSONReading
import MappingLanguage
import PlanCompiler
import Records
import Store
import Values

/// What is remembered of one walk, or of one piece of a sliced one.
package struct WalkStatus: Sendable {
  /// What the server named the version of its answer.
  package struct Validators: Sendable {
    package var url: String
    package var etag: String?
    package var lastModified: String?
  }

  /// A walk that was cut, or failed.
  package struct Cut: Sendable {
    /// UTC.
    package var began: String
    package var pages: Int
    package var received: Int
    /// Where it goes on, in words: `page 3`; nil when its last page is stored, and only its end is missing.
    package var position: String?
    /// Until then; nil when it cannot be continued.
    package var until: String?
    /// Why it cannot be continued.
    package var obstacle: String?
  }

  package var endpoint: String
  /// What else the walk is of: the values of its path, variables and parents.
  package var values: [(name: String, value: String)] = []
  package var slice: (from: String, until: String)?
  /// The mapping no longer has such a walk.
  package var isGone = false
  /// When it was complete the last time; UTC.
  package var completed: String?
  /// The last walk ended, but not all there is has come; UTC.
  package var partial: (at: String, reason: String)?
  package var cursor: String?
  /// Of a sliced walk that was cut: where the next piece begins, and where the last one ends.
  package var slices: (next: String, end: String)?
  package var validators: Validators?
  /// Until then it is not asked for again (`cache`).
  package var freshUntil: String?
  package var cut: Cut?

  init(endpoint: String) { self.endpoint = endpoint }
}

extension WalkStatus {
  /// By scope, in the order of the endpoints.
  static func all(in states: [ScopedState], mapping: Mapping, plan: Plan, now: Duration) -> [WalkStatus] {
    var walks: [WalkStatus] = []
    let versions = EndpointVersions(plan, mapping.declared)
    var rest = states.filter { !$0.scope.isEmpty }[...]
    while let scope = rest.first?.scope {
      let own = rest.prefix { $0.scope.utf8.elementsEqual(scope.utf8) }
      rest = rest.dropFirst(own.count)
      guard var walk = WalkStatus(scope: scope) else { continue }
      walk.isGone = !WalkIdentity.isCurrent(scope, plan: plan, mapping: mapping)
      let endpoint = plan.endpoints.first { $0.name.utf8.elementsEqual(walk.endpoint.utf8) }
      let appends = endpoint?.places.contains { !plan.appendedRecords(at: $0).isEmpty } ?? false
      let version = plan.endpoints.firstIndex { $0.name.utf8.elementsEqual(walk.endpoint.utf8) }.map { versions[$0] }
      walk.read(
        own.map(\.entry), endpoint, version, limit: mapping.source.limits.pages, now: now, isOneEarlier: !appends)
      walks.append(walk)
    }
    func place(_ walk: WalkStatus) -> Int {
      plan.endpoints.firstIndex { $0.name.utf8.elementsEqual(walk.endpoint.utf8) } ?? plan.endpoints.count
    }
    return walks.enumerated().sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }.map(\.element)
  }

  private init?(scope: String) {
    guard let document = try? JSONDocument(Array(scope.utf8)) else { return nil }
    defer { withExtendedLifetime(document) {} }
    guard let endpoint = document.root.member(named: JSONName("endpoint")) else { return nil }
    self.init(endpoint: endpoint.stringValue)
    for name in ["path", "variables", "each"] {
      document.root.member(named: JSONName(name))?.forEachMember { name, value in
        values.append((name.stringValue, value.stringValue))
      }
    }
    document.root.member(named: JSONName("query"))?.forEachElement { pair in
      var texts: [String] = []
      pair.forEachElement { texts.append($0.stringValue) }
      if texts.count == 2 { values.append((texts[0], texts[1])) }
    }
    var ends: [String] = []
    document.root.member(named: JSONName("slice"))?.forEachElement { ends.append($0.stringValue) }
    if ends.count == 2 { slice = (ends[0], ends[1]) }
  }

  private mutating func read(
    _ entries: [StateEntry], _ endpoint: EndpointPlan?, _ version: EndpointVersion?, limit: Int, now: Duration,
    isOneEarlier: Bool
  ) {
    for entry in entries {
      switch entry.name {
      case WalkMemory.cursor: cursor = Self.shown(cursor: entry.value)
      case WalkMemory.complete:
        if let record = StateRecord(entry.value) { read(complete: record, endpoint, version, now: now) }
      case WalkMemory.partial:
        if let record = StateRecord(entry.value), let reason = record["reason"] {
          partial = (record["at"].flatMap(Int64.init).map { Duration.milliseconds($0).storedTime ?? "" } ?? "", reason)
        }
      case WalkMemory.slices:
        if let record = StateRecord(entry.value), let next = record["next"], let end = record["end"] {
          slices = (Self.shown(cursor: next), Self.shown(cursor: end))
        }
      case WalkMemory.walk:
        if let record = StateRecord(entry.value) {
          let kept = entries.first { $0.name.utf8.elementsEqual(WalkMemory.version.utf8) }
          cut = Cut(
            record, endpoint, limit: limit, now: now, isOneEarlier: isOneEarlier,
            isCurrent: version?.isDeclared(as: record["mapping"]) ?? false,
            changes: version?.changes(since: kept.flatMap { StateRecord($0.value) }))
        }
      default: break
      }
    }
  }

  private static func shown(cursor kept: String) -> String { CursorValue(kept: kept, type: .any)?.text ?? kept }

  private mutating func read(
    complete record: StateRecord, _ endpoint: EndpointPlan?, _ version: EndpointVersion?, now: Duration
  ) {
    guard let at = record["at"].flatMap(Int64.init) else { return }
    completed = Duration.milliseconds(at).storedTime
    if let url = record["url"] {
      validators = Validators(url: url, etag: record["etag"], lastModified: record["last_modified"])
    }
    guard let life = endpoint?.declaration.timeToLive, record["whole"] == "true",
      version?.isDeclared(as: record["mapping"]) ?? false, .milliseconds(at) + life > now
    else { return }
    freshUntil = (.milliseconds(at) + life).storedTime
  }
}

extension WalkStatus.Cut {
  /// `isCurrent`: the endpoint is as it was then; else `changes` says what has changed, as far as it is known.
  fileprivate init(
    _ record: StateRecord, _ endpoint: EndpointPlan?, limit: Int, now: Duration, isOneEarlier: Bool, isCurrent: Bool,
    changes: String?
  ) {
    began = record.began?.storedTime ?? ""
    (pages, received) = (0, 0)
    if !isCurrent {
      obstacle = "the mapping has changed since\(changes.map { " (\($0))" } ?? ""): the walk begins anew"
    } else if record.continued(at: now) == nil {
      obstacle = "it began more than a day ago: the walk begins anew"
    }
    until = obstacle == nil ? record.began.map { ($0 + StateRecord.longestCut).storedTime } ?? nil : nil
    let isWhole = record["ended"] == "true"
    guard let saved = record["pages"], let plan = endpoint?.paginate,
      let pager = Pager(plan, limit: limit, resuming: saved, marks: [], isOneEarlier: isOneEarlier)
    else {
      if !isWhole { position = "its first request" }
      return
    }
    let stored = Pager.stored(saved)
    (pages, received) = (stored?.pages ?? 0, stored?.received ?? 0)
    position = isWhole ? nil : pager.askedBy
  }
}

extension Pager {
  /// What the next request asks by, in words.
  fileprivate var askedBy: String {
    switch stand.position {
    case .first: "the first page"
    case .number(let number): "\(kind.rawValue) \(number)"
    case .value(let literal): "\(kind.rawValue) \(literal.plainText)"
    case .url(let url): url
    }
  }
}

extension Duration {
  /// A time since 1970, as stores write it, to the second; nil beyond the calendar.
  fileprivate var storedTime: String? { Instant(seconds: components.seconds).stored }
}

extension RunSeries {
  /// The number of the run that the next one continues.
  static func open(in states: [ScopedState], at now: Duration) -> String? {
    states.lazy.filter { $0.scope.isEmpty && $0.entry.name.utf8.starts(with: Self.prefix.utf8) }
      .compactMap { StateRecord($0.entry.value) }.filter { $0.continued(at: now) != nil }
      .compactMap { $0["run"] }.first
  }
}
