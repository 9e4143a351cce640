extension LanguageTable {
  static let source: [KeySpec] = [
    KeySpec(
      "name", .name, "names the state, the log and the default database", example: "shop",
      default: "the file's name without its ending"),
    KeySpec(
      "base_url", .url, "what every path is put behind; needed where something is fetched",
      example: "https://api.example.test"),
    KeySpec("auth", .map(.auth), "how requests are authorized", example: "{bearer: {token: '${secret.KEY}'}}"),
    KeySpec(
      "headers", .dictionary(.header, of: .template), "headers of every request",
      example: "{Accept: application/json}"),
    KeySpec("params", params, "query parameters of every request", example: "{format: json}"),
    KeySpec(
      "timeout", .duration, "the longest silence: connect, first byte, between bytes", example: "30s", default: "30s"),
    KeySpec("retry", .map(.retry), "how often and when a failed request is tried again", example: "{attempts: 3}"),
    KeySpec("rate_limit", .rate, "requests in a time, for the whole source", example: "5/min"),
    KeySpec("concurrency", .count, "requests at the same time", example: "1", default: "1"),
    KeySpec("limits", .map(.limits), "bounds, each of which is a named error", example: "{body: 64MB}"),
    KeySpec("tls", .map(.tls), "certificates", example: "{ca_file: ca.pem}"),
    KeySpec(
      "proxy", .template, "the proxy's URL", example: "http://proxy.example.test:3128",
      default: "as the environment says"),
    KeySpec(
      "lenient", .boolean, "accept comments and trailing commas in JSON", example: "true", default: "false"),
    KeySpec(
      "format", .word,
      "ndjson: bodies are one JSON value a line, whatever their content type says (but HTML); json: as it "
        + "says", example: "ndjson", default: "json",
      words: ["json", "ndjson"]),
  ]

  static let params = ValueKind.dictionary(
    .name("parameter"), of: .optional(.either([.template, .list(of: .template)])))

  static let retry: [KeySpec] = [
    KeySpec("attempts", .count, "all tries, the first one included", example: "3", default: "5"),
    KeySpec(
      "backoff", .word, "how the wait grows", example: "constant", default: "exponential",
      words: ["constant", "exponential"]),
    KeySpec("wait", .duration, "the first wait", example: "1s", default: "1s"),
    KeySpec("max_wait", .duration, "the longest wait", example: "2m", default: "2m"),
  ]

  static let limits: [KeySpec] = [
    KeySpec("record", .size, "of one record, as received", example: "64MB", default: "64MB"),
    KeySpec("body", .size, "of one answer, after unpacking", example: "256MB", default: "256MB"),
    KeySpec("depth", .count, "levels of nesting", example: "512", default: "512"),
    KeySpec("ratio", .count, "of unpacked to packed bytes", example: "200", default: "200"),
    KeySpec("pages", .count, "requests of one walk", example: "1000", default: "100000"),
  ]

  static let variable: [KeySpec] = [
    KeySpec("type", .type, "the type of its values", example: "date", default: "as the default is written"),
    KeySpec("default", .literal, "its value where none is set", example: "2015-07-01"),
  ]

  static let store: [KeySpec] = [
    KeySpec(
      "url", .template, "the database", example: "'sqlite:shop.db'", default: "sqlite:NAME.db, NAME from 'source'"),
    KeySpec(
      "archive", .boolean, "keep raw bodies for 'ingest replay', unless an endpoint says otherwise", example: "true",
      default: "false"),
    KeySpec(
      "commit", .word, "what one transaction holds", example: "page", default: "page", words: ["page", "run"]),
  ]
}
