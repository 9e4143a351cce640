import Fetch
import Testing

struct ServerWaitTests {
  /// 2015-10-21 07:28:00 UTC.
  private static let epoch = Duration.seconds(1_445_412_480)

  @Test(
    arguments: [
      ("0", 0), ("2", 2), (" 120 ", 120), ("1.5", 1.5), ("Wed, 21 Oct 2015 07:28:05 GMT", 5),
      ("Wednesday, 21-Oct-15 07:28:06 GMT", 6), ("Wed Oct 21 07:28:07 2015", 7), ("Wed, 21 Oct 2015 07:00:00 GMT", 0),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("2015-10-21T07:28:08Z", 8), ("2015-10-21T09:28:09.25+02:00", 9),
      ("2015-10-21 02:28:10-05:00", 10), ("1445412491", 11), ("1445412400", 0), ("1000000000", 1e9),
      ("-1", nil), ("soon", nil), ("", nil), ("1e3", nil), ("1,5", nil), ("+2", nil),
      ("Wed, 32 Oct 2015 07:28:05 GMT", nil),
      ("Wed, 21 Foo 2015 07:28:05 GMT", nil), ("Wed, 21 Oct 2015 24:28:05 GMT", nil),
      ("29 Feb 2015 00:00:00 GMT x", nil),
      ("2015-02-29T00:00:00Z", nil), ("2015-10-21T07:28:08", nil), ("2015-10-21", nil), ("..", nil), ("1.2.3", nil),
    ] as [(String, Double?)])
  func `a wait is seconds, a date, or a moment in seconds`(_ text: String, _ expected: Double?) {
    #expect(ServerWait.read(text, epoch: Self.epoch) == expected.map { .seconds($0) })
  }

  @Test func `Retry-After counts seconds however many`() {
    let wait = ServerWait.afterFailure(
      status: 429, headers: [HTTPHeader("retry-after", "1445412491")], epoch: Self.epoch)
    #expect(wait?.wait == .seconds(1_445_412_491))
  }

  @Test(
    arguments: [
      (["RateLimit-Remaining": "0", "RateLimit-Reset": "2"], 200, 2, "RateLimit-Reset"),
      (["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1445412483"], 200, 3, "X-RateLimit-Reset"),
      (["RateLimit-Remaining": "1", "RateLimit-Reset": "2"], 200, nil, ""), (["RateLimit-Reset": "2"], 200, nil, ""),
      (["RateLimit-Reset": "2"], 429, 2, "RateLimit-Reset"), (["RateLimit-Remaining": "0"], 429, nil, ""),
      (["RateLimit-Remaining": "0", "RateLimit-Reset": "soon"], 429, nil, ""),
      (["Retry-After": "5", "RateLimit-Remaining": "0", "RateLimit-Reset": "2"], 503, 5, "Retry-After"),
      (["Retry-After": "soon", "RateLimit-Remaining": "0", "RateLimit-Reset": "2"], 503, 2, "RateLimit-Reset"),
    ] as [([String: String], Int, Double?, String)])
  func `rate limit headers are read`(_ headers: [String: String], _ status: Int, _ wait: Double?, _ origin: String) {
    let headers = headers.map { HTTPHeader($0.key, $0.value) }
    let request =
      status == 200
      ? ServerWait.beforeNext(headers: headers, epoch: Self.epoch)
      : ServerWait.afterFailure(status: status, headers: headers, epoch: Self.epoch)
    #expect(request?.wait == wait.map { .seconds($0) })
    if wait != nil { #expect(request?.origin == origin) }
  }

  @Test func `a rule's wait is its header, else its key path, else its default`() {
    let headers = [HTTPHeader("X-Wait", "3"), HTTPHeader("X-Bad", "?")]
    func wait(_ header: String?, _ text: String?, _ fallback: Duration?) -> Duration? {
      ServerWait.ofRule(
        header: header, value: text.map { (path: "retry.in", text: $0) }, fallback: fallback, headers: headers,
        epoch: Self.epoch)?.wait
    }
    #expect(wait("x-wait", "4", .seconds(5)) == .seconds(3))
    #expect(wait("x-bad", "4", .seconds(5)) == .seconds(4))
    #expect(wait("x-none", "later", .seconds(5)) == .seconds(5))
    #expect(wait(nil, "1445412490", nil) == .seconds(10))
    #expect(wait(nil, nil, nil) == nil)
  }
}
