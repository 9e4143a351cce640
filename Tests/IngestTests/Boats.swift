import Ingest
import Synchronization
import TestSupport

/// A mapping of boats with every shape of relationship, and bodies of it.
enum Boats {
  static let yaml = """
    ingest: 1
    source: {name: boats, base_url: 'https://boats.example.test'}
    records:
      Boat:
        key: id
        types:
          integer: id
          date: built
          boolean: sails
          real: length
          decimal: price
          timestamp: seen
          uuid: uid
          url: home
          json: raw
          bytes: badge
        fields:
          - id
          - name
          - {built: meta.built}
          - sails
          - length
          - price
          - seen
          - uid
          - home
          - raw
          - badge
        delete_when: {gone: true}
        relationships:
          crew: [{types: {"*": text}, fields: [name, role]}]
          engine: {fields: [maker]}
          owner: Person
          skipper: Person
          guests: [Person]
          berths: {record: [Berth], via: child}
          extras: [Extra]
      Person: {key: id, types: {integer: [id, age]}, fields: [id, name, age]}
      Berth: {key: code, fields: [code]}
      Extra: {switch: [{when: {kind: sail}, record: Sail}, {when: {kind: oar}, record: Oar}]}
      Sail: {fields: [area]}
      Oar: {fields: [length]}
    endpoints:
      boats: {path: /v1/boats, records: {data.boats: Boat}, paginate: {by: page, param: page, start: 1}}

    """

  static let body = """
    {"data": {"boats": [
      {"id": "12", "name": "Lark", "meta": {"built": "1998-05-01"}, "sails": true, "length": 9.5, "price": "1200.50",
       "seen": "2015-07-04T18:30:00.5+02:00", "uid": "123E4567-E89B-12D3-A456-426614174000",
       "home": "https://lark.example.test/a", "raw": {"a": [1]}, "badge": "AAEC",
       "crew": [{"name": "Ada", "role": "skipper"}, {"name": "Bo", "role": "cook"}], "engine": {"maker": "Volt"},
       "owner": {"id": 1, "name": "Cy"}, "skipper": {"id": 1, "name": "Cy again"},
       "guests": [{"id": 3, "name": "Di"}, {"id": 1, "name": "Cy as a guest"}], "berths": [{"code": "A1"}, {"code": "A2"}],
       "extras": [{"kind": "oar", "length": "3 m"}, {"kind": "sail", "area": 20}, {"kind": "oar", "length": "4 m"}]},
      {"id": 13, "name": null, "crew": [], "owner": null},
      {"id": "x", "name": "Heron"},
      {"id": 14, "gone": true}
    ]}}
    """

  static func mapping() throws -> Mapping { try Mapping(yaml: yaml, name: "boats.yaml") }
}

/// Answers by a function, and keeps what was asked.
final class Answering: Transport {
  private let answer: @Sendable (HTTPRequest, Int) async throws -> HTTPResponse
  private let asked = Mutex<[HTTPRequest]>([])

  /// `answer` gets the request, and how many came before it.
  init(_ answer: @escaping @Sendable (HTTPRequest, Int) async throws -> HTTPResponse) { self.answer = answer }

  var requests: [HTTPRequest] { asked.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let number = asked.withLock { asked in
      asked.append(request)
      return asked.count - 1
    }
    return try await answer(request, number)
  }
}

/// What closures of a run tell, from its threads.
final class Told<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])

  func add(_ value: Value) { list.withLock { $0.append(value) } }

  var values: [Value] { list.withLock { $0 } }
}
