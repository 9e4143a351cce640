import MarkedYAML
import Values

/// Reads what a field says of its values, and notes where each part of it stands.
enum ConversionReader {
  static func fill(_ field: inout FieldDeclaration, from view: MapView) {
    for format in view.list("format").compactMap(\.plainText) {
      field.conversionSpans[.format(field.conversion.formats.count)] = format.span
      field.conversion.formats.append(format.value)
    }
    if let zone = view.text("timezone") {
      field.conversion.timeZone = zone.value
      field.conversionSpans[.timeZone] = zone.span
    }
    for item in view.list("transform") {
      guard let (transform, node) = transform(item) else { continue }
      field.conversionSpans[.transform(field.conversion.transforms.count)] = node.span
      field.conversion.transforms.append(transform)
    }
    if view.has("map") {
      var table: [(from: Literal, to: Literal)] = []
      for entry in view.dictionary("map") {
        guard let value = entry.value.literal else { continue }
        field.conversionSpans[.mapValue(table.count)] = value.span
        table.append((from: entry.key.literal, to: value.value))
      }
      field.conversion.map = table
    }
    if let other = view.literal("map_else") {
      field.conversion.mapElse = other.value
      field.conversionSpans[.mapElse] = other.span
    }
    if let check = view.map("check", as: .check) { self.check(check, &field) }
  }

  /// The transform, and the node that a fault in it is reported at.
  private static func transform(_ item: YAMLNode) -> (Transform, YAMLNode)? {
    if let word = item.plainText { return simple(word.value).map { ($0, item) } }
    guard case .mapping(let entries) = item.content, entries.count == 1, let entry = entries.first else { return nil }
    let value = entry.value
    if entry.key.text.isSame(as: "replace") {
      let parts = value.items
      guard parts.count == 2, let pattern = parts[0].plainText, let with = parts[1].plainText else { return nil }
      return (.replace(pattern: pattern.value, with: with.value), parts[0])
    }
    if entry.key.text.isSame(as: "shift") { return value.integer.map { (.shift($0), value) } }
    guard let text = value.plainText?.value else { return nil }
    switch entry.key.text {
    case "extract": return (.extract(text), value)
    case "split": return (.split(text), value)
    case "prefix": return (.prefix(text), value)
    case "suffix": return (.suffix(text), value)
    default: return nil
    }
  }

  private static func simple(_ word: String) -> Transform? {
    switch word {
    case "trim": .trim
    case "lowercase": .lowercase
    case "uppercase": .uppercase
    case "strip_html": .stripHTML
    case "url_decode": .urlDecode
    case "squeeze": .squeeze
    default: nil
    }
  }

  private static func check(_ view: MapView, _ field: inout FieldDeclaration) {
    var check = Check()
    if let min = view.literal("min") {
      check.min = min.value
      field.conversionSpans[.checkMin] = min.span
    }
    if let max = view.literal("max") {
      check.max = max.value
      field.conversionSpans[.checkMax] = max.span
    }
    if let pattern = view.text("pattern") {
      check.pattern = pattern.value
      field.conversionSpans[.checkPattern] = pattern.span
    }
    if let length = view.node("length") {
      field.conversionSpans[.checkLength] = length.span
      if let exact = length.integer { (check.minLength, check.maxLength) = (exact, exact) }
      if let bounds = MapView(length, as: .length) {
        (check.minLength, check.maxLength) = (bounds.integer("min"), bounds.integer("max"))
      }
    }
    if view.has("one_of") {
      var values: [Literal] = []
      for value in view.list("one_of").compactMap(\.literal) {
        field.conversionSpans[.checkOneOf(values.count)] = value.span
        values.append(value.value)
      }
      check.oneOf = values
    }
    field.conversion.check = check
  }
}
