#!/usr/bin/env python3
"""The archive and its replay, recorded answers and recording, and try, each on the built binary: over a server on
127.0.0.1 that is gone when nobody may be asked."""
import contextlib
import http.server
import json
import os
import sqlite3
import stat
import threading
import urllib.parse

from checks import Checks, folder, rows

SECRET = "plum/7f3k+quince"
ENCODED = urllib.parse.quote(SECRET, safe="")
MAPPING = """\
ingest: 1
source:
  name: shop
  base_url: %s
  auth: {api_key: {query: key, value: "${secret.KEY}"}}
  headers: {X-Token: "token ${secret.KEY}"}
  retry: {attempts: 1}
store: {archive: true}
variables: {q: nut}
records:
  Item:
    table: items
    key: id
    fields:
      id: {type: integer}
      size: {type: integer}
%s
endpoints:
  items:
    path: /items
    records: {items: Item}
    params: {q: "${q}"}
    paginate: {by: page, param: page, start: 1, total_pages: pages}
  one: {path: /items/:id, fetch: false, records: {item: Item}}
  search:
    path: /search
    method: POST
    fetch: false
    records: {items: Item}
    body: {json: {q: "${q}", key: "${secret.KEY}"}}
errors:
  - {status: 4xx, message: message}
"""
WIDER = "      name: {type: text}\n      page: {from: $query.page, type: integer}\n"
KEY = {"KEY": SECRET}


class Server(http.server.ThreadingHTTPServer):
    """Answers by what a function says of method, path, query and body; remembers what it was asked."""

    daemon_threads = True

    def __init__(self, answer):
        self.seen = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                url = urllib.parse.urlsplit(self.path)
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                server.seen.append(f"{self.command} {url.path}")
                status, data = answer(self.command, url.path, dict(urllib.parse.parse_qsl(url.query)), body)
                data = data if isinstance(data, bytes) else json.dumps(data).encode()
                self.send_response(status)
                for name, value in (
                        ("Content-Type", "application/json"), ("Content-Length", str(len(data))),
                        ("Set-Cookie", "session=oak"), ("X-Echo", self.headers["X-Token"] or "")):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = answer  # noqa: N815, the names are http.server's

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)


