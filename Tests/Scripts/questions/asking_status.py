"""`ingest status`: runs, cursors, cut walks, rejects, references; nothing is changed by asking."""
import json
import os
import sqlite3
import subprocess
import threading
import urllib.parse

from answering import contents, server, write
from checks import INGEST, folder

MAPPING = """\
ingest: 1
source: {name: blog, base_url: "%s", retry: {attempts: 1}}
records:
  Post:
    table: posts
    key: id
    fields:
      id: {type: integer}
      author: {references: Person}
      at: {type: timestamp}
  Person: {table: people, key: id, fields: [{id: {type: integer}}]}
endpoints:
  feed:
    on_failure: continue
    path: /feed
    records: {posts: Post, people: Person}
    incremental: {column: at, param: since}
  list:
    on_failure: continue
    path: /list
    records: {posts: Post}
    paginate: {by: page, param: page, start: 1, total_pages: pages}
  far: {on_failure: continue, path: /far, records: {posts: Post}, paginate: {by: cursor, param: after, from: next}}
  fresh: {on_failure: continue, path: /fresh, records: {posts: Post}, cache: {ttl: 1h}}
  each: {on_failure: continue, path: "/each/:id", for_each: {values: [7, 9], bind: id}, records: {posts: Post}}
"""


def answer(path, _):
    url = urllib.parse.urlsplit(path)
    query = dict(urllib.parse.parse_qsl(url.query))
    if url.path == "/feed":
        return 200, {}, {"posts": [{"id": 1, "author": 4, "at": "2024-03-02T10:00:00Z"}, {"id": 2, "author": 77},
                                   {"id": "x"}, {"id": "y"}, {"id": 3, "author": 77}], "people": [{"id": 4}]}
    if url.path == "/list" and query["page"] != "3":
        return 200, {}, {"posts": [{"id": 10 + int(query["page"])}], "pages": 4}
    if url.path == "/far" and "after" not in query:
        return 200, {}, {"posts": [{"id": 20}], "next": "c-2"}
    if url.path == "/fresh":
        return 200, {"ETag": '"v1"'}, {"posts": [{"id": 30}]}
    if url.path == "/each/7":
        return 200, {}, {"posts": [{"id": 40}]}
    return 500, {}, {"posts": []}


def status(checks, where, *arguments, **options):
    return checks.run("status", "--config", "m.yaml", "--store", "sqlite:out.db", *arguments, cwd=where, **options)


def check(checks):
    with folder() as where, server(answer) as url:
        mapping = write(where, "m.yaml", MAPPING % url)
        before = contents(where)
        told = status(checks, where).stdout
        checks.expect("before any run it is said that there is none", "no run of 'blog' yet" in told, told)
        checks.equal("and an object without runs",
            json.loads(status(checks, where, "--format", "json").stdout)["runs"], [])
        checks.equal("nothing is made before any run", contents(where), before)
        checks.run("run", "m.yaml", "--store", "sqlite:out.db", cwd=where, exit_code=1)
        after_a_run(checks, where)
        with open(mapping, "a", encoding="utf-8") as file:
            file.write("# changed\n")
        checks.expect("a comment voids nothing", "the walk begins anew" not in status(checks, where).stdout)
        write(where, "m.yaml", (MAPPING % url).replace("base_url: ", "params: {changed: 1}, base_url: "))
        told = status(checks, where).stdout
        checks.expect("another mapping continues nothing",
            "the mapping has changed since ('source.params'): the walk begins anew" in told, told)
        checks.expect("and trusts no cache", "not asked again before" not in told, told)
    strangers(checks)
    many_walks(checks)
    partial_walks(checks)
    while_others_write(checks)


def after_a_run(checks, where):
    before = contents(where)
    told = status(checks, where).stdout
    checks.equal("asking changes no file", contents(where), before)
    for line in [
        "  feed", "      cursor: 2024-03-02 10:00:00", "  each id=7",
            "  posts.author to people.id: 2 rows are dangling: no row there has 77; fetch or load those",
    ]:
        checks.expect(f"status has the line {line!r}", line in told.split("\n"), told)
    for part in [
        "goes on at page 2, until 20", "goes on at cursor c-2, until 20", "2 pages with 2 records stored",
        "asks only for what has changed: ETag \"v1\"", "not asked again before 20", "2  Post.id: ", "  failed: ",
        "Post: 10 received, 8 inserted, 2 rejected",
    ]:
        checks.expect(f"status says {part!r}", part in told, told)
    checks.expect("one reason is one line", told.count("Post.id: ") == 1, told)
    told = json.loads(status(checks, where, "--format", "json").stdout)
    walks = {(walk["endpoint"], *walk["values"].values()): walk for walk in told["walks"]}
    checks.equal("the walks as an object", sorted(walks), [("each", "7"), ("far",), ("feed",), ("fresh",), ("list",)])
    checks.equal("where one goes on", walks["list",]["cut"]["goes_on_at"], "page 2")
    checks.equal("rejects as an object",
        [(group["record"], group["field"], group["count"]) for group in told["rejects"]],
                 [("Post", "id", 2)])
    checks.equal("what dangles as an object", told["dangling"],
                 [{"table": "posts", "column": "author", "refers_to": ["people.id"], "rows": 2, "values": 1}])
    checks.equal("counts as an object", told["runs"][0]["counts"][0]["received"], 10)


