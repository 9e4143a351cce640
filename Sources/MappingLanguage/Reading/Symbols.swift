import Diagnostics
import MarkedYAML
import Records

/// The names that a whole mapping declares, collected before anything is checked.
struct Symbols {
  let records: NearestName.Index
  let endpoints: NearestName.Index
  let variables: NearestName.Index
  private var recordKeys: Set<NameKey> = []
  private var endpointKeys: Set<NameKey> = []
  private var variableTypes: [NameKey: ColumnType?] = [:]

  init(_ sections: MergedSections) {
    func names(_ section: String) -> NearestName.Index {
      NearestName.Index(sections.entries(of: section).map(\.key.text))
    }
    (records, endpoints, variables) = (names("records"), names("endpoints"), names("variables"))
    for entry in sections.entries(of: "records") {
      recordKeys.insert(NameKey(entry.key.text))
    }
    for entry in sections.entries(of: "endpoints") {
      endpointKeys.insert(NameKey(entry.key.text))
    }
    for entry in sections.entries(of: "variables") {
      variableTypes[NameKey(entry.key.text)] = .some(Self.type(of: entry.value))
    }
  }

  private static func type(of node: YAMLNode) -> ColumnType? {
    MapView(node, as: .variable)?.word("type", as: ColumnType.self)?.value
  }

  func hasRecord(_ name: String) -> Bool { recordKeys.contains(NameKey(name)) }
  /// `Record` or `Record.column`; the name of a record may hold dots itself. Nil when no record bears the name.
  func reference(_ text: Located<String>) -> ReferenceDeclaration? {
    if hasRecord(text.value) { return ReferenceDeclaration(record: text) }
    let bytes = Array(text.value.utf8)
    for dot in bytes.indices.reversed() where bytes[dot] == UInt8(ascii: ".") {
      let name = String(decoding: bytes[..<dot], as: UTF8.self)
      guard hasRecord(name) else { continue }
      let column = String(decoding: bytes[(dot + 1)...], as: UTF8.self)
      return ReferenceDeclaration(record: Located(name, at: text.span), column: Located(column, at: text.span))
    }
    return nil
  }

  func hasEndpoint(_ name: String) -> Bool { endpointKeys.contains(NameKey(name)) }
  func hasVariable(_ name: String) -> Bool { variableTypes[NameKey(name)] != nil }

  /// The type that a variable says; nil also for an unknown one.
  func type(ofVariable name: String) -> ColumnType? { variableTypes[NameKey(name)] ?? nil }
}
