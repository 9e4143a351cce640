import Fetch
import Testing

@testable import Pipeline  // see PagedWalk

/// A walk of one kind, with the pages that it asks for in their order.
struct PagerCase: Sendable, CustomTestStringConvertible {
  var endpoint: String
  var pages: [ScriptedPage]
  var end = "end"
  var warning: String?
  var maxPages: Int?
  var limit = 1000

  var testDescription: String { "\(endpoint), \(pages.count) pages, \(end)" }

  /// `{"items": [{"id": …}], …}`
  static func body(_ ids: [String], _ more: String = "") -> String {
    let items = ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
    return "{\"items\":[\(items)]\(more.isEmpty ? "" : ",")\(more)}"
  }

  func walk() throws -> PagedWalk {
    var walk = try PagedWalk(endpoint)
    (walk.limit, walk.maxPages) = (limit, maxPages)
    return walk
  }

  var isCounted: Bool { endpoint.contains("by: page") || endpoint.contains("by: offset") }
}

struct PagerTests {
  private static let circle = ": the pages lead in a circle; look at 'paginate', or tell the API's operators"

  private static func body(_ ids: [Int], _ more: String = "") -> String { PagerCase.body(ids.map(String.init), more) }

  private static func get(_ query: String, _ body: String, _ headers: [String: String] = [:]) -> ScriptedPage {
    ScriptedPage("GET /v1/items\(query)", body, headers)
  }

