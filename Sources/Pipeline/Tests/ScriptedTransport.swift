import Fetch
import JSONReading

/// Answers requests with the bodies of a test, one after the other; then with an empty list.
final class ScriptedTransport: Transport {
  private let status: Int
  private let headers: [HTTPHeader]
  private var bodies: [Loader.Body]
  /// Where the same request gets the same answer again: what came of each.
  private var given: [Request: HTTPResponse]?
  /// `GET /items?page=2`, as `expect` writes them.
  private(set) var requests: [String] = []

  private struct Request: Hashable {
    var method: String
    var url: String
    var headers: [HTTPHeader]
    var body: [UInt8]?
  }

  /// `remembers`: a request that is made again gets the answer that it got before.
  init(_ bodies: [Loader.Body], of answer: TestAnswer, remembers: Bool = false) {
    self.bodies = bodies.reversed()
    (status, headers) = (answer.status, answer.headers)
    given = remembers ? [:] : nil
  }

  func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
    let url = try WebURL(request.url).removingParameters(named: request.credentialParams)
    requests.append("\(request.method) \(url.path)" + (url.query.map { "?\($0)" } ?? ""))
    let key = Request(method: request.method, url: request.url, headers: request.headers, body: request.body)
    if let known = given?[key] { return known }
    let response = next()
    given?[key] = response
    return response
  }

  private func next() -> HTTPResponse {
    let isError = !(200...299).contains(status)
    // An error stays one, however often it is asked for.
    let body = isError && bodies.count == 1 ? bodies.first : bodies.popLast()
    guard let body else { return Self.response(200, [], type: "application/json", .memory(Array("[]".utf8))) }
    let isLines = BodyFormat(ofFile: body.name, []).isNDJSON
    return Self.response(status, headers, type: isLines ? "application/x-ndjson" : "application/json", body.source)
  }

  private static func response(
    _ status: Int, _ headers: [HTTPHeader], type: String, _ source: BodySource
  ) -> HTTPResponse {
    let hasType = headers.contains { $0.isNamed("Content-Type") }
    return HTTPResponse(
      status: status, headers: headers + (hasType ? [] : [HTTPHeader("Content-Type", type)]),
      body: ResponseBody(source, count: .max))
  }
}
