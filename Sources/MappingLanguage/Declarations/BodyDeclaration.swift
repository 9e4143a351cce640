/// `body` of a request.
package struct BodyDeclaration: Sendable {
  package enum Content: Sendable {
    case json(JSONTemplate)
    case form([FormField])
    case text(Template)
  }

  package var content: Content
  /// All that is interpolated into it, as written.
  package var templates: [Located<Template>]

  package init(_ content: Content, templates: [Located<Template>]) {
    self.content = content
    self.templates = templates
  }

  /// The media type that it is sent as.
  package var contentType: String {
    switch content {
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
