/// Findings about names that nothing bears, or that two things bear.
extension DiagnosticExplanation {
  static let unknownRecord = DiagnosticExplanation(
    "A record is named that no section declares.",
    example: """
      records:
        User: {key: id, fields: [id], relationships: {team: Team}}
      """,
    remedy: "Declare it under `records`, or take the name that is suggested.")

  static let unknownType = DiagnosticExplanation(
    "A field names a type that the language does not have.",
    severity: .either,
    details: "It is a warning where a column without a type goes to PostgreSQL, which then stores it as text.",
    example: """
      records:
        User:
          key: id
          fields: {id: {type: integr}}
      """,
    remedy: """
      Take one of `any`, `text`, `integer`, `real`, `decimal`, `boolean`, `date`, `time`, `timestamp`, `uuid`, `url`, \
      `json`, `bytes`.
      """)

  static let unknownColumn = DiagnosticExplanation(
    "A column is named that the record does not have.",
    example: """
      records:
        User:
          key: idd
          fields: [id, name]
      """,
    remedy: "Add the column to `fields`, or take the name that is suggested.")

  static let unknownEndpoint = DiagnosticExplanation(
    "An endpoint is named that no section declares.",
    example: """
      tests:
        - {name: no users, endpoint: usrs, body: {users: []}, expect: {}}
      """,
    remedy: "Take the name that is suggested.")

  static let unknownVariable = DiagnosticExplanation(
    "A variable is used that no section declares.",
    example: """
      endpoints:
        users: {path: /users, records: {users: User}, params: {q: '${query}'}}
      """,
    remedy: "Declare it under `variables`; secrets are written `${secret.NAME}`, the environment `${env.NAME}`.")

  static let unknownParameter = DiagnosticExplanation(
    "A path parameter is used that no path of the record's endpoints has.",
    severity: .either,
    details: "A parameter of the query that no endpoint sends, but for one with a near name, is a warning.",
    example: """
      records:
        User:
          key: id
          fields: {id: , team: $route.team}
      """,
    remedy: "Write the parameter into the path, as `/teams/:team/users`, or take another key path.")

  static let unknownTimeZone = DiagnosticExplanation(
    "A time zone is not known.",
    example: """
      records:
        User:
          key: id
          fields: {id: , at: {type: timestamp, timezone: Europe/Pariss}}
      """,
    remedy: "Write a name of the IANA's list, such as `Europe/Paris`.")

  static let duplicateColumn = DiagnosticExplanation(
    "Two columns of one table have one name, letter case aside.",
    example: """
      records:
        User:
          key: id
          fields: {id: , name: , Name: title}
      """,
    remedy: """
      Give one of them another name. The place is the second one; columns that relationships make count too.
      """)

  static let duplicateTable = DiagnosticExplanation(
    "Two records, or two relationships, fill one table.",
    example: """
      records:
        User: {table: people, key: id, fields: [id]}
        Author: {table: people, key: id, fields: [id]}
      endpoints:
        users: {path: /users, records: {users: User}}
        authors: {path: /authors, records: {authors: Author}}
      """,
    remedy: "Give one of them another `table`, or name one record in both places.")

  static let duplicateName = DiagnosticExplanation(
    "The same name is given twice, in two files or two lists.",
    severity: .either,
    details: "It is a warning of headers that letter case alone tells apart.",
    example: """
      records:
        User:
          key: [id, id]
          fields: [id]
      """,
    remedy: "Leave one of them out. The message says where the first one stands.")

  static let duplicateDescriptor = DiagnosticExplanation(
    "Two descriptors read one key path of one pattern.",
    example: """
      endpoints:
        users: {path: '/users/:id', records: {user: User}, fetch: false}
        members: {path: '/users/:name', records: {user: User}, fetch: false}
      """,
    remedy: """
      Leave one of them out, or tell them apart by `method` or `status`. Names of parameters do not tell patterns \
      apart.
      """)

  static let reservedName = DiagnosticExplanation(
    "A name begins with `_ingest`, or is one that a store or the language keeps for itself.",
    example: """
      records:
        User: {table: _ingest_users, key: id, fields: [id]}
      """,
    remedy: "Take another name.")

  static let storeLimit = DiagnosticExplanation(
    "A table that the store cannot make: it has more columns, or a longer key, than the store keeps.",
    details: """
      SQLite keeps 2,000 columns of a table, PostgreSQL 1,600, and 32 of a key or an index. Columns that no field declares \
      count too: those of relationships, `_id`, `_extra`, of `track` and of histories; and of a table with `sweep` or \
      `replace` its key stands beside two columns of the bookkeeping. Tables that are out of the ordinary are made in a \
      database in memory besides, and what SQLite has against one is told here.
      """,
    example: """
      store: {url: 'postgres://db.example.test/shop'}
      records:
        User:
          table: users
          key: id
          types: {'*': text}
          fields: [id, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21,
            a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33]
          indexes:
            - [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23,
              a24, a25, a26, a27, a28, a29, a30, a31, a32, a33]
      """,
    remedy: """
      Divide the record among several, name fewer fields and keep the rest with `unmapped: capture`, or keep an object as \
      one column of type `json`.
      """)

  static let badName = DiagnosticExplanation(
    "A name is longer than a store allows, is empty, or holds what it may not hold.",
    example: """
      records:
        User: {table: '', key: id, fields: [id]}
      """,
    remedy: "Take a shorter or plainer name: PostgreSQL has at most 63 bytes for one.")
}
