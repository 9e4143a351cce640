import Diagnostics
import MarkedYAML
import Records

/// The names that a whole mapping declares, collected before anything is checked.
struct Symbols {
  private(set) var records: [String] = []
  private(set) var endpoints: [String] = []
  private(set) var variables: [String] = []
  private var recordKeys: Set<NameKey> = []
  private var endpointKeys: Set<NameKey> = []
  private var variableTypes: [NameKey: ColumnType?] = [:]

  init(_ sections: MergedSections) {
    for entry in sections.entries(of: "records") {
      records.append(entry.key.text)
      recordKeys.insert(NameKey(entry.key.text))
    }
    for entry in sections.entries(of: "endpoints") {
      endpoints.append(entry.key.text)
      endpointKeys.insert(NameKey(entry.key.text))
    }
    for entry in sections.entries(of: "variables") {
      variables.append(entry.key.text)
      variableTypes[NameKey(entry.key.text)] = .some(Self.type(of: entry.value))
    }
  }

  private static func type(of node: YAMLNode) -> ColumnType? {
    MapView(node, as: .variable)?.word("type", as: ColumnType.self)?.value
  }

  func hasRecord(_ name: String) -> Bool { recordKeys.contains(NameKey(name)) }
  func hasEndpoint(_ name: String) -> Bool { endpointKeys.contains(NameKey(name)) }
  func hasVariable(_ name: String) -> Bool { variableTypes[NameKey(name)] != nil }

  /// The type that a variable says; nil also for an unknown one.
  func type(ofVariable name: String) -> ColumnType? { variableTypes[NameKey(name)] ?? nil }
}
