/// Findings about what can be read, but means trouble.
extension DiagnosticExplanation {
  static let badIdentity = DiagnosticExplanation(
    """
    A record has no identity where it needs one, one where it may have none, or one that does not fit how it is \
    fetched.
    """,
    severity: .either,
    details: """
      It is a warning where `incremental` brings only what is new and the record is appended, so that what is received \
      twice is stored twice, or replaced.
      """,
    example: """
      records:
        User: {fields: [id, name]}
      """,
    remedy: "Name the columns that tell rows apart, `key: id`, or say `write: append`.")

  static let badRelationship = DiagnosticExplanation(
    "A relationship cannot be stored as it is declared.",
    severity: .either,
    details: """
      It is a warning where it can be stored, but the bodies of `tests` have a list where one object is declared, or one \
      object where a list is.
      """,
    example: """
      records:
        User:
          key: id
          fields: [id]
          relationships: {events: [Event]}
        Event: {write: append, fields: [name]}
      """,
    remedy: """
      Give the child a key, or none at all, as the message says; [Relationships](mapping-language.md#relationships) \
      shows the shapes.
      """)

  static let unused = DiagnosticExplanation(
    "Something is declared that nothing reaches, or that has no effect.",
    severity: .warning,
    example: """
      variables: {lonely: 5}
      """,
    remedy: "Use it, or leave it out. It is often the trace of a name that was misspelt elsewhere.")

  static let failingTest = DiagnosticExplanation(
    "A sample or an expectation of `tests` does not hold.",
    example: """
      tests:
        - name: one user
          endpoint: users
          body: {users: [{id: 7, name: Ada}]}
          expect: {users: [{id: 7, name: Eve}]}
      """,
    remedy: """
      Mend the mapping, or the expectation. The place is the test's name; the message says what came and what was \
      expected. Where a body failed or records were rejected, only that is told; `ingest test` shows the tables too.
      """)

  static let insecure = DiagnosticExplanation(
    "TLS verification is switched off, credentials go over plain http, or a client's key can be read by other users.",
    severity: .warning,
    details: """
      It is said on every run, and cannot be allowed by a comment. Plain http is told of where a run begins, unless the \
      host is this machine.
      """,
    example: """
      source:
        name: shop
        base_url: https://api.example.test
        tls: {insecure: true}
      """,
    remedy: "Name the API's own authority by `ca_file`; write https; `chmod 600` keeps a key yours.")

  static let secretInClear = DiagnosticExplanation(
    "A secret is written into the mapping itself.",
    severity: .warning,
    details: """
      Looked at are `auth`, passwords in URLs, and headers and parameters with names such as `Authorization`, \
      `X-Api-Key` or `access_token`.
      """,
    example: """
      source:
        name: shop
        base_url: https://api.example.test
        auth: {bearer: {token: 8f14e45fceea167a}}
      """,
    remedy: """
      Write `${secret.NAME}`, and give NAME in the environment or by `--secrets FILE`. A secret that was in a \
      repository is to be replaced at the API too.
      """)

  static let shadowedPath = DiagnosticExplanation(
    "The requests of an endpoint are routed to another one, whose pattern is more specific.",
    severity: .warning,
    details: """
      It is seen where the values of path parameters are known: defaults of variables, and lists in `for_each`.
      """,
    example: """
      variables: {id: new}
      endpoints:
        user: {path: '/users/:id', records: {user: User}}
        added: {path: /users/new, records: {users: User}}
      """,
    remedy: """
      Give the variable another value, or tell the endpoints apart by `method`. Of the patterns that match an answer \
      only the most specific ones read it, so the less specific endpoint would store nothing.
      """)

  static let unmatchedPath = DiagnosticExplanation(
    "No body of `tests` has what a key path reads, but one has a name that is near.",
    severity: .warning,
    details: """
      A member counts as absent when no body of any test that reaches the record has it; members that are optional are \
      not told of when no other name is near. A name that the record reads elsewhere is not suggested. Looked at are \
      places, relationships, fields of one key path, conditions, and what paging and error rules read, but not what \
      stands behind a choice. A key path that asks a list for a member is told of too, and a place that names what is \
      around the records.
      """,
    example: """
      tests:
        - name: one user
          endpoint: users
          body: {users: [{id: 7, nme: Ada}]}
          expect: {users: [{id: 7}]}
      """,
    remedy: "Take the name that is suggested, or add a body that has the member.")
}
