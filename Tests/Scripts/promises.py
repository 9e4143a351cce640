#!/usr/bin/env python3
"""The promises that a user relies on, each on the built binary: what is stored, what is refused, what is never said."""
import http.server
import json
import os
import threading
import urllib.parse

from checks import Checks, folder, last_counts, rows

SECRET = "plum/7f3k+quince"
MAPPING = """\
ingest: 1
source: {name: things, base_url: https://api.example.test}
records:
  Thing:
    table: things
    key: id
    fields:
      id: {type: text}
      count: {type: integer}
      amount: {type: decimal}
      ratio: {type: real}
      name: {type: text}
      raw:
endpoints:
  things: {path: /things, records: {things: Thing}}
"""
PAGES = """\
ingest: 1
source:
  name: pages
  base_url: %s
  auth: {api_key: {query: key, value: "${secret.KEY}"}}
  headers: {X-Token: "token ${secret.KEY}"}
  retry: {attempts: 1}
records:
  Thing: {table: things, key: id, fields: [{id: {type: integer}}]}
endpoints:
  things:
    path: /things
    records: {things: Thing}
    params: {kind: plain}
    paginate: {by: page, param: page, start: 1}
errors:
  - {status: 4xx, message: message}
"""
NFC, NFD = "caf\u00e9", "cafe\u0301"


class Bench:
    """A mapping and a database in a folder, and bodies that are loaded one after the other."""

    def __init__(self, checks, where, name, mapping=MAPPING):
        self.checks, self.where, self.name, self.count = checks, where, name, 0
        self.database = os.path.join(where, f"{name}.db")
        self.write(f"{name}.yaml", mapping)

    def write(self, name, text):
        with open(os.path.join(self.where, name), "w", encoding="utf-8", newline="") as out:
            out.write(text)

    def load(self, body, exit_code=0, ending="json"):
        self.count += 1
        file = f"{self.name}-{self.count}.{ending}"
        self.write(file, body if isinstance(body, str) else json.dumps({"things": body}))
        return self.checks.run(
            "load", file, "--config", f"{self.name}.yaml", "--store", f"sqlite:{self.database}", cwd=self.where,
            exit_code=exit_code)

    def equal(self, what, query, wanted):
        self.checks.equal(f"{self.name}: {what}", rows(self.database, query), wanted)


def types_are_strict(checks, where):
    bench = Bench(checks, where, "types")
    bench.load([{"id": "a", "count": "12"}, {"id": "b", "count": "12x"}, {"id": "c", "count": 1.5}], exit_code=3)
    bench.equal("a text that is a number", "select id, count, typeof(count) from things", [("a", 12, "integer")])
    bench.equal("rejects keep their place", "select pointer, field from _ingest_rejects order by pointer", [
        ("/things/1", "count"), ("/things/2", "count")])
    checks.equal("types: a reject is no insert", last_counts(bench.database).get("Thing"), (3, 1, 0, 0, 2))


def missing_is_not_null(checks, where):
    bench = Bench(checks, where, "missing")
    bench.load([{"id": "a", "name": "Ada", "count": 1}])
    bench.load([{"id": "a", "count": 2}])
    bench.equal("a missing member leaves the column alone", "select name, count from things", [("Ada", 2)])
    bench.load([{"id": "a", "name": None}])
    bench.equal("null empties it", "select name, count from things", [(None, 2)])


def equal_keys_are_laid_over(checks, where):
    bench = Bench(checks, where, "twice")
    bench.load([{"id": "a", "name": "first", "count": 1}, {"id": "a", "name": "second"}])
    bench.equal("the later value counts", "select name, count from things", [("second", 1)])
    bench.load('{"things": [{"id": "b", "name": "first", "name": "second"}]}')
    bench.equal("the last of two members counts", "select name from things where id = 'b'", [("second",)])


def names_are_bytes(checks, where):
    bench = Bench(checks, where, "names", MAPPING.replace("name: {type: text}", f'name: {NFC}\n      raw2: {NFD}'))
    bench.load([{"id": NFC, NFC: "composed", NFD: "decomposed"}, {"id": NFD}])
    bench.equal("two keys that look alike are two rows", "select count(*) from things", [(2,)])
    got = rows(bench.database, "select name, raw2 from things where id = ?", NFC)
    checks.equal("names: two members that look alike are two members", got, [("composed", "decomposed")])


