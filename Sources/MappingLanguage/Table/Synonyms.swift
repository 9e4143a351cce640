/// What other tools call what the mapping language says otherwise. They make hints, and no finding of their own.
enum Synonyms {
  // MARK: types

  /// The type that a type of SQL or of another tool is here, by its name without what stands in brackets.
  static func type(_ name: String) -> (name: String, hint: String)? {
    let bare = name.lowercased().prefix { $0 != "(" && $0 != "<" }.split(separator: " ").joined(separator: " ")
    guard let found = types.first(where: { $0.names.contains(bare) }) else { return nil }
    return (found.type, "did you mean '\(found.type)'?" + (found.more.map { " " + $0 } ?? ""))
  }

  static let types: [(type: String, names: Set<String>, more: String?)] = [
    (
      "integer",
      [
        "int", "int2", "int4", "int8", "int16", "int32", "int64", "uint32", "uint64", "bigint", "smallint", "tinyint",
        "mediumint", "long", "short", "serial", "bigserial", "unsigned", "whole",
      ], nil
    ),
    (
      "text",
      [
        "string", "str", "varchar", "char", "character", "character varying", "nvarchar", "varchar2", "nchar", "clob",
        "tinytext", "mediumtext", "longtext", "citext", "enum", "email", "keyword",
      ], nil
    ),
    (
      "real", ["float", "double", "float4", "float8", "float32", "float64", "double precision"],
      "it is a binary number; 'decimal' keeps every digit"
    ),
    (
      "decimal",
      [
        "number", "num", "numeric", "money", "currency", "bignumeric", "bigdecimal", "dec", "amount", "price",
        "percentage",
      ], "it keeps every digit"
    ),
    (
      "timestamp",
      [
        "datetime", "date-time", "date_time", "datetime2", "datetimeoffset", "timestamptz", "timestamp_tz",
        "timestamp with time zone", "timestamp without time zone", "instant",
      ], nil
    ),
    ("timestamp", ["unix", "epoch", "unixtime", "unix_timestamp"], "with 'format: epoch_s', or 'epoch_ms'"),
    ("boolean", ["bool", "bit", "logical", "flag"], nil),
    ("json", ["jsonb", "variant", "struct", "dict", "super"], nil),
    ("json", ["object", "map", "record", "array", "list"], "or a relationship, which has rows of its own"),
    ("uuid", ["guid", "uniqueidentifier"], nil), ("url", ["uri", "link", "href"], nil),
    ("bytes", ["blob", "bytea", "binary", "varbinary", "base64", "byte"], nil),
    ("any", ["mixed", "unknown", "dynamic"], nil),
  ]

  // MARK: keys

  /// What a key of another tool is here: the key that is meant, where there is one, and the hint.
  static func key(_ name: String, in kind: MapKind) -> (key: String?, hint: String)? {
    if let colon = name.firstIndex(of: ":"), LanguageTable.key(String(name[..<colon]), of: kind) != nil {
      return (String(name[..<colon]), "a space belongs behind the colon: '\(name[...colon]) …'")
    }
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    if let hint = hints[kind]?[plain] { return (nil, hint) }
    guard let found = keys[kind]?.first(where: { $0.names.contains(plain) }) else { return nil }
    return (found.key, "did you mean '\(found.key)'?")
  }

