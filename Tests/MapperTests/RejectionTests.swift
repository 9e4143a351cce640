import JSONReading
import Mapper
import PlanCompiler
import Records
import Testing

/// Rejections say where, what and why, and keep the record whole.
struct RejectionTests {
  @Test func `a rejection keeps pointer, field, value, context, body and endpoint`() throws {
    var trial = try Trial(
      records: "Item: {key: id, fields: {id: , n: {type: integer}, owner: $route.owner, total: $root.total, "
        + "page: '$query.page', none: $parent.none}}", at: "items: Item", path: "/:owner")
    trial.parameters = [RouteParameter(name: "owner", value: #"a"da"#)]
    trial.query = [("page", "2")]
    let outcome = try trial.map(
      #"{"items": [{"id": 1}]}"#, #"{"items": [{"id": 2, "n":  1.5 , "z":[1, 2]}], "total": 12.50}"#)
    let rejection = try #require(outcome.batch.rejections.first)
    #expect(outcome.batch.rejections.count == 1)
    #expect(rejection.record == "Item" && rejection.pointer == "/items/0" && rejection.field == "n")
    #expect(rejection.endpoint == "e" && rejection.body == 1)
    #expect(String(decoding: rejection.value, as: UTF8.self) == #"{"id": 2, "n":  1.5 , "z":[1, 2]}"#)
    #expect(
      rejection.context == #"{"$route.owner":"a\"da","$root.total":12.50,"$query.page":"2","$parent.none":null}"#)
    #expect(!rejection.reason.contains("1.5"))
    #expect(outcome.counted == ["Item 2/1"])
    #expect(outcome.rows.count == 1)
  }

  @Test func `a record whose mapping reads no context has none`() throws {
    let trial = try Trial(fields: "id: {type: integer}")
    #expect(try trial.map(#"{"id": "x"}"#).batch.rejections.first?.context == nil)
  }

  @Test(arguments: [
    (".", #"{"id": "x"}"#, ""), (".", #"[{"id": 1}, {"id": "x"}]"#, "/1"),
    ("items", #"{"items": {"id": "x"}}"#, "/items"), ("items", #"{"items": [{"id": 0}, {"id": "x"}]}"#, "/items/1"),
    (#"'"a/b"."c~d"'"#, #"{"a/b": {"c~d": [{"id": "x"}]}}"#, "/a~1b/c~0d/0"),
    ("'d.*'", #"{"d": {"~/": {"id": "x"}}}"#, "/d/~0~1"), ("'d.*'", #"{"d": {"": {"id": "x"}}}"#, "/d/"),
    ("'d.*'", #"{"d": {"\u00e9\"": {"id": "x"}}}"#, "/d/\u{e9}\""),
    ("'g[*][*]'", #"{"g": [[{"id": 0}], [null, {"id": "x"}]]}"#, "/g/1/1"),
    ("'a[0]'", #"{"a": [{"id": "x"}]}"#, "/a/0"),
  ])
  func `pointers are those of RFC 6901`(_ place: String, _ body: String, _ pointer: String) throws {
    let trial = try Trial(records: "Item: {key: id, fields: {id: {type: integer}}}", at: "\(place): Item")
    #expect(try trial.map(body).batch.rejections.map(\.pointer) == [pointer])
  }

  @Test func `pointers lead into nested records, whatever their names are`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {subs: {record: [Sub], from: '\"s/t\".*'}}}, "
        + "Sub: {fields: [n], relationships: {one: {record: One, from: 'x[1].\"~\"'}}}, One: {fields: {v: {type: integer}}}",
      at: "items: Item")
    let outcome = try trial.map(
      #"{"items": [{"id": 1, "s/t": {"a": {}, "b\u002f": {"x": [{}, {"~": {"v": "x"}}]}}}]}"#)
    #expect(outcome.batch.rejections.map(\.pointer) == ["/items/0/s~1t/b~1/x/1/~0"])
    #expect(outcome.batch.rejections.map { String(decoding: $0.value, as: UTF8.self) } == [#"{"v": "x"}"#])
  }

  @Test func `the first fault of a record is the one that is told, and it counts once`() throws {
    let trial = try Trial(fields: "id: {type: integer}, a: {type: integer}, b: {type: integer}")
    let outcome = try trial.map(#"{"b": "x", "a": "y", "id": 1}"#)
    #expect(outcome.batch.rejections.map(\.field) == ["a"])
    #expect(outcome.counted == ["Item 1/1"])
  }

  @Test func `a record beside its list is rejected with what its mapping reads of it`() throws {
    let trial = try Trial(
      records: "Page: {table: page, key: n, fields: {n: {type: integer}}}, Item: {key: id, fields: [id]}",
      at: ".: Page, items: Item")
    let outcome = try trial.map(#"{"n": "x", "items": [{"id": 1}]}"#)
    #expect(outcome.batch.rejections.map(\.pointer) == [""])
    #expect(outcome.rows(of: "item") == ["1"])
  }
}

/// Several bodies in one batch, and lines that are taken back.
struct BatchTests {
  @Test func `rows, lists and rejections know their body`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: {id: {type: integer}}, relationships: {tags: [{fields: {t: .}}]}}",
      at: "items: Item")
    let outcome = try trial.map(
      #"{"items": [{"id": 1, "tags": ["a"]}]}"#, #"{"items": []}"#, #"{"items": [{"id": "x"}, {"id": 2, "tags": []}]}"#)
    #expect(outcome.batch.tables[0].rows.map(\.body) == [0, 2])
    #expect(outcome.batch.tables[1].lists.map(\.body) == [0, 2])
    #expect(outcome.batch.rejections.map(\.body) == [2])
    #expect(outcome.counted == ["Item 3/1", "Item.tags 1/0"])
  }

  @Test func `places of several endpoints all apply, and each rejection names its own`() throws {
    var trial = try Trial(
      """
      ingest: 1
      source: {name: demo}
      records:
        Item: {key: id, fields: {id: {type: integer}}}
        Shop: {key: name, fields: [name]}
      endpoints:
        items: {path: /x, fetch: false, records: {items: Item}}
        shops: {path: /x, fetch: false, records: {shops: Shop, "more[*].shops": Shop}}
      """)
    trial.endpoints = [0, 1]
    let outcome = try trial.map(
      #"{"shops": [{"name": "a"}, {}], "items": [{"id": 1}, {"id": "x"}], "more": [{"shops": [{"name": "b"}]}]}"#)
    #expect(outcome.rows == ["item: id=1", "shop: name='a'", "shop: name='b'"])
    #expect(outcome.batch.rejections.map(\.endpoint) == ["shops", "items"])
  }

  @Test func `a batch that is full is handed on between two records`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {tags: [{fields: {t: .}}]}}", at: ".: Item")
    let batch = RecordBatch(shapes: trial.plan.shapes)
    let mapper = BodyMapper(plan: trial.plan, batch: batch)
    let tree = mapper.begin(BodyContext(matches: [BodyContext.Match(endpoint: 0)], fetchedAt: "", runID: 1))
    var flushed: [Int] = []
    mapper.beginBody(BodyName("b"), in: batch) { batch in
      flushed.append(batch.rowCount)
      batch.reset()
      return batch
    }
    let records = (0..<3000).map { #"{"id": \#($0), "tags": [1, 2]}"# }
    var receiver = mapper
    _ = try BodyReader(tree: tree).read(.memory(Array("[\(records.joined(separator: ","))]".utf8)), into: &receiver)
    #expect(flushed.reduce(0, +) + batch.rowCount == 9000)
    #expect(flushed.allSatisfy { $0 >= BodyMapper.batchRows && $0 < BodyMapper.batchRows + 3 && $0 % 3 == 0 })
    #expect(mapper.takeCounts().map(\.received) == [3000, 6000])
    #expect(mapper.takeCounts().map(\.received) == [0, 0])
  }

  @Test func `what a broken body brought is taken back, with its counts`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: {id: {type: integer}}, relationships: {tags: [{fields: {t: .}}]}}",
      at: ".: Item")
    let batch = RecordBatch(shapes: trial.plan.shapes)
    let mapper = BodyMapper(plan: trial.plan, batch: batch)
    let context = BodyContext(matches: [BodyContext.Match(endpoint: 0)], fetchedAt: "", runID: 1)
    func read(_ body: String) throws {
      let tree = mapper.begin(context)
      mapper.beginBody(BodyName("b"), in: batch)
      var receiver = mapper
      _ = try BodyReader(tree: tree).read(.memory(Array(body.utf8)), into: &receiver)
    }
    func outcome() -> Outcome {
      Outcome(plan: trial.plan, batch: batch, counts: mapper.tally.counts, warnings: [])
    }
    try read(#"[{"id": 1, "tags": ["a"]}]"#)
    let (rows, lists, counted) = (outcome().rows, outcome().lists, outcome().counted)
    let (mark, counts) = (batch.mark, mapper.tally)
    #expect(throws: JSONError.self) { try read(#"[{"id": 2, "tags": ["b", "c"]}, {"id": "x"}, {"id": 3, ]"#) }
    #expect(outcome().rows != rows && outcome().rejections.count == 1)
    batch.truncate(to: mark)
    mapper.restore(counts)
    #expect(outcome().rows == rows && outcome().lists == lists && outcome().counted == counted)
    #expect(outcome().rejections.isEmpty)
    try read(#"[{"id": 4, "tags": ["d"]}]"#)
    #expect(
      outcome().rows == [
        "item: id=1", "item: id=4", "item_tags: item_id=1 position=0 t='a'", "item_tags: item_id=4 position=0 t='d'",
      ])
    #expect(outcome().lists == ["item_tags of 1: 0..<1", "item_tags of 4: 1..<2"])
  }
}
