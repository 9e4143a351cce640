import Fetch
import JSONReading

/// Answers requests with the bodies of a test, one after the other; then with an empty list.
final class ScriptedTransport: Transport {
  private var bodies: [Loader.Body]
  /// `GET /items?page=2`, as `expect` writes them.
  private(set) var requests: [String] = []

  init(_ bodies: [Loader.Body]) { self.bodies = bodies.reversed() }

  func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
    let url = try WebURL(request.url).removingParameters(named: request.credentialParams)
    requests.append("\(request.method) \(url.path)" + (url.query.map { "?\($0)" } ?? ""))
    let source = bodies.popLast()?.source ?? .memory(Array("[]".utf8))
    let headers = [HTTPHeader("Content-Type", "application/json")]
    return HTTPResponse(status: 200, headers: headers, body: ResponseBody(source, count: .max))
  }
}
