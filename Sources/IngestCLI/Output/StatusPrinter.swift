import Diagnostics
import Pipeline
import Records
import Store

/// Prints what is in a store: for people, or as one JSON object.
struct StatusPrinter {
  let store: String
  let format: StatusInvocation.Format

  private static let rejectLimit = 20
  private static let walkLimit = 10

  /// Before any run.
  func printNothing(of source: String, on console: Console) {
    switch format {
    case .text: console.result("\(shownStore): no run of '\(source)' yet; there is no such database")
    case .json:
      write(
        .object([.init("source", .text(source)), .init("store", .text(shownStore)), .init("runs", .list([]))]), console)
    }
  }

  func print(_ status: StoreStatus, on console: Console) {
    if format == .json { return write(StatusObject(status, store: shownStore).node, console) }
    console.result("\(status.source) in \(shownStore)")
    if let holder = status.holder { console.result(text(of: holder)) }
    if status.isEmpty {
      console.result("no run yet")
    } else {
      printRuns(status, on: console)
      printWalks(status, on: console)
    }
    printRejects(status, on: console)
    printReferences(status, on: console)
  }

  /// A URL may hold a password.
  private var shownStore: String { store.hasPrefix("sqlite:") ? String(store.dropFirst("sqlite:".count)) : store }

  private func write(_ node: JSONTree, _ console: Console) {
    console.output.append(console.messages.redaction(node.text) + "\n")
  }

  private func text(of holder: SourceHolder) -> String {
    let who = "held by process \(holder.process) on \(holder.host) since \(holder.since) UTC"
    return holder.life == .unknown ? who + " (whether it still runs cannot be seen from here)" : who
  }

  private func section(_ title: String, on console: Console) {
    console.output.append("\n")
    console.result(title)
  }

  // MARK: runs

  private func printRuns(_ status: StoreStatus, on console: Console) {
    let isCut = status.runs.count < status.runCount
    section(isCut ? "runs, the last \(status.runs.count) of \(status.runCount):" : "runs:", on: console)
    for run in status.runs {
      let time = run.finishedAt.map { "\(run.startedAt) to \($0.suffix(12))" } ?? run.startedAt
      let wasKilled = run.status == "running" && (status.holder == nil || run.id != status.runs[0].id)
      let ending = wasKilled ? "did not end: it was killed" : run.status
      console.result("  \(run.id)  \(time) UTC  \(run.command)  \(ending)" + (run.message.map { ": \($0)" } ?? ""))
      for counts in run.counts { console.result("      \(counts.record): \(words(counts))") }
    }
    if let first = status.continued { console.result("  the next run continues what run \(first) began") }
  }

  private func words(_ counts: StoredCounts) -> String {
    let told = counts.numbers.filter { $0.name == "received" || $0.count > 0 }
    return told.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
  }

  // MARK: walks

  private func printWalks(_ status: StoreStatus, on console: Console) {
    guard !status.walks.isEmpty else { return }
    section("walks:", on: console)
    var shown: [String: Int] = [:]
    for walk in status.walks {
      shown[walk.endpoint, default: 0] += 1
      // Walks for each of many parents are much alike, save those that were not complete.
      if walk.cut == nil, walk.partial == nil, shown[walk.endpoint, default: 0] > Self.walkLimit { continue }
      let values = walk.values.map { "\($0.name)=\($0.value)" }
      let slice = walk.slice.map { ["from \($0.from) until \($0.until)"] } ?? []
      let gone = walk.isGone ? " (the mapping no longer has it)" : ""
      console.result("  " + ([walk.endpoint] + values + slice).joined(separator: " ") + gone)
      for line in lines(of: walk) { console.result("      \(line)") }
    }
    for (endpoint, count) in shown.sorted(by: { $0.key < $1.key }) where count > Self.walkLimit {
      console.result(
        "  \(endpoint): \(count) walks in all; those that were cut or partial and \(Self.walkLimit) more are shown")
    }
  }

  private func lines(of walk: WalkStatus) -> [String] {
    var lines: [String] = []
    if let time = walk.completed { lines.append("complete at \(time) UTC") }
    if let partial = walk.partial { lines.append("PARTIAL at \(partial.at) UTC: \(partial.reason)") }
    if let cursor = walk.cursor { lines.append("cursor: \(cursor)") }
    if let slices = walk.slices { lines.append("goes on with the piece from \(slices.next), up to \(slices.end)") }
    if let validators = walk.validators {
      let names = [validators.etag.map { "ETag \($0)" }, validators.lastModified.map { "Last-Modified \($0)" }]
      lines.append("asks only for what has changed: \(names.compactMap(\.self).joined(separator: ", "))")
    }
    if let time = walk.freshUntil { lines.append("not asked again before \(time) UTC (cache)") }
    if let cut = walk.cut { lines += self.lines(of: cut) }
    return lines
  }

  private func lines(of cut: WalkStatus.Cut) -> [String] {
    let pages = cut.pages == 1 ? "1 page" : "\(cut.pages) pages"
    var lines = ["cut: began at \(cut.began) UTC, \(pages) with \(cut.received) records stored"]
    if let obstacle = cut.obstacle {
      lines.append(obstacle)
    } else {
      let place = cut.position.map { "goes on at \($0)" } ?? "only its end is missing"
      lines.append(place + (cut.until.map { ", until \($0) UTC" } ?? ""))
    }
    return lines
  }

  // MARK: rejects, references

  private func printRejects(_ status: StoreStatus, on console: Console) {
    guard !status.rejects.isEmpty else { return }
    section("rejects:", on: console)
    for group in status.rejects.prefix(Self.rejectLimit) {
      let place = group.field.map { "\(group.record).\($0)" } ?? group.record
      console.result("  \(group.count)  \(place): \(group.reason) (run \(group.latestRun))")
    }
    let more = status.rejects.count - Self.rejectLimit
    if more > 0 { console.result("  … and \(more) more reasons, see _ingest_rejects") }
  }

  private func printReferences(_ status: StoreStatus, on console: Console) {
    guard !status.dangling.isEmpty || status.intactReferences > 0 else { return }
    section("references:", on: console)
    for entry in status.dangling {
      let targets = entry.targets.map { "\($0.table).\($0.column)" }.joined(separator: " or ")
      let rows = entry.found.rows == 1 ? "1 row is dangling" : "\(entry.found.rows) rows are dangling"
      let examples = entry.found.examples.map(\.shown).joined(separator: ", ")
      let rest = entry.found.values > entry.found.examples.count ? ", …" : ""
      console.result(
        "  \(entry.table).\(entry.column) to \(targets): \(rows): no row there has \(examples)\(rest); fetch or load "
          + "those")
    }
    let intact = status.intactReferences
    if intact > 0 {
      console.result("  \(intact == 1 ? "1 reference leads" : "\(intact) references lead") to rows everywhere")
    }
  }
}

extension StoredValue {
  /// Bytes of a text that is shown whole.
  private static let longest = 2000

  /// As JSON writes it; bytes by their number.
  var shown: String {
    switch self {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text) where text.utf8.count > Self.longest:
      JSONText.quoted(String(text.prefix(Self.longest))) + "… (\(text.utf8.count) bytes)"
    case .text(let text): JSONText.quoted(text)
    case .bytes(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    }
  }
}
