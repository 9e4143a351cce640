extension LanguageTable {
  static let field: [KeySpec] = [
    KeySpec(
      "from", .oneOrMany(.keyPath(.field)), "a key path, or a list of which the first present one counts",
      example: "[a.b, c]", default: "the column's name"),
    KeySpec("jq", .text, "a jq program on the record's value, instead of 'from'", example: ".a + .b"),
    KeySpec("const", .template, "a fixed value, instead of 'from'", example: "tree"),
    KeySpec("type", .type, "the column's type", example: "integer", default: "any"),
    KeySpec(
      "format", .oneOrMany(.text), "of a date, time or timestamp: a pattern or a named format, or a list of them",
      example: "yyyy-MM-dd"),
    KeySpec("timezone", .text, "the zone of values that carry no offset", example: "Europe/Paris", default: "UTC"),
    KeySpec(
      "transform", .list(of: .either([.word, .map(.transform)])), "changes of the value before its type is applied",
      example: "[trim, {shift: -2}]",
      words: ["trim", "lowercase", "uppercase", "strip_html", "url_decode", "squeeze"]),
    KeySpec("map", .dictionary(.literal, of: .literal), "a table of values", example: "{Y: 1, N: 0}"),
    KeySpec("map_else", .literal, "the value of what 'map' does not list", example: "5"),
    KeySpec("default", .literal, "the value of what is missing on insert", example: "5"),
    KeySpec("required", .boolean, "missing or null is invalid", example: "true", default: "false"),
    KeySpec("check", .map(.check), "what a value must fulfil", example: "{min: 0}"),
    KeySpec(
      "on_missing", .word, "what becomes of a missing value", example: "error", default: "keep",
      words: ["keep", "null", "default", "error"]),
    KeySpec(
      "on_null", .word, "what becomes of null", example: "keep", default: "null",
      words: ["null", "keep", "default", "error"]),
    KeySpec(
      "on_invalid", .word, "what becomes of an invalid value", example: "keep_text", default: "reject",
      words: ["reject", "null", "fail", "keep_text"]),
    KeySpec("references", .reference, "the record whose key it holds", example: "User"),
    KeySpec(
      "index", .either([.boolean, .word]), "an index on the column", example: "true", words: ["unique"]),
    KeySpec("renamed_from", .name, "the column's former name", example: "old"),
    KeySpec("description", .text, "for people", example: "a number"),
  ]

  static let transform: [KeySpec] = [
    KeySpec("replace", .list(of: .text), "a regular expression, and what replaces each match", example: "[a, b]"),
    KeySpec("extract", .text, "a regular expression: its group 1, or the match; null without", example: "'[0-9]+'"),
    KeySpec("split", .text, "a separator: the pieces as a list", example: "','"),
    KeySpec("prefix", .text, "a text to put before", example: "a"),
    KeySpec("suffix", .text, "a text to put behind", example: "a"),
    KeySpec(
      "shift", .integer(-1000...1000), "moves the decimal point of a number, exactly", example: "-2"),
  ]

  static let check: [KeySpec] = [
    KeySpec("min", .literal, "the least value, as the type compares", example: "0"),
    KeySpec("max", .literal, "the greatest value, as the type compares", example: "9"),
    KeySpec("pattern", .text, "a regular expression, searched", example: "^a"),
    KeySpec(
      "length", .either([.integer(0...Int.max), .map(.length)]), "in code points: a number, or min and max",
      example: "{min: 1, max: 3}"),
    KeySpec("one_of", .list(of: .literal), "all values that are allowed", example: "[1, 2]"),
  ]

  static let length: [KeySpec] = [
    KeySpec("min", .integer(0...Int.max), "the least length", example: "1"),
    KeySpec("max", .integer(0...Int.max), "the greatest length", example: "3"),
  ]
}