  static let keys: [MapKind: [(key: String, names: Set<String>)]] = [
    .mapping: [
      ("records", ["tables", "models", "schemas", "entities", "types"]),
      ("endpoints", ["streams", "resources", "requests", "routes", "paths", "calls"]),
      ("store", ["destination", "database", "db", "output", "target", "sink"]),
      ("variables", ["vars", "parameters", "params", "config", "inputs"]),
      ("include", ["imports", "import", "includes"]),
      ("source", ["api", "client", "connection"]), ("ingest", ["version"]), ("tests", ["specs", "cases"]),
      ("errors", ["errorrules", "errorhandler", "errorhandlers"]),
    ],
    .source: [
      ("base_url", ["url", "base", "apiurl", "endpoint", "host", "uri", "urlbase"]),
      ("auth", ["authentication", "authorization", "authenticator", "credentials"]),
      ("params", ["query", "queryparams"]),
      ("rate_limit", ["rate", "ratelimits", "throttle"]), ("retry", ["retries"]), ("tls", ["ssl"]),
    ],
    .auth: [
      ("api_key", ["apikey", "key"]), ("oauth2", ["oauth", "oauth20"]), ("bearer", ["bearertoken", "jwt"]),
      ("basic", ["basicauth", "httpbasic"]), ("session", ["login"]), ("aws_sigv4", ["aws", "sigv4"]),
    ],
    .record: [
      ("key", ["primarykey", "primary", "id", "pk", "keys", "uniquekey", "identity", "identifier", "primarykeys"]),
      ("modified", ["updatedat", "modifiedat", "modifiedby", "cursorfield", "lastmodified", "versioncolumn"]),
      ("fields", ["columns", "properties", "attributes", "schema", "mapping", "mappings"]),
      ("table", ["tablename", "name", "collection"]),
      ("relationships", ["relations", "relation", "children", "associations", "nested"]),
      ("write", ["mode", "writedisposition", "writemode", "disposition", "strategy"]),
      ("where", ["filter", "filters"]),
      ("delete_when", ["deletedwhen", "tombstone", "harddelete", "deleted"]), ("indexes", ["indices", "index"]),
    ],
    .field: [
      ("from", ["path", "keypath", "source", "jsonpath", "selector", "value", "attribute", "json", "jsonkey", "src"]),
      ("type", ["datatype", "dtype", "kind", "columntype"]), ("format", ["dateformat", "pattern", "datetimeformat"]),
      ("timezone", ["tz", "zone"]), ("references", ["foreignkey", "ref", "reference", "fk"]),
      ("required", ["notnull", "mandatory"]), ("renamed_from", ["rename", "oldname", "previously", "was", "alias"]),
      ("description", ["comment", "doc", "title", "docs"]), ("default", ["fallback", "defaultvalue"]),
      ("const", ["constant", "literal"]), ("transform", ["transforms", "transformation"]),
    ],
    .relationship: [
      ("from", ["path", "keypath", "source", "jsonpath"]), ("record", ["type", "model", "to", "target", "of"]),
      ("policy", ["mode", "strategy", "write"]),
    ],
    .endpoint: [
      ("path", ["url", "uri", "route", "endpoint", "pattern"]), ("method", ["verb", "httpmethod"]),
      ("params", ["query", "queryparams", "parameters", "requestparams", "args"]),
      ("paginate", ["pagination", "paging", "pager", "paginator", "pages"]),
      (
        "records",
        ["record", "dataselector", "selector", "recordpath", "recordselector", "results", "data", "response"]
      ),
      ("for_each", ["foreach", "parent", "parents", "partition", "each"]),
      ("incremental", ["cursor", "sync", "since"]), ("body", ["json", "payload"]),
    ],
    .paginate: [
      ("by", ["type", "kind", "mode", "strategy", "style"]),
      ("from", ["cursorpath", "next", "nextpath", "nexturl", "nexturlpath", "path", "cursor", "cursorfrom", "token"]),
      ("param", ["parameter", "pageparam", "cursorparam", "offsetparam", "paramname", "name"]),
      ("size", ["pagesize", "perpage", "limit", "batchsize"]),
      ("size_param", ["sizeparameter", "limitparam", "pagesizeparam"]),
      ("has_more", ["more", "hasnext", "hasmorepath", "hasnextpage"]), ("total", ["totalpath", "totalcount", "count"]),
      ("total_pages", ["pages", "pagecount", "lastpage"]),
      ("start", ["startpage", "initial", "first", "basepage", "startfrom"]),
      ("stop_when", ["stop", "stopcondition", "until", "end"]),
      ("max_pages", ["maxpage", "maximumpages", "pagelimit"]),
      ("step", ["increment"]), ("in", ["injectinto", "location"]),
    ],
    .incremental: [
      ("column", ["cursorfield", "cursorpath", "field", "cursor", "key", "cursorcolumn"]),
      ("param", ["parameter", "since", "name"]),
      ("start", ["initialvalue", "startdate", "from", "initial"]), ("until_param", ["endparam", "until", "to"]),
      ("lookback", ["overlap", "lookbackwindow", "lag"]), ("slice", ["step", "window"]),
      ("end", ["endvalue", "enddate"]),
    ],
    .retry: [
      ("attempts", ["max", "maxattempts", "count", "retries", "maxretries", "times"]),
      ("wait", ["delay", "interval", "initialwait", "sleep"]), ("max_wait", ["maxdelay", "maxinterval", "cap"]),
    ],
    .errorRule: [
      ("when", ["if", "condition", "body"]), ("action", ["do", "then"]), ("message", ["error", "errormessage"]),
      ("status", ["statuscode", "httpstatus", "statuses"]),
    ],
    .store: [("url", ["path", "file", "database", "dsn", "connection", "uri"])],
    .test: [
      ("response", ["file", "sample", "fixture", "input"]), ("expect", ["expected", "rows", "then", "tables"]),
    ],
  ]

