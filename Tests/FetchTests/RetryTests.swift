import Fetch
import Synchronization
import Testing

/// A clock that moves only when someone sleeps.
final class ManualClock: FetchClock {
  private let state = Mutex((now: Duration.seconds(100), sleeps: [Duration]()))

  var sleeps: [Duration] { state.withLock { $0.sleeps } }
  func now() -> Duration { state.withLock { $0.now } }
  func epoch() -> Duration { .seconds(1_445_412_480) + now() - .seconds(100) }

  func sleep(_ duration: Duration) {
    state.withLock { state in
      state.now += duration
      state.sleeps.append(duration)
    }
  }

  func pass(_ duration: Duration) { state.withLock { $0.now += duration } }
}

/// Answers or fails as its list says; the last entry again and again.
final class ScriptedTransport: Transport {
  private var answers: [Result<HTTPResponse, FetchError>]
  private(set) var count = 0

  init(_ answers: [Result<HTTPResponse, FetchError>]) { self.answers = answers }

  func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
    defer { count += 1 }
    return try answers[min(count, answers.count - 1)].get()
  }

  static func status(_ status: Int, _ headers: [HTTPHeader] = []) -> Result<HTTPResponse, FetchError> {
    .success(HTTPResponse(status: status, headers: headers, body: .bytes([])))
  }
}

struct RetryPolicyTests {
  private func decide(
    _ outcome: RetryPolicy.Outcome, attempt: Int = 1, isIdempotent: Bool = true,
    policy: RetryPolicy = RetryPolicy(backoff: .constant, maxWait: .seconds(1))
  ) -> RetryPolicy.Decision {
    var random = SeededRandom(seed: 1)
    return policy.decide(
      attempt: attempt, outcome: outcome, isIdempotent: isIdempotent, epoch: .seconds(1_445_412_480), using: &random)
  }

  @Test func `the statuses of the table are tried again whatever the method, and no others`() {
    for status in 100...999 {
      let isListed = [408, 425, 429, 500, 502, 503, 504].contains(status)
      let expected = isListed ? RetryPolicy.Decision.retry(after: .seconds(1)) : .giveUp(.final)
      #expect(decide(.answer(status: status, headers: []), isIdempotent: false) == expected)
    }
  }

  @Test(arguments: FetchError.Code.allCases)
  func `a failure is tried again if it may pass, and if the request may be sent twice`(_ code: FetchError.Code) {
    let passes = [.resolve, .connect, .timeout, .dropped, .truncated].contains(code)
    let retry = RetryPolicy.Decision.retry(after: .seconds(1))
    #expect(decide(.failure(FetchError(code, ""))) == (passes ? retry : .giveUp(.final)))
    #expect(decide(.failure(FetchError(code, "")), isIdempotent: false) == .giveUp(passes ? .maybeDone : .final))
    let unsent = FetchError(code, "", nothingSent: true)
    #expect(decide(.failure(unsent), isIdempotent: false) == (passes ? retry : .giveUp(.final)))
  }

