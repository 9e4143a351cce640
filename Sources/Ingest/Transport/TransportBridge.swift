import Dispatch
import Fetch
import Synchronization

/// Asks a transport that is asynchronous from a thread of the run's, which waits for it.
final class TransportBridge: Fetch.Transport {
  private let transport: any Transport
  private let isStopped: @Sendable () -> Bool

  /// How soon a cancellation is noticed.
  private static let slice = DispatchTimeInterval.milliseconds(100)

  init(_ transport: any Transport, _ isStopped: @escaping @Sendable () -> Bool) {
    self.transport = transport
    self.isStopped = isStopped
  }

  func send(_ request: Fetch.HTTPRequest, limits: FetchLimits) throws(FetchError) -> Fetch.HTTPResponse {
    let plain = HTTPRequest(try request.plain(), timeout: limits.timeout)
    let answer = try wait(for: plain)
    guard (100...999).contains(answer.status) else {
      throw FetchError(.badAnswer, "the transport gave the status \(answer.status), which HTTP does not have")
    }
    guard answer.body.count <= limits.body else {
      throw FetchError(
        .limitBody,
        "the body is larger than limits.body of the source allows (\(limits.body) bytes, unpacked): raise it, or ask "
          + "for smaller pages")
    }
    return Fetch.HTTPResponse(
      status: answer.status, headers: answer.headers.map { Fetch.HTTPHeader($0.name, $0.value) },
      body: .bytes(answer.body))
  }

  private func wait(for request: HTTPRequest) throws(FetchError) -> HTTPResponse {
    let slot = Slot()
    let transport = transport
    let work: @Sendable () async -> Void = { slot.fill(await Self.answer(of: transport, to: request)) }
    let task = Task.detached(operation: work)
    while slot.filled.wait(timeout: .now() + Self.slice) == .timedOut {
      guard isStopped() else { continue }
      // Whoever does not hear of it has nobody who waits for its answer.
      task.cancel()
      throw FetchError(.interrupted, "the run was asked to stop")
    }
    return try slot.take()
  }

  private static func answer(
    of transport: any Transport, to request: HTTPRequest
  ) async -> Result<HTTPResponse, FetchError> {
    do {
      return .success(try await transport.send(request))
    } catch {
      let isTransient = (error as? TransportError)?.isTransient ?? false
      return .failure(FetchError(isTransient ? .dropped : .other, "\(error)"))
    }
  }

  /// Where the task puts what the thread waits for.
  private final class Slot: Sendable {
    let filled = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<HTTPResponse, FetchError>?>(nil)

    func fill(_ result: Result<HTTPResponse, FetchError>) {
      self.result.withLock { $0 = result }
      filled.signal()
    }

    func take() throws(FetchError) -> HTTPResponse {
      guard let result = result.withLock({ $0 }) else { throw FetchError(.other, "the transport gave no answer") }
      return try result.get()
    }
  }
}
