import Diagnostics
import JSONReading
import Mapper
import MappingLanguage
import PlanCompiler
import Records
import TestSupport
import Values

/// A mapping and its plan, on which bodies are tried: what came of them is read as text.
struct Trial {
  let plan: Plan
  var query: [(name: String, value: String)] = []
  var headers: [(name: String, value: String)] = []
  var variables: [(name: String, value: Literal)] = []
  var parameters: [RouteParameter] = []
  var url: String?
  var status = 200
  var isLenient = false
  /// Endpoints whose places the bodies meet.
  var endpoints = [0]

  /// A whole mapping.
  init(_ yaml: String, variables: [(name: String, value: Literal)] = []) throws {
    let (mapping, findings) = MappingReader.read(SourceFile(name: "mapping.yaml", text: yaml)) {
      _ throws(IncludeFailure) in throw IncludeFailure(reason: "no such file")
    }
    let scope = Interpolation(
      variables: variables.map { Interpolation.Variable(name: $0.name, type: nil, value: $0.value) },
      now: Instant(seconds: 0), environment: { _ in nil })
    let compiled = mapping.map { PlanCompiler.compile($0, scope: scope) }
    let all = findings + (compiled?.diagnostics ?? [])
    guard let plan = compiled?.plan, !all.containsErrors else {
      throw FixtureError(DiagnosticPrinter.text(all, colour: false))
    }
    self.plan = plan
    self.variables = variables
  }

  /// `records` and the key paths of one endpoint, both as YAML within braces.
  init(records: String, at places: String, path: String = "/items", variables: [(name: String, value: Literal)] = [])
    throws
  {
    let names = variables.map { "\($0.name): \"\"" }.joined(separator: ", ")
    let endpoint = "{path: \"\(path)\", fetch: false, records: {\(places)}}"
    try self.init(
      "ingest: 1\nsource: {name: demo}\nvariables: {\(names)}\nrecords: {\(records)}\nendpoints: {e: \(endpoint)}\n",
      variables: variables)
  }

  /// One record at `.`, with these fields.
  init(fields: String, record: String = "key: id") throws {
    try self.init(records: "Item: {\(record), fields: {\(fields)}}", at: ".: Item")
  }

  /// Maps bodies into one batch.
  func map(_ bodies: String...) throws -> Outcome { try map(bodies) }

  func map(_ bodies: [String]) throws -> Outcome {
    let batch = RecordBatch(shapes: plan.shapes)
    let mapper = BodyMapper(plan: plan, batch: batch)
    var context = BodyContext(
      matches: endpoints.map { BodyContext.Match(endpoint: $0, parameters: parameters) }, query: query, url: url,
      status: status, headers: headers, fetchedAt: "2015-07-04T10:00:00Z", runID: 7)
    context.variables = variables
    for (number, body) in bodies.enumerated() {
      let tree = mapper.begin(context)
      mapper.beginBody(BodyName("body-\(number).json"), in: batch)
      var receiver = mapper
      _ = try BodyReader(tree: tree, format: BodyFormat(isLenient: isLenient)).read(
        .memory(Array(body.utf8)), into: &receiver)
    }
    return Outcome(plan: plan, batch: batch, counts: mapper.takeCounts(), warnings: mapper.warnings)
  }

  /// The cell of one column of the only row, or why there is none.
  func cell(_ column: String, of body: String, table: Int = 0) throws -> String {
    let outcome = try map(body)
    if let rejection = outcome.batch.rejections.first { return "rejected: \(rejection.reason)" }
    let shape = plan.tables[table].shape
    guard let index = shape.columns.firstIndex(where: { $0.name.utf8.elementsEqual(column.utf8) }),
      outcome.batch.tables[table].rows.count == 1
    else { return "no such cell" }
    return Array(outcome.batch.tables[table].row(0))[index].outline
  }
}

/// What a batch holds after bodies were mapped.
struct Outcome {
  let plan: Plan
  let batch: RecordBatch
  let counts: [RecordCounts]
  let warnings: [String]

  /// Rows in the order of the plan's tables: `items: id=1 name='x' note=-`; a shield begins with `(shield)`.
  var rows: [String] {
    zip(plan.shapes, batch.tables).flatMap { shape, table in
      table.rows.indices.map { index in
        let cells = zip(shape.columns, table.row(index)).map { "\($0.name)=\($1.outline)" }
        return (table.rows[index].isShield ? "(shield) " : "") + "\(shape.name): " + cells.joined(separator: " ")
      }
    }
  }

  /// The rows of one table, its cells alone.
  func rows(of name: String) -> [String] {
    guard let index = plan.shapes.firstIndex(where: { $0.name == name }) else { return ["no such table"] }
    let table = batch.tables[index]
    return table.rows.indices.map { row in
      (table.rows[row].isShield ? "(shield) " : "") + table.row(row).map(\.outline).joined(separator: " ")
    }
  }

  /// What parents say of their children: `item_tags of 1: 0..<2`.
  var lists: [String] {
    zip(plan.shapes, batch.tables).flatMap { shape, table in
      table.lists.indices.map { index in
        let key = table.parentKey(ofList: index).map(\.outline).joined(separator: ",")
        return "\(shape.name) of \(key): \(table.lists[index].rows)"
      }
    }
  }

  /// `Item /items/0 name: reason`; the field is `-` when the record as a whole is at fault.
  var rejections: [String] {
    batch.rejections.map { "\($0.record) \($0.pointer) \($0.field ?? "-"): \($0.reason)" }
  }

  /// `Item 3/1`: received and rejected, of each record that came.
  var counted: [String] {
    zip(plan.recordNames, counts).filter { $1.received > 0 }.map { "\($0) \($1.received)/\($1.rejected)" }
  }
}

extension Cell {
  /// `-` missing, `null`, a number, `'text'`; `?` behind it: only where nothing is stored; `~`: only if it is equal.
  var outline: String {
    let value =
      switch kind {
      case .missing: "-"
      case .null: "null"
      case .integer: String(integerValue)
      case .real: "\(realValue)"
      case .text: "'\(stringValue)'"
      case .bytes: "\(Array(rawBytes))"
      }
    return value + (rule == .onlyInsert ? "?" : rule == .keepIfEqual ? "~" : "")
  }
}