  @Test func `a rule makes an answer final or has it tried again`() {
    #expect(decide(.answer(status: 503, headers: [], rule: .final)) == .giveUp(.final))
    #expect(decide(.answer(status: 200, headers: [], rule: .retry(wait: nil))) == .retry(after: .seconds(1)))
    let named = ServerWait.Request(wait: .milliseconds(300), origin: "the header X-Wait")
    let headers = [HTTPHeader("Retry-After", "60")]
    #expect(
      decide(.answer(status: 403, headers: headers, rule: .retry(wait: named))) == .retry(after: .milliseconds(300)))
  }

  @Test func `attempts counts all tries`() {
    let policy = RetryPolicy(attempts: 3, backoff: .constant, maxWait: .seconds(1))
    let busy = RetryPolicy.Outcome.answer(status: 503, headers: [])
    #expect(decide(busy, attempt: 2, policy: policy) == .retry(after: .seconds(1)))
    #expect(decide(busy, attempt: 3, policy: policy) == .giveUp(.attemptsUsedUp(3)))
    #expect(decide(busy, policy: RetryPolicy(attempts: 1)) == .giveUp(.attemptsUsedUp(1)))
  }

  @Test func `the server's wait is kept to the second, and one beyond max_wait ends it and says so`() {
    let policy = RetryPolicy(maxWait: .seconds(10))
    func after(_ text: String) -> RetryPolicy.Decision {
      decide(.answer(status: 429, headers: [HTTPHeader("Retry-After", text)]), policy: policy)
    }
    #expect(after("10") == .retry(after: .seconds(10)))
    #expect(after("Wed, 21 Oct 2015 07:28:03 GMT") == .retry(after: .seconds(3)))
    for passed in ["Wed, 21 Oct 2014 07:28:03 GMT", "0", "0.0"] {
      guard case .retry(let wait) = after(passed) else {
        Issue.record("\(passed) ended the tries")
        continue
      }
      #expect(wait >= .seconds(1) && wait <= .milliseconds(1250), "the usual pause, not at once")
    }
    let rule = ServerWait.ofRule(header: nil, value: nil, fallback: .zero, headers: [], epoch: .zero)
    #expect(decide(.answer(status: 429, headers: [], rule: .retry(wait: rule))) == .retry(after: .zero))
    guard case .giveUp(let reason) = after("11") else {
      Issue.record("a wait of 11 seconds was taken")
      return
    }
    #expect(
      reason.sentence
        == "not tried again: Retry-After asks for a wait of 11 s, longer than retry.max_wait (10 s): run again when it "
        + "is over, or raise that")
    guard case .retry(let wait) = after("soon") else {
      Issue.record("an unreadable Retry-After ended the tries")
      return
    }
    #expect(wait >= .seconds(1) && wait <= .milliseconds(1250))
  }

  @Test func `waits double, differ by chance, and never leave their bounds`() {
    let policy = RetryPolicy(attempts: 99, wait: .seconds(1), maxWait: .seconds(20))
    var random = SeededRandom(seed: 7)
    var seen: Set<Duration> = []
    for attempt in 1...60 {
      let outcome = RetryPolicy.Outcome.answer(status: 500, headers: [])
      let decision = policy.decide(attempt: attempt, outcome: outcome, isIdempotent: true, epoch: .zero, using: &random)
      guard case .retry(let wait) = decision else { continue }
      let base = min(16, Double(1 << min(attempt - 1, 10)))
      #expect(wait >= .seconds(base) && wait <= .seconds(base * 1.25))
      seen.insert(wait)
    }
    #expect(seen.count > 50)
    var again = SeededRandom(seed: 7)
    var once = SeededRandom(seed: 7)
    #expect(again.next() == once.next())
  }
}

struct RetrierTests {
  private func run(
    _ answers: [Result<HTTPResponse, FetchError>], attempts: Int = 3, clock: ManualClock = ManualClock()
  ) throws -> (result: Retrier.Result, notes: [Retrier.Failure], sent: Int) {
    let transport = ScriptedTransport(answers)
    let limiter = RateLimiter(requests: nil, maxWait: .seconds(10), clock: clock)
    let policy = RetryPolicy(attempts: attempts, backoff: .constant, maxWait: .seconds(10))
    var retrier = Retrier(policy: policy, limiter: limiter, clock: clock, seed: 3)
    var notes: [Retrier.Failure] = []
    let result = try retrier.run(
      isIdempotent: true, judge: { $0.status == 200 ? .accept : .reject(.usual) }, note: { notes.append($0) },
      send: { () throws(FetchError) in try transport.send(HTTPRequest(url: "http://h/"), limits: FetchLimits()) })
    return (result, notes, transport.count)
  }

