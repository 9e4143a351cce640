extension LanguageTable {
  static let test: [KeySpec] = [
    KeySpec("name", .text, "what the test shows", example: "one user", required: true),
    KeySpec("endpoint", .endpoint, "the endpoint that the bodies come from", example: "users"),
    KeySpec("path", .text, "the path that the bodies come from, with its query", example: "/users"),
    KeySpec("method", .text, "the request's method", example: "GET"),
    KeySpec("status", .integer(100...599), "the answer's status", example: "404", default: "200"),
    KeySpec("headers", .dictionary(.header, of: .text), "the answer's headers", example: "{X-Next: a}"),
    KeySpec("response", .oneOrMany(.text), "files that hold the bodies, relative to this one", example: "[a.json]"),
    KeySpec("body", .anything, "the body itself", example: "{users: []}"),
    KeySpec("expect", .map(.expectation), "what the tables hold then", example: "{users: []}"),
    KeySpec("error", .map(.expectedError), "the error that the answer must be", example: "{message: no}"),
    KeySpec("ordered", .boolean, "the rows of all tables come in this order", example: "true", default: "false"),
  ]

  /// Of `expect`; all other keys are tables.
  static let expectation: [KeySpec] = [
    KeySpec("rejects", .integer(0...Int.max), "how many records are rejected", example: "1"),
    KeySpec("requests", .list(of: .text), "the requests that are made", example: "['GET /items?page=2']"),
  ]

  static let expectedTable: [KeySpec] = [
    KeySpec("count", .integer(0...Int.max), "how many rows", example: "1"),
    KeySpec("rows", expectedRows, "rows, compared by the columns that they name", example: "[{id: 1}]"),
    KeySpec("ordered", .boolean, "the rows come in this order", example: "true", default: "false"),
  ]

  static let expectedRows = ValueKind.list(of: .dictionary(.name("column"), of: .anything))

  static let expectedError: [KeySpec] = [
    KeySpec("message", .text, "its message", example: "no such list"),
    KeySpec("code", .text, "its code", example: "17"),
  ]
}