def numbers_are_exact(checks, where):
    bench = Bench(checks, where, "numbers")
    bench.load(
        '{"things": [{"id": "a", "count": 9007199254740993, "amount": 0.1000000000000000055511151231257827,'
        ' "raw": 123456789012345678901234567890, "name": 1.10}]}')
    bench.equal("digits are kept", "select count, amount, raw, name from things", [
        (9007199254740993, "0.1000000000000000055511151231257827", "123456789012345678901234567890", "1.10")])
    bench.load('{"things": [{"id": "b", "ratio": 1e400}, {"id": "c", "ratio": 1e300}]}', exit_code=3)
    bench.equal("no number is infinite", "select id, ratio from things where id > 'a'", [("c", 1e300)])


def bodies_are_whole(checks, where):
    bench = Bench(checks, where, "whole")
    many = ",".join('{"id": "%05d", "name": "%s"}' % (n, "x" * 100) for n in range(30000))
    result = bench.load('{"things": [' + many + ', {"id": ]}', exit_code=1)
    checks.expect("whole: the broken file is named", "whole-1.json" in result.stderr, result.stderr)
    tables = rows(bench.database, "select name from sqlite_schema where name = 'things'")
    if tables == [("things",)]:
        bench.equal("a broken body leaves no row", "select count(*) from things", [(0,)])
    bench.load('{"things": [{"id": "a"}]}\n{"things": [{"id": "b"}]}\n{"things": [}\n{"things": [{"id": "c"}]}\n',
               exit_code=1, ending="ndjson")
    bench.equal("the lines before a broken one stay", "select id from things order by id", [("a",), ("b",)])


def answer(page):
    if page == 3:
        return 404, {"message": "no such list"}
    return 200, {"things": [{"id": 10 * page + n} for n in range(3)]}


class Server(http.server.ThreadingHTTPServer):
    """Two pages, then 404; remembers what it was asked."""

    daemon_threads = True

    def __init__(self):
        self.seen = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802, the name is http.server's
                server.seen.append((self.path, self.headers["X-Token"]))
                query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
                status, body = answer(int(query["page"][0]))
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)


def failures_are_no_pages(checks, where):
    """A 404 is not the end of a walk; what was stored before it stays, and the secret is nowhere but on the wire."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        bench = Bench(checks, where, "pages", PAGES % f"http://127.0.0.1:{server.server_address[1]}")
        result = checks.run(
            "--config", "pages.yaml", "--store", f"sqlite:{bench.database}", cwd=where, exit_code=1,
            env={"KEY": SECRET}, timeout=60)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    checks.expect("pages: the API's own words are printed", "no such list" in result.stderr, result.stderr)
    encoded = urllib.parse.quote(SECRET, safe="")
    checks.equal("pages: requests", server.seen, [
        (f"/things?kind=plain&page={page}&key={encoded}", f"token {SECRET}") for page in (1, 2, 3)])
    bench.equal("the pages before it stay", "select count(*) from things", [(6,)])
    bench.equal("the failure is kept", "select status, message from _ingest_errors", [(404, "no such list")])
    forms = [SECRET, encoded, urllib.parse.quote(SECRET)]
    checks.expect("pages: no form of the secret is printed", not any(
        form in result.stdout + result.stderr for form in forms), result.stderr)
    for name in os.listdir(where):
        with open(os.path.join(where, name), "rb") as file:
            data = file.read()
        checks.expect(f"pages: no form of the secret is in {name}", not any(form.encode() in data for form in forms))


def counts_add_up(checks, where):
    for name in sorted(os.listdir(where)):
        if name.endswith(".db"):
            wrong = rows(
                os.path.join(where, name), "select record, received from _ingest_counts where received is not"
                " inserted + updated + unchanged + deleted + skipped + filtered + rejected")
            checks.equal(f"counts add up in {name}", wrong, [])


def main():
    checks = Checks("promises")
    with folder() as where:
        types_are_strict(checks, where)
        missing_is_not_null(checks, where)
        equal_keys_are_laid_over(checks, where)
        names_are_bytes(checks, where)
        numbers_are_exact(checks, where)
        bodies_are_whole(checks, where)
        failures_are_no_pages(checks, where)
        counts_add_up(checks, where)
    checks.finish()


main()