  @Test func `failures are noted one by one, until an answer is good`() throws {
    let clock = ManualClock()
    let answers = [
      .failure(FetchError(.dropped, "gone")), ScriptedTransport.status(503, [HTTPHeader("Retry-After", "4")]),
      ScriptedTransport.status(200),
    ]
    let (result, notes, sent) = try run(answers, clock: clock)
    guard case .response(let response) = result else {
      Issue.record("no response")
      return
    }
    #expect(response.status == 200 && sent == 3)
    #expect(notes.map(\.attempt) == [1, 2] && notes.map(\.response?.status) == [nil, 503])
    #expect(clock.sleeps.count == 2 && clock.sleeps[1] == .seconds(4))
  }

  @Test func `the last failure is the result, and is noted too`() throws {
    let (result, notes, sent) = try run([ScriptedTransport.status(502)])
    guard case .failure(let failure) = result else {
      Issue.record("no failure")
      return
    }
    #expect(failure.decision == .giveUp(.attemptsUsedUp(3)) && failure.response?.status == 502)
    #expect(notes.count == 3 && sent == 3)
    #expect(try run([ScriptedTransport.status(404)]).sent == 1)
  }

  @Test func `a Retry-After beats a longer reset of the same answer`() throws {
    let clock = ManualClock()
    let headers = [
      HTTPHeader("Retry-After", "1"), HTTPHeader("RateLimit-Remaining", "0"), HTTPHeader("RateLimit-Reset", "9"),
    ]
    _ = try run([ScriptedTransport.status(429, headers), ScriptedTransport.status(200)], clock: clock)
    #expect(clock.sleeps == [.seconds(1)])
  }

  @Test func `an interrupted run ends at once`() throws {
    let error = try failure { _ = try run([.failure(FetchError(.interrupted, "stop"))]) }
    #expect(error.code == .interrupted)
  }
}

struct RateLimiterTests {
  @Test func `requests begin at even distances, and time that passed counts`() throws {
    let clock = ManualClock()
    let limiter = RateLimiter(requests: 5, per: .seconds(60), maxWait: .seconds(1), clock: clock)
    try limiter.acquire()
    #expect(clock.sleeps == [])
    try limiter.acquire()
    clock.pass(.seconds(5))
    try limiter.acquire()
    #expect(clock.sleeps == [.seconds(12), .seconds(7)])
    clock.pass(.seconds(600))
    try limiter.acquire()
    try limiter.acquire()
    #expect(clock.sleeps == [.seconds(12), .seconds(7), .seconds(12)])
  }

  @Test func `no window of the period holds more than its number`() throws {
    let clock = ManualClock()
    let limiter = RateLimiter(requests: 3, per: .seconds(1), maxWait: .seconds(1), clock: clock)
    var begins: [Duration] = []
    for round in 0..<200 {
      clock.pass(.milliseconds(round * 37 % 500))
      try limiter.acquire()
      begins.append(clock.now())
    }
    // 3 does not divide a second: an attosecond is missing at most.
    for index in 3..<begins.count { #expect(begins[index] - begins[index - 3] >= .milliseconds(999.999)) }
  }

  @Test func `a limit of which nothing remains holds back the next request only`() throws {
    let clock = ManualClock()
    let limiter = RateLimiter(requests: nil, maxWait: .seconds(10), clock: clock)
    limiter.note([HTTPHeader("RateLimit-Remaining", "0"), HTTPHeader("RateLimit-Reset", "2")])
    limiter.note([HTTPHeader("RateLimit-Remaining", "7"), HTTPHeader("RateLimit-Reset", "9")])
    try limiter.acquire()
    try limiter.acquire()
    #expect(clock.sleeps == [.seconds(2)])
  }

  @Test func `a reset beyond max_wait ends the run at once and says so`() throws {
    let clock = ManualClock()
    let limiter = RateLimiter(requests: nil, maxWait: .seconds(10), clock: clock)
    limiter.note([HTTPHeader("X-RateLimit-Remaining", "0"), HTTPHeader("X-RateLimit-Reset", "1445416080")])
    let error = try failure { try limiter.acquire() }
    #expect(error.code == .wait && clock.sleeps == [])
    #expect(error.message.contains("X-RateLimit-Reset") && error.message.contains("max_wait (10 s)"))
  }
}
