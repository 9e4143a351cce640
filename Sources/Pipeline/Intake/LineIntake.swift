import JSONReading
import Mapper
import Records

/// Lines of NDJSON on their way in: each is whole in a batch before anything of it is stored.
struct LineIntake: LineReceiver {
  private let intake: BodyIntake
  private let context: BodyContext
  private let name: String
  private var mark: RecordBatch.Mark?
  private var counts: [RecordCounts] = []
  private var lines = 0
  private(set) var records = 0
  private(set) var currentName: String
  /// Why the last line was not taken; those before it are stored.
  private(set) var failure: BodyFailure?

  /// Lines after which a transaction is committed, however few rows they bring.
  private static let linesPerTransaction = 10_000

  init(intake: BodyIntake, context: BodyContext, name: String) {
    self.intake = intake
    self.context = context
    self.name = name
    currentName = name
  }

  mutating func beginLine(_ number: Int) {
    mark = intake.batch.mark
    counts = intake.mapper.currentCounts
    currentName = "\(name):\(number)"
    intake.mapper.beginBody(BodyName(name, line: number), in: intake.batch)
  }

  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) throws {
    try intake.mapper.receive(record, at: position, in: window)
  }

  mutating func endLine(_ summary: BodySummary) throws {
    try intake.check(summary, context: context)
    records += summary.records
    lines += 1
    if intake.batch.rowCount >= BodyMapper.batchRows || lines % Self.linesPerTransaction == 0 { try flush() }
    if lines % Self.linesPerTransaction == 0 {
      try intake.commit()
      try intake.store.begin()
    }
  }

  /// A broken line: what it brought is taken back, the lines before it stay, the rest is not read.
  mutating func failLine(_ error: any Error) -> Bool {
    if let mark { intake.batch.truncate(to: mark) }
    intake.mapper.restore(counts)
    failure = BodyFailure(error, name: currentName)
    return false
  }

  func flush() throws {
    guard !intake.batch.isEmpty else { return }
    try intake.store.write(intake.batch, endsBody: true)
    intake.show(intake.batch)
    intake.batch.reset()
  }
}
