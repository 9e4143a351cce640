import Diagnostics
import MappingLanguage
import Testing

/// A key of the table, with a mapping around it.
struct KeyInPlace: Sendable, CustomStringConvertible {
  let kind: MapKind
  let spec: KeySpec

  var description: String { "\(kind.rawValue).\(spec.name)" }

  static let all = MapKind.allCases.flatMap { kind in
    LanguageTable.keys(of: kind).map { KeyInPlace(kind: kind, spec: $0) }
  }

  /// The smallest mapping that has the key: the frame of its kind, the frame's other keys, and the example.
  var mapping: String {
    guard let frame = Self.frames[kind] else { return "" }
    let others = (isOfRows ? Self.ofRows : frame.others).filter { $0.key != spec.name && !excluded.contains($0.key) }
    let entries = (others.map { "\($0.key): \($0.value)" } + ["'\(spec.name)': \(spec.example)"]).joined(
      separator: ", ")
    let sections = frame.text.contains("HERE") ? frame.text.replacing("HERE", with: "{\(entries)}") : frame.text
    var text = kind == .mapping ? "" : "ingest: 1\n"
    if kind == .mapping {
      for (name, value) in frame.others where name != spec.name { text += "\(name): \(value)\n" }
      return text + "\(spec.name): \(spec.example)\n"
    }
    let user = "User: {table: users, key: id, fields: [id]}"
    text += sections.hasPrefix("records:") ? "" : "records: {\(user)}\n"
    text += sections.hasPrefix("endpoints:") ? "" : "endpoints: {users: {path: /users, records: {users: User}}}\n"
    text += sections.hasPrefix("source:") ? "" : "source: {name: shop}\n"
    return text + sections.replacing("USER", with: user)
  }

  /// Of `for_each`: the key is about stored rows, not about a list of values.
  private var isOfRows: Bool { kind == .forEach && ["record", "where"].contains(spec.name) }
  private static let ofRows: KeyValuePairs = ["record": "User", "bind": "{x: id}"]

  /// Keys of the frame that cannot stand beside this one.
  private var excluded: [String] {
    switch (kind, spec.name) {
    case (.apiKey, "header"), (.apiKey, "cookie"): ["query"]
    case (.sessionSend, "query"): ["header"]
    case (.test, "path"): ["endpoint"]
    case (.test, "response"): ["body"]
    case (.record, "write"): ["key"]
    case (.record, "switch"): ["key", "fields"]
    case (.switchCase, "else"): ["when", "record"]
    case (.field, "references"): ["type", "default", "map"]
    default: []
    }
  }

  private struct Frame {
    let text: String
    var others: KeyValuePairs<String, String> = [:]
  }