@contextlib.contextmanager
def served(answer):
    server = Server(answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def shop(method, path, query, body):
    """Two pages of items; the server repeats what it was sent."""
    if method == "POST":
        return 200, {"items": [{"id": 50 + len(json.loads(body)["q"]), "size": 1}], "echo": body.decode()}
    if path == "/items/7":
        return 200, {"item": {"id": 7, "size": "n/a", "colour": "red"}}
    if path != "/items" or query["q"] != "nut":
        return 404, {"message": "no such list"}
    page = int(query["page"])
    items = [{"id": 10 * page + n, "size": n, "name": f"item {n}"} for n in range(3)]
    return 200, {"items": items, "pages": 2}


def echoing(method, path, query, body):
    """Items of which some repeat the secret, and one that cannot be stored."""
    page = int(query["page"])
    name = f"key {ENCODED}" if page == 1 else "plain ***"
    bad = {"id": 30 + page, "size": "L", "name": f"size {query['key']}"}
    free = {"id": 10 + page, "size": 1, "name": "free"}
    return 200, {"items": [{"id": page, "size": 1, "name": name}, bad, free], "pages": 2}


def write(where, name, text):
    with open(os.path.join(where, name), "w", encoding="utf-8") as out:
        out.write(text)


def lacks(checks, where, what):
    """No form of the secret, and no cookie, in any file below the folder."""
    for path, _, names in os.walk(where):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                data = file.read()
            forms = [SECRET, ENCODED, "cGx1bS83ZjNrK3F1aW5jZQ", "oak"]
            checks.expect(
                f"{what}: {name} holds no credential", not any(form.encode() in data for form in forms))


def replayed(checks, where):
    """A run, then a wider mapping over its archive, with nobody to ask and without the secret."""
    with served(shop) as (server, url):
        write(where, "shop.yaml", MAPPING % (url, ""))
        write(where, "wider.yaml", MAPPING % (url, WIDER))
        checks.run("--config", "shop.yaml", cwd=where, env=KEY)
        checks.equal("run: two pages", server.seen, ["GET /items", "GET /items"])
    database = os.path.join(where, "shop.db")
    checks.equal("run: what was asked is kept", rows(
        database, "select endpoint, method, url like '%key=***%', status from _ingest_responses"),
        [("items", "GET", 1, 200)] * 2)
    query = "select headers like '%set-cookie%', headers like '%token ***%' from _ingest_responses"
    checks.equal("run: headers without credentials", rows(database, query), [(0, 1)] * 2)
    lacks(checks, where, "run")
    result = checks.run("replay", "--config", "wider.yaml", cwd=where, env={"KEY": None})
    checks.expect("replay: says how many", "2 answers of the archive mapped again" in result.stderr, result.stderr)
    wanted = [(10 * page + n, n, f"item {n}", page) for page in (1, 2) for n in range(3)]
    query = "select id, size, name, page from items order by id"
    checks.equal("replay: the new columns are filled", rows(database, query), wanted)
    checks.run("replay", "--config", "wider.yaml", "--endpoint", "items", cwd=where, env={"KEY": None})
    checks.equal("replay: again, the same rows", rows(database, query), wanted)
    checks.equal("replay: each is a run", rows(database, "select command, status from _ingest_runs"), [
        ("run", "done"), ("replay", "done"), ("replay", "done")])
    strict = (MAPPING % ("http://127.0.0.1:9", WIDER)).replace(
        "size: {type: integer}", "size: {type: integer, check: {max: 1}}")
    write(where, "strict.yaml", strict)
    checks.run("replay", "--config", "strict.yaml", cwd=where, env=KEY, exit_code=3)
    checks.run("replay", "--config", "strict.yaml", "--max-rejects", "2", cwd=where, env=KEY)
    write(where, "failing.yaml", strict.replace("{max: 1}}", "{max: 1}, on_invalid: fail}"))
    checks.run("replay", "--config", "failing.yaml", cwd=where, env=KEY, exit_code=1)
    checks.equal("replay: a failure changes nothing", rows(database, query), wanted)
    for arguments in (
            ("--config", "wider.yaml", "--store", "sqlite:none.db"), ("--config", "wider.yaml", "--endpoint", "itms")):
        checks.run("replay", *arguments, cwd=where, env=KEY, exit_code=2)
    checks.expect("replay: no database is made", not os.path.exists(os.path.join(where, "none.db")))


def redacted_stay(checks, where):
    """What stands in place of a secret is never stored as if the API had sent it."""
    names = "      name: {type: text}"
    with served(echoing) as (_, url):
        write(where, "echo.yaml", (MAPPING % (url, names)).replace("name: shop", "name: echo"))
        checks.run("record", "echoes", "--config", "echo.yaml", cwd=where, env=KEY, exit_code=3)
    database = os.path.join(where, "echo.db")
    wanted = [(1, f"key {ENCODED}"), (2, "plain ***"), (11, "free"), (12, "free")]
    query = "select id, name from items order by id"
    checks.equal("redacted: the run stores what was sent", rows(database, query), wanted)
    checks.equal("redacted: the archive knows", rows(
        database, "select redacted from _ingest_responses union all select redacted from _ingest_rejects"),
        [(1,), (1,), (1,), (1,)])
    change(database, "delete from items where id = 11")
    result = checks.run("replay", "--config", "echo.yaml", cwd=where, env={"KEY": None}, exit_code=3)
    checks.expect("redacted: it is said", result.stderr.count("a secret in it was replaced") > 0, result.stderr)
    checks.equal("redacted: all else is mapped again", rows(database, query), wanted)
    altered = "select count(*), min(redacted) from _ingest_rejects where reason like '%was replaced%'"
    checks.equal("redacted: what is not is kept", rows(database, altered), [(4, 1)])
    for name, answers in (("first", "echoes"), ("second", "copied")):
        store = ("--store", f"sqlite:{name}.db", "--config", "echo.yaml")
        checks.run("--recorded", answers, *store, cwd=where, env={"KEY": None}, exit_code=3)
        recorded = os.path.join(where, f"{name}.db")
        checks.equal(f"redacted, recorded, {name}: rows", rows(recorded, query), wanted[2:])
        checks.equal(f"redacted, recorded, {name}: rejects", rows(recorded, altered), [(4, 1)])
        checks.equal(f"redacted, recorded, {name}: archive", rows(
            recorded, "select redacted from _ingest_responses"), [(1,), (1,)])
        # Recorded once more, they are what they were.
        checks.run("record", "copied", "--recorded", "echoes", *store, cwd=where, env={"KEY": None}, exit_code=3)
    loose = "loose-echo.yaml"
    with open(os.path.join(where, "echo.yaml"), encoding="utf-8") as file:
        write(where, loose, file.read().replace("size: {type: integer}", "size: {type: text}"))
    checks.run("replay", "--rejects", "--config", loose, cwd=where, env=KEY, exit_code=3)
    checks.equal("redacted: nothing altered is stored", rows(database, query), wanted)
    checks.equal("redacted: rejects stay", rows(database, "select count(*) from _ingest_rejects"), [(6,)])
    # Kept before it was noted: the mark itself tells.
    change(database, "update _ingest_responses set redacted = null", "update _ingest_rejects set redacted = null")
    checks.run("replay", "--config", loose, cwd=where, env=KEY, exit_code=3)
    checks.run("replay", "--rejects", "--config", loose, cwd=where, env=KEY, exit_code=3)
    checks.equal("redacted: nor of what is older", rows(database, query), wanted)


def change(database, *statements):
    with contextlib.closing(sqlite3.connect(database)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def rejects_replayed(checks, where):
    write(where, "strict.yaml", MAPPING % ("http://127.0.0.1:9", ""))
    write(where, "body.json", json.dumps({"items": [{"id": 1, "size": 2}, {"id": 2, "size": "L"}, {"size": 3}]}))
    load = ("load", "body.json", "--endpoint", "items", "--store", "sqlite:rejects.db")
    checks.run(*load, "--config", "strict.yaml", cwd=where, env=KEY, exit_code=3)
    loose = (MAPPING % ("http://127.0.0.1:9", "")).replace("size: {type: integer}", "size: {type: text}")
    write(where, "loose.yaml", loose)
    replay = ("replay", "--rejects", "--config", "loose.yaml", "--store", "sqlite:rejects.db")
    checks.run(*replay, cwd=where, env=KEY, exit_code=3)
    database = os.path.join(where, "rejects.db")
    checks.equal("rejects: what can be mapped now is a row", rows(
        database, "select id, size from items order by id"), [(1, "2"), (2, "L")])
    checks.equal("rejects: the rest stays", rows(
        database, "select pointer, run_id from _ingest_rejects"), [("/items/2", 1)])
    checks.run(*replay, "--max-rejects", "1", cwd=where, env=KEY)
    checks.equal("rejects: counts add up", rows(
        database, "select sum(received), sum(inserted + updated + unchanged + deleted + skipped + filtered + rejected)"
        " from _ingest_counts"), [(6, 6)])


def recorded(checks, where):
    with served(shop) as (server, url):
        write(where, "shop.yaml", MAPPING % (url, ""))
        checks.run("record", "answers", "--config", "shop.yaml", "--store", "sqlite:live.db", cwd=where, env=KEY)
        checks.run(
            "record", "answers", "--config", "shop.yaml", "--store", "sqlite:post.db", "--endpoint", "search",
            cwd=where, env=KEY)
        count = len(server.seen)
        answers = os.path.join(where, "answers")
        checks.equal("record: a file for each request", len(os.listdir(answers)), 3)
        checks.run("record", "answers", "--config", "shop.yaml", "--store", "sqlite:live.db", cwd=where, env=KEY)
        checks.equal("record: an answer takes the place of the one before", len(os.listdir(answers)), 3)
        checks.equal("record: and was asked for", len(server.seen), count + 2)
    checks.equal("record: files are for their owner", {
        stat.S_IMODE(os.stat(os.path.join(answers, name)).st_mode) for name in os.listdir(answers)}, {0o600})
    lacks(checks, answers, "record")
    none = {"KEY": None}
    again = ("--config", "shop.yaml", "--recorded", "answers", "--store", "sqlite:again.db")
    checks.run(*again, cwd=where, env=none)
    checks.run(*again, "--endpoint", "search", cwd=where, env=none)
    checks.equal("record: the rows of a live run", rows(
        os.path.join(where, "again.db"), "select id, size from items order by id"),
        [(10 * page + n, n) for page in (1, 2) for n in range(3)] + [(53, 1)])
    for more in (("--set", "q=bolt"), ("--endpoint", "search", "--set", "q=bolt")):
        result = checks.run(*again, *more, cwd=where, env=none, exit_code=1)
        checks.expect("record: what is missing is named", "is recorded in answers" in result.stderr, result.stderr)
    copying = ("--config", "shop.yaml", "--recorded", "answers", "--store", "sqlite:c.db")
    checks.run("record", "answers", *copying, cwd=where, env=none, exit_code=2)
    checks.run("record", "no/such/folder", *copying, cwd=where, env=none, exit_code=1)
    checks.run("record", "copy", *copying, cwd=where, env=none)
    checks.equal("record: answers of a folder can be recorded", len(os.listdir(os.path.join(where, "copy"))), 2)


def large_answers(checks, where):
    """An answer that does not fit into memory as a whole goes the same ways."""
    many = [{"id": n, "size": n % 7, "name": "x" * 100} for n in range(90000)]
    body = json.dumps({"items": many, "pages": 1, "echo": SECRET}).encode()
    with served(lambda *_: (200, body)) as (_, url):
        write(where, "shop.yaml", MAPPING % (url, ""))
        write(where, "wider.yaml", MAPPING % (url, WIDER))
        checks.run("record", "large", "--config", "shop.yaml", "--store", "sqlite:large.db", cwd=where, env=KEY)
    database = os.path.join(where, "large.db")
    checks.equal("large: it is kept whole, without the secret", rows(
        database, "select size, packed_size < size / 10 from _ingest_responses"), [(len(body) - len(SECRET) + 3, 1)])
    replay = ("replay", "--config", "wider.yaml", "--store", "sqlite:large.db")
    checks.run(*replay, cwd=where, env=KEY)
    checks.equal("large: a replay fills the new column", rows(
        database, "select count(*), count(name) from items"), [(90000, 90000)])
    checks.run(
        "--config", "wider.yaml", "--recorded", "large", "--store", "sqlite:again.db", cwd=where, env={"KEY": None})
    checks.equal("large: so do its recorded answers", rows(
        os.path.join(where, "again.db"), "select count(*) from items"), [(90000,)])
    lacks(checks, where, "large")


def tried(checks, where):
    with served(shop) as (server, url):
        write(where, "shop.yaml", MAPPING % (url, ""))
        before = sorted(os.listdir(where))
        result = checks.run("try", "items", "--config", "shop.yaml", cwd=where, env=KEY)
        for part in ("items[*].name", "array of 3", "'items' → Item: 3 records", "not mapped: name", '"id": 10'):
            checks.expect(f"try: shows {part}", part in result.stdout, result.stdout)
        said = result.stdout + result.stderr
        checks.expect("try: shows no secret", SECRET not in said and ENCODED not in said, said)
        checks.equal("try: one request", server.seen, ["GET /items"])
        result = checks.run("try", "one", "--config", "shop.yaml", "--set", "id=7", cwd=where, env=KEY, exit_code=3)
        checks.expect("try: shows the rejected", "/item: Item.size" in result.stdout, result.stdout)
        checks.run("try", "one", "--config", "shop.yaml", cwd=where, env=KEY, exit_code=2)
        checks.run("try", "one", "--config", "shop.yaml", "--set", "no=7", cwd=where, env=KEY, exit_code=2)
        result = checks.run("try", "items", "--config", "shop.yaml", "--set", "q=x", cwd=where, env=KEY, exit_code=1)
        checks.expect("try: the API's own words", "no such list" in result.stderr, result.stderr)
        checks.expect("try: the status", "404" in result.stdout, result.stdout)
        write(where, "other.yaml", (MAPPING % (url, "")).replace("records: {items: Item}", "records: {things: Item}"))
        result = checks.run("try", "items", "--config", "other.yaml", cwd=where, env=KEY, exit_code=1)
        checks.expect("try: no key path", "none of the key paths is there" in result.stderr, result.stderr)
        checks.run("try", "itms", "--config", "shop.yaml", cwd=where, env=KEY, exit_code=2)
    os.remove(os.path.join(where, "other.yaml"))
    checks.equal("try: nothing is stored", sorted(os.listdir(where)), before)
    checks.run("try", "items", "--config", "shop.yaml", cwd=where, env=KEY, exit_code=1)


def main():
    checks = Checks("archive")
    for part in (replayed, redacted_stay, rejects_replayed, recorded, large_answers, tried):
        with folder() as where:
            part(checks, where)
    checks.finish()


main()
