import Diagnostics
import JSONReading
import MarkedYAML
import Values

/// A map of a known kind, read key by key.
///
/// What cannot be read is nil, silently: `StructureCheck` has reported it. Only keys of `LanguageTable` can be asked for.
struct MapView {
  let kind: MapKind
  let entries: [YAMLEntry]
  let span: SourceSpan

  init?(_ node: YAMLNode?, as kind: MapKind) {
    guard let node, case .mapping(let entries) = node.content else { return nil }
    self.init(entries, span: node.span, as: kind)
  }

  init(_ entries: [YAMLEntry], span: SourceSpan, as kind: MapKind) {
    self.entries = entries
    self.span = span
    self.kind = kind
  }

  func entry(_ key: String) -> YAMLEntry? {
    // In debug builds alone: it is asked for each key of each map.
    assert(LanguageTable.declares(key, of: kind), "a reader asks for a key that the table does not declare")
    return entries.first { $0.key.text.isSame(as: key) }
  }

  /// Does an unknown key look like this one? Then it is not missing, but misspelt.
  func hasMisspelt(_ key: String) -> Bool {
    let known = LanguageTable.keys(of: kind).map(\.name)
    return entries.contains { NearestName.meant(by: $0.key.text, among: known)?.isSame(as: key) ?? false }
  }

  func has(_ key: String) -> Bool { entry(key) != nil }
  func node(_ key: String) -> YAMLNode? { entry(key)?.value }
  func map(_ key: String, as kind: MapKind) -> MapView? { MapView(node(key), as: kind) }
  func scalar(_ key: String) -> Located<YAMLScalar>? { node(key)?.scalar }

  func text(_ key: String) -> Located<String>? { node(key)?.plainText }
  func literal(_ key: String) -> Located<Literal>? { node(key)?.literal }
  func template(_ key: String) -> Located<Template>? { node(key)?.template }
  func keyPath(_ key: String) -> Located<KeyPath>? { node(key)?.keyPath }
  func keyPaths(_ key: String) -> [Located<KeyPath>] { list(key).compactMap(\.keyPath) }
  func duration(_ key: String) -> Duration? { text(key).flatMap { Quantity.duration($0.value) } }
  func size(_ key: String) -> Int? { text(key).flatMap { Quantity.size($0.value) } }

  func condition(_ key: String) -> Located<Condition>? {
    guard let node = node(key), let condition = ConditionReader.condition(node) else { return nil }
    return Located(condition, at: node.span)
  }

  func boolean(_ key: String) -> Bool? {
    guard case .boolean(let value) = scalar(key)?.value.core else { return nil }
    return value
  }

  func integer(_ key: String) -> Int? { node(key)?.integer }

  /// A word of an enumeration; where a word is expected, a YAML null is the word `null`.
  func word<Word: RawRepresentable<String>>(_ key: String, as type: Word.Type) -> Located<Word>? {
    guard let scalar = scalar(key), let word = Word(rawValue: scalar.value.isNull ? "null" : scalar.value.text)
    else { return nil }
    return Located(word, at: scalar.span)
  }

  /// The items of a list; one value is a list of one.
  func list(_ key: String) -> [YAMLNode] { node(key)?.items ?? [] }

  /// The entries of a map whose keys are names.
  func dictionary(_ key: String) -> [YAMLEntry] {
    guard case .mapping(let entries) = node(key)?.content else { return [] }
    return entries
  }
}

extension YAMLNode {
  var scalar: Located<YAMLScalar>? {
    guard case .scalar(let scalar) = content else { return nil }
    return Located(scalar, at: span)
  }

  var isNull: Bool { scalar?.value.isNull ?? false }

  /// The text of any scalar but null.
  var plainText: Located<String>? {
    guard let scalar, !scalar.value.isNull else { return nil }
    return Located(scalar.value.text, at: span)
  }

  var literal: Located<Literal>? { scalar.map { Located($0.value.literal, at: span) } }

  var integer: Int? {
    guard let scalar, scalar.value.core == .integer else { return nil }
    return Int(scalar.value.text)
  }

  var template: Located<Template>? {
    guard let scalar, !scalar.value.isNull,
      let template = try? TemplateReader.read(scalar.value.text, core: scalar.value.literal)
    else { return nil }
    return Located(template, at: span)
  }

  var keyPath: Located<KeyPath>? {
    guard let text = plainText, let path = try? KeyPath.parse(text.value) else { return nil }
    return Located(path, at: span)
  }

  /// The items of a list; anything else is a list of one.
  var items: [YAMLNode] {
    if case .sequence(let items) = content { return items }
    return [self]
  }
}
