import JSONReading
import Mapper
import Records
import Store

/// Lines of NDJSON on their way in: each is whole in a batch before anything of it is stored, and many share a
/// transaction.
struct LineIntake: RecordReceiver {
  private let intake: BodyIntake
  private let mapper: BodyMapper
  private let context: BodyContext
  private let name: String
  /// Nil before the first.
  private var line: Int?
  private var lines = 0
  /// The rejections of committed lines that are to be shown.
  private(set) var shown: [RunSummary.RejectedRecord]
  /// Of all lines, at each place.
  private(set) var records: [Int]
  /// Why the last line was not taken; those before it are stored.
  private(set) var failure: BodyFailure?

  /// Lines after which a transaction is committed, however few rows they bring.
  private static let linesPerTransaction = 10_000

  init(intake: BodyIntake, context: BodyContext, name: String) {
    self.intake = intake
    mapper = intake.mapper
    self.context = context
    self.name = name
    records = Array(repeating: 0, count: mapper.placesOfBody.count)
    shown = intake.summary.preview
  }

  mutating func read(
    _ source: BodySource, by reader: NDJSONReader, closing: (BodyIntake.Taken) throws -> Void
  ) throws {
    try intake.store.begin()
    do {
      try reader.readLines(source, into: &self) { line, lines in
        lines.begin(line)
      } end: { _, failure, summary, lines in
        if let failure { throw failure }
        return try lines.end(summary)
      }
    } catch let error as StoreError {
      throw error
    } catch let error as JSONError where error.code == .interrupted {
      throw error
    } catch {
      takeBack(error)
    }
    try intake.writeRest()
    if failure == nil { try closing(BodyIntake.Taken(records: records)) }
    try intake.commit()
  }

  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) throws {
    try mapper.receive(record, at: position, in: window)
  }

  private mutating func begin(_ line: Int) {
    self.line = line
    mapper.beginLine(BodyName(name, line: line), in: intake.batch)
  }

  /// The line's, as reports name it.
  private var currentName: String { BodyName(name, line: line).description }

  private mutating func end(_ summary: BodySummary) throws -> Bool {
    try intake.check(summary)
    intake.watch?.note(summary, at: mapper.placesOfBody, of: currentName)
    for place in records.indices { records[place] += summary.counts[place] }
    lines += 1
    if lines % Self.linesPerTransaction == 0 {
      try intake.writeRest()
      try intake.commit()
      shown = intake.summary.preview
      try intake.store.begin()
    } else if intake.batch.rowCount >= BodyMapper.batchRows {
      try intake.handOver(endsBody: true)
    }
    return true
  }

  /// A broken line: what it brought is taken back, the lines before it stay, the rest is not read.
  private mutating func takeBack(_ error: any Error) {
    if line != nil { mapper.takeBackLine() }
    failure = BodyFailure(error, name: currentName)
    failure?.line = line ?? 1
  }
}
