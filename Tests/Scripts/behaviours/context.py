"""Values from outside the record: address, headers, position, path, query, variables."""
from table import answer, case, load, run

case(
    203, "the address that was asked for and a header of the answer may be columns", """
ingest: 1
source: {name: demo, base_url: "BASE_URL"}
records:
  Item:
    table: items
    key: id
    fields:
      id:
      url: {from: $request.url, transform: [{replace: ["^http://[^/]*", ""]}]}
      mark: $response.headers.x-mark
      code: $response.status
endpoints: {items: {path: /items, records: {.: Item}, params: {a: "b c"}}}
""", run(tables={"items": ["id url mark code", (1, "/items?a=b%20c", "m7", 200)]}),
    server=[answer("GET /items", '[{"id": 1}]', X_Mark="m7")])
case(
    204, "an element's number in its list may be a column; a single child has none of its own", """
records:
  Item: {table: items, key: id, fields: {id: , number: $index}, relationships: {part: Part, bits: [Bit]}}
  Part: {table: parts, key: id, fields: {id: , number: $index, above: $parent.$index}}
  Bit: {table: bits, key: id, fields: {id: , number: $index}}
""", load('[{"id": 1}, null, {"id": 2, "part": {"id": 5}, "bits": [{"id": 6}, {"id": 7}]}]', tables={
        "items": ["id number part_id", (1, 0, None), (2, 2, 5)], "parts": ["id number above", (5, None, 2)],
        "bits": ["id number", (6, 0), (7, 1)]}))
case(
    205, "the parts of the path are there for records at the root and below a key path, and for nested ones", """
records:
  Item: {table: items, key: id, fields: {id: , shop: $route.shop}, relationships: {bits: [Bit]}}
  Bit: {table: bits, key: id, fields: {id: , shop: $route.shop}}
endpoints:
  top: {path: "/top/:shop", fetch: false, records: {.: Item}}
  deep: {path: "/deep/:shop", fetch: false, records: {data.items: Item}}
""", load('[{"id": 1, "bits": [{"id": 6}]}]', args=["--path", "/top/a"]),
    load('{"data": {"items": [{"id": 2}]}}', args=["--path", "/deep/b"], tables={
        "items": ["id shop", (1, "a"), (2, "b")], "bits": ["id shop", (6, "a")]}))
case(
    206, "a parameter of the query may be a column, which is null when it was not given", """
records:
  Item: {table: items, key: id, fields: {id: , user: {from: $query.user, type: integer}}}
endpoints: {items: {path: /items, fetch: false, records: {.: Item}}}
""", load('[{"id": 1}]', args=["--path", "/items?user=12&x=1"]),
    load('[{"id": 2}]', args=["--path", "/items"], tables={"items": ["id user", (1, 12), (2, None)]}))
case(
    207, "variables and fixed values stand beside what the request brings, under names of their own", """
variables: {shop: main, user: nobody}
records:
  Item:
    table: items
    key: id
    fields: {id: , shop: $var.shop, by: $var.user, user: $query.user, kind: {const: "${shop}-x"}, run: $run.id}
endpoints: {items: {path: /items, fetch: false, records: {.: Item}}}
""", load('[{"id": 1}]', args=["--path", "/items?user=ada", "--set", "shop=side"], tables={
        "items": ["id shop by user kind run", (1, "side", "nobody", "ada", "side-x", 1)]}))
