import Fetch
import IngestCLI
import Pipeline
import Testing

struct ProgressTextTests {
  private func endpoint(_ change: (inout RunProgress.Endpoint) -> Void = { _ in }) -> RunProgress.Endpoint {
    var endpoint = RunProgress.Endpoint(name: "issues", began: .seconds(10))
    (endpoint.walks, endpoint.pages, endpoint.records) = (1, 14, 420)
    change(&endpoint)
    return endpoint
  }

  private func line(
    _ endpoint: RunProgress.Endpoint, wait: RunProgress.Wait? = nil, width: Int = 200
  ) -> String {
    ProgressText.line(endpoint, wait: wait, now: .seconds(14), width: width)
  }

  @Test func `pages, records and their rate are named`() {
    #expect(line(endpoint()) == "issues  14 pages  420 records  105/s")
    let one = endpoint { ($0.pages, $0.records, $0.began) = (1, 1, .milliseconds(13_500)) }
    #expect(line(one) == "issues  1 page  1 record")
    #expect(line(endpoint { $0.walks = 3 }) == "issues  3 walks  14 pages  420 records  105/s")
  }

  @Test func `a known total is a bar`() {
    let half = endpoint { $0.share = RunProgress.Share(done: 420, all: 840, unit: .records) }
    #expect(line(half) == "issues  █████░░░░░ 420 of 840 records  14 pages  105/s")
    let two = endpoint { ($0.share, $0.walks) = (RunProgress.Share(done: 20, all: 200, unit: .records), 2) }
    #expect(line(two) == "issues  █░░░░░░░░░ 20 of 200 records  2 walks  14 pages  420 records  105/s")
    let over = endpoint { $0.share = RunProgress.Share(done: 9, all: 3, unit: .pages) }
    #expect(line(over).hasPrefix("issues  ██████████ 9 of 3 pages  14 pages  420 records"))
    #expect(!line(endpoint { $0.share = RunProgress.Share(done: 0, all: 0, unit: .pages) }).contains("░"))
  }

  @Test func `what is waited for is said, with the time that is left`() {
    let wait = RunProgress.Wait(until: .seconds(225), reason: .rateLimit)
    #expect(line(endpoint(), wait: wait).hasSuffix("  waits 3 min 31 s (rate limit)"))
    #expect(
      line(endpoint(), wait: RunProgress.Wait(until: .seconds(20), reason: .nextTry)).hasSuffix(
        "  waits 6 s (next try)"))
    #expect(!line(endpoint(), wait: RunProgress.Wait(until: .seconds(14), reason: .nextTry)).contains("waits"))
    let said = ProgressText.sentence(endpoint(), wait: wait, now: .seconds(14))
    #expect(said == "14 pages, 420 records, 105/s, waits 3 min 31 s (rate limit)")
  }

  @Test func `an endpoint that is behind says how long it took`() {
    let ended = endpoint { endpoint in
      endpoint.ended = .seconds(7510)
      endpoint.share = RunProgress.Share(done: 420, all: 420, unit: .records)
    }
    #expect(line(ended) == "issues  14 pages  420 records  2 h 5 min")
  }

  @Test func `a line has no more columns than the terminal`() {
    #expect(line(endpoint(), width: 12) == "issues  14 p")
    #expect(line(endpoint(), width: 0).isEmpty)
  }
}
