import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler
import Values

/// What goes into a request before its URL is put together: paging sets its parameters here.
struct RequestDraft {
  var method: String
  /// Of the query.
  var parameters: [(name: String, value: String)]
  /// Those of them that hold a secret.
  var credentials: [(name: String, value: String)]
  var headers: [HTTPHeader]
  var body: BodyDeclaration?

  /// Adds parameters to the query; earlier ones of their names go.
  mutating func override(with more: [(name: String, value: String)]) {
    parameters.removeAll { old in more.contains { $0.name.utf8.elementsEqual(old.name.utf8) } }
    parameters += more
  }

  /// Sets what paging asks for, in the place of what is there.
  mutating func set(_ parameter: PageParameter, to value: Literal) {
    switch parameter {
    case .query(let name): override(with: [(name, value.plainText)])
    case .header(let name):
      headers.removeAll { $0.isNamed(name) }
      headers.append(HTTPHeader(name, value.plainText))
    case .field(let name): setField(name, to: value)
    case .member(let path):
      guard case .json(let template)? = body?.content, let set = template.setting(path.steps, to: .constant(value))
      else {
        preconditionFailure("the reader takes places only that the body has")
      }
      body?.content = .json(set)
    }
  }

  private mutating func setField(_ name: String, to value: Literal) {
    guard case .form(var fields)? = body?.content else { preconditionFailure("the reader takes fields of a form only") }
    let values = [Template(constant: value)]
    if let index = fields.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      fields[index].values = values
    } else {
      fields.append(FormField(name: name, values: values))
    }
    body?.content = .form(fields)
  }
}
