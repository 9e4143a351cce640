import Fetch

/// Sends by another transport, as soon as not too many requests are under way.
final class CountedTransport: Transport {
  private let transport: any Transport
  private let board: FetchBoard
  private let job: () -> Int
  private let isStopped: FetchSupply.Stop

  init(
    _ transport: any Transport, _ board: FetchBoard, job: @escaping () -> Int, isStopped: @escaping FetchSupply.Stop
  ) {
    self.transport = transport
    self.board = board
    self.job = job
    self.isStopped = isStopped
  }

  func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
    try board.beginRequest(of: job(), isStopped: isStopped)
    defer { board.endRequest() }
    return try transport.send(request, limits: limits)
  }
}
