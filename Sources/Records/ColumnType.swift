/// The types of the mapping language (a closed table: docs/mapping-language.md, "Types").
package enum ColumnType: String, CaseIterable, Sendable, Hashable {
  case any, text, integer, real, decimal, boolean, date, time, timestamp, uuid, url, json, bytes
}
