import Records

/// The type of a column, from a schema.
struct SchemaTypes {
  var type: ColumnType?
  var format: String?
  /// What is uncertain, for the report.
  var note: String?

  init(_ schema: Schema) {
    switch schema.types {
    case ["string"]: text(schema.format ?? "")
    case ["integer"]:
      type = .integer
      if schema.format == "unix-time" || schema.format == "timestamp" { (type, format) = (.timestamp, "epoch_s") }
    case ["number"]: type = schema.format == "double" || schema.format == "float" ? .real : .decimal
    case ["boolean"]: type = .boolean
    case []: note = "no type is described: any"
    case _ where schema.isScalar && !schema.types.contains("boolean"):
      if schema.types.contains("string") {
        (type, note) = (.any, "numbers or texts: any, as they come")
      } else {
        type = .decimal
      }
    default: type = .json
    }
    if type == .json, schema.isChoice { note = "one of several schemas: kept as JSON" }
  }

  private mutating func text(_ format: String) {
    switch format {
    case "date": type = .date
    case "date-time": type = .timestamp
    case "uuid": type = .uuid
    case "uri", "url": type = .url
    case "byte": type = .bytes
    case "decimal": type = .decimal
    default: type = .text
    }
  }
}
