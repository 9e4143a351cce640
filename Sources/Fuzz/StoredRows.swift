import Diagnostics
import Fetch
import JSONReading
import MappingLanguage
import Pipeline
import PlanCompiler
import SQLiteStore
import Store
import Values

/// Bodies that are stored, one after the other, in one database.
final class StoredRows {
  private let mapping: Mapping
  private let plan: Plan
  private let scope: Interpolation
  private var store: SQLiteStore
  /// Inputs since the database was made.
  private var age = 0

  private static let text = """
    ingest: 1
    source: {name: fuzz}
    records:
      Row:
        table: rows
        key: id
        fields:
          id: {type: integer}
          name: {type: text}
          at: {type: timestamp}
          amount: {type: decimal}
          ratio: {type: real}
          flag: {type: boolean}
          rest: {type: json}
        relationships:
          tags: [{fields: {tag: {from: .}}}]
          owner: {record: Person}
      Person: {table: people, key: [first, last], fields: {first: {}, last: {}, age: {type: integer}}}
      Entry: {table: entries, key: name, fields: {name: {from: $key}, value: {from: ., type: text}}}
    endpoints:
      all: {path: /all, fetch: false, records: {rows: Row, "entries.*": Entry}}
    """

  init() throws {
    let (mapping, findings) = MappingReader.read(SourceFile(name: "m.yaml", text: Self.text)) {
      _ throws(IncludeFailure) in throw IncludeFailure(reason: "there is none")
    }
    scope = Interpolation(variables: [], now: Instant(seconds: 0), environment: { _ in nil })
    guard let mapping, let plan = PlanCompiler.compile(mapping, scope: scope).plan else {
      preconditionFailure(DiagnosticPrinter.text(findings, colour: false))
    }
    (self.mapping, self.plan) = (mapping, plan)
    store = try SQLiteStore(path: ":memory:")
  }

  /// Counts add up, whatever the body is; what was stored whole is stored again without a change.
  func take(_ bytes: [UInt8]) throws {
    if age == 500 { store = try SQLiteStore(path: ":memory:") }
    age = age % 500 + 1
    guard let first = try load(bytes), first.records.contains(where: { $0.received > 0 }) else { return }
    guard let second = try load(bytes) else { preconditionFailure("what was stored is refused") }
    for (one, other) in zip(first.records, second.records) {
      precondition(other.inserted == 0 && other.updated == 0 && other.deleted == 0, "the same body changes something")
      precondition(other.received == one.received && other.rejected == one.rejected, "the same body is another one")
    }
  }

  /// Nil when the body was not taken.
  private func load(_ bytes: [UInt8]) throws -> RunSummary? {
    let session = try RunSession(
      mapping: mapping, plan: plan, scope: scope, store: store, redactor: Redactor(), command: "load",
      allowingLoss: false, report: { _ in })
    let failure = try session.run { session throws(PipelineError) in
      try Loader(session: session, route: .endpoint(nil), status: nil)
        .load([.body(Loader.Body(name: "body", source: .memory(bytes)))])
    }
    precondition(session.summary.records.allSatisfy(\.isBalanced), "counts do not add up")
    return failure == nil ? session.summary : nil
  }
}
