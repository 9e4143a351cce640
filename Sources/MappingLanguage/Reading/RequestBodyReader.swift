import MarkedYAML

/// Reads `body` of a request.
enum RequestBodyReader {
  /// Nil where there is none, or it cannot be read, which was reported.
  static func body(_ view: MapView?) -> BodyDeclaration? {
    guard let view, view.entries.count == 1 else { return nil }
    if let json = view.node("json") { return JSONTemplate(json).map { .json($0) } }
    if view.has("form") {
      return .form(
        SourceReader.params(view, key: "form").map { FormField(name: $0.name.value, values: $0.values.map(\.value)) })
    }
    return view.template("text").map { .text($0.value) }
  }
}
