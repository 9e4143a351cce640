package import Fetch
import JSONReading
import Mapper
package import MappingLanguage
package import PlanCompiler
import Records
package import Store
import Values

/// Finds where a stored value came from: in the archive, else in files that were loaded and are unchanged.
///
/// Bodies are mapped again, into a store that keeps only what they bring for the row. The last one that gives the stored
/// value is its origin.
package struct ValueExplainer {
  private let run: RunContext
  private let store: any InspectableStore
  private let limits: JSONLimits

  package init(
    mapping: Mapping, plan: Plan, scope: Interpolation, redactor: Redactor, store: any InspectableStore,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    run = RunContext(
      mapping: mapping, plan: plan.noting(), scope: scope, redactor: redactor, runID: 0, isInterrupted: isInterrupted)
    self.store = store
    limits = mapping.source.limits.json
  }

  /// Throws when there is no such row, or the key has another number of values.
  package func explain(_ address: ColumnAddress, key words: [String]) throws(PipelineError) -> ValueExplanation {
    let shape = run.plan.tables[address.table].shape
    let key = try RowKey(words, of: shape)
    let row = try stored(key, of: shape)
    let name = address.column.map { shape.columns[$0].name } ?? TableShape.generatedKey
    guard let value = row.value(name) else {
      throw PipelineError("the table '\(shape.name)' has no column '\(name)' yet; 'ingest plan' says what is missing")
    }
    var explanation = ValueExplanation(
      table: shape.name, column: name, key: shape.keyNames.map { ($0, row.value($0) ?? .null) }, stored: value,
      rule: ColumnRule(address, plan: run.plan, mapping: run.mapping))
    if let place = shape.tracking.dropFirst().first, case .integer(let id)? = row.value(shape.columns[place].name) {
      explanation.trackedRun = id
    }
    let tracer = TracingStore(
      StoreSchema(run.plan), table: address.table, wanted: wanted(row, of: shape), column: comparable(address)
    ) { [store] shape, key in
      guard let column = shape.modified, let rows = try? store.rows(of: shape.name, where: key, latestBy: nil),
        let row = rows.rows.first
      else { return nil }
      return Row(columns: rows.columns, values: row).value(shape.columns[column].name)
    }
    try lookIntoArchive(address, tracer, &explanation)
    if !explanation.isEqual { try lookIntoFiles(address, tracer, &explanation) }
    explanation.takeOlder()
    explanation.keepsArchive = run.plan.endpoints.indices.contains { index in
      run.plan.endpoints[index].isArchived && fills(address.table, endpoint: index)
    }
    if explanation.origin == nil { explanation.runs = try changing(address.table) }
    return explanation
  }

  // MARK: the row

  private struct Row {
    var columns: [String]
    var values: [StoredValue]

    /// Names of columns are compared as SQLite does, which folds ASCII letters.
    func value(_ name: String) -> StoredValue? {
      columns.firstIndex { $0.lowercased().utf8.elementsEqual(name.lowercased().utf8) }.map { values[$0] }
    }
  }

  private func stored(_ key: RowKey, of shape: TableShape) throws(PipelineError) -> Row {
    let shown = zip(key.columns, key.words).map { "\($0.name) \($1)" }.joined(separator: ", ")
    guard try asking({ () throws(StoreError) in try store.has(table: shape.name) }) else {
      throw PipelineError("there is no row of '\(shape.name)' with \(shown): the table is not in the database yet")
    }
    let version = shape.write == .history ? shape.keyNames.last : nil
    for values in [key.values, key.unquotedValues].compactMap(\.self) {
      let found = try asking { () throws(StoreError) in
        try store.rows(of: shape.name, where: values, latestBy: version)
      }
      if found.rows.count > 1, version == nil {
        throw PipelineError(
          .refused, "two rows of '\(shape.name)' have \(shown), a number and a text: give the text in double quotes")
      }
      if let row = found.rows.first { return Row(columns: found.columns, values: row) }
    }
    throw PipelineError("there is no row of '\(shape.name)' with \(shown)")
  }

  /// By what a body's row is known as this one: its key, or, where the store numbers rows or their parents, all that the row
  /// holds.
  private func wanted(_ row: Row, of shape: TableShape) -> [(column: Int, value: StoredValue)] {
    var columns = shape.primaryKey
    if shape.write == .history { columns.removeLast() }
    let isNumbered = columns.isEmpty || isBelowNumbered(shape)
    if isNumbered {
      columns = shape.columns.indices.filter { !shape.tracking.contains($0) && !shape.parentKey.contains($0) }
    }
    return columns.compactMap { column in row.value(shape.columns[column].name).map { (column, $0) } }
  }

  /// The store numbers the rows that the table's rows, or their parents, belong to.
  private func isBelowNumbered(_ shape: TableShape) -> Bool {
    var current = shape
    // Ends: parents of keyless children are no children of theirs.
    while let key = current.foreignKeys.first(where: { $0.columns == current.parentKey }), !current.parentKey.isEmpty {
      guard let parent = run.plan.shapes.first(where: { $0.name.utf8.elementsEqual(key.table.utf8) }) else {
        return false
      }
      if parent.primaryKey.isEmpty { return true }
      current = parent
    }
    return false
  }

  /// Nil for a column that a mapped row does not hold as it is stored.
  private func comparable(_ address: ColumnAddress) -> Int? {
    let shape = run.plan.tables[address.table].shape
    guard let column = address.column, !shape.tracking.contains(column), !shape.parentKey.contains(column) else {
      return nil
    }
    // What a constant is made of may have had other values then.
    if case .const(let template)? = ColumnRule(address, plan: run.plan, mapping: run.mapping).field?.source,
      !template.value.isConstant
    {
      return nil
    }
    let isMembership = run.plan.shapes.contains { $0.child == address.table && $0.childColumns.contains(column) }
    let isVersion = shape.write == .history && ["valid_from", "valid_to"].contains(shape.columns[column].name)
    return isMembership || isVersion ? nil : column
  }

  /// The last runs that inserted or updated rows of the table's record.
  private func changing(_ table: Int) throws(PipelineError) -> [StoredRun] {
    let record = run.plan.tables[table].record.map { run.plan.recordNames[$0] }
    let runs = try asking { () throws(StoreError) in try store.latestRuns(of: run.plan.source, limit: 1000) }
    let changed = runs.filter { entry in
      guard let record else { return true }
      return entry.counts.contains { counts in
        counts.record.utf8.elementsEqual(record.utf8)
          && counts.numbers.contains { ["inserted", "updated"].contains($0.name) && $0.count > 0 }
      }
    }
    return Array(changed.prefix(5))
  }

  func asking<Result>(_ body: () throws(StoreError) -> Result) throws(PipelineError) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      throw PipelineError(error.message)
    }
  }

  // MARK: bodies

  private func lookIntoArchive(
    _ address: ColumnAddress, _ tracer: TracingStore, _ explanation: inout ValueExplanation
  ) throws(PipelineError) {
    let router = ArchiveRouter(run: run)
    let query = ArchiveQuery(source: run.plan.source)
    var last: Int64 = 0
    guard try asking({ () throws(StoreError) in try store.has(table: "_ingest_responses") }) else { return }
    // Ends: the archive does; numbers grow.
    while let answer = try asking({ () throws(StoreError) in try store.archived(query, after: last) }) {
      if run.isInterrupted() { throw .interrupted }
      last = answer.id
      let matches = router.matches(answer.response)
      guard matches.contains(where: { fills(address.table, endpoint: $0.endpoint) }) else { continue }
      explanation.hasArchive = true
      let response = answer.response
      if response.file == nil, response.status == 204 || response.status == 205 { continue }
      let body = try answer.unpacked(from: store)
      defer { withExtendedLifetime(body) {} }
      guard let format = try? router.format(answer, matches: matches) else { continue }
      var context = router.context(response, matches: matches)
      context.runID = answer.run
      try trace(body.source, format, context, name: response.file ?? response.url ?? response.endpoint, tracer)
      let found = ValueExplanation.Body(
        answer: answer.id, name: response.file ?? "\(response.method ?? "GET") \(response.url ?? response.endpoint)",
        fetchedAt: response.fetchedAt, runID: answer.run, endpoint: response.endpoint)
      try take(tracer, found, of: address.table, &explanation)
    }
  }

  /// The files that were loaded last first: an older one can only have given what a later one has not.
  private func lookIntoFiles(
    _ address: ColumnAddress, _ tracer: TracingStore, _ explanation: inout ValueExplanation
  ) throws(PipelineError) {
    var met: Set<String> = []
    let files = try asking { () throws(StoreError) in try store.files(of: run.plan.source) }
    for file in files.reversed() {
      if run.isInterrupted() { throw .interrupted }
      let matches = matches(file)
      guard matches.contains(where: { fills(address.table, endpoint: $0.endpoint) }),
        met.insert("\(file.path ?? "-") \(file.size ?? 0) \(file.modified ?? 0) \(file.url ?? file.endpoint)").inserted
      else { continue }
      guard let path = file.path, let stamp = FileStamp(of: path) else {
        explanation.lostFiles.append(
          (file.name, file.run, file.path == nil ? "standard input is not kept" : "it is gone"))
        continue
      }
      guard stamp.size == file.size, stamp.modified == file.modified else {
        explanation.lostFiles.append((file.name, file.run, "it has changed since"))
        continue
      }
      var context = BodyContext(
        matches: matches, query: file.url.map(QueryText.parameters) ?? [], url: file.url, status: file.status,
        fetchedAt: file.readAt, runID: file.run, variables: ArchivedValues.variables(file.variables))
      context.variables += run.variables.filter { variable in
        !context.variables.contains { $0.name.utf8.elementsEqual(variable.name.utf8) }
      }
      let format = BodyFormat(ofFile: file.name, matches.map { run.plan.endpoints[$0.endpoint] })
      let body: InputBody
      do throws(FetchError) {
        body = try InputBody(
          file: path, ratio: run.mapping.source.limits.ratio, isInterrupted: run.isInterrupted)
      } catch {
        if error.code == .interrupted { throw .interrupted }
        explanation.lostFiles.append((file.name, file.run, error.message))
        continue
      }
      try trace(body.source, format, context, name: file.name, tracer)
      withExtendedLifetime(body) {}
      let found = ValueExplanation.Body(name: file.name, runID: file.run, endpoint: file.endpoint)
      try take(tracer, found, of: address.table, &explanation)
      if explanation.isEqual { return }
    }
  }

  private func matches(_ file: LoadedFile) -> [BodyContext.Match] {
    if let url = file.url {
      let found = RouteMatches(plan: run.plan, method: file.method ?? "GET", path: url, status: file.status)
      let fitting = found.matches.isEmpty ? found.otherStatus : found.matches
      return fitting.map { BodyContext.Match(endpoint: $0.endpoint, parameters: $0.parameters) }
    }
    let index = run.plan.endpoints.firstIndex { $0.name.utf8.elementsEqual(file.endpoint.utf8) }
    return index.map { [BodyContext.Match(endpoint: $0)] } ?? []
  }

  private func fills(_ table: Int, endpoint: Int) -> Bool {
    run.plan.tables(filledBy: run.plan.endpoints[endpoint]).contains(table)
  }

  /// A body that fails under the mapping of today, or that its error rules do not let through, brings what came before.
  private func trace(
    _ source: BodySource, _ format: BodyFormat, _ context: BodyContext, name: String, _ tracer: TracingStore
  ) throws(PipelineError) {
    let judge = AnswerJudge(endpoint: run.plan.endpoints[context.matches[0].endpoint], plan: run.plan)
    let inspection = try? run.inspect(
      source, format: format, paths: judge.paths(status: context.status), isInterrupted: run.isInterrupted)
    guard case .take = judge.course(of: AnswerValues(body: inspection, context: context)).action else { return }
    let intake = BodyIntake(plan: run.plan, store: tracer, limits: limits, isInterrupted: run.isInterrupted)
    do throws(BodyFailure) {
      _ = try intake.take(source, format: format, context: context, name: name)
    } catch {
      if case .interrupted = error.cause { throw .interrupted }
    }
  }

  /// Of what the body at hand brought, the last that gives the stored value, else the last.
  private func take(
    _ tracer: TracingStore, _ body: ValueExplanation.Body, of table: Int, _ explanation: inout ValueExplanation
  ) throws(PipelineError) {
    defer { tracer.forget() }
    let isCompared = tracer.isComparing
    if isCompared, let older = tracer.sightings.last(where: { $0.isOlder && $0.value == explanation.stored }) {
      // Files are looked into from the last one on.
      if body.answer != nil || explanation.older == nil {
        explanation.older = try origin(of: older, body, isCompared, explanation)
      }
    }
    let sightings = tracer.sightings.filter { !$0.isOlder }
    guard let last = sightings.last else { return }
    // A row that is there stays as it came first.
    if explanation.isEqual, run.plan.tables[table].shape.write == .insert { return }
    explanation.bodyCount += 1
    let equal = sightings.last { isCompared ? $0.value == explanation.stored : true }
    if explanation.isEqual, equal == nil { return }
    explanation.isEqual = equal != nil
    explanation.origin = try origin(of: equal ?? last, body, isCompared, explanation)
  }

  private func origin(
    of sighting: Sighting, _ body: ValueExplanation.Body, _ isCompared: Bool, _ explanation: ValueExplanation
  ) throws(PipelineError) -> ValueExplanation.Origin {
    var body = body
    body.line = sighting.line
    body.run = try asking { () throws(StoreError) in try store.run(body.runID) }
    let raw = explanation.rule.field.map { RawValueFinder($0, in: sighting) }
    return ValueExplanation.Origin(
      body: body, record: sighting.pointer, place: raw?.place, isRead: raw?.isRead ?? false, raw: raw?.text,
      mapped: sighting.value,
      isCompared: isCompared)
  }
}

extension ValueExplanation {
  /// The bodies of the row as it is now leave the column alone: an older one has filled it.
  fileprivate mutating func takeOlder() {
    guard !isEqual, let older, origin == nil || origin?.mapped == nil && origin?.isCompared == true else { return }
    (origin, isEqual, isOlder) = (older, true, true)
  }
}

extension Plan {
  /// Every row tells which record it is of.
  fileprivate func noting() -> Plan {
    var plan = self
    for index in plan.rows.indices { plan.rows[index].hasUniqueIndex = true }
    return plan
  }
}
