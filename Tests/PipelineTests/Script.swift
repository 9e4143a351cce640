import Fetch
import JSONReading
import Synchronization

/// Answers requests one after the other as it says, and remembers them; when it has nothing left, every answer is 404.
final class Script: Transport {
  enum Answer {
    case status(Int, String, headers: [HTTPHeader])
    case failure(FetchError)

    static func ok(_ body: String) -> Answer { .status(200, body, headers: []) }
    static func status(_ status: Int, _ body: String = "") -> Answer { .status(status, body, headers: []) }
  }

  private var answers: [Answer]
  private(set) var requests: [HTTPRequest] = []
  /// Sees each request before it is answered.
  var before: (HTTPRequest) -> Void = { _ in }

  init(_ answers: [Answer]) { self.answers = answers.reversed() }

  /// Answers with status 200 and these bodies.
  convenience init(bodies: [String]) { self.init(bodies.map(Answer.ok)) }

  func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
    before(request)
    requests.append(request)
    switch answers.popLast() ?? .status(404, #"{"message": "the script is over"}"#) {
    case .failure(let error): throw error
    case .status(let status, let body, let headers):
      let type = HTTPHeader("Content-Type", "application/json")
      let hasType = headers.contains { $0.isNamed("content-type") }
      return HTTPResponse(
        status: status, headers: headers + (hasType ? [] : [type]), body: .bytes(Array(body.utf8)))
    }
  }

  /// `GET /items?page=2`, of each request.
  var lines: [String] {
    requests.map { request in
      let target = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last ?? ""
      return "\(request.method) /\(target)"
    }
  }
}

/// A clock that moves only when somebody sleeps.
final class ManualClock: FetchClock {
  private let state = Mutex((now: Duration.seconds(100), sleeps: [Duration]()))

  var sleeps: [Duration] { state.withLock { $0.sleeps } }
  func now() -> Duration { state.withLock { $0.now } }
  func epoch() -> Duration { .seconds(1_436_004_000) + now() - .seconds(100) }

  func sleep(_ duration: Duration) {
    state.withLock { state in
      state.now += duration
      state.sleeps.append(duration)
    }
  }
}

/// True from the call with this number on.
final class Countdown: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  var isOver: Bool {
    left.withLock { left in
      left -= 1
      return left < 0
    }
  }
}
