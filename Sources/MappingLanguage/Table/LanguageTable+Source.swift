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
    KeySpec("tls", .map(.tls), "certificates", example: "{ca_file: ca.pem}", .later),
    KeySpec("proxy", .template, "the proxy's URL", example: "http://proxy.example.test:3128", .later),
    KeySpec(
      "lenient", .boolean, "accept comments and trailing commas in JSON", example: "true", default: "false"),
    KeySpec(
      "format", .word, "how bodies are read whatever their content type says", example: "ndjson", default: "json",
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

  static let tls: [KeySpec] = [
    KeySpec("ca_file", .template, "certificate authorities, PEM", example: "ca.pem", .later),
    KeySpec("cert", .template, "the client's certificate, PEM", example: "client.pem", .later),
    KeySpec("key", .template, "the client's key, PEM", example: "client.key", .later),
    KeySpec("insecure", .boolean, "no verification; warns on every run", example: "true", default: "false", .later),
  ]

  static let auth: [KeySpec] = [
    KeySpec(
      "api_key", .map(.apiKey), "a key in the query, a header or a cookie",
      example: "{header: X-Key, value: '${secret.KEY}'}"),
    KeySpec(
      "basic", .map(.basic), "name and password", example: "{username: ada, password: '${secret.PASSWORD}'}"),
    KeySpec("bearer", .map(.bearer), "a token", example: "{token: '${secret.TOKEN}'}"),
    KeySpec(
      "digest", .map(.digest), "name and password, never sent in clear",
      example: "{username: ada, password: '${secret.PASSWORD}'}", .later),
    KeySpec(
      "oauth2", .map(.oauth2), "tokens that are fetched and refreshed",
      example: "{grant: client_credentials, token_url: /token, client_id: a, client_secret: '${secret.S}'}", .later),
    KeySpec(
      "session", .map(.session), "a log-in request whose answer holds a token",
      example: "{path: /login, token: token, send: {header: X-Token}}", .later),
    KeySpec(
      "aws_sigv4", .map(.awsSigV4), "signed requests",
      example: "{access_key: '${secret.A}', secret_key: '${secret.B}', region: eu-west-1, service: s3}", .later),
    KeySpec("netrc", .boolean, "name and password from ~/.netrc", example: "true", .later),
  ]

  static let apiKey: [KeySpec] = [
    KeySpec("query", .text, "the query parameter that carries the key", example: "api-key"),
    KeySpec("header", .text, "the header that carries the key", example: "X-Api-Key"),
    KeySpec("cookie", .text, "the cookie that carries the key", example: "session"),
    KeySpec("value", .template, "the key", example: "'${secret.KEY}'", required: true),
  ]

  static let basic: [KeySpec] = [
    KeySpec("username", .template, "the name", example: "ada", required: true),
    KeySpec("password", .template, "the password", example: "'${secret.PASSWORD}'", required: true),
  ]

  static let bearer: [KeySpec] = [
    KeySpec("token", .template, "the token", example: "'${secret.TOKEN}'", required: true)
  ]

  static let digest: [KeySpec] = [
    KeySpec("username", .template, "the name", example: "ada", required: true, .later),
    KeySpec("password", .template, "the password", example: "'${secret.PASSWORD}'", required: true, .later),
  ]

  static let oauth2: [KeySpec] = [
    KeySpec(
      "grant", .word, "how a token is got", example: "client_credentials", required: true,
      words: ["client_credentials", "refresh_token", "password"], .later),
    KeySpec("token_url", .template, "where tokens are got", example: "/token", required: true, .later),
    KeySpec("client_id", .template, "the client's name", example: "a", .later),
    KeySpec("client_secret", .template, "the client's secret", example: "'${secret.S}'", .later),
    KeySpec("scope", .template, "what the token is for", example: "read", .later),
    KeySpec(
      "client_auth", .word, "where the client's secret goes", example: "basic", default: "body",
      words: ["body", "basic"], .later),
    KeySpec("username", .template, "of grant: password", example: "ada", .later),
    KeySpec("password", .template, "of grant: password", example: "'${secret.P}'", .later),
    KeySpec("refresh_token", .template, "of grant: refresh_token", example: "'${secret.R}'", .later),
  ]

  static let session: [KeySpec] = [
    KeySpec("path", .template, "where to log in", example: "/login", required: true, .later),
    KeySpec("method", .text, "of the log-in request", example: "POST", default: "POST", .later),
    KeySpec(
      "headers", .dictionary(.header, of: .template), "of the log-in request", example: "{Accept: text/plain}", .later),
    KeySpec("body", .map(.body), "of the log-in request", example: "{json: {user: ada}}", .later),
    KeySpec("token", .keyPath(.body), "where the answer holds the token", example: "token", required: true, .later),
    KeySpec(
      "send", .map(.sessionSend), "how later requests carry it", example: "{header: X-Token}", required: true, .later),
  ]

  static let sessionSend: [KeySpec] = [
    KeySpec("header", .text, "the header's name", example: "X-Token", .later),
    KeySpec("prefix", .text, "what stands before the token", example: "'Token '", .later),
    KeySpec("query", .text, "the query parameter's name", example: "token", .later),
  ]

  static let awsSigV4: [KeySpec] = [
    KeySpec("access_key", .template, "the key's name", example: "'${secret.A}'", required: true, .later),
    KeySpec("secret_key", .template, "the key", example: "'${secret.B}'", required: true, .later),
    KeySpec("region", .template, "the region", example: "eu-west-1", required: true, .later),
    KeySpec("service", .template, "the service", example: "s3", required: true, .later),
  ]

  static let variable: [KeySpec] = [
    KeySpec("type", .type, "the type of its values", example: "date", default: "as the default is written"),
    KeySpec("default", .literal, "its value where none is set", example: "2015-07-01"),
  ]

  static let store: [KeySpec] = [
    KeySpec(
      "url", .template, "the database", example: "'sqlite:shop.db'", default: "sqlite:NAME.db, NAME from 'source'"),
    KeySpec("archive", .boolean, "keep raw bodies", example: "true", default: "false", .later),
    KeySpec(
      "commit", .word, "what one transaction holds", example: "page", default: "page", words: ["page", "run"]),
  ]
}
