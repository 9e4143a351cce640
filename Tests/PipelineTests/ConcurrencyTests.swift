import Fetch
import Glibc
import Pipeline
import Synchronization
import Testing

/// `concurrency`: requests side by side, and everything else as if there were one at a time.
struct ConcurrencyTests {
  private func bench(
    _ concurrency: Int, endpoints: String, source: String = "", records: String = "", wait: String = "1ms",
    item: String = "{type: integer}"
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source:
        name: demo
        base_url: "https://api.example.test"
        concurrency: \(concurrency)
        retry: {attempts: 2, wait: \(wait)}
        \(source)
      records:
        Item: {table: items, key: id, fields: [{id: \(item)}, {of: {from: $request.url}}]}
        \(records)
      endpoints: {\(endpoints)}
      """, secrets: ["S": "secret-quince"])
  }

  /// Lists of one to five pages, and an empty one behind.
  private static func respond(_ line: String) -> HTTPResponse {
    let parts = line.split(whereSeparator: { "/?= ".contains($0) }).map(String.init)
    guard parts.count == 5, let list = Int(parts[2]), let page = Int(parts[4]) else {
      return Crowd.json("{}", status: 404)
    }
    guard page <= list % 5 + 1 else { return Crowd.json(#"{"items": []}"#) }
    let ids = (0..<3).map { "{\"id\": \(list * 1000 + page * 10 + $0)}" }
    return Crowd.json("{\"items\": [\(ids.joined(separator: ", "))]}")
  }

  private static let paged =
    "lists: {path: '/lists/:list', records: {items: Item}, paginate: {by: page, param: page, start: 1}, "
    + "for_each: {values: [\((1...24).map(String.init).joined(separator: ", "))], bind: list}}"

  private static func outcome(_ bench: Bench, _ run: Bench.Run) throws -> [String] {
    try [run.failure?.message ?? ""] + run.messages.map(\.text) + run.counts
      + bench.rows("SELECT * FROM items ORDER BY rowid") + bench.rows("SELECT * FROM _ingest_counts")
      + bench.rows("SELECT endpoint, url, status, code, action, attempt FROM _ingest_errors ORDER BY rowid")
      + bench.rows("SELECT scope, name FROM _ingest_state ORDER BY scope, name") + bench.faults()
  }

  @Test(arguments: [2, 3, 8, 40])
  func `rows, counts and messages are those of one request at a time`(_ concurrency: Int) throws {
    let one = try bench(1, endpoints: Self.paged)
    let alone = Crowd { line, _ in Self.respond(line) }
    let expected = try Self.outcome(one, one.run(alone.transport, supply: alone.supply))
    #expect(alone.most == 1 && expected[0].isEmpty && expected.count > 200)

    let many = try bench(concurrency, endpoints: Self.paged)
    let crowd = Crowd(seed: UInt64(concurrency), gathers: true) { line, _ in Self.respond(line) }
    #expect(try Self.outcome(many, many.run(crowd.transport, supply: crowd.supply)) == expected)
    #expect(crowd.most <= concurrency && crowd.most > 1)
    #expect(crowd.lines.sorted() == alone.lines.sorted())
  }

  @Test func `endpoints are fetched side by side, but not for rows that are still to come`() throws {
    let endpoints = """
      a: {path: /a, records: {items: Item}}, b: {path: /b, records: {items: Item}},
      each: {path: '/each/:id', records: {items: Other}, for_each: {record: Item, bind: {id: id}}},
      c: {path: /c, records: {items: Other}}
      """
    let bench = try bench(4, endpoints: endpoints, records: "Other: {table: others, key: id, fields: [id]}")
    let crowd = Crowd { line, _ in
      let name = line.utf8.last.map { Int($0) } ?? 0
      return Crowd.json("{\"items\": [{\"id\": \(line.contains("each") ? name + 1000 : name)}]}")
    }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure == nil)
    #expect(Set(crowd.lines.prefix(2)) == ["GET /a", "GET /b"])
    #expect(Set(crowd.lines[2...]) == ["GET /each/97", "GET /each/98", "GET /c"])
    #expect(try bench.rows("SELECT id FROM items ORDER BY rowid") == ["97", "98"])
    #expect(try bench.rows("SELECT id FROM others ORDER BY rowid") == ["1055", "1056", "99"])
  }

  @Test func `after a failure nothing of later walks is stored, and failed answers are kept`() throws {
    let bench = try bench(3, endpoints: Self.paged)
    let crowd = Crowd { line, _ in
      line.hasPrefix("GET /lists/2?page=2") ? Crowd.json(#"{"message": "no"}"#, status: 500) : Self.respond(line)
    }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure?.kind == .failed)
    #expect(try bench.rows("SELECT count(*), max(id) FROM items WHERE id >= 1000") == ["9|2012"])
    #expect(
      try bench.rows("SELECT status, action, attempt FROM _ingest_errors ORDER BY rowid") == [
        "500|retry|1", "500|fail|2",
      ])
    #expect(try bench.faults() == [])
  }

  @Test func `the others go on where the mapping says so`() throws {
    let bench = try bench(3, endpoints: Self.paged.replacing("records:", with: "on_failure: continue, records:"))
    let crowd = Crowd { line, _ in
      line.hasPrefix("GET /lists/2?page=2") ? Crowd.json(#"{"message": "no"}"#, status: 404) : Self.respond(line)
    }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure?.message == "failed: 'lists'; see above")
    #expect(try bench.rows("SELECT count(DISTINCT id / 1000) FROM items") == ["24"])
  }

  @Test func `walks share a token, and a new refresh token is kept before it is used`() throws {
    let token = Mutex(0)
    let auth = "auth: {oauth2: {grant: refresh_token, token_url: /token, refresh_token: '${secret.S}'}}"
    let bench = try bench(4, endpoints: Self.paged, source: auth)
    let crowd = Crowd { line, request in
      if line == "POST /token" {
        let number = token.withLock { number in
          number += 1
          return number
        }
        return Crowd.json("{\"access_token\": \"kiwi-\(number)\", \"refresh_token\": \"quince-\(number)\"}")
      }
      let sent = request.headers.first { $0.isNamed("Authorization") }?.value
      // The first token is good for nothing but the first pages.
      if sent == "Bearer kiwi-1", !line.hasSuffix("page=1") { return Crowd.json("{}", status: 401) }
      return sent?.hasPrefix("Bearer kiwi-") ?? false ? Self.respond(line) : Crowd.json("{}", status: 401)
    }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(crowd.lines.count { $0 == "POST /token" } == 2)
    #expect(try bench.rows("SELECT value FROM _ingest_state WHERE name = 'auth.refresh_token'")[0].contains("quince-2"))
    #expect(try bench.rows("SELECT count(DISTINCT id / 1000) FROM items") == ["24"])
  }

  /// True as soon as somebody has said so; false after ten seconds.
  private final class Sign: Sendable {
    private let state = Monitor(false)
    func give() { state.change { $0 = true } }
    func wait() -> Bool { state.wait(atMost: .seconds(10)) { $0 ? true : nil } ?? false }
  }

  @Test(arguments: ["by: page, param: page, start: 1", "by: cursor, param: page, start: '1', from: next"])
  func `pages of a walk are fetched before its turn`(_ paging: String) throws {
    let sign = Sign()
    let isAhead = Mutex(false)
    let bench = try bench(
      2,
      endpoints: "first: {path: /first, records: {items: Item}}, "
        + "lists: {path: /lists, records: {items: Item}, paginate: {\(paging)}}")
    let crowd = Crowd { line, _ in
      if line == "GET /first" {
        isAhead.withLock { $0 = sign.wait() }
        return Crowd.json(#"{"items": [{"id": 1}]}"#)
      }
      let page = Int(line.split(separator: "=").last ?? "") ?? 0
      if page == 4 { sign.give() }
      return Crowd.json(page > 4 ? #"{"items": []}"# : "{\"items\": [{\"id\": 1\(page)}], \"next\": \"\(page + 1)\"}")
    }
    #expect(try bench.run(crowd.transport, supply: crowd.supply).failure == nil)
    #expect(isAhead.withLock { $0 })
    #expect(try bench.rows("SELECT id FROM items ORDER BY rowid") == ["1", "11", "12", "13", "14"])
    #expect(Set(crowd.lines).count == crowd.lines.count)
  }

  @Test func `walks ahead that may keep no more let the others go on`() throws {
    let one = try bench(1, endpoints: Self.paged)
    let alone = Crowd { line, _ in Self.respond(line) }
    let expected = try Self.outcome(one, one.run(alone.transport, supply: alone.supply))
    for limit in [1, 3000, 6000] {
      let many = try bench(3, endpoints: Self.paged)
      let crowd = Crowd(seed: 9) { line, _ in Self.respond(line) }
      var supply = crowd.supply
      supply.laneLimit = limit
      #expect(try Self.outcome(many, many.run(crowd.transport, supply: supply)) == expected)
      #expect(crowd.lines.sorted() == alone.lines.sorted())
    }
  }

  @Test func `the walk at hand does not wait for those that wait to try again`() throws {
    let bench = try bench(
      2,
      endpoints: "first: {path: /first, records: {items: Item}, paginate: {by: page, param: page, start: 1}}, "
        + "b: {path: /b, records: {items: Item}}, c: {path: /c, records: {items: Item}}", wait: "2s")
    let crowd = Crowd { line, _ in
      if line == "GET /b" || line == "GET /c" { return Crowd.json("{}", status: 503) }
      return Crowd.json(line.hasSuffix("9") ? #"{"items": []}"# : "{\"items\": [{\"id\": \(line.suffix(1))}]}")
    }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure?.message.contains("503") == true)
    #expect(try bench.rows("SELECT count(*) FROM items") == ["8"])
    // Not before the second tries of the others, which come two seconds later.
    let last = try #require(crowd.lines.firstIndex(of: "GET /first?page=9"))
    #expect(crowd.lines[..<last].count { $0 == "GET /b" } <= 1)
  }

  @Test func `a new refresh token is kept although the walk that asked for it is given up`() throws {
    let asks = Sign()
    let auth = "auth: {oauth2: {grant: refresh_token, token_url: /token, refresh_token: '${secret.S}'}}"
    let bench = try bench(
      2,
      endpoints:
        "a: {path: /a, records: {items: {record: Item, required: true}}}, b: {path: /b, records: {items: Item}}",
      source: auth)
    let count = Mutex(0)
    let crowd = Crowd { line, _ in
      switch line {
      case "POST /token":
        let number = count.withLock { number in
          number += 1
          return number
        }
        if number == 2 {
          asks.give()
          usleep(300_000)
        }
        return Crowd.json("{\"access_token\": \"kiwi-\(number)\", \"refresh_token\": \"quince-\(number)\"}")
      case "GET /a":
        #expect(asks.wait())
        return Crowd.json(#"{"other": []}"#)
      default: return Crowd.json("{}", status: 401)
      }
    }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure?.message.contains("'items' is required") == true, "\(run.failure?.message ?? "")")
    #expect(try bench.rows("SELECT value FROM _ingest_state WHERE name = 'auth.refresh_token'")[0].contains("quince-2"))
  }

  @Test func `a refused token is asked for once`() throws {
    let auth = "auth: {oauth2: {grant: refresh_token, token_url: /token, refresh_token: '${secret.S}'}}"
    let bench = try bench(
      4, endpoints: Self.paged.replacing("records:", with: "on_failure: continue, records:"), source: auth)
    let crowd = Crowd { _, _ in Crowd.json(#"{"error": "invalid_grant"}"#, status: 400) }
    #expect(try bench.run(crowd.transport, supply: crowd.supply).failure?.message == "failed: 'lists'; see above")
    #expect(crowd.lines == ["POST /token"])
  }

  @Test func `a page that is refused when it is stored ends its walk, whatever was fetched behind it`() throws {
    let bench = try bench(3, endpoints: Self.paged, item: "{type: integer, on_invalid: fail}")
    let crowd = Crowd { line, _ in
      // Paging sees nothing wrong in it.
      line == "GET /lists/3?page=2" ? Crowd.json(#"{"items": [{"id": "x"}]}"#) : Self.respond(line)
    }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure?.message.contains("/lists/3?page=2") == true)
    #expect(try bench.rows("SELECT max(id) FROM items") == ["3012"])
  }

  @Test func `slices of an incremental walk are fetched side by side, and stored in order`() throws {
    let endpoints = """
      events: {path: /events, records: {items: Event},
        incremental: {column: at, param: since, until_param: until, format: yyyy-MM-dd, start: 2015-06-01, slice: 7d}}
      """
    let bench = try bench(
      4, endpoints: endpoints,
      records: "Event: {table: events, key: id, fields: [{id: {type: text}}, {at: {type: date}}]}")
    let crowd = Crowd(gathers: true) { line, _ in
      let since = line.split(separator: "since=")[1].prefix(10)
      return Crowd.json("{\"items\": [{\"id\": \"\(since)\", \"at\": \"\(since)\"}]}")
    }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure == nil)
    #expect(crowd.most > 1)
    let stored = try bench.rows("SELECT id FROM events ORDER BY rowid")
    #expect(stored == ["2015-06-01", "2015-06-08", "2015-06-15", "2015-06-22", "2015-06-29"])
    #expect(try bench.rows("SELECT value FROM _ingest_state WHERE name = 'cursor'")[0].contains("2015-06-29"))
  }

  @Test func `a run that is cut is continued where walks side by side were`() throws {
    let bench = try bench(3, endpoints: Self.paged)
    let requests = Countdown(60)
    let crowd = Crowd { line, _ throws(FetchError) in
      if requests.isOver { throw FetchError(.interrupted, "cut") }
      return Self.respond(line)
    }
    #expect(try bench.run(crowd.transport, supply: crowd.supply).failure?.kind == .interrupted)
    func complete() throws -> Set<Int> {
      let scopes = try bench.rows("SELECT scope FROM _ingest_state WHERE name = 'complete'")
      return Set((1...24).filter { list in scopes.contains { $0.contains("\"list\":\"\(list)\"") } })
    }
    let before = try complete()
    let whole = Crowd(seed: 4) { line, _ in Self.respond(line) }
    #expect(try bench.run(whole.transport, supply: whole.supply).failure == nil)
    #expect(try bench.rows("SELECT count(DISTINCT id / 1000) FROM items") == ["24"])
    for list in before { #expect(!whole.lines.contains { $0.hasPrefix("GET /lists/\(list)?") }, "\(list)") }
    #expect(try complete().count == 24)
    #expect(try bench.faults() == [])
  }

  @Test func `the rate limit holds for all requests together`() throws {
    let begins = Mutex<[Duration]>([])
    let bench = try bench(8, endpoints: Self.paged, source: "rate_limit: 200/s")
    let crowd = Crowd { line, _ in
      begins.withLock { $0.append(SystemClock().now()) }
      return Self.respond(line)
    }
    let run = try bench.run(crowd.transport, clock: SystemClock(), supply: crowd.supply)
    #expect(run.failure == nil)
    let count = crowd.lines.count
    let span = begins.withLock { ($0.max() ?? .zero) - ($0.min() ?? .zero) }
    // Each comes up to 4 ms after it began.
    #expect(span >= .milliseconds(5) * (count - 1) - .milliseconds(4), "\(count) requests in \(span)")
  }
}
