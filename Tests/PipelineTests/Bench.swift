import Diagnostics
import Fetch
import Foundation
import JSONReading
import MappingLanguage
import Pipeline
import PlanCompiler
import Records
import SQLiteStore
import Store
import TestSupport
import Values

/// A mapping and a database of its own: bodies are loaded or fetched into it, and its rows are read.
final class Bench {
  let mapping: Mapping
  let plan: Plan
  let scope: Interpolation
  private let secrets: [String: String]
  private let folder: TemporaryFolder
  private let path: String
  /// Messages for those who ask for more (`-v`).
  var isVerbose = false
  /// Runs compare the members of answers with those before.
  var watchesDrift = false

  /// What a command came to.
  struct Run {
    var failure: PipelineError?
    var summary: RunSummary
    var messages: [Message]
    var drift: [EndpointDrift] = []

    /// `Item: 3 = 2 inserted + 1 rejected`, of each record that was received.
    var counts: [String] {
      summary.records.filter { $0.received > 0 }.map { counts in
        let parts = [
          (counts.inserted, "inserted"), (counts.updated, "updated"), (counts.unchanged, "unchanged"),
          (counts.deleted, "deleted"), (counts.skipped, "skipped"), (counts.filtered, "filtered"),
          (counts.rejected, "rejected"),
        ]
        let said = parts.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " + ")
        return "\(counts.record): \(counts.received) = \(said)"
      }
    }

