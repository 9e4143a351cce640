/// `body` of a request.
package enum BodyDeclaration: Sendable {
  case json(JSONTemplate)
  case form([FormField])
  case text(Template)

  /// What is interpolated into it.
  package var templates: [Template] {
    switch self {
    case .json(let template): template.scalars
    case .form(let fields): fields.flatMap(\.values)
    case .text(let template): [template]
    }
  }

  /// The media type that it is sent as.
  package var contentType: String {
    switch self {
    case .json: "application/json"
    case .form: "application/x-www-form-urlencoded"
    case .text: "text/plain; charset=utf-8"
    }
  }
}

/// A field of a form; a list repeats it, null leaves it out.
package struct FormField: Sendable {
  package var name: String
  /// Empty for null.
  package var values: [Template]

  package init(name: String, values: [Template]) {
    self.name = name
    self.values = values
  }
}
