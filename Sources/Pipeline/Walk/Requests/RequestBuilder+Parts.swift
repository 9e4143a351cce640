import Diagnostics
import Fetch
import MappingLanguage
import PlanCompiler
import Values

/// The parts of a request, their `${…}` filled in.
extension RequestBuilder {
  func draft(of endpoint: EndpointDeclaration) throws(PipelineError) -> RequestDraft {
    let (parameters, credentials) = try self.parameters(of: endpoint)
    return RequestDraft(
      method: endpoint.method?.value ?? "GET", parameters: parameters, credentials: credentials,
      headers: try headers(of: endpoint), body: endpoint.body)
  }

  /// No path has it, and no value: there it is encoded.
  private static let empty = "\0"

  /// `:name` and `{name}` segments take the variable of that name; every value is one segment, which is not empty: the URL
  /// would be another one, of the collection for instance.
  func path(_ template: Template) throws(PipelineError) -> String {
    let marked = try text(template) { $0.isEmpty ? Self.empty : PercentEncoding.segment($0) }
    for segment in marked.utf8.split(separator: UInt8(ascii: "/")) where segment.allSatisfy({ $0 == 0 }) {
      throw PipelineError(
        "a value in the path is empty, where it is all of a segment: it would be another path, so nothing is asked")
    }
    let joined = String(decoding: marked.utf8.filter { $0 != 0 }, as: UTF8.self)
    let segments = joined.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var result: [String] = []
    for segment in segments.map({ String(Substring($0)) }) {
      guard let name = parameterName(segment) else {
        result.append(segment)
        continue
      }
      if let bound = scope.bound(name) {
        result.append(try Self.segment(bound.plainText, of: name))
        continue
      }
      switch scope.text(of: .variable(name, pattern: nil)) {
      case .text(let value): result.append(try Self.segment(value, of: name))
      case .unresolved, .invalid:
        throw PipelineError(.refused, "the path parameter ':\(name)' has no value: use --set \(name)=…")
      }
    }
    return result.joined(separator: "/")
  }

  private static func segment(_ value: String, of name: String) throws(PipelineError) -> String {
    guard !value.isEmpty else {
      throw PipelineError(
        "the value of the path parameter ':\(name)' is empty: it would be another path, so nothing is asked")
    }
    return PercentEncoding.segment(value)
  }

  private func parameterName(_ segment: String) -> String? {
    if segment.hasPrefix(":"), segment.count > 1 { return String(segment.dropFirst()) }
    if segment.hasPrefix("{"), segment.hasSuffix("}") { return String(segment.dropFirst().dropLast()) }
    return nil
  }

  /// The source's parameters, then the endpoint's, which override by name, in the order written.
  private func parameters(
    of endpoint: EndpointDeclaration
  ) throws(PipelineError) -> (values: [(name: String, value: String)], credentials: [(name: String, value: String)]) {
    let overridden = endpoint.params.map(\.name.value)
    let declared = mapping.source.params.filter { old in
      !overridden.contains { $0.utf8.elementsEqual(old.name.value.utf8) }
    }
    var values: [(name: String, value: String)] = []
    var credentials: [(name: String, value: String)] = []
    for parameter in declared + endpoint.params {
      for template in parameter.values {
        let pair = (parameter.name.value, try text(template))
        values.append(pair)
        if template.value.holdsSecret { credentials.append(pair) }
      }
    }
    return (values, credentials)
  }

  /// The source's headers; the endpoint's override them, names in any letter case.
  private func headers(of endpoint: EndpointDeclaration) throws(PipelineError) -> [HTTPHeader] {
    let own = endpoint.headers.map { $0.value.name.lowercased() }
    let declared = mapping.source.headers.filter { !own.contains($0.value.name.lowercased()) } + endpoint.headers
    var headers: [HTTPHeader] = []
    for header in declared {
      let value = try text(Located(header.value.value, at: header.span))
      headers.append(HTTPHeader(header.value.name, value, isCredential: header.value.value.holdsSecret))
    }
    return headers
  }

  /// A value that is one `${…}` keeps its type in JSON; a form and a text have texts only.
  func bytes(of body: BodyDeclaration) throws(PipelineError) -> [UInt8] {
    switch body.content {
    case .json(let template):
      let text = try template.text { (scalar) throws(PipelineError) in try json(scalar) }
      return Array(text.utf8)
    case .form(let fields):
      var values: [(name: String, value: String)] = []
      for field in fields {
        for template in field.values { values.append((field.name, try text(template))) }
      }
      return Array(URLBuilder.encoded(values).utf8)
    case .text(let template): return Array(try text(template).utf8)
    }
  }

  private func json(_ template: Template) throws(PipelineError) -> String {
    switch scope.literal(of: template) {
    case .literal(let literal): return literal.jsonText
    case .unresolved(let name): throw unresolved(name)
    case .invalid(let message): throw PipelineError(.refused, message)
    }
  }

  func text(_ template: Template, encode: (String) -> String = { $0 }) throws(PipelineError) -> String {
    switch scope.text(of: template, encode: encode) {
    case .text(let text): return text
    case .unresolved(let name): throw unresolved(name)
    case .invalid(let message): throw PipelineError(.refused, message)
    }
  }

  /// What has no value is told with its place.
  func text(_ template: Located<Template>) throws(PipelineError) -> String {
    do throws(PipelineError) {
      return try text(template.value)
    } catch {
      let start = template.span.start
      throw PipelineError(
        error.kind, "\(template.span.file.name):\(start.line):\(start.column): \(error.message)")
    }
  }

  private func unresolved(_ name: String) -> PipelineError {
    PipelineError(.refused, "'\(name)' has no value: \(scope.remedy(name))")
  }
}
