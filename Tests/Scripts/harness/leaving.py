"""A redirect, a next URL and a Link that lead to another origin get no credential, of whatever kind."""
import base64
import os

from checks import rows
from server import answer, serving

SECRET = "quince-7f3k-plum"
AUTH = {
    "a key in a header": "{api_key: {header: X-Api-Key, value: '${secret.KEY}'}}",
    "a key in the query": "{api_key: {query: api_key, value: '${secret.KEY}'}}",
    "a cookie": "{api_key: {cookie: session, value: '${secret.KEY}'}}",
    "a bearer token": "{bearer: {token: '${secret.KEY}'}}",
    "a password": "{basic: {username: ada, password: '${secret.KEY}'}}",
}
MAPPING = """\
ingest: 1
source:
  name: leaving
  base_url: "%s"
  auth: %s
  headers: {X-Own-Token: "own ${secret.KEY}"}
  retry: {attempts: 1}
records:
  Row: {table: rows, key: id, fields: [{id: {type: integer}}]}
endpoints:
  rows: {path: /%s, records: {rows: Row}%s}
"""
WAYS = {
    "redirect": "",
    "next": ", paginate: {by: next_url, from: next}",
    "link": ", paginate: {by: link_header}",
}


def leads_to(other):
    def respond(request):
        way = request.path.strip("/")
        if way == "redirect":
            return answer({}, 302, Location=f"{other}/there")
        if way == "next":
            return answer({"rows": [{"id": 1}], "next": f"{other}/there"})
        return answer({"rows": [{"id": 1}]}, Link=f'<{other}/there>; rel="next"')
    return respond


def check(checks, where, options):
    for index, (kind, auth) in enumerate(AUTH.items()):
        for way, paginate in WAYS.items():
            with serving(lambda _: answer({"rows": [{"id": 2}], "next": None})) as there:
                with serving(leads_to(there.url)) as here:
                    config = f"leaving-{index}-{way}.yaml"
                    with open(os.path.join(where, config), "w", encoding="utf-8") as out:
                        out.write(MAPPING % (here.url, auth, way, paginate))
                    database = os.path.join(where, f"leaving-{index}-{way}.db")
                    checks.run(
                        "--config", config, "--store", f"sqlite:{database}", cwd=where, env={"KEY": SECRET}, timeout=60)
                    judge(checks, f"leaving: {kind}, {way}", here.seen, there.seen)
                    held = rows(database, "select id from rows order by id")
                    checks.equal(f"leaving: {kind}, {way}: rows", held, [(2,)] if way == "redirect" else [(1,), (2,)])


def judge(checks, what, here, there):
    checks.equal(f"{what}: requests", (len(here), len(there)), (1, 1))
    checks.expect(f"{what}: the API itself gets the secret", any(holds(request) for request in here))
    for request in there:
        checks.expect(f"{what}: the other origin gets none", not holds(request), str(request.headers))


def holds(request):
    basic = base64.b64encode(f"ada:{SECRET}".encode()).decode()
    text = request.target + str(request.headers)
    return SECRET in text or basic in text
