import MappingLanguage

/// Commands that answer questions about a mapping and its store.
package struct StatusInvocation: Sendable, Hashable {
  package enum Format: String, Sendable { case text, json }

  package var mapping: String
  package var store: String?
  package var format = Format.text
  package var logging = LoggingOptions()

  package init(mapping: String) { self.mapping = mapping }

  init(_ parsed: ParsedArguments) throws(UsageError) {
    mapping = try parsed.mapping()
    store = parsed.value(.store)
    format = parsed.value(.format).flatMap(Format.init) ?? .text
    logging = try LoggingOptions(parsed)
  }
}

package struct SchemaInvocation: Sendable, Hashable {
  package enum Format: String, Sendable {
    case sql, mermaid, dot, svg, datasette
    /// The mapping language's own schema.
    case jsonSchema = "json-schema"
  }
  package enum Dialect: String, Sendable { case sqlite, postgres }

  /// Nil where the mapping language itself is meant.
  package var mapping: String?
  package var format = Format.sql
  /// Nil: as the store's URL says.
  package var dialect: Dialect?
  package var store: String?
  package var logging = LoggingOptions()

  package init(mapping: String?) { self.mapping = mapping }

  init(_ parsed: ParsedArguments) throws(UsageError) {
    format = parsed.value(.format).flatMap(Format.init) ?? .sql
    mapping = format == .jsonSchema ? nil : try parsed.mapping()
    dialect = parsed.value(.dialect).flatMap(Dialect.init)
    if dialect != nil, format != .sql { throw UsageError("--dialect is of --format sql", command: .schema) }
    store = parsed.value(.store)
    logging = try LoggingOptions(parsed)
  }
}

package struct PruneInvocation: Sendable, Hashable {
  package var mapping: String
  package var keep: Duration
  package var store: String?
  package var waits = false
  package var logging = LoggingOptions()

  package init(mapping: String, keep: Duration) { (self.mapping, self.keep) = (mapping, keep) }

  init(_ parsed: ParsedArguments) throws(UsageError) {
    mapping = try parsed.mapping()
    let text = parsed.value(.keep) ?? ""
    guard let time = Duration(mappingText: text), time > .zero else {
      throw UsageError("--keep is a time such as 30d, not '\(text)'", command: .prune)
    }
    keep = time
    store = parsed.value(.store)
    waits = parsed.has(.wait)
    logging = try LoggingOptions(parsed)
  }
}

package struct ExplainValueInvocation: Sendable, Hashable {
  /// `TABLE.COLUMN`: a word with a dot.
  package var column: String
  /// A word for each column of the key.
  package var key: [String]
  package var mapping: String
  package var store: String?
  package var logging = LoggingOptions()

  package init(column: String, key: [String], mapping: String) {
    (self.column, self.key, self.mapping) = (column, key, mapping)
  }

  init(_ parsed: ParsedArguments) throws(UsageError) {
    column = parsed.positionals[0]
    key = Array(parsed.positionals.dropFirst())
    if key.isEmpty { throw UsageError("explain \(column) needs the row's key", command: .explain) }
    mapping = try parsed.mapping()
    store = parsed.value(.store)
    logging = try LoggingOptions(parsed)
  }
}
