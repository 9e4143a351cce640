/// The mapping language: which keys each kind of map has.
///
/// Reading, checking, suggestions and the reference page come from here; a key that is not here does not exist.
package enum LanguageTable {
  package static func keys(of kind: MapKind) -> [KeySpec] {
    switch kind {
    case .mapping: sections
    case .source: source
    case .retry: retry
    case .limits: limits
    case .tls: tls
    case .auth: auth
    case .apiKey: apiKey
    case .basic: basic
    case .bearer: bearer
    case .digest: digest
    case .oauth2: oauth2
    case .session: session
    case .sessionSend: sessionSend
    case .awsSigV4: awsSigV4
    case .variable: variable
    case .record: record
    case .inlineRecord: inlineRecord
    case .types: types
    case .sweep: sweep
    case .index: index
    case .switchCase: switchCase
    case .field: field
    case .transform: transform
    case .check: check
    case .length: length
    case .relationship: relationship
    case .conditionTest: conditionTest
    case .endpoint: endpoint
    case .place: place
    case .body: body
    case .paginate: paginate
    case .incremental: incremental
    case .forEach: forEach
    case .cache: cache
    case .errorRule: errorRule
    case .wait: wait
    case .store: store
    case .test: test
    case .expectation: expectation
    case .expectedTable: expectedTable
    case .expectedError: expectedError
    }
  }

  package static func key(_ name: String, of kind: MapKind) -> KeySpec? { byName[kind]?[NameKey(name)] }

  /// Is there such a key? For the keys that readers ask for, which are ASCII.
  static func declares(_ name: String, of kind: MapKind) -> Bool { names[kind]?.contains(name) ?? false }

  private static let names = Dictionary(
    uniqueKeysWithValues: MapKind.allCases.map { kind in (kind, Set(keys(of: kind).map(\.name))) })

  private static let byName = Dictionary(
    uniqueKeysWithValues: MapKind.allCases.map { kind in
      (kind, Dictionary(keys(of: kind).map { (NameKey($0.name), $0) }, uniquingKeysWith: { first, _ in first }))
    })

  static let sections: [KeySpec] = [
    KeySpec("ingest", .version, "the version of the mapping language", example: "1", required: true),
    KeySpec(
      "include", .oneOrMany(.text), "other YAML files, relative to this one, whose sections are merged",
      example: "[records.yaml]"),
    KeySpec("source", .map(.source), "the API as a whole", example: "{name: shop}"),
    KeySpec(
      "variables", .optional(.dictionary(.name("variable"), of: .optional(.either([.literal, .map(.variable)])))),
      "values that a run may set, by name", example: "{city: Lima}"),
    KeySpec(
      "records", .optional(.dictionary(.name("record"), of: .map(.record))),
      "records by name: fields, relationships, identity, table", example: "{User: {key: id, fields: [id]}}"),
    KeySpec(
      "endpoints", .optional(.dictionary(.name("endpoint"), of: .map(.endpoint))),
      "endpoints by name: path patterns, and the places of records in their responses",
      example: "{users: {path: /users, records: {.: User}}}"),
    KeySpec(
      "errors", .optional(.list(of: .map(.errorRule))), "what answers count as errors, and what follows",
      example: "[{status: 4xx, message: message}]"),
    KeySpec("store", .map(.store), "where rows go", example: "{url: 'sqlite:shop.db'}"),
    KeySpec(
      "tests", .optional(.list(of: .map(.test))), "bodies, and the rows that they must become",
      example: "[{name: a, path: /users, body: [], expect: {users: []}}]"),
  ]
}