  static let counted: [PagerCase] = [
    PagerCase(
      endpoint: "path: /items, paginate: {by: page, param: page, start: 1}",
      pages: [get("?page=1", body([1, 2])), get("?page=2", body([3])), get("?page=3", body([]))]),
    PagerCase(
      endpoint:
        "path: /items, paginate: {by: page, param: p, start: 0, step: 10, size_param: n, size: 2, stop_when: short}",
      pages: [get("?n=2&p=0", body([1, 2])), get("?n=2&p=10", body([3, 4])), get("?n=2&p=20", body([5]))]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: page, param: p, start: 1, has_more: more}",
      pages: [
        get("?p=1", body([1], #""more":true"#)), get("?p=2", body([], #""more":true"#)),
        get("?p=3", body([], #""more":true"#)), get("?p=4", body([2], #""more":false"#)),
      ]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: page, param: p, start: 1, total_pages: n}",
      pages: [get("?p=1", body([1], #""n":3"#)), get("?p=2", body([])), get("?p=3", body([2]))]),
    // A total that only the first page declares.
    PagerCase(
      endpoint: "path: /items, paginate: {by: page, param: p, start: 1, total: n}",
      pages: [get("?p=1", body([1], #""n":"3""#)), get("?p=2", body([2])), get("?p=3", body([3]))]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: page, param: p, start: 1, total: n}",
      pages: [get("?p=1", body([1], #""n":3"#)), get("?p=2", body([], #""n":3"#)), get("?p=3", body([]))],
      end: "short of 3"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: page, param: p, start: 1}",
      pages: [get("?p=1", body([1])), get("?p=2", body([2])), get("?p=3", body([3])), get("?p=4", body([1]))],
      end: "repeated"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: page, param: p, start: 1, max_pages: 3}",
      pages: [get("?p=1", body([1])), get("?p=2", body([2])), get("?p=3", body([3]))], end: "bounded 3"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: page, param: p, start: 1}",
      pages: [get("?p=1", body([1])), get("?p=2", body([2]))], end: "over 2", limit: 2),
    PagerCase(
      endpoint: "path: /items, paginate: {by: offset, param: o}",
      pages: [get("?o=0", body([1, 2, 3])), get("?o=3", body([4])), get("?o=4", body([]))]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: offset, param: o, start: 1, size_param: n, size: 2}",
      pages: [get("?n=2&o=1", body([1, 2])), get("?n=2&o=3", body([3])), get("?n=2&o=5", body([]))]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: offset, param: o, step: 1, size_param: n, size: 2, stop_when: short}",
      pages: [get("?n=2&o=0", body([1, 2])), get("?n=2&o=1", body([3, 4])), get("?n=2&o=2", body([5]))]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: offset, param: o, total: t}",
      pages: [get("?o=0", body([1, 2], #""t":3"#)), get("?o=2", body([3], #""t":3"#))]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: offset, param: o, has_more: more}",
      pages: [get("?o=0", body([1, 2], #""more":true"#)), get("?o=2", body([], #""more":true"#))],
      end: "failed: more is to come, but this page is empty: without 'size' or 'step' the next offset is not known"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: page, param: p, start: 9223372036854775807}",
      pages: [get("?p=9223372036854775807", body([1]))],
      end: "failed: the next page would be larger than 9223372036854775807"),
    PagerCase(
      endpoint:
        "path: /items, method: POST, body: {form: {q: x, p: 7}}, paginate: {by: page, param: p, start: 1, in: body}",
      pages: [
        ScriptedPage("POST /v1/items q=x&p=1", body([1])), ScriptedPage("POST /v1/items q=x&p=2", body([2])),
        ScriptedPage("POST /v1/items q=x&p=3", body([])),
      ]),
    PagerCase(
      endpoint:
        "path: /items, headers: {X-P: '9', X-A: b}, paginate: {by: page, param: x-p, start: 1, in: header, size_param: X-N, size: 5}",
      pages: [
        get(" X-A: b X-N: 5 x-p: 1", body([1])), get(" X-A: b X-N: 5 x-p: 2", body([])),
      ]),
  ]

  static let followed: [PagerCase] = [
    PagerCase(
      endpoint: "path: /items, params: {q: x}, paginate: {by: cursor, param: c, from: meta.next}",
      pages: [
        get("?q=x", body([1], #""meta":{"next":"a+b/c=="}"#)),
        get("?q=x&c=a%2Bb%2Fc%3D%3D", body([2], #""meta":{"next":9007199254740993}"#)),
        get("?q=x&c=9007199254740993", body([3], #""meta":{"next":1.50}"#)),
        get("?q=x&c=1.50", body([4], #""meta":{"next":"1.5"}"#)),
        get("?q=x&c=1.5", body([5], #""meta":{"next":"\u00e9"}"#)),
        get("?q=x&c=%C3%A9", body([6], #""meta":{"next":"e\u0301"}"#)),
        get("?q=x&c=e%CC%81", body([7], #""meta":{"next":null}"#)),
      ]),
    PagerCase(
      endpoint: "path: /items, params: {c: '*'}, paginate: {by: cursor, param: c, from: next}",
      pages: [get("?c=%2A", body([1], #""next":"a""#)), get("?c=a", body([2], #""next":"""#))]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: cursor, param: c, start: '*', from: next}",
      pages: [
        get("?c=%2A", body([1], #""next":"a""#)), get("?c=a", body([2], #""next":"b""#)),
        get("?c=b", body([3], #""next":"*""#)),
      ], end: "failed: the cursor '*' came before\(circle)"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: cursor, param: c, from: next}",
      pages: [
        get("", body([1], #""next":"7""#)), get("?c=7", body([2], #""next":"8""#)),
        get("?c=8", body([3], #""next":7"#)),
      ], end: "failed: the cursor '7' came before\(circle)"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: cursor, param: c, from: next}",
      pages: [
        get("", body([1], #""next":"7""#)), get("?c=7", body([2], #""next":"8""#)),
        get("?c=8", body([2], #""next":"8""#)),
      ], end: "repeated"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: cursor, param: c, from: next, total: n}",
      pages: [get("", body([1], #""next":"7","n":4"#)), get("?c=7", body([2]))], end: "short of 4"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: cursor, param: c, from: next, max_pages: 9}",
      pages: [get("", body([1], #""next":"7""#)), get("?c=7", body([2], #""next":"8""#))], end: "bounded 2", maxPages: 2
    ),
    PagerCase(
      endpoint: "path: /items, paginate: {by: cursor, param: c, from: next, has_more: more}",
      pages: [get("", body([1], #""next":"7","more":true"#)), get("?c=7", body([2], #""more":true"#))],
      end: "incomplete: the answer says that more is to come, but has no cursor"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: cursor, param: c, from: next}",
      pages: [get("", body([1], #""next":"7""#)), get("?c=7", body([2], #""next":{"c":8}"#))],
      end: "failed: a cursor is a text or a number, and 'next' is an object"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: cursor, param: c, from: page.next}",
      pages: [get("", body([1], #""page":{"next":"7"}"#)), get("?c=7", body([2], #""page":"8""#))],
      end: "failed: a cursor is a text or a number, and 'page.next' cannot be read: a text stands on the way to it"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: cursor, param: c, from: page.next}",
      pages: [get("", body([1], #""page":{"next":"7"}"#)), get("?c=7", body([2], #""page":[]"#))]),
    PagerCase(
      endpoint:
        "path: /q, method: POST, body: {json: {v: {n: 2}}}, paginate: {by: cursor, param: v.after, from: next, in: body}",
      pages: [
        ScriptedPage(#"POST /v1/q {"v":{"n":2}}"#, body([1], #""next":"a\"b""#)),
        ScriptedPage(#"POST /v1/q {"v":{"n":2,"after":"a\"b"}}"#, body([2], #""next":123456789012345678901234567890"#)),
        ScriptedPage(#"POST /v1/q {"v":{"n":2,"after":123456789012345678901234567890}}"#, body([3])),
      ]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: last_value, param: after, from: 'items[-1].id'}",
      pages: [
        get("", body([1, 4])), get("?after=4", PagerCase.body(["6", "1.50"])),
        get("?after=1.50", PagerCase.body(["\"x y\""])), get("?after=x%20y", body([])),
      ]),
    PagerCase(
      endpoint:
        "path: /items, paginate: {by: last_value, param: after, start: -1, from: 'items[-1].id', has_more: more}",
      pages: [
        get("?after=-1", body([1, 4], #""more":true"#)), get("?after=4", body([9], #""more":true"#)),
        get("?after=9", body([10], #""more":false"#)),
      ]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: last_value, param: after, from: 'items[-1].n'}",
      pages: [get("", body([1, 4]))], end: "failed: there is no last value at 'items[-1].n', where the page has records"
    ),
    PagerCase(
      endpoint: "path: /items, paginate: {by: last_value, param: after, from: 'items[-1].id', has_more: more}",
      pages: [get("", body([1], #""more":true"#)), get("?after=1", body([], #""more":true"#))],
      end: "failed: more is to come, but this page is empty: there is no last value to ask from at 'items[-1].id'"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: last_value, param: after, from: 'items[-1].id'}",
      pages: [get("", body([1, 4])), get("?after=4", body([5])), get("?after=5", body([6, 4]))],
      end: "failed: the last value at 'items[-1].id' came before\(circle)"),
    PagerCase(
      endpoint: "path: /items, params: {n: 2}, paginate: {by: next_url, from: next, size_param: per, size: 2}",
      pages: [
        get("?n=2&per=2", body([1], #""next":"?page=2""#)), get("?page=2", body([2], #""next":"/w/8/items?page=3""#)),
        ScriptedPage("GET /w/8/items?page=3", body([3], #""next":"../x?a=b%2Fc#top""#)),
        ScriptedPage("GET /w/x?a=b%2Fc", body([4], #""next":"https://other.example.test/y?z""#)),
        ScriptedPage("GET https://other.example.test/y?z", body([5], #""next":"z""#)),
        ScriptedPage("GET https://other.example.test/z", body([6], #""next":null"#)),
      ]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: next_url, from: next}",
      pages: [get("", body([1], #""next":"?p=2""#)), get("?p=2", body([2], #""next":"/v1/items""#))],
      end: "failed: the next URL https://api.example.test/v1/items came before\(circle)"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: next_url, from: next}",
      pages: [
        get("", body([1], #""next":"?p=2""#)),
        get("?p=2", body([2], #""next":"http://api.example.test/v1/items?p=3""#)),
      ],
      end: "failed: the next URL cannot be followed: it leads from https to http, which is refused"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: next_url, from: next}",
      pages: [get("", body([1], #""next":2"#))], end: "failed: a next URL is a text, and 'next' is a number"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: next_url, from: $response.headers.x-next}",
      pages: [get("", body([1]), ["X-Next": "?p=2"]), get("?p=2", body([2]), ["X-Next": ""])]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: link_header}",
      pages: [
        get("", body([1]), ["Link": #"<https://api.example.test/v1/items?p=9>; rel=last, <?p=2&s=a,b>; rel="next""#]),
        get("?p=2&s=a,b", body([2]), ["link": #"</v1/items?p=3>; REL="alternate Next""#]),
        get("?p=3", body([3]), ["Link": "<?p=1>; rel=first"]),
      ]),
    PagerCase(
      endpoint: "path: /items, paginate: {by: link_header}",
      pages: [get("", body([1]), ["Link": "<?p=2>; rel=next, </v1/items?p=2>; rel=next, <?p=3>; rel=next"])],
      end: "failed: the Link headers name two next URLs that differ"),
    PagerCase(
      endpoint: "path: /items, paginate: {by: link_header}",
      pages: [get("", body([1]), ["Link": #"<?p=2>; title="a"#])],
      end: "failed: the Link header cannot be read: a quotation mark is not closed"),
  ]

  private func expect(_ course: PagedWalk.Course, _ test: PagerCase, _ requests: [String], _ note: Comment = "") {
    #expect(course.requests == requests, note)
    #expect(course.end == test.end, note)
    #expect(course.warnings == [test.warning].compactMap(\.self), note)
  }

  @Test(arguments: counted + followed)
  func `a walk asks for its pages, and ends by its rules`(_ test: PagerCase) throws {
    expect(try test.walk().course(over: test.pages), test, test.pages.map(\.request))
  }

  /// Behind how many pages another one follows.
  private func places(_ test: PagerCase) -> Range<Int> { 1..<test.pages.count }

  @Test(arguments: counted)
  func `a walk over counted pages that was cut goes on one page earlier`(_ test: PagerCase) throws {
    let whole = test.pages.map(\.request)
    for cut in places(test) {
      let expected = whole[..<cut] + whole[(cut - 1)...]
      expect(try test.walk().course(over: test.pages, cuts: [cut]), test, Array(expected), "cut behind \(cut)")
    }
  }

  @Test(arguments: followed)
  func `a walk along cursors that was cut goes on at the page that is missing`(_ test: PagerCase) throws {
    for cut in places(test) {
      expect(
        try test.walk().course(over: test.pages, cuts: [cut]), test, test.pages.map(\.request), "cut behind \(cut)")
    }
    let everywhere = try test.walk().course(over: test.pages, cuts: Set(places(test)))
    expect(everywhere, test, test.pages.map(\.request), "cut everywhere")
  }

  @Test(arguments: counted.filter { $0.pages.count > 2 })
  func `a walk may be cut more than once`(_ test: PagerCase) throws {
    let whole = test.pages.map(\.request)
    // Behind the second page, and behind the third request: the second page again.
    let course = try test.walk().course(over: test.pages, cuts: [2, 3])
    expect(course, test, Array(whole[..<2] + [whole[1], whole[1]] + whole[2...]))
  }

  @Test func `what cannot be read is not gone on from`() throws {
    let walk = try PagerCase(endpoint: "path: /items, paginate: {by: page, param: p, start: 1}", pages: []).walk()
    let plan = walk.plan
    let other = try PagerCase(endpoint: "path: /items, paginate: {by: offset, param: p}", pages: []).walk().plan
    let saved =
      #"{"kind":"page","next":{"at":{"number":3},"pages":2,"received":4,"empty":0,"total":9},"#
      + #""before":{"at":{"number":2},"pages":1,"received":2,"empty":0},"attempts":[1]}"#
    func resumed(_ text: String, _ marks: [String] = []) -> Pager? {
      Pager(plan, limit: 9, resuming: text, marks: marks)
    }
    let whole = try #require(resumed(saved, ["1.1.b1-2-3", "2.1.b4-5-6"]))
    #expect(whole.pages == 1 && whole.received == 2 && whole.seen == ["b1-2-3"] && whole.attempts == [1, 2])
    #expect(try #require(resumed(whole.saved, ["1.1.b1-2-3"])).pages == 1)
    for length in 0..<saved.utf8.count { #expect(resumed(String(saved.prefix(length))) == nil) }
    for (part, instead) in [
      ("page\"", "cursor\""), ("\"number\":2", "\"text\":\"2\""), ("\"pages\":1", "\"pages\":-1"),
      ("\"received\":4", "\"received\":1.5"), ("[1]", "[]"), ("[1]", "[2]"), ("[1]", "[1,null]"), ("[1]", "1"),
      ("\"empty\":0,", ""), ("{\"number\":2}", "3"), ("\"number\":3", "\"number\":99999999999999999999"),
    ] { #expect(resumed(saved.replacing(part, with: instead)) == nil, "\(part) \(instead)") }
    for mark in ["", "1", "1.1", "1.1.", "1.1.x1", "a.1.b1", "1.a.b1", "1.1.b1.2"] {
      #expect(resumed(saved, [mark]) == nil, "\(mark)")
    }
    #expect(Pager(other, limit: 9, resuming: saved, marks: []) == nil)
  }
}
