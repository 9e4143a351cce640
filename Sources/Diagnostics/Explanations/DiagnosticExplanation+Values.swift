/// Findings about values that cannot be read.
extension DiagnosticExplanation {
  static let badKeyPath = DiagnosticExplanation(
    "A key path cannot be read, or stands where it means nothing.",
    example: """
      records:
        User:
          key: id
          fields: {id: , city: 'address..city'}
      """,
    remedy: """
      Separate members by single dots, and quote names with other characters: `address."zip code"`.
      """)

  static let badDatePattern = DiagnosticExplanation(
    "A date pattern cannot be read, or does not fit its type.",
    severity: .either,
    details: "It is a warning where two patterns of one list read one text as two dates.",
    example: """
      records:
        User:
          key: id
          fields: {id: , born: {type: date, format: yyyy-mm-dd}}
      """,
    remedy: "Write the letters of Unicode's patterns: `yyyy-MM-dd HH:mm:ss`. `MM` are months and `mm` minutes.")

  static let badRegularExpression = DiagnosticExplanation(
    "A regular expression cannot be read.",
    example: """
      records:
        User:
          key: id
          fields: {id: , name: {check: {pattern: '(a'}}}
      """,
    remedy: """
      Mend it where the message says; the syntax is PCRE2's. Single quotes keep YAML from reading backslashes.
      """)

  static let badInterpolation = DiagnosticExplanation(
    "`${…}` cannot be read, or names something that it may not name there.",
    severity: .either,
    details: """
      Secrets have no place in names, and nothing is filled in within names. A text that is `$` and the name of a variable \
      is a warning: the variable is `${name}`.
      """,
    example: """
      records:
        User:
          table: users_${secret.TEAM}
          key: id
          fields: [id]
      """,
    remedy: """
      Write `${name}`, `${name:pattern}`, `${secret.X}`, `${env.X}`, `${each.column}`, `${now}` or `${today-7d}`, and \
      `$${` for a literal `${`.
      """)

  static let badConstant = DiagnosticExplanation(
    "A default, a constant or a table value does not fit the type of its column.",
    example: """
      records:
        User:
          key: id
          fields: {id: , age: {type: integer, default: young}}
      """,
    remedy: "Write a value that the type accepts, or change the type.")

  static let badProgram = DiagnosticExplanation(
    "A jq program cannot be read, or uses what it may not use.",
    example: """
      records:
        User:
          key: id
          fields: {id: , name: {jq: '.a +'}}
      """,
    remedy: "Mend it where jq says. `env`, `$ENV`, `input` and `halt` have no place here.")

  static let badSQL = DiagnosticExplanation(
    "A condition that SQLite will run is no SQL, or not on the columns of its table.",
    details: """
      The `where` of a sweep, an index and `for_each` is prepared on the mapping's own tables. What names a table that the \
      mapping does not have is not judged: it may be yours. An index takes no subquery, and no function whose value changes.
      """,
    example: """
      records:
        User:
          table: users
          key: id
          fields: [id, {active: {type: boolean}}]
          sweep: {where: active = 1 AND}
      """,
    remedy: "Write what could stand behind `WHERE` in a query of the table.")

  static let badPattern = DiagnosticExplanation(
    "A path pattern cannot be read.",
    example: """
      endpoints:
        users: {path: '/users/*/posts', records: {users: User}, fetch: false}
      """,
    remedy: "Write literal segments, `:name` or `{name}` for one segment, and `*` at the end for the rest.")

  static let badURL = DiagnosticExplanation(
    "A URL cannot be read, or is of a kind that has no place there.",
    example: """
      source: {name: shop, base_url: api.example.test}
      """,
    remedy: "Write it whole: `https://api.example.test`, without a query.")
}
