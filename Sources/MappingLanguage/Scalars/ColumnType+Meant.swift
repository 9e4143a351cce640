import Diagnostics
import Records

extension ColumnType {
  /// The type that a wrong name was probably meant to be: one that is near, or what other languages call so.
  static func meant(by name: String) -> String? {
    let names = allCases.map(\.rawValue)
    return NearestName.nearest(to: name, among: names) ?? foreignNames[name.lowercased()]?.rawValue
      ?? NearestName.meant(by: name, among: names)
  }

  /// Of SQL, JSON Schema and programming languages.
  private static let foreignNames: [String: ColumnType] = [
    "int": .integer, "int4": .integer, "int8": .integer, "int64": .integer, "bigint": .integer, "smallint": .integer,
    "long": .integer, "str": .text, "string": .text, "varchar": .text, "char": .text, "float": .real, "float8": .real,
    "double": .real, "number": .decimal, "numeric": .decimal, "money": .decimal, "bool": .boolean,
    "datetime": .timestamp, "timestamptz": .timestamp, "object": .json, "array": .json, "list": .json, "map": .json,
    "jsonb": .json, "blob": .bytes, "bytea": .bytes, "binary": .bytes, "base64": .bytes, "uri": .url, "guid": .uuid,
  ]
}
