/// The kinds of maps that a mapping consists of. `LanguageTable` says which keys each of them has.
package enum MapKind: String, CaseIterable, Sendable {
  case mapping, source, retry, limits, tls
  case auth, apiKey, basic, bearer, digest, oauth2, session, sessionSend, awsSigV4
  case variable
  case record, inlineRecord, types, sweep, index, switchCase, field, transform, check, length
  case relationship
  case conditionTest
  case endpoint, place, body, paginate, incremental, forEach, cache
  case errorRule, wait
  case store
  case test, expectation, expectedTable, expectedError

  /// What it is called in a message: "unknown key 'x' in …".
  package var title: String {
    switch self {
    case .mapping: "a mapping"
    case .source: "'source'"
    case .retry: "'retry'"
    case .limits: "'limits'"
    case .tls: "'tls'"
    case .auth: "'auth'"
    case .apiKey: "'api_key'"
    case .basic: "'basic'"
    case .bearer: "'bearer'"
    case .digest: "'digest'"
    case .oauth2: "'oauth2'"
    case .session: "'session'"
    case .sessionSend: "'send'"
    case .awsSigV4: "'aws_sigv4'"
    case .variable: "a variable"
    case .record: "a record"
    case .inlineRecord: "an inline record"
    case .types: "'types'"
    case .sweep: "'sweep'"
    case .index: "an index"
    case .switchCase: "a case of 'switch'"
    case .field: "a field"
    case .transform: "a transform"
    case .check: "'check'"
    case .length: "'length'"
    case .relationship: "a relationship"
    case .conditionTest: "a condition"
    case .endpoint: "an endpoint"
    case .place: "a place"
    case .body: "'body'"
    case .paginate: "'paginate'"
    case .incremental: "'incremental'"
    case .forEach: "'for_each'"
    case .cache: "'cache'"
    case .errorRule: "an error rule"
    case .wait: "'wait'"
    case .store: "'store'"
    case .test: "a test"
    case .expectation: "'expect'"
    case .expectedTable: "an expected table"
    case .expectedError: "'error'"
    }
  }
}
