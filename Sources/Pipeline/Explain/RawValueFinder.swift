import Diagnostics
import JSONReading
import MappingLanguage

/// Finds what stood in a body where a field's key paths lead.
struct RawValueFinder {
  /// JSON, minified; nil when it was missing.
  private(set) var text: String?
  /// JSON pointer in the body, or the name of a value around the record; nil where there is no single place.
  private(set) var place: String?

  private(set) var isRead = true

  /// Values of this length are shown whole.
  private static let limit = 2000

  init(_ field: FieldDeclaration, in sighting: Sighting) {
    guard case .paths(let paths) = field.source else {
      place = sighting.pointer
      if case .jq = field.source { text = Self.shown(sighting.record) } else { isRead = false }
      return
    }
    let record = try? JSONDocument(sighting.record)
    let context = sighting.context.flatMap { try? JSONDocument(Array($0.utf8)) }
    defer { withExtendedLifetime((record, context)) {} }
    for path in paths.map(\.value) {
      let found = path.origin == .value ? record.map { path.evaluate(on: $0.root) } : Self.around(path, context)
      guard let found, let text = Self.text(of: found), text != "null" || path == paths.last?.value else { continue }
      self.text = text
      place = path.origin == .value ? record.map { sighting.pointer + Self.pointer(path, on: $0.root) } : path.text
      return
    }
  }

  private static func around(_ path: KeyPath, _ context: JSONDocument?) -> KeyPathLookup? {
    context?.root.member(named: JSONName(path.text)).map { .value($0) }
  }

  /// Nil for what is missing, or no value.
  private static func text(of found: KeyPathLookup) -> String? {
    switch found {
    case .missing, .wrongShape: return nil
    case .value(let value): return shown(value)
    case .projection(let values):
      return shown(Array("[\(values.map { $0.map(shown) ?? "null" }.joined(separator: ","))]".utf8))
    }
  }

  private static func shown(_ value: JSONValue) -> String {
    var text: [UInt8] = []
    value.appendMinified(to: &text)
    return shown(text)
  }

  private static func shown(_ text: [UInt8]) -> String {
    let whole = String(decoding: text, as: UTF8.self)
    guard text.count > limit else { return whole }
    return "\(whole.prefix(limit))… (\(text.count) bytes)"
  }

  /// As far as it leads to one place.
  private static func pointer(_ path: KeyPath, on record: JSONValue) -> String {
    var steps: [RecordPosition.Step] = []
    var value: JSONValue? = record
    for step in path.steps {
      switch step {
      case .member(let name):
        steps.append(.member(name))
        value = value?.member(named: name)
      case .element(let number):
        steps.append(.element(number < 0 ? number + (value?.count ?? 0) : number))
        value = value?.element(number)
      case .eachElement, .eachMember: return JSONPointer(steps).description
      }
    }
    return JSONPointer(steps).description
  }
}
