import Fetch

/// Sends requests by another transport, and remembers the last one with its answer.
final class LastAnswer: Transport {
  private let transport: any Transport
  private(set) var request: HTTPRequest?
  private(set) var response: HTTPResponse?

  init(_ transport: any Transport) { self.transport = transport }

  func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
    self.request = request
    response = nil
    let response = try transport.send(request, limits: limits)
    self.response = response
    return response
  }
}
