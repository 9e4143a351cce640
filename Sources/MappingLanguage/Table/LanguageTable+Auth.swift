/// `auth` and `tls`: what proves to the API who asks, and the other way round.
extension LanguageTable {
  static let tls: [KeySpec] = [
    KeySpec(
      "ca_file", .template, "certificate authorities, PEM, in place of the system's; relative to this file",
      example: "ca.pem"),
    KeySpec("cert", .template, "the client's certificate, PEM; relative to this file", example: "client.pem"),
    KeySpec(
      "key", .template, "the client's key, PEM, without a passphrase; relative to this file", example: "client.key",
      default: "in 'cert'"),
    KeySpec("insecure", .boolean, "no verification; warns on every run", example: "true", default: "false"),
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
      example: "{username: ada, password: '${secret.PASSWORD}'}"),
    KeySpec(
      "oauth2", .map(.oauth2), "tokens that are fetched and refreshed",
      example: "{grant: client_credentials, token_url: /token, client_id: a, client_secret: '${secret.S}'}"),
    KeySpec(
      "session", .map(.session), "a log-in request whose answer holds a token",
      example: "{path: /login, token: token, send: {header: X-Token}}"),
    KeySpec(
      "aws_sigv4", .map(.awsSigV4), "signed requests",
      example: "{access_key: '${secret.A}', secret_key: '${secret.B}', region: eu-west-1, service: s3}"),
    KeySpec("netrc", .boolean, "name and password from ~/.netrc, or the file that NETRC names", example: "true"),
  ]

  static let apiKey: [KeySpec] = [
    KeySpec("query", .name, "the query parameter that carries the key", example: "api-key"),
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
    KeySpec("username", .template, "the name", example: "ada", required: true),
    KeySpec("password", .template, "the password", example: "'${secret.PASSWORD}'", required: true),
  ]

  static let oauth2: [KeySpec] = [
    KeySpec(
      "grant", .word, "how a token is got", example: "client_credentials", required: true,
      words: ["client_credentials", "refresh_token", "password"]),
    KeySpec(
      "token_url", .template, "where tokens are got: a URL, or a path below 'base_url'", example: "/token",
      required: true),
    KeySpec("client_id", .template, "the client's name", example: "a"),
    KeySpec("client_secret", .template, "the client's secret", example: "'${secret.S}'"),
    KeySpec("scope", .template, "what the token is for", example: "read"),
    KeySpec(
      "client_auth", .word, "where the client's name and secret go: into the form, or into a header", example: "basic",
      default: "body", words: ["body", "basic"]),
    KeySpec("username", .template, "of grant: password", example: "ada"),
    KeySpec("password", .template, "of grant: password", example: "'${secret.P}'"),
    KeySpec(
      "refresh_token", .template, "of grant: refresh_token; the first one, until the API gives another",
      example: "'${secret.R}'"),
  ]

  static let session: [KeySpec] = [
    KeySpec("path", .template, "where to log in, below 'base_url'", example: "/login", required: true),
    KeySpec("method", .text, "of the log-in request", example: "PUT", default: "POST"),
    KeySpec(
      "headers", .dictionary(.header, of: .template), "of the log-in request; they go before the source's",
      example: "{Accept: text/plain}"),
    KeySpec("body", .map(.body), "of the log-in request", example: "{json: {user: ada}}"),
    KeySpec(
      "token", .keyPath(.bodyOrHeader), "where the answer holds the token", example: "token", required: true),
    KeySpec(
      "send", .map(.sessionSend), "how later requests carry it", example: "{header: X-Token}", required: true),
  ]

  static let sessionSend: [KeySpec] = [
    KeySpec("header", .text, "the header's name", example: "X-Token"),
    KeySpec("prefix", .text, "of a header: what stands before the token", example: "'Token '"),
    KeySpec("query", .name, "the query parameter's name", example: "token"),
  ]

  static let awsSigV4: [KeySpec] = [
    KeySpec("access_key", .template, "the key's name", example: "'${secret.A}'", required: true),
    KeySpec("secret_key", .template, "the key", example: "'${secret.B}'", required: true),
    KeySpec("region", .template, "the region", example: "eu-west-1", required: true),
    KeySpec("service", .template, "the service", example: "s3", required: true),
  ]
}
