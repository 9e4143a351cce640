/// Names of members that identify what they stand in.
enum KeyNames {
  /// Without doubt.
  static let strong = ["id", "_id", "ID", "Id", "uuid", "guid", "uid", "gid", "sys_id", "@id"]
  /// When nothing better is there, and each row has another one.
  static let weak = ["key", "code", "slug", "sku", "isbn", "symbol"]

  static func mayIdentify(_ name: String) -> Bool {
    strong.contains(name) || weak.contains(name) || name.hasSuffix("_id") || name.hasSuffix("Id")
      || name.hasSuffix("ID")
  }

  /// Of a record, best first: `id`, `user_id` in a `user`, then what may do.
  static func candidates(of record: String) -> [(name: String, isStrong: Bool)] {
    let own = record.isEmpty ? [] : ["\(record)_id", "\(camel(record))Id", "\(camel(record))ID"]
    return (strong + own).map { ($0, true) } + weak.map { ($0, false) }
  }

  private static func camel(_ name: String) -> String {
    let words = name.split(separator: "_")
    return (words.first.map(String.init) ?? "")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