  static let hints: [MapKind: [String: String]] = [
    .auth: [
      "type":
        "the kind of authorization is a key, with its parts below it: 'auth: {bearer: {token: \"${secret.TOKEN}\"}}'",
      "header": "it stands below 'api_key': {api_key: {header: X-Api-Key, value: \"${secret.KEY}\"}}",
      "query": "it stands below 'api_key': {api_key: {query: api_key, value: \"${secret.KEY}\"}}",
      "cookie": "it stands below 'api_key': {api_key: {cookie: NAME, value: \"${secret.KEY}\"}}",
      "value": "it stands below 'api_key', beside 'header', 'query' or 'cookie'",
      "token": "it stands below 'bearer': {bearer: {token: \"${secret.TOKEN}\"}}",
      "username": "it stands below 'basic': {basic: {username: …, password: \"${secret.PASSWORD}\"}}",
      "password": "it stands below 'basic': {basic: {username: …, password: \"${secret.PASSWORD}\"}}",
    ],
    .field: [
      "primarykey": "the record names its key: 'key: COLUMN', beside 'fields'",
      "key": "the record names its key: 'key: COLUMN', beside 'fields'",
      "primary": "the record names its key: 'key: COLUMN', beside 'fields'",
      "pk": "the record names its key: 'key: COLUMN', beside 'fields'",
      "nullable": "a column takes null unless it is a key; 'required: true' refuses null and missing",
      "null": "a column takes null unless it is a key; 'required: true' refuses null and missing",
      "unique": "write 'index: unique'", "enum": "write 'check: {one_of: […]}'",
      "values": "write 'check: {one_of: […]}'",
      "min": "it stands below 'check': {check: {min: 0}}", "max": "it stands below 'check': {check: {max: 100}}",
      "length": "it stands below 'check': {check: {length: {max: 80}}}",
      "regex": "write 'check: {pattern: …}', or 'transform: [{extract: …}]'", "onerror": "did you mean 'on_invalid'?",
    ],
  ]

  // MARK: values

  /// How a part of `auth` that is written as one text is written whole.
  static func whole(_ kind: MapKind, instead text: String) -> String? {
    let text = text.isEmpty ? "…" : "\"\(text)\""
    switch kind {
    case .bearer: return "write {token: \(text)}"
    case .apiKey: return "write {header: X-Api-Key, value: \(text)}"
    case .basic, .digest: return "write {username: …, password: \"${secret.PASSWORD}\"}"
    case .paginate: return "write {by: page, param: page, start: 1}, or another 'by'"
    default: return nil
    }
  }

  /// A key path in the notation of JSONPath.
  static func keyPath(_ text: String) -> String? {
    if text.utf8.elementsEqual("$".utf8) { return "the value itself is '.'" }
    let rest = text.dropFirst()
    guard text.hasPrefix("$."), rest.count > 1 || text.hasPrefix("$["), !rest.hasPrefix("..") else {
      return text.hasPrefix("$[") ? "leave out the '$': '\(rest)'" : nil
    }
    return "leave out '$.': '\(rest.dropFirst())'"
  }
}
