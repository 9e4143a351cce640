import Records

/// A mapping that was made from bodies or from a description, before somebody has looked at it.
package struct MappingDraft: Sendable {
  struct Field: Sendable {
    var column: String
    /// A key path; nil where it is the column's name.
    var from: String?
    var type: ColumnType?
    var format: String?
    var isRequired = false
    var description: String?
    var remark: String?
  }

  struct Relationship: Sendable {
    var name: String
    var from: String?
    var record: Child
    var remark: String?
  }

  indirect enum Child: Sendable {
    /// A list of a record without a name.
    case inline(Record)
    /// A list of a named record; `viaChild` keeps the parent in the child's columns.
    case list(of: String)
    /// One named record.
    case one(String)
  }

  struct Record: Sendable {
    var name: String
    var table: String?
    var key: [String] = []
    /// `append`, where nothing identifies a row.
    var write: String?
    var capturesRest = false
    var description: String?
    var fields: [Field] = []
    var relationships: [Relationship] = []
    var comments: [String] = []
  }

  struct Endpoint: Sendable {
    var name: String
    var method: String?
    var path: String
    var isFetched = true
    /// Behind `fetch: false`.
    var whyNotFetched: String?
    var isLenient = false
    var isNDJSON = false
    var records: [(path: String, record: String)] = []
    var params: [DraftNode.Entry] = []
    var headers: [DraftNode.Entry] = []
    var body: DraftNode?
    var paginate: DraftNode?
    var incremental: DraftNode?
    var forEach: DraftNode?
    var comments: [String] = []
    /// Above `records`.
    var hints: [String] = []

    /// What stands beside the records, and is no part of them.
    mutating func tell(besides paths: [DraftPath]) {
      guard !paths.isEmpty else { return }
      let shown = paths.prefix(8).map(\.text).joined(separator: ", ") + (paths.count > 8 ? ", …" : "")
      comments.append("beside the records, not carried over: \(shown)")
    }
  }

  struct Variable: Sendable {
    var name: String
    var type: ColumnType?
    var value: DraftNode?
    var remark: String?
  }

  var title: [String] = []
  var sourceName: String
  var baseURL: String?
  var auth: DraftNode?
  var params: [DraftNode.Entry] = []
  var headers: [DraftNode.Entry] = []
  var sourceComments: [String] = []
  var variables: [Variable] = []
  var records: [Record] = []
  var endpoints: [Endpoint] = []
  /// Without an endpoint there is nothing to run.
  package var isEmpty: Bool { endpoints.isEmpty }
  /// Rules that find errors in bodies.
  var errors: [DraftNode] = []
}

extension MappingDraft {
  /// As a YAML file.
  package var yaml: String {
    var writer = DraftWriter()
    for line in title { writer.comment(line) }
    writer.write([.init("ingest", .bare("1")), .init("source", .map(source), comments: sourceComments)])
    let sections: [(String, [DraftNode.Entry])] = [
      ("variables", variables.map(Self.entry)), ("records", records.map { .init($0.name, .map(Self.body(of: $0))) }),
      ("endpoints", endpoints.map(Self.entry)),
    ]
    for (name, entries) in sections where !entries.isEmpty {
      writer.blank()
      writer.write([.init(name, .map(entries))])
    }
    if !errors.isEmpty {
      writer.blank()
      writer.write([.init("errors", .list(errors))])
    }
    return writer.text
  }

  private var source: [DraftNode.Entry] {
    var entries: [DraftNode.Entry] = [.init("name", .text(sourceName))]
    if let baseURL { entries.append(.init("base_url", .text(baseURL))) }
    if let auth { entries.append(.init("auth", auth)) }
    if !headers.isEmpty { entries.append(.init("headers", .map(headers))) }
    if !params.isEmpty { entries.append(.init("params", .map(params))) }
    return entries
  }

  private static func entry(_ variable: Variable) -> DraftNode.Entry {
    var entries: [DraftNode.Entry] = []
    if let type = variable.type { entries.append(.init("type", .text(type.rawValue))) }
    if let value = variable.value { entries.append(.init("default", value)) }
    return .init(variable.name, .map(entries), remark: variable.remark)
  }

  private static func body(of record: Record) -> [DraftNode.Entry] {
    var entries: [DraftNode.Entry] = []
    if let text = record.description { entries.append(.init("description", .text(text))) }
    if let table = record.table { entries.append(.init("table", .text(table))) }
    if record.key.count == 1 { entries.append(.init("key", .text(record.key[0]))) }
    if record.key.count > 1 { entries.append(.init("key", .words(record.key))) }
    if let write = record.write { entries.append(.init("write", .text(write))) }
    if record.capturesRest { entries.append(.init("unmapped", .text("capture"))) }
    if entries.isEmpty {
      entries.append(.init("fields", .map(record.fields.map(entry)), comments: record.comments))
    } else {
      entries[0].comments = record.comments
      entries.append(.init("fields", .map(record.fields.map(entry))))
    }
    if !record.relationships.isEmpty {
      entries.append(.init("relationships", .map(record.relationships.map(entry))))
    }
    return entries
  }

  private static func entry(_ field: Field) -> DraftNode.Entry {
    var entries: [DraftNode.Entry] = []
    if let from = field.from { entries.append(.init("from", .text(from))) }
    if let type = field.type { entries.append(.init("type", .text(type.rawValue))) }
    if let format = field.format { entries.append(.init("format", .text(format))) }
    if field.isRequired { entries.append(.init("required", .bare("true"))) }
    if let text = field.description { entries.append(.init("description", .text(text))) }
    let value: DraftNode =
      if entries.isEmpty {
        .bare("")
      } else if let from = field.from, entries.count == 1 {
        .text(from)
      } else {
        .map(entries)
      }
    return .init(field.column, value, remark: field.remark)
  }

  private static func entry(_ relationship: Relationship) -> DraftNode.Entry {
    let child: DraftNode =
      switch relationship.record {
      case .inline(let record): .list([.map(body(of: record))])
      case .list(let name): .words([name])
      case .one(let name): .text(name)
      }
    guard let from = relationship.from else { return .init(relationship.name, child, remark: relationship.remark) }
    return .init(
      relationship.name, .map([.init("from", .text(from)), .init("record", child)]), remark: relationship.remark)
  }

  private static func entry(_ endpoint: Endpoint) -> DraftNode.Entry {
    var entries: [DraftNode.Entry] = []
    if let method = endpoint.method { entries.append(.init("method", .text(method))) }
    entries.append(.init("path", .text(endpoint.path)))
    if !endpoint.isFetched {
      entries.append(
        .init("fetch", .bare("false"), remark: endpoint.whyNotFetched))
    }
    if endpoint.isLenient { entries.append(.init("lenient", .bare("true"))) }
    if endpoint.isNDJSON { entries.append(.init("format", .text("ndjson"))) }
    if !endpoint.params.isEmpty { entries.append(.init("params", .map(endpoint.params))) }
    if !endpoint.headers.isEmpty { entries.append(.init("headers", .map(endpoint.headers))) }
    if let body = endpoint.body { entries.append(.init("body", body)) }
    if let paginate = endpoint.paginate { entries.append(.init("paginate", paginate)) }
    if let forEach = endpoint.forEach { entries.append(.init("for_each", forEach)) }
    if let incremental = endpoint.incremental { entries.append(.init("incremental", incremental)) }
    let records: [DraftNode.Entry] = endpoint.records.map { .init($0.path, .text($0.record)) }
    entries.append(.init("records", .map(records), comments: endpoint.hints))
    return .init(endpoint.name, .map(entries), comments: endpoint.comments)
  }
}
