import Fetch
import Pipeline
import Testing

/// `for_each`: which walks there are, in which order, and what they are remembered by.
struct ForEachTests {
  private func bench(_ each: String, path: String = "/repos/:owner/:repo", more: String = "") throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records:
        Repo:
          key: id
          table: repos
          fields: [{id: {type: integer}}, {owner: {type: text}}, {name: {type: text}}, {at: {type: timestamp}},
            {open: {type: boolean}}, {size: {type: decimal}}]
        Issue: {key: id, table: issues, fields: [{id: {type: integer}}, {of: {from: $request.url}}]\(more)}
      endpoints:
        issues: {path: "\(path)", records: {issues: Issue}, for_each: \(each)}
        repos: {path: /repos, records: {repos: Repo}}
      """)
  }

  private static let repos = """
    {"repos": [{"id": 2, "owner": "b/c", "name": "two"}, {"id": 1, "owner": "a", "name": "one"},
      {"id": 3, "owner": "a", "name": null}]}
    """

  @Test func `parents come first, in the order of their keys, and nulls have no walk`() throws {
    let bench = try bench("{record: Repo, bind: {owner: owner, repo: name}}")
    let script = Script(bodies: [Self.repos, #"{"issues": [{"id": 10}]}"#, #"{"issues": [{"id": 20}]}"#])
    let run = try bench.run(script)
    #expect(run.failure == nil)
    #expect(script.lines == ["GET /repos", "GET /repos/a/one", "GET /repos/b%2Fc/two"])
    #expect(
      try bench.rows("SELECT id, of FROM issues ORDER BY id") == [
        "10|https://api.example.test/repos/a/one", "20|https://api.example.test/repos/b%2Fc/two",
      ])
    #expect(run.messages.contains { $0.text.contains("2 walks for rows of 'Repo'; 1 row has none, for a null") })
  }

  @Test func `parents with the same bound values are one walk`() throws {
    let bench = try bench("{record: Repo, bind: {owner: owner}}", path: "/owners/:owner")
    let body = #"{"repos": [{"id": 1, "owner": "a"}, {"id": 2, "owner": "b"}, {"id": 3, "owner": "a"}]}"#
    let script = Script(bodies: [body, #"{"issues": []}"#, #"{"issues": []}"#])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /repos", "GET /owners/a", "GET /owners/b"])
  }

  @Test func `a stored value goes into a request as its type says`() throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records:
        Repo:
          key: id
          fields: [{id: {type: integer}}, {at: {type: timestamp}}, {open: {type: boolean}}, {size: {type: decimal}}]
        Issue: {key: id, fields: [id]}
      endpoints:
        repos: {path: /repos, records: {repos: Repo}}
        issues:
          path: /issues
          records: {issues: Issue}
          for_each: {record: Repo, bind: {repo: id}}
          params: {repo: "${each.repo}", at: "${each.at}", day: "${each.at:yyyyMMdd}", open: "${each.open}", size: "${each.size}"}
      """)
    let script = Script(bodies: [
      #"{"repos": [{"id": 7, "at": "2024-03-01T02:00:00+02:00", "open": true, "size": 1.50}]}"#, #"{"issues": []}"#,
    ])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines[1] == "GET /issues?repo=7&at=2024-03-01T00%3A00%3A00Z&day=20240301&open=true&size=1.50")
  }

  @Test func `a condition that is no SQL is refused before anything is asked`() throws {
    let bench = try bench("{record: Repo, bind: {owner: owner, repo: name}, where: open =}")
    let script = Script(bodies: [Self.repos])
    let run = try bench.run(script)
    #expect(run.failure?.kind == .refused)
    #expect(run.failure?.message.contains("the parents of 'for_each' cannot be read") == true)
    #expect(script.requests.isEmpty)
  }

  @Test func `rows that are stored meanwhile are no parents of the walks that go on`() throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Page: {key: id, table: pages, fields: [{id: {type: integer}}]}}
      endpoints:
        start: {path: /start, records: {pages: Page}}
        pages: {path: "/pages/:id", records: {pages: Page}, for_each: {record: Page, bind: {id: id}}}
      """)
    let script = Script(bodies: [
      #"{"pages": [{"id": 1}]}"#, #"{"pages": [{"id": 2}, {"id": 3}]}"#,
    ])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /start", "GET /pages/1"])
  }

  @Test func `each parent has a sweep of its own, and one that is gone protects nothing`() throws {
    let bench = try bench(
      "{record: Repo, bind: {owner: owner, repo: name}}", more: ", sweep: {max_delete: 100%}")
    func run(_ one: String, _ two: String) throws {
      let script = Script(bodies: [Self.repos, "{\"issues\": [\(one)]}", "{\"issues\": [\(two)]}"])
      #expect(try bench.run(script).failure == nil)
    }
    try run(#"{"id": 1}, {"id": 2}"#, #"{"id": 2}, {"id": 3}"#)
    try run(#"{"id": 1}"#, #"{"id": 3}"#)
    #expect(try bench.rows("SELECT id FROM issues ORDER BY id") == ["1", "3"])
  }

  @Test func `a failed walk of one parent lets the others go on, if the mapping says so`() throws {
    let bench = try bench("{record: Repo, bind: {owner: owner, repo: name}}, on_failure: continue")
    let script = Script([.ok(Self.repos), .status(410), .ok(#"{"issues": [{"id": 20}]}"#)])
    let run = try bench.run(script)
    #expect(run.failure?.message == "failed: 'issues'; see above")
    #expect(run.messages.contains { $0.level == .error && $0.text.contains("410") })
    #expect(try bench.rows("SELECT id FROM issues") == ["20"])
  }
}
