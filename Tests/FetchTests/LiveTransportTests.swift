import Fetch
import Foundation
import JSONReading
import Testing

/// The body as text, from memory or from its file.
func text(of body: ResponseBody) throws -> String { String(decoding: body.prefix(body.count), as: UTF8.self) }

func live(_ change: (inout LiveSettings) -> Void = { _ in }) throws -> LiveTransport {
  var settings = LiveSettings(userAgent: "ingest/1.2.3", proxy: nil)
  change(&settings)
  return try LiveTransport(settings)
}

/// The error that a call ends with.
func failure(_ call: () throws -> Void) throws -> FetchError {
  let error = #expect(throws: FetchError.self) { try call() }
  return try #require(error)
}

struct LiveTransportTests {
  @Test func `a request arrives as it was written, and its answer as it was sent`() throws {
    try withServer({ _ in [.answer(#"{"a": 1}"#, headers: "X-Note:  two words \r\n")] }) { server throws in
      let request = HTTPRequest(
        url: server.url + "/a%2Fb/%2E%2E/c?q=x%20y&d=1,2",
        headers: [HTTPHeader("X-Api-Key", "k-1"), HTTPHeader("X-Empty", ""), HTTPHeader("accept", "text/json")],
        basic: ("ada", "p:w"))
      let response = try live().send(request, limits: FetchLimits())
      #expect(response.status == 200)
      #expect(response.header("x-note") == "two words")
      #expect(try text(of: response.body) == #"{"a": 1}"#)
      let seen = try #require(server.requests.first)
      #expect(seen.line == "GET /a%2Fb/%2E%2E/c?q=x%20y&d=1,2")
      #expect(seen.header("X-Api-Key") == "k-1")
      #expect(seen.header("X-Empty") == "")
      #expect(seen.header("Accept") == "text/json")
      #expect(seen.header("Accept-Encoding") == "gzip, deflate")
      #expect(seen.header("User-Agent") == "ingest/1.2.3")
      #expect(seen.header("Authorization") == "Basic YWRhOnA6dw==")
      #expect(seen.header("Referer") == nil && seen.header("Expect") == nil)
    }
  }

  @Test(arguments: [
    "HTTP/1.0 408 Request Time-out\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "\r\n",
  ])
  func `what a server says after its answer is not the answer to the next request`(unasked: String) throws {
    let script: @Sendable (RawServer.Request) -> [RawServer.Step] = { request in
      [.answer(request.line.hasSuffix("/1") ? "1" : "2"), .pause(0.05), .text(unasked)]
    }
    try withServer(script) { server throws in
      let transport = try live()
      for number in ["1", "2", "1"] {
        let response = try transport.send(HTTPRequest(url: server.url + "/" + number), limits: FetchLimits())
        #expect(response.status == 200)
        #expect(try text(of: response.body) == number)
        Thread.sleep(forTimeInterval: 0.15)
      }
      #expect(server.accepted == 3)
    }
  }

  @Test func `a connection that says nothing unasked is used again`() throws {
    try withServer({ _ in [.answer("1")] }) { server throws in
      let transport = try live()
      for _ in 0..<3 { _ = try transport.send(HTTPRequest(url: server.url), limits: FetchLimits()) }
      #expect(server.accepted == 1)
    }
  }
}
