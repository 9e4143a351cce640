"""Which response belongs to which records: paths, methods, base addresses."""
from table import HEAD, answer, case, covered, load, remap, route, run, validate


def paths(**patterns):
    """A mapping with an endpoint for each pattern, all for one record."""
    lines = "\n".join(
        f'  {name}: {{path: "{pattern}", fetch: false, records: {{.: Item}}}}' for name, pattern in patterns.items())
    return f"records:\n  Item: {{table: items, key: id, fields: [id]}}\nendpoints:\n{lines}\n"


case(
    163, "the query does not matter for routing; its parameters and the path's are there for columns", """
records:
  Item: {table: items, key: id, fields: {id: , a: $route.a, b: $route.b, note: $query.note}}
endpoints: {one: {path: "/shops/in/:a/:b", fetch: false, records: {.: Item}}}
""", load('[{"id": 1}]', args=["--path", "/shops/in/pisa/today?note=n"], tables={
        "items": ["id a b note", (1, "pisa", "today", "n")]}))
case(
    164, "a parameter of a path is decoded, and an encoded slash ends no segment", """
records:
  Bill: {table: bills, key: id, fields: {id: $route.bill, name: }}
endpoints: {one: {path: "/bills/{bill}", fetch: false, records: {.: Bill}}}
""", load('{"name": "x"}', args=["--path", "/bills/AB%207?key=x"]),
    load('{"name": "y"}', args=["--path", "/bills/a%2Fb%C3%A9"], tables={
        "bills": ["id name", ("AB 7", "x"), ("a/b\u00e9", "y")]}))
case(
    165, "a pattern with a parameter needs the segment; the one without takes the path without it",
    paths(one="/labels/:id", all="/labels"),
    route("GET /labels?x=1", "all"), route("GET /labels/7", "one"))
case(
    166, "a pattern holds for whole segments only, and a trailing slash is none",
    paths(one="/api/v1/clubs", two="/api/v2/:kind/all"),
    route("GET /api/v1/clubs/", "one"),
    route("GET /api/v1/clubs/7/members", exit=1), route("GET /api/v1/clubsX", exit=1),
    route("GET /api/v1", exit=1), route("GET /api/v2/a/b/all", exit=1), route("GET /api/v2/a/all/", "two"))
case(
    167, "a longer path is not for a shorter pattern: only the whole one fits",
    paths(one="/shelves", two="/shelves/:c", four="/shelves/:c/items/:i"),
    load('[{"id": 1}]', args=["--path", "/shelves/some/items/7"], counts={"Item": "1 inserted"}),
    route("GET /shelves/some/items/7", "one: any method /shelves '.' → item: another path", "item: matches"),
    route("GET /shelves/some/items", exit=1))
case(
    168, "a trailing slash before a query does not matter", paths(one="/clubs"),
    route("GET /clubs/?q=t", "one"))
FETCHED = """
ingest: 1
source: {name: demo, base_url: "BASE_URL/v1/"}
variables: {file: "Ann Lee/100%%"}
records:
  Item: {table: items, key: id, fields: [id]}
endpoints:
  one: {path: "%s", records: {.: Item}}
"""
ITEM = '[{"id": 1}]'
case(
    169, "a variable in a path may stand beside fixed text, dots included", FETCHED % "files/${file}.json",
    run(requests=["GET /v1/files/Ann%20Lee%2F100%25.json"], counts={"Item": "1 inserted"}),
    server=[answer("GET /v1/files/Ann%20Lee%2F100%25.json", ITEM)])
case(
    170, "what a variable brings into a path is encoded as one segment", FETCHED % "/people/${file}",
    run(args=["--set", "file=A|B&C"], requests=["GET /v1/people/A%7CB%26C"]),
    run(args=["--set", "file=.."], requests=["GET /v1/people/%2E%2E"], exit=1),
    server=[answer("GET /v1/people/A%7CB%26C", ITEM)])
BASED = 'ingest: 1\nsource: {name: demo, base_url: "https://api.example.test/api/v1/"}\n' + paths(one="/items")
case(
    171, "an address of another host, or outside the base address, matches nothing", BASED,
    route("GET https://api.example.test/api/v1/items", "one"),
    route("GET https://other.example.test/api/v1/items", exit=1),
    route("GET https://api.example.test/api/v2/items", exit=1), route("GET /items", "one"))
