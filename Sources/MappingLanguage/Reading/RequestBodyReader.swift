import MarkedYAML

/// Reads `body` of a request.
enum RequestBodyReader {
  /// Nil where there is none, or it cannot be read, which was reported.
  static func body(_ view: MapView?) -> BodyDeclaration? {
    guard let view, view.entries.count == 1 else { return nil }
    if let json = view.node("json") {
      return JSONTemplate(json).map { BodyDeclaration(.json($0), templates: scalars(json)) }
    }
    if view.has("form") {
      let fields = SourceReader.params(view, key: "form")
      return BodyDeclaration(
        .form(fields.map { FormField(name: $0.name.value, values: $0.values.map(\.value)) }),
        templates: fields.flatMap(\.values))
    }
    return view.template("text").map { BodyDeclaration(.text($0.value), templates: [$0]) }
  }

  /// The scalars of a value. Depth is bounded by the YAML reader.
  private static func scalars(_ node: YAMLNode) -> [Located<Template>] {
    switch node.content {
    case .scalar: node.template.map { [$0] } ?? []
    case .sequence(let items): items.flatMap(scalars)
    case .mapping(let entries): entries.flatMap { scalars($0.value) }
    }
  }
}
