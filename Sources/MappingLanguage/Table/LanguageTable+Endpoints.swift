extension LanguageTable {
  static let endpoint: [KeySpec] = [
    KeySpec(
      "path", .oneOrMany(.pathPattern), "a pattern below the base URL, or a list of them", example: "/users/:id",
      required: true),
    KeySpec("method", .text, "for routing: any without it; for fetching: GET", example: "POST"),
    KeySpec("status", .oneOrMany(.status), "the status codes that route here", example: "[200, 204]", default: "2xx"),
    KeySpec(
      "records", .dictionary(.keyPath(.place), of: .either([.record, .map(.place)])),
      "key paths in the responses, and the records that stand there", example: "{users: User}", required: true),
    KeySpec("params", params, "query parameters; they go before the source's", example: "{q: nuts}"),
    KeySpec(
      "headers", .dictionary(.header, of: .template), "headers; they go before the source's", example: "{X-A: b}"),
    KeySpec("body", .map(.body), "the request's body", example: "{json: {q: nuts}}"),
    KeySpec(
      "paginate", .map(.paginate), "how the next page is asked for", example: "{by: page, param: page, start: 1}"),
    KeySpec(
      "incremental", .map(.incremental), "ask only for what is new", example: "{column: id, param: after}"),
    KeySpec("for_each", .map(.forEach), "one walk for each stored row, or value", example: "{values: [a, b], bind: x}"),
    KeySpec("cache", .map(.cache), "how long stored rows serve", example: "{ttl: 1h}"),
    KeySpec(
      "errors", .list(of: .map(.errorRule)), "error rules of its own", example: "[{status: 404, action: ignore}]"),
    KeySpec(
      "on_failure", .word, "what a failed walk does to the run", example: "fail", default: "fail",
      words: ["fail", "continue", "stored"]),
    KeySpec("fetch", .boolean, "false: a route only, for bodies that are handed in", example: "false", default: "true"),
    KeySpec(
      "archive", .boolean, "keep raw bodies for 'ingest replay'", example: "true", default: "as 'store' says"),
    KeySpec(
      "idempotent", .boolean, "a POST that may be sent again when it is not known whether it was carried out",
      example: "true", default: "false"),
    KeySpec("lenient", .boolean, "accept comments and trailing commas in JSON", example: "true"),
    KeySpec(
      "format", .word,
      "ndjson: bodies are one JSON value a line, whatever their content type says (but HTML); json: as it "
        + "says", example: "ndjson",
      words: ["json", "ndjson"]),
  ]

  static let place: [KeySpec] = [
    KeySpec("record", .record, "the record that stands there", example: "User", required: true),
    KeySpec("required", .boolean, "a body without it fails", example: "true", default: "false"),
  ]

  static let body: [KeySpec] = [
    KeySpec("json", .jsonTemplate, "a JSON value", example: "{a: 1}"),
    KeySpec("form", params, "a form; null leaves a field out, a list repeats it", example: "{a: 1}"),
    KeySpec("text", .template, "a text", example: "hello"),
  ]

  static let paginate: [KeySpec] = [
    KeySpec(
      "by", .word, "what tells one page from the next", example: "page", required: true,
      words: PaginateDeclaration.Kind.allCases.map(\.rawValue)),
    KeySpec("param", .name, "the parameter that asks for a page", example: "page"),
    KeySpec(
      "start", .either([.text, .integer(0...Int.max)]),
      "the first page or offset; what the first request sends as cursor or last value", example: "1",
      default: "0 for 'offset'"),
    KeySpec(
      "step", .count, "from page to page, or offset to offset", example: "1",
      default: "1; for 'offset' the size, or the number received"),
    KeySpec("size_param", .name, "the parameter that asks for so many", example: "per_page"),
    KeySpec("size", .count, "how many records a page has", example: "50"),
    KeySpec("from", .keyPath(.bodyOrHeader), "where the cursor, next URL or last value is", example: "next"),
    KeySpec("has_more", .keyPath(.bodyOrHeader), "false or missing on the last page", example: "more"),
    KeySpec("total", .keyPath(.bodyOrHeader), "the number of all records", example: "meta.total"),
    KeySpec("total_pages", .keyPath(.bodyOrHeader), "the number of all pages", example: "meta.pages"),
    KeySpec(
      "stop_when", .either([.word, .condition]), "which page is the last, beside the above", example: "{done: true}",
      default: "empty", words: ["empty", "short"]),
    KeySpec("max_pages", .count, "how many pages are asked for", example: "100"),
    KeySpec(
      "in", .word, "where 'param' and 'size_param' go; in a JSON body they are key paths", example: "query",
      default: "query", words: ["query", "body", "header"]),
  ]

  static let incremental: [KeySpec] = [
    KeySpec("column", .name, "the column whose largest value is asked from", example: "id", required: true),
    KeySpec("param", .name, "the parameter that carries it", example: "after", required: true),
    KeySpec("format", .text, "how a date is written", example: "yyyy-MM-dd"),
    KeySpec("start", .literal, "before there is a value", example: "2024-01-01"),
    KeySpec("lookback", .duration, "taken from the value", example: "1d"),
    KeySpec("slice", .duration, "the length of one piece", example: "30d"),
    KeySpec("until_param", .name, "the parameter that carries a piece's end", example: "until"),
    KeySpec("end", .literal, "the end of the last piece", example: "2024-03-01", default: "now"),
  ]

  static let forEach: [KeySpec] = [
    KeySpec("record", .record, "one walk for each of its rows", example: "User"),
    KeySpec("values", .list(of: .literal), "one walk for each of these", example: "[a, b]"),
    KeySpec(
      "bind", .either([.name, .dictionary(.name("binding"), of: .name)]), "names for columns, or for the value",
      example: "x", required: true),
    KeySpec("where", .text, "SQL over columns", example: "id > 1"),
  ]

  static let cache: [KeySpec] = [
    KeySpec("ttl", .duration, "within it no request is made", example: "1h", required: true)
  ]

  static let errorRule: [KeySpec] = [
    KeySpec("status", .oneOrMany(.status), "status codes that it is for", example: "4xx"),
    KeySpec("when", .condition, "what the body must say", example: "{ok: false}"),
    KeySpec(
      "action", .word, "what follows; without it the answer keeps its usual course", example: "ignore",
      words: ["fail", "retry", "ignore", "stop", "refresh_auth"]),
    KeySpec("message", .oneOrMany(.keyPath(.error)), "where the message is", example: "[error.text, message]"),
    KeySpec("code", .oneOrMany(.keyPath(.error)), "where the code is", example: "error.code"),
    KeySpec("wait", .map(.wait), "of action: retry, how long", example: "{default: 1s}"),
  ]

  static let wait: [KeySpec] = [
    KeySpec("header", .text, "the header that says it", example: "X-Wait"),
    KeySpec("key_path", .keyPath(.body), "where the body says it", example: "wait.seconds"),
    KeySpec("default", .duration, "when nothing says it", example: "5s"),
  ]
}
