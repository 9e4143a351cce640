package import JSONReading
package import PlanCompiler
package import Records
import Values

/// Runs a plan on the records of bodies: rows, lists and rejections go into a batch.
///
/// One mapper serves a run, one body after the other; it belongs to one thread. Its parts live in extensions: fields,
/// values around a record, relationships, rejections. What it reads for each record is not checked for overlapping access
/// at run time, which would be an eighth of the instructions of mapping.
package final class BodyMapper: RecordReceiver {
  package let plan: Plan
  /// In the order of `Plan.rows`.
  let rows: UnsafeBufferPointer<MappedRow>
  /// What was counted since `takeCounts`, by index of `Plan.recordNames`.
  @exclusivity(unchecked) var counts: [RecordCounts]
  /// Findings about the data that do not reject anything, each said once.
  package private(set) var warnings: [String] = []
  /// By row plan and column: values that were invalid and became null, since `takeNulled`.
  var nulled: [RowColumn: Int] = [:]
  /// Columns of the record at hand whose value was invalid and became null: they count when the record is taken.
  @exclusivity(unchecked) var nulledColumns: [Int] = []

  @exclusivity(unchecked) private(set) var batch: RecordBatch
  /// The batch's.
  @exclusivity(unchecked) private(set) var arena: ByteArena
  /// Batch and arena again, for what is done with every row or value: these references are not counted at each use.
  @exclusivity(unchecked) private(set) var lentBatch: Unmanaged<RecordBatch>
  @exclusivity(unchecked) private(set) var lentArena: Unmanaged<ByteArena>
  /// The cells of the row at hand, or of a parent's key, before they are copied into the batch: each value is put in its
  /// place without a look at the batch. It has room for the widest table.
  let cells: UnsafeMutablePointer<Cell>
  var context: BodyContext {
    didSet { redacts = context.redaction != nil }
  }
  @exclusivity(unchecked) private var redacts = false
  /// Of a record that was rejected before.
  var kept: KeptContext?
  @exclusivity(unchecked) var places: [Place] = []
  /// The places of the bodies that `begin` prepared for, in the order of its tree.
  @exclusivity(unchecked) package private(set) var placesOfBody: [PlacePlan] = []
  /// For each of them its only row plan; -1 where a choice decides.
  @exclusivity(unchecked) private var onlyRows: [Int] = []
  /// Of the body at hand, in its batch.
  @exclusivity(unchecked) private(set) var bodyNumber: UInt32 = 0
  /// What there was before the line at hand. Both are brought up to date for each line, in the memory that they have.
  @exclusivity(unchecked) private var lineMark = RecordBatch.Mark()
  @exclusivity(unchecked) private var lineTally = Tally()
  /// Called between records when the batch is full. It gives the empty one to go on with, be it the same or another.
  @exclusivity(unchecked) private var flush: ((RecordBatch) throws -> RecordBatch)?

  let slots = MemberSlots()
  /// The record that is being mapped, and those that it is nested in.
  @exclusivity(unchecked) var frames: [Frame] = []
  /// Where the record at a place stands that is being mapped: lent, as the record is.
  @exclusivity(unchecked) private var lentPosition: UnsafePointer<RecordPosition>?
  var position: RecordPosition? { lentPosition?.pointee }
  @exclusivity(unchecked) var linkCells: [Cell] = []
  @exclusivity(unchecked) var elements: [Element] = []
  /// Asked while a jq program runs; true ends the body.
  package var isInterrupted: () -> Bool = { false }
  /// One for each jq program, made when it is first needed.
  var runners: [ObjectIdentifier: JQRunner] = [:]
  /// Relationships whose incomplete lists were named already.
  var warnedIncomplete: Set<String> = []
  /// Records and choices of which something was rejected that may be any row, since the last `takeUnsweepable`.
  var unsweepable: Set<Int> = []
  /// Of an incremental walk; nil otherwise.
  @exclusivity(unchecked) package var watermark: Watermark?
  /// Of the records that the body at hand has brought, as they came; nil when nobody asks.
  @exclusivity(unchecked) package var sum: TextSum?
  /// Only while tests of a mapping run.
  @exclusivity(unchecked) package var coverage: PlanCoverage?
  let needsOrder: Bool
  let tracksRows: Bool
  private var bodyName = BodyName("")
  /// What the columns of `track` hold for the body at hand.
  var trackingCells: [Cell] = []
  /// Records whose members without a mapping were named already.
  var warnedUnmapped: Set<UnmappedMember> = []
  /// Kinds seen in untyped key columns, by row plan and column: 1 numbers, 2 texts.
  private var keyKinds: [RowColumn: UInt8] = [:]

  /// Records that may be nested in one another: beyond them the stack might not do.
  package static let nestedRecords = 600

  /// Rows that a batch may hold before it is handed on.
  package static let batchRows = 4096

  /// A place of the body that is being read: which endpoint's, with the parameters of its path.
  struct Place {
    var endpoint: Int
    var plan: PlacePlan
    var parameters: [RouteParameter]
    /// For each of the plan's captures, where the body reader puts its value.
    var captures: [Int]
  }

  struct Frame {
    var row: Int
    var value: JSONValue
    var slots: Int
    var element: Element
  }

  /// A child that a relationship found, or the top-level record.
  struct Element {
    var value: JSONValue
    /// Its number in what the place or `from` yields; -1 for a single child, which has none.
    var index: Int
    /// The node of the member's name under which it stands; -1 where there is none.
    var keyNode: Int
    /// The child is built from the parent's own object, and stands where that stands.
    var isParentsObject = false
    /// Which of the relationship's branches it takes.
    var branch = 0

    /// In place of a branch: a choice skips it, or none of its values is there.
    static let noBranch = -1
    /// In place of a branch: a choice rejects it.
    static let rejected = -2
  }

  struct RowColumn: Hashable {
    var row: Int
    var column: Int
  }

  package init(plan: Plan, batch: RecordBatch) {
    self.plan = plan
    self.batch = batch
    arena = batch.arena
    (lentBatch, lentArena) = (.passUnretained(batch), .passUnretained(batch.arena))
    needsOrder = plan.needsOrder
    tracksRows = plan.rows.contains { !$0.tracking.isEmpty }
    counts = Array(repeating: RecordCounts(), count: plan.recordNames.count)
    let selfNesting = plan.selfNestingTables
    let rows = UnsafeMutableBufferPointer<MappedRow>.allocate(capacity: plan.rows.count)
    for (index, row) in plan.rows.enumerated() {
      rows.initializeElement(
        at: index, to: MappedRow(row, index: index, isSelfNesting: selfNesting.contains(row.table)))
    }
    self.rows = UnsafeBufferPointer(rows)
    cells = .allocate(capacity: plan.shapes.map(\.columns.count).max() ?? 1)
    context = BodyContext(matches: [], fetchedAt: "", runID: 0)
  }

  deinit {
    cells.deallocate()
    for row in rows { row.deallocate() }
    UnsafeMutableBufferPointer(mutating: rows).deinitialize().deallocate()
  }

  /// See `MappedRow`.
  @inline(__always) func row(_ index: Int) -> UnsafePointer<MappedRow> {
    guard let first = rows.baseAddress, rows.indices.contains(index) else { preconditionFailure("no row \(index)") }
    return first + index
  }

  /// Prepares for bodies that met these descriptors, and gives what a body reader has to look for.
  package func begin(_ context: BodyContext) -> PlaceTree {
    self.context = context
    places = []
    var tree = PlaceTree(places: [])
    for match in context.matches {
      for place in plan.endpoints[match.endpoint].places {
        let index = tree.places.count
        tree.places.append(PlaceTree.Place(path: place.path, reads: place.reads))
        let captures = place.captures.map { capture -> Int in
          let wanted = PlaceTree.Capture(
            place: capture.levels == nil ? nil : index, levels: capture.levels ?? 1, members: capture.members)
          if let known = tree.captures.firstIndex(of: wanted) { return known }
          tree.captures.append(wanted)
          return tree.captures.count - 1
        }
        places.append(Place(endpoint: match.endpoint, plan: place, parameters: match.parameters, captures: captures))
      }
    }
    placesOfBody = places.map(\.plan)
    onlyRows = placesOfBody.map { $0.choice == nil ? $0.branches[0].row : -1 }
    return tree
  }

  /// Rows that are mapped from now on belong to `name`. `flush` takes a full batch between two records and gives an empty
  /// one to go on with; without it the body stays whole in the batch.
  package func beginBody(
    _ name: BodyName, in batch: RecordBatch, flush: ((RecordBatch) throws -> RecordBatch)? = nil
  ) {
    self.flush = flush
    bodyName = name
    continueBody(in: batch)
  }

  /// The same for a line: all lines of a source are begun one behind the other, whichever batch they go into.
  package func beginLine(_ name: BodyName, in batch: RecordBatch) {
    batch.set(&lineMark)
    set(&lineTally)
    if tracksRows || batch.bodies.isEmpty || self.batch !== batch {
      beginBody(name, in: batch)
    } else {
      batch.beginLine(name.line ?? 0)
      bodyNumber = batch.body
    }
  }

  /// Takes back what the line at hand brought.
  package func takeBackLine() {
    batch.truncate(to: lineMark)
    restore(lineTally)
  }

  private func continueBody(in batch: RecordBatch) {
    (self.batch, arena) = (batch, batch.arena)
    (lentBatch, lentArena) = (.passUnretained(batch), .passUnretained(batch.arena))
    batch.beginBody(bodyName)
    bodyNumber = batch.body
    guard tracksRows else { return }
    let written = context.ingestedAt ?? context.fetchedAt
    let time = Instant(iso: written)?.stored ?? written
    trackingCells = [
      .text(arena.copy(time)), .integer(context.runID), .text(arena.copy(context.url ?? bodyName.source)),
    ]
  }

  package func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) throws {
    batch.keep(window)
    try withUnsafePointer(to: position) { lent throws in
      lentPosition = lent
      defer { lentPosition = nil }
      try take(record, at: lent)
    }
    if let flush, batch.rowCount >= Self.batchRows { continueBody(in: try flush(batch)) }
  }

  private func take(_ record: JSONValue, at position: UnsafePointer<RecordPosition>) throws {
    let (index, number) = (position.pointee.place, position.pointee.number)
    if sum != nil { sum?.add(record, at: index) }
    if coverage != nil { coverage?.note(places[index], of: plan) }
    var element = Element(value: record, index: number, keyNode: -1)
    if !redacts, onlyRows[index] >= 0 {
      _ = try map(element, row: onlyRows[index], parent: nil)
      return
    }
    let place = placesOfBody[index]
    if redacts, let redaction = context.redaction, isAltered(record, by: redaction) {
      return rejectAltered(element, at: place)
    }
    if let choice = place.choice { choose(place.branches.map(\.declaration), by: choice, for: &element) }
    if element.branch >= 0 { _ = try map(element, row: place.branches[element.branch].row, parent: nil) }
  }

  /// Counts since the last call, by index of `Plan.recordNames`.
  package func takeCounts() -> [RecordCounts] {
    let taken = counts
    counts = Array(repeating: RecordCounts(), count: plan.recordNames.count)
    return taken
  }

  /// Counts a record that was rejected before, and stays so.
  package func countRejected(_ record: Int) {
    counts[record].received += 1
    counts[record].rejected += 1
  }

  /// Indexes of `Plan.recordNames` of which something was rejected since the last call whose key is not known: it may be
  /// any row, so nothing of the walk is swept.
  package func takeUnsweepable() -> Set<Int> {
    defer { unsweepable = [] }
    return unsweepable
  }

  /// What was counted so far.
  package struct Tally {
    package fileprivate(set) var counts: [RecordCounts] = []
    var nulled: [RowColumn: Int] = [:]

    package init() {}
  }

  package var tally: Tally {
    var tally = Tally()
    set(&tally)
    return tally
  }

  /// Brings a tally up to date; one that was set before asks for no memory.
  package func set(_ tally: inout Tally) {
    if tally.counts.count == counts.count {
      for index in counts.indices { tally.counts[index] = counts[index] }
    } else {
      tally.counts = counts
    }
    if !nulled.isEmpty || !tally.nulled.isEmpty { tally.nulled = nulled }
  }

  /// Sets the counts back: a body that failed is not received at all.
  package func restore(_ earlier: Tally) {
    (counts, nulled) = (earlier.counts, earlier.nulled)
    // Of a record that ended the body.
    nulledColumns = []
  }

  /// Values that were invalid and became null, by column, since the last call.
  package func takeNulled() -> [NulledValues] {
    defer { nulled = [:] }
    return nulled.map { place, count in
      let rowPlan = plan.rows[place.row]
      let column = plan.tables[rowPlan.table].shape.columns[place.column].name
      return NulledValues(record: plan.recordNames[rowPlan.record], column: column, count: count)
    }
  }

  func warn(_ text: String) { warnings.append(text) }

  /// One run should not see numbers and texts in a key without a type: `3` and `"3"` are two rows.
  func note(_ kind: RawValue.Kind, inKey column: Int, of row: Int) {
    guard kind == .number || kind == .text else { return }
    let key = RowColumn(row: row, column: column)
    let before = keyKinds[key, default: 0]
    let now = before | (kind == .number ? 1 : 2)
    guard before != now else { return }
    keyKinds[key] = now
    guard now == 3 else { return }
    let shape = plan.tables[plan.rows[row].table].shape
    warnings.append(
      "the key '\(shape.columns[column].name)' of '\(plan.recordNames[plan.rows[row].record])' has no type and holds both "
        + "numbers and texts: 1 and \"1\" are two rows; give it a type")
  }
}
