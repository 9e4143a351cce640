import JSONReading

/// Drafts a mapping from a HAR file: what a browser or proxy saw of an API.
///
/// Nothing of headers, cookies and bodies is copied, and of parameters only values that are plain words or numbers.
package struct HARImport {
  private struct Request {
    var method: String
    var url: HARAddress
    var query: [(name: String, value: String)]
    var headers: [(name: String, value: String)]
    var node: DocNode
    var number: Int
  }

  private struct Call {
    var endpoint: BodyDrafter.KnownEndpoint
    var requests: [Request] = []
  }

  private let file: String
  private var notes: [DraftNote] = []
  private var drafter = BodyDrafter()
  private var calls: [Call] = []
  private var names = NameSet()

  package static func draft(
    _ description: Description, title: [String]
  ) throws(Description.Failure) -> (MappingDraft, [DraftNote]) {
    guard let entries = description.root["log"]?["entries"] else {
      throw Description.Failure(message: "\(description.name) is no HAR file: it has no 'log.entries'")
    }
    var work = HARImport(file: description.name)
    return try work.draft(entries.items, title)
  }

  private init(file: String) { self.file = file }

  private mutating func draft(
    _ entries: [DocNode], _ title: [String]
  ) throws(Description.Failure) -> (MappingDraft, [DraftNote]) {
    var answers: [(request: Request, body: [UInt8])] = []
    for (number, entry) in entries.enumerated() {
      if let answer = answer(entry, number) { answers.append(answer) }
    }
    guard let origin = mostFrequent(answers.map(\.request.url.origin)) else {
      throw Description.Failure(
        message: "\(file) has no answer that is JSON and a success: record the page's requests for data (XHR, fetch) "
          + "with their bodies")
    }
    for other in Set(answers.map(\.request.url.origin)).subtracting([origin]).sorted() {
      note(nil, "the answers of \(other) are left out: a mapping has one API; most are of \(origin)")
    }
    for (request, body) in answers where request.url.origin == origin { take(request, body) }
    var (draft, more) = drafter.draft(
      title: title, sourceName: HARAddress.sourceName(of: origin))
    draft.baseURL = origin
    draft.sourceComments = []
    var credentials = HARCredentials(prefix: draft.sourceName.uppercased())
    for call in calls { finish(call, in: &draft, &credentials) }
    credentials.write(to: &draft)
    notes += credentials.notes.map { DraftNote(file, $0) }
    return (draft, notes + more)
  }

  private mutating func note(_ node: DocNode?, _ text: String) {
    notes.append(DraftNote(node.map { "\(file):\($0.line)" } ?? file, text))
  }

  // MARK: entries

  /// An answer that is a success, and JSON.
  private mutating func answer(_ entry: DocNode, _ number: Int) -> (request: Request, body: [UInt8])? {
    guard let request = request(entry, number), let response = entry["response"] else { return nil }
    let content = response["content"]
    let type = (content?["mimeType"]?.text ?? "").lowercased()
    guard let status = response["status"]?.word.flatMap(Int.init), (200..<300).contains(status), type.contains("json")
    else { return nil }
    guard let text = content?["text"]?.text, !text.isEmpty else {
      note(entry, "entry \(number): the file does not hold the answer's body: left out")
      return nil
    }
    guard content?["encoding"]?.text == "base64" else { return (request, Array(text.utf8)) }
    guard let bytes = Base64Text.decoded(text) else {
      note(entry, "entry \(number): the answer's body is no base64: left out")
      return nil
    }
    return (request, bytes)
  }

  private func request(_ entry: DocNode, _ number: Int) -> Request? {
    guard let node = entry["request"], let method = node["method"]?.text,
      let url = node["url"]?.text.flatMap({ HARAddress($0) }), method != "OPTIONS"
    else { return nil }
    func pairs(_ name: String) -> [(name: String, value: String)] {
      (node[name]?.items ?? []).compactMap { item in
        item["name"]?.text.map { ($0, item["value"]?.word ?? "") }
      }
    }
    return Request(
      method: method.uppercased(), url: url, query: pairs("queryString"), headers: pairs("headers"), node: node,
      number: number)
  }

  private func mostFrequent(_ values: [String]) -> String? {
    var counts: [String: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    return values.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
  }

  private mutating func take(_ request: Request, _ body: [UInt8]) {
    let path = request.url.pattern
    let known = calls.firstIndex { $0.endpoint.method == request.method && $0.endpoint.path == path }
    let endpoint =
      known.map { calls[$0].endpoint }
      ?? BodyDrafter.KnownEndpoint(method: request.method, path: path)
    do throws(JSONError) {
      let stem = request.url.stem
      let sample = try Sample(.memory(body), stem: stem, number: request.number, isNDJSON: false)
      drafter.add(sample, endpoint: endpoint)
    } catch {
      return note(request.node, "entry \(request.number): the body cannot be read: \(error.message): left out")
    }
    if let known {
      calls[known].requests.append(request)
    } else {
      calls.append(Call(endpoint: endpoint, requests: [request]))
    }
  }

  // MARK: requests

  private mutating func finish(_ call: Call, in draft: inout MappingDraft, _ credentials: inout HARCredentials) {
    guard
      let index = draft.endpoints.firstIndex(where: {
        $0.path == call.endpoint.path && ($0.method ?? "GET") == call.endpoint.method
      })
    else { return }
    for request in call.requests { credentials.look(at: request.headers) }
    if let request = call.requests.first(where: \.url.hasSecret) {
      note(
        request.node, "\(call.endpoint.path): a part of the path looks like a credential: it is a secret, not copied")
    }
    var needed = call.endpoint.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
      String($0.dropFirst().dropLast())
    }
    needed += addParameters(of: call, to: &draft, index, &credentials)
    let others = draft.endpoints.count { PathTemplate.shape($0.path) == PathTemplate.shape(call.endpoint.path) }
    if others > 1, draft.endpoints[index].method == nil { draft.endpoints[index].method = "GET" }
    if call.endpoint.method != "GET" {
      draft.endpoints[index].isFetched = false
      draft.endpoints[index].whyNotFetched = "a route alone: \(call.endpoint.method) is sent when this is removed"
      note(call.requests.first?.node, "\(call.endpoint.method) \(call.endpoint.path): its body is not carried over")
    } else if !needed.isEmpty {
      draft.endpoints[index].isFetched = false
      draft.endpoints[index].whyNotFetched =
        "remove this when there are values (variables, for_each) for: \(needed.joined(separator: ", "))"
    }
  }

  /// Parameters of the query; those whose values must not be copied are returned.
  private mutating func addParameters(
    of call: Call, to draft: inout MappingDraft, _ index: Int, _ credentials: inout HARCredentials
  ) -> [String] {
    var values: [(name: String, values: [String])] = []
    for (name, value) in call.requests.flatMap(\.query) {
      if let at = values.firstIndex(where: { $0.name == name }) {
        values[at].values.append(value)
      } else {
        values.append((name, [value]))
      }
    }
    var needed: [String] = []
    for (name, seen) in values where !name.contains("${") && !name.isEmpty {
      if LikelySecret.isOne(name) {
        note(call.requests.first?.node, "a parameter whose name looks like a credential is not carried over")
        continue
      }
      if LikelySecret.isNamed(name) || seen.contains(where: LikelySecret.isOne) {
        credentials.add(query: name)
        continue
      }
      let isSame = Set(seen).count == 1 && seen.count == call.requests.count
      if isSame, let value = seen.first, Self.isHarmless(value) {
        draft.endpoints[index].params.append(.init(name, .text(TemplateText.escaped(value))))
      } else if seen.count == call.requests.count, call.requests.count > 1 || !Self.isHarmless(seen[0]) {
        let snake = Names.snake(name)
        let variable = snake.isEmpty || ["now", "today"].contains(snake) ? "the_\(snake)" : snake
        draft.endpoints[index].params.append(.init(name, .text("${\(variable)}")))
        if !draft.variables.contains(where: { $0.name == variable }) { draft.variables.append(.init(name: variable)) }
        needed.append(name)
      } else {
        draft.endpoints[index].comments.append("optional parameter: \(YAMLText.comment(name))")
      }
    }
    return needed
  }

  /// A number or a plain word: what a program asks with, not what a person typed.
  private static func isHarmless(_ value: String) -> Bool {
    guard value.utf8.count <= 24 else { return false }
    let digits = value.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if digits == value.utf8.count { return digits > 0 && digits <= 6 }
    return digits == 0
      && value.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || "_-,.".utf8.contains($0)
      }
  }
}
