"""Statuses, empty bodies, content types and errors: what is a success, and what a failure says."""
from table import answer, case, covered, run

SERVED = """
ingest: 1
source: {name: demo, base_url: "BASE_URL", retry: {attempts: 1}}
records:
  Item: {table: items, key: id, fields: [id, name]}
endpoints:
  items: {path: /items, records: {.: Item}}
errors:
  - {status: 4xx, message: [message, fault.text], code: code}
  - {status: 5xx, message: "errors[*]"}
  - {when: {ok: false}, message: reason}
"""
ONE = '[{"id": 1, "name": "a"}]'
LATEST = "select status, message, code from _ingest_errors order by rowid desc limit 1"


def one(title_number, title, *steps, mapping=SERVED, server):
    case(title_number, title, mapping, *steps, server=server)


one(
    179, "a success without a body, or with a blank one, is a success without rows",
    *[run(requests=["GET /items"], counts={"Item": ""}, sql=[("select count(*) from _ingest_errors", [(0,)])])] * 3,
    server=[answer("GET /items", "", times=1), answer("GET /items", " \n", times=1), answer("GET /items", status=204)])
one(
    180, "an empty list or object is a success without rows",
    *[run(counts={"Item": ""}, sql=[("select count(*) from _ingest_errors", [(0,)])])] * 2,
    server=[answer("GET /items", "[]", times=1), answer("GET /items", "{}")])
one(
    181, "a refusal without a body is a failure that says its status",
    run(exit=1, has=["422"], absent=["items"], sql=[(LATEST, [(422, None, None)])]),
    server=[answer("GET /items", "", status=422)])
one(
    182, "a refusal's own message and code are shown and kept",
    run(exit=1, has=["422", "name is taken", "E7"], sql=[(LATEST, [(422, "name is taken", "E7")])]),
    server=[answer("GET /items", '{"message": "name is taken", "code": "E7"}', status=422)])
one(
    183, "a refusal with an empty object is a failure, not a success without rows",
    run(exit=1, has=["422"], sql=[(LATEST, [(422, None, None)])]), server=[answer("GET /items", "{}", status=422)])
one(
    184, "several messages of one failure are shown together",
    run(exit=1, has=["500", "first, second"], sql=[("select message from _ingest_errors", [("first, second",)])]),
    server=[answer("GET /items", '{"errors": ["first", "second"]}', status=500)])
one(
    185, "an error that comes with status 200 is a failure when a rule says so; the rule leaves good bodies alone",
    run(counts={"Item": "1 inserted"}), run(exit=1, has=["quota"], sql=[("select count(*) from items", [(1,)])]),
    server=[answer("GET /items", ONE, times=1), answer("GET /items", '{"ok": false, "reason": "quota used up"}')])
one(
    186, "a failure of the server without a body names status and address",
    run(exit=1, has=["500", "/items"], sql=[("select status from _ingest_errors", [(500,)])]),
    server=[answer("GET /items", "", status=500, Content_Type="text/html")])
one(
    187, "a body of another type is a failure that names the type",
    run(exit=1, has=["application/xml"], absent=["items"]),
    server=[answer("GET /items", "<items/>", Content_Type="application/xml")])
one(
    188, "a success in which nothing was found is a failure, never silence",
    run(exit=1, has=["things", "total"], absent=["items"]),
    mapping=SERVED.replace("{.: Item}", "{things: Item}"), server=[answer("GET /items", '{"total": 1}')])
one(
    189, "the body of a refusal never reaches a table, though it looks like a record",
    run(), run(exit=1, tables={"items": ["id name", (1, "a")]}),
    server=[answer("GET /items", ONE, times=1), answer("GET /items", '[{"id": 1, "name": "no"}]', status=422)])
covered(190, 189, "nothing of an error is stored")
one(
    191, "any type that ends in json is read, and a body without a type when it is JSON",
    run(counts={"Item": "1 inserted"}), run(counts={"Item": "1 unchanged"}), run(counts={"Item": "1 unchanged"}),
    server=[answer("GET /items", ONE, times=1, Content_Type="application/vnd.shop.v2+json; charset=utf-8"),
            answer("GET /items", ONE, times=1, Content_Type="text/json"),
            answer("GET /items", ONE, Content_Type=None)])
one(
    192, "an answer that failed to map is not asked for on a condition, so no 304 can hide it",
    run(exit=1), run(exit=1, has=["no condition was sent"]), run(exit=3), run(exit=1, has=["no condition was sent"]),
    run(counts={"Item": "1 inserted"}), run(tables={"items": ["id name", (1, "a")]}),
    server=[answer("GET /items", '[{"id": 1', times=1, ETag="a"), answer("GET /items", status=304, times=1),
            answer("GET /items", '[{"name": "a"}]', times=1, ETag="a"), answer("GET /items", status=304, times=1),
            answer("GET /items", ONE, times=1, ETag="a"), answer("GET /items", status=304)])