    var warnings: [String] { messages.filter { $0.level == .warning }.map(\.text) }
  }

  /// `other`: the mapping is a later one of the same database.
  init(
    _ yaml: String, variables: [(name: String, value: Literal)] = [], secrets: [String: String] = [:],
    environment: [String: String] = [:], on other: Bench? = nil
  ) throws {
    let (mapping, findings) = MappingReader.read(SourceFile(name: "mapping.yaml", text: yaml)) {
      _ throws(IncludeFailure) in throw IncludeFailure(reason: "no such file")
    }
    guard let mapping else { throw FixtureError(DiagnosticPrinter.text(findings, colour: false)) }
    let values = mapping.variables.map { declared in
      Interpolation.Variable(
        name: declared.name.value, type: declared.type?.value,
        value: variables.first { $0.name == declared.name.value }?.value ?? declared.defaultValue?.value)
    }
    scope = Interpolation(
      variables: values, now: Instant(seconds: 1_436_004_000), secret: { secrets[$0] }, environment: { environment[$0] }
    )
    let (plan, own) = PlanCompiler.compile(mapping, scope: scope)
    guard let plan, !findings.containsErrors else {
      throw FixtureError(DiagnosticPrinter.text((findings + own).inOrder(), colour: false))
    }
    (self.mapping, self.plan, self.secrets) = (mapping, plan, secrets)
    folder = try other?.folder ?? TemporaryFolder()
    path = folder.path("test.db")
  }

  /// `records` and `endpoints`, both as YAML within braces.
  convenience init(records: String, endpoints: String) throws {
    try self.init("ingest: 1\nsource: {name: demo}\nrecords: {\(records)}\nendpoints: {\(endpoints)}\n")
  }

  /// One record `Item` with a key `id`, a text `v` and a list of tags, at `items` of `/items`.
  static func items() throws -> Bench {
    try Bench(
      records: "Item: {table: items, key: id, fields: {id: {type: integer}, v: {type: text}}, relationships: {tags: "
        + "[{fields: {tag: {from: ., type: text}}}]}}",
      endpoints: "items: {path: /items, fetch: false, records: {items: Item}}")
  }

  /// Loads bodies, each named `body-N.json`, or with the ending given.
  @discardableResult
  func load(
    _ bodies: [String], ending: String = "json", route: Loader.Route = .endpoint(nil), status: Int? = nil,
    isPartial: Bool = false, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws -> Run {
    try command("load", isInterrupted) { session throws(PipelineError) in
      let inputs = bodies.enumerated().map { number, body in
        Loader.Input.body(Loader.Body(name: "body-\(number).\(ending)", source: .memory(Array(body.utf8))))
      }
      try Loader(session: session, route: route, status: status).load(inputs, isPartial: isPartial)
    }
  }

  @discardableResult
  func load(_ body: String) throws -> Run { try load([body]) }

  /// Loads a file. `isInterrupted` is asked while it is read.
  func load(file: String, isInterrupted: @escaping @Sendable () -> Bool = { false }) throws -> Run {
    try command("load", isInterrupted) { session throws(PipelineError) in
      try Loader(session: session, route: .endpoint(nil), status: nil).load([.file(file)])
    }
  }

  /// Walks the endpoints over the answers of a script.
  @discardableResult
  func run(
    _ script: any Transport, clock: any FetchClock = ManualClock(), endpoints: [String]? = nil,
    options: WalkOptions = WalkOptions(), scope: Interpolation? = nil, asksServers: Bool = true,
    supply: FetchSupply? = nil,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws -> Run {
    try command("run", isInterrupted, scope: scope) { session throws(PipelineError) in
      try Walker(
        session: session, transport: script, clock: clock, asksServers: asksServers, supply: supply, options: options
      )
      .walk(endpoints: endpoints)
    }
  }

  /// Maps the archive again, or the kept rejects.
  @discardableResult
  func replay(
    rejects: Bool = false, endpoint: String? = nil, scope: Interpolation? = nil,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws -> Run {
    let store = try SQLiteStore(path: path)
    return try command("replay", isInterrupted, scope: scope, on: store, isWhole: !rejects) {
      session throws(PipelineError) in
      if rejects {
        try RejectReplayer(session: session, store: store, endpoint: endpoint).replay()
      } else {
        try Replayer(session: session, store: store, endpoint: endpoint).replay()
      }
    }
  }

  private func command(
    _ name: String, _ isInterrupted: @escaping @Sendable () -> Bool, scope: Interpolation? = nil,
    on opened: SQLiteStore? = nil, isWhole: Bool = false, _ body: (RunSession) throws(PipelineError) -> Void
  ) throws -> Run {
    let store = try opened ?? SQLiteStore(path: path)
    var messages: [Message] = []
    let session = try RunSession(
      mapping: mapping, plan: plan, scope: scope ?? self.scope, store: store,
      redactor: redactor, command: name, allowingLoss: false, isWhole: isWhole,
      isVerbose: isVerbose, isInterrupted: isInterrupted, report: { messages.append($0) })
    var failure: PipelineError?
    if watchesDrift { session.watchDrift() }
    do throws(PipelineError) {
      try body(session)
    } catch {
      failure = error
    }
    let drift = try session.drift(after: failure)
    try session.end(failure)
    try store.close()
    return Run(failure: failure, summary: session.summary, messages: messages, drift: drift)
  }

  /// The rows of a query, values joined by `|`; null is `null`.
  func rows(_ sql: String) throws -> [String] { try rows(sql, in: path) }

  private func rows(_ sql: String, in path: String) throws -> [String] {
    let statement = try Connection(path: path).prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      let values = (0..<statement.columnCount).map { column -> String in
        switch statement.kind(column) {
        case .null, .missing: "null"
        case .integer: String(statement.integer(column))
        case .real: "\(statement.real(column))"
        case .text: statement.text(column) ?? ""
        case .bytes: "\(statement.bytes(column))"
        }
      }
      rows.append(values.joined(separator: "|"))
    }
    return rows
  }

  var redactor: Redactor { Redactor(secrets: Array(secrets.values)) }

  /// The database, as a store that was not prepared.
  func open() throws -> SQLiteStore { try SQLiteStore(path: path) }

  /// Runs a statement of the user's own.
  func change(_ sql: String) throws { try changing(sql) }

  /// The same, for another thread.
  var changing: @Sendable (String) throws -> Void {
    { [path] sql in try Connection(path: path).run(sql) }
  }

  /// What a run under way has set aside, to be remembered at its end.
  func setAside() throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix("test.db-state-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
    return try files.flatMap { try rows("SELECT value FROM pending ORDER BY id", in: folder.path($0)) }
  }

  /// All rows of the mapping's tables, whatever order they were stored in.
  func contents() throws -> [String: [String]] {
    var contents: [String: [String]] = [:]
    for shape in plan.shapes {
      contents[shape.name] = try rows("SELECT * FROM \"\(shape.name)\"").sorted()
    }
    return contents
  }

  /// Whatever the database itself finds wrong, and counts that do not add up.
  func faults() throws -> [String] {
    try rows("SELECT * FROM pragma_foreign_key_check")
      + rows("SELECT * FROM pragma_integrity_check").filter { $0 != "ok" }
      + rows(
        "SELECT record, received FROM _ingest_counts WHERE received <> "
          + "inserted + updated + unchanged + deleted + skipped + filtered + rejected")
  }
}
