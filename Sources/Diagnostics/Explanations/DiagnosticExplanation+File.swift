/// Findings about the file, its structure, and comments in it.
extension DiagnosticExplanation {
  static let yamlSyntax = DiagnosticExplanation(
    "The text is not YAML, or uses a part of YAML that mappings do not have.",
    details: "Nothing else is looked at before the text can be read to its end.",
    example: """
      records:
      \tUser: {key: id, fields: [id]}
      """,
    remedy: """
      Mend the place that is marked: indent by spaces, close every quote and bracket, and quote texts that begin with \
      `*`, `&`, `!`, `%`, `@` or a backtick.
      """)

  static let duplicateKey = DiagnosticExplanation(
    "A map has the same key twice.",
    example: """
      records:
        User:
          key: id
          fields: [id]
          key: name
      """,
    remedy: "Leave one of them out. YAML itself would let the last one win, in silence.")

  static let unknownAlias = DiagnosticExplanation(
    "An alias names no anchor, or contains itself.",
    example: """
      endpoints:
        users: {path: /users, records: {users: User}, params: {q: *query}}
      """,
    remedy: """
      Write the anchor before the alias: `&query` in front of the value that is meant. A text that begins with `*` is \
      quoted.
      """)

  static let yamlLimit = DiagnosticExplanation(
    "The file is nested too deep, too large, or its aliases expand to too much.",
    example: """
      variables: {a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}
      """,
    remedy: "Cut the file into several, joined by `include`; write out what aliases multiply.")

  static let badInclude = DiagnosticExplanation(
    "A file that `include` names is not there, cannot be read, or includes itself.",
    example: """
      include: nowhere.yaml
      """,
    remedy: """
      Write the path relative to the file that has the `include`, and let no chain of files come back to where it \
      began.
      """)

  static let unreadableFile = DiagnosticExplanation(
    "A file cannot be read: a mapping, a sample of `tests`, a certificate.",
    example: """
      tests:
        - name: one user
          endpoint: users
          response: nowhere.json
          expect: {users: [{id: 1}]}
      """,
    remedy: "Write paths relative to the mapping's own file, and look at the file's permissions.")

  static let missingVersion = DiagnosticExplanation(
    "The first key of a mapping is its language version, `ingest: 1`.",
    example: """
      source: {name: shop}
      records: {User: {key: id, fields: [id]}}
      endpoints: {users: {path: /users, records: {users: User}}}
      """,
    isWhole: true,
    remedy: """
      Write `ingest: 1` in the first line. A fragment, which other files include, needs none; in a folder it is \
      checked with the file that includes it, and one that none includes is told of here.
      """)

  static let unknownVersion = DiagnosticExplanation(
    "The file is written for another version of the mapping language.",
    example: """
      ingest: 2
      """,
    remedy: "Write `ingest: 1`, or use the version of ingest that reads the other one.")

  static let unknownKey = DiagnosticExplanation(
    "A map has a key that the language does not know there.",
    example: """
      records:
        User:
          key: id
          feilds: [id]
      """,
    remedy: """
      Take the name that is suggested. [The mapping language](mapping-language.md) lists the keys of every map.
      """)

  static let wrongKind = DiagnosticExplanation(
    "A list stands where a map belongs, or the like.",
    example: """
      records:
        User: {key: id, fields: [id, name], indexes: name}
      """,
    remedy: "Write what the message asks for.")

  static let missingKey = DiagnosticExplanation(
    "A key that must be there is not.",
    example: """
      endpoints:
        users:
          path: /users
          records: {users: User}
          paginate: {by: page, param: page}
      """,
    remedy: "Add it. The place is the key that the map stands behind.")

  static let badValue = DiagnosticExplanation(
    "A value is not one of those that its key may have, or hardly the one that was meant.",
    severity: .either,
    example: """
      source: {name: shop, base_url: 'https://api.example.test', timeout: 30 seconds}
      """,
    remedy: "Write what the hint says.")

  static let conflictingKeys = DiagnosticExplanation(
    "Two keys exclude each other.",
    example: """
      records:
        User:
          key: id
          fields: {id: , kind: {from: type, const: person}}
      """,
    remedy: "Keep the one that is meant. The place is the second one.")

  static let badAllow = DiagnosticExplanation(
    "A comment `# ingest: allow CODE reason` names no code, gives no reason, or silences nothing.",
    severity: .warning,
    details: "Such a comment silences warnings of one code on one line.",
    example: """
      # ingest: allow unused
      variables: {lonely: 5}
      """,
    remedy: """
      Write the code of the warning and why it is fine, at the end of the line that has the warning or above it. Take \
      the comment away when what it allowed is gone. Errors cannot be allowed.
      """)
}
