import Records

extension LanguageTable {
  static let record: [KeySpec] =
    [
      KeySpec("key", .oneOrMany(.name), "the column, or the columns, that identify a row", example: "id"),
      KeySpec(
        "write", .word, "what becomes of rows that are there", example: "append", default: "upsert",
        words: ["upsert", "insert", "append", "replace", "history"]),
      KeySpec("modified", .name, "the column that tells which of two rows is newer", example: "updated_at"),
      KeySpec("delete_when", .condition, "records that delete their row", example: "{deleted: true}"),
      KeySpec(
        "sweep", .either([.boolean, .map(.sweep)]), "delete rows that a complete walk has not seen", example: "true",
        default: "false"),
      KeySpec("renamed_from", .name, "the table's former name", example: "persons"),
      KeySpec(
        "switch", .list(of: .map(.switchCase)), "a choice among records, instead of fields",
        example: "[{when: {type: User}, record: User}]"),
    ] + inlineRecord

  static let inlineRecord: [KeySpec] = [
    KeySpec("table", .name, "the table that it fills", example: "users", default: "the name in snake_case"),
    KeySpec(
      "fields",
      .either([
        .dictionary(.name("column"), of: fieldSource),
        .list(of: .either([.name, .dictionary(.name("column"), of: fieldSource)])),
      ]), "columns and their sources: a map, or a list of names and one-entry maps",
      example: "[id, {n: {type: integer}}]"
    ),
    KeySpec("types", .map(.types), "types of columns that say none themselves", example: "{integer: id, '*': text}"),
    KeySpec(
      "relationships", .dictionary(.name("relationship"), of: relationshipValue), "records within the record",
      example: "{parent: User}"),
    KeySpec(
      "naming", .word, "how a list's names become columns", example: "snake_case", words: ["snake_case"]),
    KeySpec("description", .text, "for people", example: "a person", default: nil),
    KeySpec("where", .condition, "other records are filtered", example: "{state: open}"),
    KeySpec(
      "unmapped", .word, "what becomes of members that no field reads", example: "ignore", default: "ignore",
      words: ["ignore", "warn", "capture", "fail"]),
    KeySpec(
      "indexes", .list(of: .either([.map(.index), .list(of: .name)])), "further indexes", example: "[[id]]"),
    KeySpec("track", .boolean, "columns that say when and where a row came from", example: "true"),
  ]

  static let fieldSource = ValueKind.optional(.either([.keyPath(.field), .map(.field)]))

  static let relationshipValue = ValueKind.either([
    .record, .list(of: .either([.record, .map(.inlineRecord)])), .map(.relationship), .map(.inlineRecord),
  ])

  static let typeNames = ColumnType.allCases.map(\.rawValue)

  static let types: [KeySpec] =
    typeNames.map {
      KeySpec($0, .oneOrMany(.name), "columns of this type", example: "[id]")
    } + [KeySpec("*", .type, "the type of all others", example: "text")]

  static let sweep: [KeySpec] = [
    KeySpec("where", .text, "SQL over columns", example: "kind = 1"),
    KeySpec("max_delete", .share, "a number or a share of rows", example: "20%", default: "50%"),
  ]

  static let index: [KeySpec] = [
    KeySpec("columns", .list(of: .name), "its columns", example: "[id]", required: true),
    KeySpec("unique", .boolean, "no two rows are equal in it", example: "true", default: "false"),
    KeySpec("where", .text, "SQL over columns", example: "id > 1"),
  ]

  static let switchCase: [KeySpec] = [
    KeySpec("when", .condition, "which values it is for", example: "{type: User}"),
    KeySpec("record", .record, "what they are", example: "User"),
    KeySpec("else", .outcome, "all others: skip, reject, or a record", example: "skip", default: "reject"),
  ]

  static let relationship: [KeySpec] = [
    KeySpec(
      "record",
      .either([.record, .map(.inlineRecord), .list(of: .either([.record, .map(.inlineRecord)]))]),
      "the child record; in a list for many", example: "[User]", required: true),
    KeySpec("from", .keyPath(.relationship), "where the children are", example: "user", default: "the name"),
    KeySpec(
      "via", .word, "where the reference to a child with a key is kept", example: "link", default: "link",
      words: ["link", "child"]),
    KeySpec(
      "policy", .word, "what becomes of children that left the list", example: "replace", default: "replace",
      words: ["replace", "union"]),
    KeySpec("complete", .condition, "whether the list is whole", example: "{more: false}"),
    KeySpec(
      "on_item_error", .word, "what becomes of the parent of a rejected child", example: "skip", default: "skip",
      words: ["skip", "fail"]),
    KeySpec("sweep", .boolean, "delete children that lost their last parent", example: "true"),
  ]

  static let conditionTest: [KeySpec] = [
    KeySpec("equals", .oneOrMany(.literal), "the value, or one of them", example: "open"),
    KeySpec("not", .oneOrMany(.literal), "another value; holds for missing", example: "closed"),
    KeySpec("in", .list(of: .literal), "one of these values", example: "[a, b]"),
    KeySpec("exists", .boolean, "is it there, be it null?", example: "true"),
    KeySpec(
      "type", .oneOrMany(.word), "the kind of the value", example: "string",
      words: ["string", "number", "integer", "boolean", "object", "array", "null"]),
    KeySpec("matches", .pattern, "a regular expression, searched in text", example: "^a"),
    KeySpec("lt", .literal, "less than", example: "5"),
    KeySpec("lte", .literal, "at most", example: "5"),
    KeySpec("gt", .literal, "greater than", example: "5"),
    KeySpec("gte", .literal, "at least", example: "5"),
  ]
}
