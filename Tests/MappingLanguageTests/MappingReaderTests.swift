import Diagnostics
import JSONReading
import MappingLanguage
import Records
import Testing
import Values

struct MappingReaderTests {
  static let whole = """
    ingest: 1
    source:
      name: nyt
      base_url: https://api.example.test
      auth: {api_key: {query: api-key, value: "${secret.NYT_API_KEY}"}}
      headers: {Accept: application/json}
      timeout: 30s
      rate_limit: 5/min
      retry: {attempts: 3, backoff: constant, wait: 2s, max_wait: 3m}
      limits: {depth: 9, pages: 7}
      lenient: true
    variables:
      query: Basketball
      from: {type: date, default: 2015-07-01}
      open:
    records:
      Article:
        table: articles
        key: id
        naming: snake_case
        types: {timestamp: [pub_date], "*": text}
        fields:
          - id: _id
          - {url: {from: [web_url, link."short url"], type: url, required: true, default: none, on_null: keep}}
          - leadParagraph
          - pub_date
          - {word_count: {type: integer, transform: [trim, {replace: [a, b]}, {shift: -2}], map: {1: one, Y: null}, map_else: 2}}
          - {kind: {const: "in ${query}", on_missing: null, on_invalid: keep_text, description: what}}
          - {at: {type: timestamp, format: [epoch_s, yyyy], timezone: Europe/Paris}}
          - {size: {check: {min: 1, max: 2.50, pattern: ^a, length: {min: 3}, one_of: [a, 1]}}}
        relationships:
          keywords: [Keyword]
          author: {record: Keyword, from: by.author}
          tags: [{fields: {tag: .}, relationships: {marks: {fields: [mark]}}}]
      Keyword:
        fields: {name: , value: v, "café": }
    endpoints:
      search:
        path: [/svc/:open/x.json, /other]
        method: post
        status: [200, 3xx]
        records: {response.docs: Article, "[*]": {record: Article, required: true}}
        params: {q: "${query}", list: [1, a], none: , begin: "${from:yyyyMMdd}"}
        headers: {X-A: b}
        paginate: {by: page, param: page, start: 0, step: 2, size_param: n, size: 50, max_pages: 100, total: meta.total,
          stop_when: {done: {equals: true}}}
        errors: [{status: 404, action: ignore}]
        lenient: false
        format: ndjson
      route: {path: /r, fetch: false, records: {a: Article}}
    errors:
      - {status: 4xx, when: {ok: false, any: [{a: [1, x]}, {not: {b: {exists: true, gt: 5}}}]}, message: [fault.text, message],
         code: code, action: retry, wait: {header: X-Wait, key_path: wait.for, default: 5s}}
    store: {url: "sqlite:${query}.db"}
    tests:
      - name: one article
        path: /svc/a/x.json?q=1
        method: get
        status: 200
        headers: {X: y}
        body: {response: {docs: [{_id: 1}]}}
        expect:
          articles: [{id: "1", list: [1, {a: b}]}]
          other: {count: 2, rows: [], ordered: true}
          rejects: 0
          requests: ["GET /a"]
      - {name: bad, endpoint: route, response: [a.json, b.json], error: {message: no, code: 17}}
    """

  private let mapping: Mapping

  init() throws { mapping = try Reading.clean(Self.whole) }

  @Test func `the source is read`() throws {
    let source = mapping.source
    #expect(source.name.value == "nyt")
    #expect(source.baseURL?.value.constantText == "https://api.example.test")
    guard case .apiKey(.query, "api-key", let value) = source.auth else {
      Issue.record("no api_key")
      return
    }
    #expect(value.value.pieces == [.secret("NYT_API_KEY")])
    #expect(source.headers.map(\.value.name) == ["Accept"])
    #expect(source.rateLimit == RateLimitDeclaration(requests: 5, period: .seconds(60)))
    #expect(source.retry.attempts == 3)
    #expect(source.retry.backoff == .constant)
    #expect(source.retry.wait == .seconds(2))
    #expect(source.retry.maxWait == .seconds(180))
    #expect(source.limits.depth == 9)
    #expect(source.limits.pages == 7)
    #expect(source.limits.body == 256 << 20)
    #expect(source.isLenient)
    #expect(!source.isNDJSON)
  }