def strangers(checks):
    """Files that ingest has not written."""
    with folder() as where:
        write(where, "m.yaml", MAPPING % "http://127.0.0.1:1")
        write(where, "out.db",
            "no database at all, whatever its name says; it is longer than a header of one would be.")
        result = status(checks, where, exit_code=2)
        checks.expect("what is no database is said to be none", "is not an SQLite database" in result.stderr,
            result.stderr)
    with folder() as where:
        write(where, "m.yaml", MAPPING % "http://127.0.0.1:1")
        sqlite3.connect(os.path.join(where, "out.db")).execute("create table posts (id, author)").connection.close()
        before = contents(where)
        told = status(checks, where).stdout
        checks.expect("a database of others has no run", "no run yet" in told, told)
        checks.equal("it stays as it was", contents(where), before)


def while_others_write(checks):
    """Status while a run is under way, after it was killed, and while another program writes."""
    asked, go_on = threading.Event(), threading.Event()

    def slow(path, headers):
        asked.set()
        go_on.wait(20)
        return answer(path, headers)

    with folder() as where, server(slow) as url:
        write(where, "m.yaml", MAPPING % url)
        with subprocess.Popen(
            [INGEST, "run", "m.yaml", "--store", "sqlite:out.db"], cwd=where, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL) as running:
            asked.wait(20)
            told = status(checks, where).stdout
            checks.expect("who holds the source is said", f"held by process {running.pid} on " in told, told)
            checks.expect("a run that goes on was not killed", "run  running" in told, told)
            running.kill()
        go_on.set()
        told = status(checks, where).stdout
        checks.expect("a process that is gone holds nothing", "held by" not in told, told)
        checks.expect("and the next run continues it", "the next run continues what run 1 began" in told, told)
        checks.expect("a run that was killed is told apart", "did not end: it was killed" in told, told)
        with sqlite3.connect(os.path.join(where, "out.db"), isolation_level=None) as other:
            other.execute("begin immediate")
            other.execute("insert into people values (1)")
            status(checks, where, timeout=30)
            other.execute("rollback")
        other.close()


def partial_walks(checks):
    """A run whose walk was partial ends with 0; that not all has come, and what was swept, is in the store."""
    def pages(path, _):
        number = int(urllib.parse.parse_qs(urllib.parse.urlsplit(path).query)["page"][0])
        return 200, {}, {"posts": [{"id": number}] if number < 4 - len(swept) else []}

    text = MAPPING.split("endpoints:")[0].replace("key: id", "key: id\n    sweep: true", 1)
    text += "endpoints:\n  list: {path: /list, records: {posts: Post}, paginate: {by: page, param: page, start: 1}}\n"
    swept = []
    with folder() as where, server(pages) as url:
        write(where, "m.yaml", text % url)
        run = ["run", "m.yaml", "--store", "sqlite:out.db"]
        checks.run(*run, "--max-pages", "2", cwd=where)
        told = status(checks, where).stdout
        checks.expect("a partial walk is told",
            "PARTIAL at " in told and " UTC: it ends at 2 pages (max_pages)" in told, told)
        walk = json.loads(status(checks, where, "--format", "json").stdout)["walks"][0]
        checks.expect("and in the object", "2 pages" in (walk["partial"] or {}).get("reason", ""), walk)
        checks.run(*run, cwd=where)
        told = status(checks, where).stdout
        checks.expect("no more after a complete one", "PARTIAL" not in told, told)
        walks = json.loads(status(checks, where, "--format", "json").stdout)["walks"]
        checks.equal("nor in the object", [walk["partial"] for walk in walks if walk["partial"]], [])
        swept.append(1)
        report = checks.run(*run, cwd=where).stderr
        checks.expect("swept rows have a column in the report", "rejected  swept\n" in report, report)
        told = status(checks, where).stdout
        checks.expect("and a number in the status", "Post: 2 received, 2 unchanged, 1 swept" in told, told)
        counts = json.loads(status(checks, where, "--format", "json").stdout)["runs"][0]["counts"][0]
        checks.equal("and in the object", counts["swept"], 1)


def many_walks(checks):
    """Walks for many parents are summed up; one that was cut is told all the same."""
    def half(path, _):
        return (500 if path == "/each/29" else 200), {}, {"posts": [{"id": 1}]}

    with folder() as where, server(half) as url:
        text = MAPPING % url
        write(where, "m.yaml", text.replace("values: [7, 9]", f"values: {list(range(30))}"))
        checks.run("run", "m.yaml", "--endpoint", "each", "--store", "sqlite:out.db", cwd=where, exit_code=1)
        with sqlite3.connect(os.path.join(where, "out.db")) as connection:
            connection.execute(
                "update _ingest_state set name = 'walk', value = '{}' where json_extract(scope, '$.path.id') = '28'")
        connection.close()
        told = status(checks, where).stdout
        checks.equal("ten and the cut one are shown", told.count("  each id="), 11)
        checks.expect("all are counted",
            "  each: 29 walks in all; those that were cut or partial and 10 more are shown" in told, told)
