import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

/// What failures show of a body, and what they never show.
struct ExcerptTests {
  private static let secret = "plum7f3k9quince"

  private func bench(_ field: String = "") throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", headers: {X-Key: "${secret.KEY}"}, retry: {attempts: 1}}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}\(field)}}}
      endpoints: {items: {path: /items, records: {items: {record: Item, required: true}}}}
      """, secrets: ["KEY": Self.secret])
  }

  @Test(arguments: 470...505)
  func `a secret that the excerpt's end would cut is not shown in part`(_ length: Int) throws {
    let bench = try bench()
    let body = String(repeating: "x", count: length) + Self.secret + String(repeating: "y", count: 600)
    for run in [try bench.run(Script([.status(500, body)])), try bench.load([body], status: 500)] {
      let message = try #require(run.failure?.message)
      #expect(!message.contains("plum"))
    }
    for excerpt in try bench.rows("SELECT excerpt FROM _ingest_errors") {
      #expect(!excerpt.contains("plum") && excerpt.utf8.count <= 500)
    }
  }

  @Test(arguments: [1990, 1998, 2100])
  func `the API's own words are told up to a bound, and no part of a secret with them`(_ length: Int) throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", headers: {X-Key: "${secret.KEY}"}, retry: {attempts: 1}}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, records: {items: Item}}}
      errors: [{status: 4xx, message: message, code: code}]
      """, secrets: ["KEY": Self.secret])
    let long = String(repeating: "x", count: length) + Self.secret + String(repeating: "y", count: 5000)
    let body = #"{"message": "\#(long)", "code": "\#(long)"}"#
    for run in [try bench.run(Script([.status(400, body)])), try bench.load([body], status: 400)] {
      let message = try #require(run.failure?.message)
      #expect(!message.contains("plum") && message.utf8.count < 4500 && message.contains("xxx"))
    }
    for text in try bench.rows("SELECT message FROM _ingest_errors UNION ALL SELECT code FROM _ingest_errors") {
      #expect(!text.contains("plum") && text.utf8.count <= 2003 && text.hasSuffix("…"))
    }
  }

  @Test(arguments: ["é", "€", "😀"])
  func `an excerpt ends with a whole character`(_ character: String) throws {
    for filler in 0..<4 {
      let bench = try bench()
      let body = String(repeating: "x", count: filler) + String(repeating: character, count: 600)
      try bench.run(Script([.status(500, body)]))
      let excerpt = try #require(try bench.rows("SELECT excerpt FROM _ingest_errors").first)
      #expect(body.hasPrefix(excerpt) && excerpt.utf8.count <= 500 && excerpt.utf8.count > 496)
    }
  }

  @Test(arguments: [
    (#"{"items": [1,"#, "syntax"), (#"{"item": []}"#, "no-key-path"), (#"{"items": null}"#, "no-key-path"),
    ("[1]", "no-key-path"),
  ])
  func `of a body that is not taken the beginning is kept, and shown unless it is read as JSON`(
    _ body: String, _ code: String
  ) throws {
    let bench = try bench()
    let fetched = try bench.run(Script([.status(201, body)]))
    #expect(fetched.failure?.message.contains("GET https://api.example.test/items answered 201: ") == true)
    let loaded = try bench.load([body], status: 201)
    for run in [fetched, loaded] {
      #expect(run.failure?.message.hasSuffix("; the body begins: \(body)") == (code != "syntax"))
    }
    #expect(
      try bench.rows("SELECT code, status, excerpt FROM _ingest_errors")
        == ["\(code)|201|\(body)", "\(code)|201|\(body)"])
  }

  @Test func `of lines, the one at fault is shown, of files and of memory`() throws {
    let lines = #"{"items": {"id": 1}}"# + "\n\n" + #"{"items": {"id": 2]}"# + "\n" + #"{"items": {"id": 3}}"#
    let bench = try bench()
    try bench.load([lines], ending: "ndjson")
    #expect(try bench.rows("SELECT excerpt FROM _ingest_errors") == [#"{"items": {"id": 2]}"#])
  }

  @Test(arguments: [
    (#"{"items": null}"#, "is required, and is null"),
    (#"{"a": 1}"#, "is required, and is not there; the body has 'a'"),
    ("[1]", "is required, and is not there; the body is an array; its key path is '.'"),
    ("7", "is required, and is not there; the body is a number"),
    ("null", "is required, and is not there; the body is null"),
  ])
  func `a required place that is not there says what is`(_ body: String, _ message: String) throws {
    let run = try bench().load([body])
    #expect(run.failure?.message.contains("\(message); the body begins: ") == true, "\(run.failure?.message ?? "")")
  }

  @Test func `rejected records are kept without the secrets that a server echoes`() throws {
    let bench = try bench(", a: {}, u: $request.url, h: $response.headers.x-echo")
    let escaped = #"\u0070lum7f3k9quince"#
    let body =
      #"{"items": [{"id": "x", "a": "\#(Self.secret)", "b": ["k \#(escaped)!"], "\#(Self.secret)": 1}]}"#
    try bench.run(Script([.status(200, body, headers: [HTTPHeader("X-Echo", Self.secret)])]))
    #expect(
      try bench.rows("SELECT value, json_valid(value), json_valid(context) FROM _ingest_rejects") == [
        #"{"id": "x", "a": "***", "b": ["k ***!"], "***": 1}|1|1"#
      ])
    #expect(try bench.rows("SELECT context FROM _ingest_rejects").first?.contains("plum") == false)
  }

  @Test(arguments: [("12345678", #"{"id": "x", "n": 12345678.5}"#), ("nope12", #"{"id": "x", "n": "a\nope12"}"#)])
  func `a rejected record without its secrets is JSON still`(_ secret: String, _ record: String) throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", headers: {X-Key: "${secret.KEY}"}}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, records: {items: Item}}}
      """, secrets: ["KEY": secret])
    try bench.load(["{\"items\": [\(record)]}"])
    #expect(
      try bench.rows("SELECT value, json_valid(value) FROM _ingest_rejects") == [#"{"id": "x", "n": "***"}|1"#])
  }
}