  @Test func `variables are read`() {
    #expect(mapping.variables.map(\.name.value) == ["query", "from", "open"])
    #expect(mapping.variables.map(\.defaultValue?.value) == [.text("Basketball"), .text("2015-07-01"), nil])
    #expect(mapping.variables.map(\.type?.value) == [nil, .date, nil])
  }

  @Test func `fields are read with their types and places`() throws {
    let fields = try #require(mapping.records.first).fields
    #expect(
      fields.map(\.column.value) == ["id", "url", "lead_paragraph", "pub_date", "word_count", "kind", "at", "size"])
    #expect(fields.map(\.conversion.type) == [.text, .url, .text, .timestamp, .integer, .text, .timestamp, .text])
    let paths = fields.map { field -> [String] in
      if case .paths(let paths) = field.source { paths.map(\.value.text) } else { [] }
    }
    #expect(
      paths == [
        ["_id"], ["web_url", #"link."short url""#], ["leadParagraph"], ["pub_date"], ["word_count"], [], ["at"],
        ["size"],
      ])
    #expect(fields[1].isRequired)
    #expect(fields[1].defaultValue?.value == .text("none"))
    #expect(fields[1].onNull == .keep)
    #expect(fields[4].conversion.transforms == [.trim, .replace(pattern: "a", with: "b"), .shift(-2)])
    #expect(fields[4].conversion.map?.map(\.from) == [.number("1"), .text("Y")])
    #expect(fields[4].conversion.map?.map(\.to) == [.text("one"), .null])
    #expect(fields[4].conversion.mapElse == .number("2"))
    guard case .const(let const) = fields[5].source else {
      Issue.record("no const")
      return
    }
    #expect(const.value.pieces == [.text("in "), .variable("query", pattern: nil)])
    #expect(fields[5].onMissing == .null)
    #expect(fields[5].onInvalid == .keepText)
    #expect(fields[5].description == "what")
    #expect(fields[6].conversion.formats == ["epoch_s", "yyyy"])
    #expect(fields[6].conversion.timeZone == "Europe/Paris")
    #expect(
      fields[7].conversion.check
        == Check(
          min: .number("1"), max: .number("2.50"), pattern: "^a", minLength: 3, oneOf: [.text("a"), .number("1")]))
    #expect(text(fields[4].conversionSpans[.transform(1)]) == "a")
    #expect(text(fields[4].conversionSpans[.transform(2)]) == "-2")
    #expect(text(fields[4].conversionSpans[.mapValue(0)]) == "one")
    #expect(text(fields[6].conversionSpans[.format(1)]) == "yyyy")
    #expect(text(fields[7].conversionSpans[.checkOneOf(1)]) == "1")
    #expect(text(fields[4].typeSpan) == "integer")
  }

  @Test func `relationships and inline children are read`() throws {
    #expect(mapping.records.map(\.name.value) == ["Article", "Keyword", "Article.tags", "Article.tags.marks"])
    #expect(mapping.records.map(\.isInline) == [false, false, true, true])
    let relationships = mapping.records[0].relationships
    #expect(relationships.map(\.name.value) == ["keywords", "author", "tags"])
    #expect(relationships.map(\.shape) == [.many, .one, .many])
    #expect(relationships.map(\.record.value) == ["Keyword", "Keyword", "Article.tags"])
    #expect(relationships.map(\.from.value.text) == ["keywords", "by.author", "tags"])
    #expect(mapping.records[2].relationships.map(\.record.value) == ["Article.tags.marks"])
    #expect(mapping.records[1].fields.map(\.column.value) == ["name", "value", "café"])
  }

  @Test func `endpoints are read`() throws {
    let endpoint = try #require(mapping.endpoints.first)
    #expect(endpoint.paths.map(\.value.constantText) == ["/svc/:open/x.json", "/other"])
    #expect(endpoint.method?.value == "POST")
    #expect(endpoint.status.ranges == [200...200, 300...399])
    #expect(endpoint.places.map(\.path.value.text) == ["response.docs", "[*]"])
    #expect(endpoint.places.map(\.isRequired) == [false, true])
    #expect(endpoint.params.map(\.name.value) == ["q", "list", "none", "begin"])
    #expect(endpoint.params.map(\.values.count) == [1, 2, 0, 1])
    #expect(endpoint.headers.map(\.value.name) == ["X-A"])
    let paginate = try #require(endpoint.paginate)
    #expect(paginate.by == .page)
    #expect(paginate.param == .query("page") && paginate.sizeParam == .query("n"))
    #expect(paginate.start == .number("0"))
    #expect([paginate.step, paginate.size, paginate.maxPages] == [2, 50, 100])
    #expect(paginate.total?.value.text == "meta.total")
    guard case .condition(let condition) = paginate.stopWhen,
      case .test(let path, .equals([.boolean(true)])) = condition.value
    else {
      Issue.record("no condition")
      return
    }
    #expect(path.text == "done")
    #expect(endpoint.errors.first?.action == .ignore)
    #expect(endpoint.isFetched)
    #expect(endpoint.isLenient == false)
    #expect(endpoint.isNDJSON == true)
    #expect(mapping.endpoints[1].isLenient == nil)
    #expect(!mapping.endpoints[1].isFetched)
  }

  @Test func `error rules and their conditions are read`() throws {
    let rule = try #require(mapping.errors.first)
    #expect(rule.status?.ranges == [400...499])
    #expect(rule.action == .retry)
    #expect(rule.message.map(\.value.text) == ["fault.text", "message"])
    #expect(rule.code.map(\.value.text) == ["code"])
    #expect(rule.wait?.header == "X-Wait")
    #expect(rule.wait?.keyPath?.value.text == "wait.for")
    #expect(rule.wait?.defaultWait == .seconds(5))
    guard case .all(let parts) = rule.when, parts.count == 2, case .test(_, .equals([.boolean(false)])) = parts[0],
      case .any(let alternatives) = parts[1], case .test(_, .equals([.number("1"), .text("x")])) = alternatives[0],
      case .not(.all(let tests)) = alternatives[1], case .test(_, .exists(true)) = tests[0],
      case .test(_, .greater(.number("5"))) = tests[1]
    else {
      Issue.record("\(String(describing: rule.when))")
      return
    }
  }

  @Test func `tests are read`() throws {
    let test = try #require(mapping.tests.first)
    guard case .inline(#"{"response":{"docs":[{"_id":1}]}}"#) = test.body else {
      Issue.record("\(test.body)")
      return
    }
    #expect(test.path?.value == "/svc/a/x.json?q=1")
    #expect(test.method == "GET")
    #expect(test.tables.map(\.name.value) == ["articles", "other"])
    #expect(test.tables[0].rows?.items.first?.values.map(\.value.value) == [.text("1"), .text(#"[1,{"a":"b"}]"#)])
    #expect(test.tables[1].count?.value == 2)
    #expect(test.tables[1].isOrdered)
    #expect(test.rejects?.value == 0)
    #expect(test.requests?.items.map(\.value) == ["GET /a"])
    #expect(!test.expectsError)
    let other = mapping.tests[1]
    guard case .files(let files) = other.body else {
      Issue.record("\(other.body)")
      return
    }
    #expect(files.map(\.value) == ["a.json", "b.json"])
    #expect(other.expectsError)
    #expect(other.errorMessage == "no")
    #expect(other.errorCode == "17")
  }

  @Test func `the store is read`() {
    #expect(mapping.store?.url?.value.pieces == [.text("sqlite:"), .variable("query", pattern: nil), .text(".db")])
  }

  @Test func `without a name the source is named after its file`() throws {
    let (mapping, found) = MappingReader.read(SourceFile(name: "mappings/a.shop.yaml", text: "ingest: 1\n")) {
      _ throws(IncludeFailure) in throw IncludeFailure(reason: "none")
    }
    #expect(found.isEmpty)
    #expect(mapping?.source.name.value == "a.shop")
  }

  private func text(_ span: SourceSpan?) -> String? {
    span.map { String(decoding: $0.file.bytes[$0.start.offset..<$0.end.offset], as: UTF8.self) }
  }
}
