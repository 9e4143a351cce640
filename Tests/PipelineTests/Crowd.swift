import Fetch
import Glibc
import JSONReading
import Pipeline
import Synchronization

/// An API that answers several requests at a time, each after a while of its own, and remembers what it was asked.
final class Crowd: Sendable {
  typealias Respond = @Sendable (_ line: String, _ request: HTTPRequest) throws(FetchError) -> HTTPResponse

  private struct State {
    var underway = 0
    var most = 0
    var lines: [String] = []
    var random: SeededRandom
  }

  private let state: Mutex<State>
  private let gathers: Bool
  private let respond: Respond

  /// `gathers`: nobody is answered before two requests were under way at a time, or 20 s have passed.
  init(seed: UInt64 = 1, gathers: Bool = false, _ respond: @escaping Respond) {
    state = Mutex(State(random: SeededRandom(seed: seed)))
    self.gathers = gathers
    self.respond = respond
  }

  private func gather() {
    let end = ContinuousClock.now + .seconds(20)
    while gathers, most < 2, ContinuousClock.now < end { usleep(1000) }
  }

  /// Requests in the order in which they came, as `GET /items?page=2`.
  var lines: [String] { state.withLock { $0.lines } }
  /// The most requests that were under way at a time.
  var most: Int { state.withLock { $0.most } }

  var supply: FetchSupply {
    FetchSupply(clock: { SystemClock(isInterrupted: $0) }) { isStopped in
      Line(crowd: self, isStopped: isStopped)
    }
  }

  /// For whoever makes one request at a time.
  var transport: any Transport { Line(crowd: self, isStopped: { false }) }

  private final class Line: Transport {
    private let crowd: Crowd
    private let isStopped: FetchSupply.Stop

    init(crowd: Crowd, isStopped: @escaping FetchSupply.Stop) {
      self.crowd = crowd
      self.isStopped = isStopped
    }

    func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
      let target = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last ?? ""
      let line = "\(request.method) /\(target)"
      let wait = crowd.state.withLock { state in
        state.underway += 1
        state.most = max(state.most, state.underway)
        state.lines.append(line)
        return UInt32(state.random.next() % 4000)
      }
      usleep(wait)
      crowd.gather()
      crowd.state.withLock { $0.underway -= 1 }
      if isStopped() { throw FetchError(.interrupted, "stopped") }
      return try crowd.respond(line, request)
    }
  }

  static func json(_ body: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")], body: .bytes(Array(body.utf8)))
  }
}
