import Diagnostics
import Fetch
import JSONReading
import Mapper
import PlanCompiler
import Store
import Values

/// `archive: true`: raw bodies are kept, each in the transaction of its rows.
extension RunSession {
  /// Keeps an answer that was asked for; `path` is its path below the base URL.
  func archive(_ page: Page, _ context: BodyContext, path: String) throws(StoreError) {
    var response = archived(context, endpoint: plan.endpoints[page.endpoint].name)
    response.method = page.request.method
    response.url = context.url
    response.path = redactor.redact(path)
    response.isRedacted = page.response.isRedacted
    let type = page.response.header("Content-Type").map { ContentType($0) }
    try archive(&response, body: page.response.body, charset: type?.charset)
  }

  /// Keeps an answer that was handed in.
  func archive(_ answer: HandedAnswer, file: String) throws(StoreError) {
    guard store.hasArchive else { return }
    var response = archived(answer.context, endpoint: answer.endpoint.name)
    response.method = answer.method
    response.url = answer.url.map { redactor.redacted(url: $0) }
    response.path = answer.url.map(redactor.redact)
    response.file = file
    try archive(&response, body: ResponseBody(answer.source, count: .max), charset: nil)
  }

  private func archived(_ context: BodyContext, endpoint: String) -> ArchivedResponse {
    let headers = context.headers.filter { !ArchivedValues.isForbidden($0.name) }.map {
      [redactor.redact($0.name), redactor.redact($0.value)]
    }
    return ArchivedResponse(
      endpoint: endpoint, status: context.status, headers: ArchivedValues.json(headers),
      variables: ArchivedValues.text(of: context.variables, by: redactor), fetchedAt: context.fetchedAt)
  }

  private func archive(
    _ response: inout ArchivedResponse, body: ResponseBody, charset: String?
  ) throws(StoreError) {
    guard store.hasArchive else { return }
    let packed: PackedBody
    do throws(FetchError) {
      let redacted = try RedactedBody(body, charset: charset, isJSON: true, by: redactor)
      response.isRedacted = redacted.isAltered || response.isRedacted ?? false
      if redacted.isConverted { response.charset = "utf-8" }
      packed = try PackedBody(redacted.body)
    } catch {
      throw StoreError(.failed, "the body cannot be kept in the archive: \(error.message)")
    }
    try withExtendedLifetime(packed) { () throws(StoreError) in
      try store.archive(response, ArchivedBody(packed))
    }
  }
}

extension ArchivedBody {
  fileprivate init(_ body: PackedBody) {
    switch body.bytes.source {
    case .memory(let bytes): self.init(packed: .memory(bytes), size: body.size)
    case .file(let path): self.init(packed: .file(path, count: body.bytes.count), size: body.size)
    case .stream: preconditionFailure("what is packed is in memory or in a file")
    }
  }
}

/// Headers and variables as the archive writes them.
enum ArchivedValues {
  /// Headers that are credentials.
  static func isForbidden(_ name: String) -> Bool {
    ["set-cookie", "set-cookie2"].contains { $0.utf8.elementsEqual(name.lowercased().utf8) }
  }

  static func parts(of literal: Literal) -> (kind: String, text: String) {
    switch literal {
    case .null: ("null", "")
    case .boolean(let value): ("boolean", value ? "true" : "false")
    case .number(let text): ("number", text)
    case .text(let text): ("text", text)
    }
  }

  private static func literal(kind: String, text: String) -> Literal? {
    switch kind {
    case "null": .null
    case "boolean": .boolean(text == "true")
    case "number": .number(text)
    case "text": .text(text)
    default: nil
    }
  }

  static func text(of variables: [(name: String, value: Literal)], by redactor: Redactor) -> String {
    json(
      variables.map { variable in
        let (kind, text) = parts(of: variable.value)
        return [variable.name, kind, redactor.redact(text)]
      })
  }

  static func json(_ lists: [[String]]) -> String {
    let texts = lists.map { "[\($0.map(JSONText.quoted).joined(separator: ","))]" }
    return "[\(texts.joined(separator: ","))]"
  }

  static func headers(_ json: String) -> [(name: String, value: String)] {
    lists(json).compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }
  }

  static func variables(_ json: String) -> [(name: String, value: Literal)] {
    lists(json).compactMap { list in
      guard list.count == 3 else { return nil }
      return literal(kind: list[1], text: list[2]).map { (list[0], $0) }
    }
  }

  private static func lists(_ json: String) -> [[String]] {
    guard let document = try? JSONDocument(Array(json.utf8)) else { return [] }
    var lists: [[String]] = []
    document.root.forEachElement { list in
      var texts: [String] = []
      list.forEachElement { texts.append($0.stringValue) }
      lists.append(texts)
    }
    return lists
  }
}