  private static let frames: [MapKind: Frame] = [
    .mapping: Frame(
      text: "",
      others: [
        "ingest": "1", "source": "{name: shop}", "records": "{User: {table: users, key: id, fields: [id]}}",
        "endpoints": "{users: {path: /users, records: {users: User}}}",
      ]),
    .source: Frame(text: "source: HERE", others: ["name": "shop"]),
    .retry: Frame(text: "source: {name: shop, retry: HERE}"),
    .limits: Frame(text: "source: {name: shop, limits: HERE}"),
    .auth: Frame(text: "source: {name: shop, auth: HERE}"),
    .apiKey: Frame(text: "source: {name: shop, auth: {api_key: HERE}}", others: ["query": "a", "value": "'${env.A}'"]),
    .basic: Frame(
      text: "source: {name: shop, auth: {basic: HERE}}", others: ["username": "a", "password": "'${env.A}'"]),
    .bearer: Frame(text: "source: {name: shop, auth: {bearer: HERE}}", others: ["token": "'${env.A}'"]),
    .variable: Frame(text: "variables: {v: HERE}\nstore: {url: 'sqlite:${v}'}"),
    .record: Frame(text: "records: {USER, Thing: HERE}", others: ["key": "id", "fields": "[id, n, updated_at]"]),
    .inlineRecord: Frame(
      text: "records: {User: {table: users, key: id, fields: [id], relationships: {tags: [HERE]}}}",
      others: ["fields": "[id, n]"]),
    .types: Frame(text: "records: {User: {table: users, key: id, fields: [id], types: HERE}}"),
    .field: Frame(
      text: "records: {USER, Pet: {key: id, fields: {id: , n: HERE}}}",
      others: ["type": "date", "map": "{}", "default": "5"]),
    .transform: Frame(text: "records: {User: {table: users, key: id, fields: {id: {transform: [HERE]}}}}"),
    .check: Frame(text: "records: {User: {table: users, key: id, fields: {id: {check: HERE}}}}"),
    .length: Frame(text: "records: {User: {table: users, key: id, fields: {id: {check: {length: HERE}}}}}"),
    .relationship: Frame(
      text: "records: {User: {table: users, key: id, fields: [id], relationships: {users: HERE}}}",
      others: ["record": "[User]"]),
    .conditionTest: Frame(text: "errors: [{when: {a: HERE}}]"),
    .endpoint: Frame(text: "endpoints: {users: HERE}", others: ["path": "/users", "records": "{users: User}"]),
    .place: Frame(text: "endpoints: {users: {path: /users, records: {users: HERE}}}", others: ["record": "User"]),
    .paginate: Frame(
      text: "endpoints: {users: {path: /users, records: {users: User}, paginate: HERE}}",
      others: ["by": "page", "param": "page", "start": "1", "size": "5"]),
    .errorRule: Frame(text: "errors: [HERE]", others: ["status": "429"]),
    .wait: Frame(text: "errors: [{status: 429, action: retry, wait: HERE}]"),
    .store: Frame(text: "store: HERE"),
    .test: Frame(
      text: "tests: [HERE]", others: ["name": "a", "endpoint": "users", "body": "[]", "expect": "{users: []}"]),
    .expectation: Frame(text: "tests: [{name: a, endpoint: users, body: [], expect: HERE}]"),
    .expectedTable: Frame(text: "tests: [{name: a, endpoint: users, body: [], expect: {users: HERE}}]"),
    .expectedError: Frame(text: "tests: [{name: a, endpoint: users, body: [], error: HERE}]"),
    .tls: Frame(text: "source: {name: shop, tls: HERE}", others: ["cert": "client.pem"]),
    .digest: Frame(
      text: "source: {name: shop, auth: {digest: HERE}}", others: ["username": "a", "password": "'${env.A}'"]),
    .oauth2: Frame(
      text: "source: {name: shop, auth: {oauth2: HERE}}",
      others: [
        "grant": "client_credentials", "token_url": "/token", "client_id": "a", "client_secret": "'${env.A}'",
      ]),
    .session: Frame(
      text: "source: {name: shop, auth: {session: HERE}}",
      others: [
        "path": "/login", "token": "token", "send": "{header: X-Token}", "headers": "{X-User: '${env.A}'}",
      ]),
    .sessionSend: Frame(
      text: "source: {name: shop, auth: {session: {path: /login, token: token, send: HERE}}}", others: ["header": "X-T"]
    ),
    .awsSigV4: Frame(
      text: "source: {name: shop, auth: {aws_sigv4: HERE}}",
      others: ["access_key": "a", "secret_key": "'${env.A}'", "region": "r", "service": "s"]),
    .sweep: Frame(text: "records: {User: {table: users, key: id, fields: [id], sweep: HERE}}"),
    .index: Frame(
      text: "records: {User: {table: users, key: id, fields: [id], indexes: [HERE]}}", others: ["columns": "[id]"]),
    .switchCase: Frame(text: "records: {A: {switch: [HERE]}, USER}", others: ["when": "{a: 1}", "record": "User"]),
    .body: Frame(text: "endpoints: {users: {path: /users, records: {users: User}, body: HERE}}"),
    .incremental: Frame(
      text: "endpoints: {users: {path: /users, records: {users: User}, incremental: HERE}}",
      others: ["column": "id", "param": "after", "start": "'2024-01-01'", "until_param": "until"]),
    .forEach: Frame(
      text: "endpoints: {users: {path: '/users/:x', records: {users: User}, for_each: HERE}}",
      others: ["values": "[a]", "bind": "x"]),
    .cache: Frame(text: "endpoints: {users: {path: /users, records: {users: User}, cache: HERE}}"),
  ]
}

struct LanguageTableTests {
  @Test(arguments: KeyInPlace.all)
  func `a key is accepted as its example shows it`(_ key: KeyInPlace) {
    let (mapping, diagnostics) = Reading.text(key.mapping, files: ["records.yaml": ""])
    #expect(mapping != nil)
    #expect(
      diagnostics.allSatisfy { $0.code == .unused },
      "\(key.mapping)\n\(DiagnosticPrinter.text(diagnostics, colour: false))")
  }

  @Test(arguments: KeyInPlace.all.filter { !$0.spec.words.isEmpty })
  func `a word that is not in the table is refused`(_ key: KeyInPlace) {
    let isList = key.spec.example.hasPrefix("[")
    let changed = KeyInPlace(kind: key.kind, spec: key.spec.with(example: isList ? "[zzzzz]" : "zzzzz"))
    let codes = Reading.text(changed.mapping).diagnostics.map(\.code)
    #expect(codes.contains(.badValue), "\(changed.mapping)")
  }

  @Test(arguments: MapKind.allCases)
  func `each kind of map has keys, each once, and refuses others`(_ kind: MapKind) throws {
    let names = LanguageTable.keys(of: kind).map(\.name)
    #expect(!names.isEmpty)
    #expect(Set(names).count == names.count)
    // `expect` is the one map whose other keys are names, of tables.
    guard kind != .expectation, kind != .mapping else { return }
    let spec = try #require(LanguageTable.keys(of: kind).first)
    let unknown = KeyInPlace(kind: kind, spec: spec.with(name: "zzzzz"))
    let codes = Reading.text(unknown.mapping).diagnostics.map(\.code)
    #expect(codes.contains(kind == .types ? .unknownType : .unknownKey), "\(unknown.mapping)")
  }

  @Test func `the reference names every key`() {
    let reference = LanguageReference.markdown()
    for key in KeyInPlace.all { #expect(reference.contains("| `\(key.spec.name)` |")) }
  }
}