case(
    172, "one slash joins the base address and a path, however they are written", FETCHED % "suggestion/",
    run(requests=["GET /v1/suggestion/"], counts={"Item": "1 inserted"}),
    remap(FETCHED % "/suggestion"), run(requests=["GET /v1/suggestion"], counts={"Item": "1 unchanged"}),
    remap((FETCHED % "/suggestion").replace("/v1/", "/v1")), run(requests=["GET /v1/suggestion"]),
    server=[answer("GET /v1/suggestion", ITEM), answer("GET /v1/suggestion/", ITEM)])
BASES = ["https://api.example.test", "https://api.example.test/", "https://api.example.test/v1",
         "https://api.example.test/v1/"]
case(
    173, "every base address, with and without a path and a slash at its end, fits once",
    paths(one="/items"), *(step for base in BASES for step in (
        remap(HEAD.replace("https://api.example.test", base) + paths(one="/items")),
        route(f"GET {base.rstrip('/')}/items?page=1", "item: matches"))))
METHODS = """
records:
  Item: {table: items, key: id, fields: [id]}
  Receipt: {table: receipts, key: id, fields: [id]}
endpoints:
  read: {path: /items, method: %s, fetch: false, records: {.: Item}}
  write: {path: /items, method: %s, fetch: false, records: {.: Receipt}}
"""
case(
    174, "two methods of one path have records of their own", METHODS % ("GET", "POST"),
    load(ITEM, args=["--path", "/items", "--method", "POST"], tables={"receipts": ["id", (1,)]}, absent=["items"]),
    load(ITEM, args=["--path", "/items", "--method", "GET"], tables={"items": ["id", (1,)]}))
case(
    175, "of patterns that fit one path only the most specific apply: fixed text, then a parameter, then the rest", """
records:
  User: {table: users, key: id, fields: [id]}
  Tag: {table: tags, key: id, fields: [id]}
endpoints:
  one: {path: "/users/:id", fetch: false, records: {.: User}}
  tags: {path: /users/tags, fetch: false, records: {.: Tag}}
  rest: {path: "/users/*", fetch: false, records: {.: Tag}}
""", load(ITEM, args=["--path", "/users/tags"], tables={"tags": ["id", (1,)]}, absent=["users"]),
    load(ITEM, args=["--path", "/users/7"], counts={"User": "1 inserted"}),
    load(ITEM, args=["--path", "/users/7/more"], counts={"Tag": "1 unchanged"}))
case(
    176, "when nothing matches, the answer gives each endpoint's reason", """
records:
  Item: {table: items, key: id, fields: [id]}
endpoints:
  elsewhere: {path: /other, fetch: false, records: {.: Item}}
  posted: {path: /items, method: POST, fetch: false, records: {.: Item}}
  partly: {path: /items, method: GET, status: 202-206, fetch: false, records: {a: Item}}
""", load(ITEM, args=["--path", "/items", "--method", "PUT"], exit=1,
          has=["elsewhere", "another path", "posted", "partly", "method"], absent=["items"]),
    load(ITEM, args=["--path", "/items", "--method", "GET", "--status", "200"], exit=1, has=["partly", "200"]),
    route("GET /nowhere", "elsewhere", "posted", "partly", exit=1))
case(
    177, "one key path for GET and for any method would be ambiguous, and is refused",
    (METHODS % ("GET", "GET")).replace("method: GET, fetch: false, records: {.: R", "fetch: false, records: {.: R"),
    validate("mapping.yaml:8:", "line 7", "'method'"))
case(
    178, "endpoints of one path with different key paths both take their part of a body", """
records:
  User: {table: users, key: id, fields: [id]}
  Report: {table: reports, key: id, fields: [id]}
endpoints:
  users: {path: /all, fetch: false, records: {data.user: User}}
  meta: {path: /all, fetch: false, records: {meta: Report}}
""", load('{"meta": {"id": "m"}, "data": {"user": {"id": 1}}}', args=["--path", "/all"], tables={
        "users": ["id", (1,)], "reports": ["id", ("m",)]}))
