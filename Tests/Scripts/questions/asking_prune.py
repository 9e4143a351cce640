"""`ingest prune`: old runs go, and a store that was pruned does what one does that was not."""
import os
import shutil
import sqlite3
import subprocess
import threading
import time
import urllib.parse

from answering import contents, server, write
from checks import INGEST, folder, rows

MAPPING = """\
ingest: 1
source: {name: shop, base_url: "%s", retry: {attempts: 1}}
store: {archive: true}
records:
  Item: {table: items, key: id, sweep: {max_delete: 100%%}, fields: {id: {type: integer}, size: {type: integer}}}
  Event: {table: events, key: seq, fields: {seq: {type: integer}}}
endpoints:
  items: {path: /items, records: {items: Item}, on_failure: continue}
  events: {path: /events, records: {events: Event}, on_failure: continue, incremental: {column: seq, param: after}}
  pages: {path: /pages, records: {events: Event}, paginate: {by: page, param: page, start: 1, total_pages: pages}}
"""
OTHER = MAPPING.replace("name: shop", "name: other").replace("table: items", "table: things").replace(
    "table: events", "table: happenings")
KEPT = ["_ingest_runs", "_ingest_counts", "_ingest_rejects", "_ingest_errors", "_ingest_responses", "_ingest_files"]


class Shop:
    """Rows that a test chooses; pages from the third on fail while `is_broken`."""

    def __init__(self):
        self.items, self.tag, self.seen, self.is_broken = [1, 2, 3], '"1"', [], True

    def __call__(self, path, headers):
        url = urllib.parse.urlsplit(path)
        query = dict(urllib.parse.parse_qsl(url.query))
        self.seen.append(path + (" if " + headers["If-None-Match"] if headers.get("If-None-Match") else ""))
        if url.path == "/items":
            if headers.get("If-None-Match") == self.tag:
                return 304, {"ETag": self.tag}, None
            return 200, {"ETag": self.tag}, {"items": [{"id": n, "size": n} for n in self.items]}
        if url.path == "/events":
            return 200, {}, {"events": [{"seq": int(query.get("after", "3")) + 1}, {"seq": "bad"}]}
        if int(query["page"]) > 2 and self.is_broken:
            return 500, {}, {}
        return 200, {}, {"events": [{"seq": 100 + int(query["page"])}], "pages": 4}


def age(database, days, source="shop"):
    """All of a source's runs so far are so many days older."""
    with sqlite3.connect(database) as connection:
        for column in ("started_at", "finished_at"):
            connection.execute(
                f"update _ingest_runs set {column} = strftime('%Y-%m-%d %H:%M:%f', {column}, ?) where source = ?",
                (f"-{days} days", source))
    connection.close()


def counts(database):
    return {table: rows(database, f"select run_id, count(*) from {table} group by 1 order by 1") for table in KEPT}


def everything(database):
    tables = ["items", "events", "_ingest_state"]
    columns = {"_ingest_state": "source, scope, name"}
    return {table: rows(database,
        f"select {columns.get(table, '*')} from {table} order by 1, 2, 3") for table in tables}


def prune(checks, where, keep, *arguments, **options):
    return checks.run(
        "prune", "--keep", keep, "--config", "m.yaml", "--store", "sqlite:out.db", *arguments, cwd=where, **options)


def check(checks):
    shop = Shop()
    with folder() as where, server(shop) as url:
        write(where, "m.yaml", MAPPING % url)
        write(where, "other.yaml", OTHER % url)
        write(where, "a.json", '{"items": [{"id": 1, "size": 1}]}')
        before = contents(where)
        told = prune(checks, where, "30d").stdout
        checks.expect("before any run there is nothing", "no run of 'shop' yet" in told, told)
        checks.equal("and nothing is made", contents(where), before)
        old_runs(checks, where, shop)
        same_as_before(checks, where, shop)
        held(checks, where)
    older_and_strange(checks)
    cut(checks)


def old_runs(checks, where, shop):
    database = os.path.join(where, "out.db")
    load = ["load", "a.json", "--endpoint", "items", "--partial", "--config", "m.yaml", "--store", "sqlite:out.db"]
    checks.run(*load, cwd=where)
    for number in range(2):
        shop.items = shop.items + [10 + number]
        shop.tag = f'"{number + 2}"'
        checks.run("run", "m.yaml", "--store", "sqlite:out.db", cwd=where, exit_code=1)
    checks.run("run", "other.yaml", "--store", "sqlite:out.db", cwd=where, exit_code=1)
    age(database, 40)
    age(database, 400, "other")
    checks.run("run", "m.yaml", "--store", "sqlite:out.db", cwd=where, exit_code=1)
    age(database, 20)
    before = counts(database)
    told = prune(checks, where, "61d").stdout
    checks.expect("nothing that is younger goes", told.startswith("shop: no run can go; 4 stay"), told)
    checks.equal("nor is it touched", counts(database), before)
    shutil.copy(database, os.path.join(where, "control.db"))
    told = prune(checks, where, "30d").stdout
    checks.equal("it is said what went", told.splitlines(), [
        "shop: 3 runs were removed, 1 stays",
        f"  with 8 archived answers ({archived(os.path.join(where, 'control.db'))} bytes), 2 errors, 1 note of a file",
        "  with 2 rejected records, which cannot be mapped again now"])
    checks.equal("only the runs that are left have anything", counts(database), {
        table: [entry for entry in found if entry[0] in (4, 5)] for table, found in before.items()})
    told = prune(checks, where, "1s").stdout
    checks.expect("the last run stays, however old", told.startswith("shop: no run can go; 1 stays"), told)


def archived(database):
    return rows(database, "select sum(packed_size) from _ingest_responses where run_id < 4")[0][0]


def same_as_before(checks, where, shop):
    """The pruned store and its copy ask for the same, and hold the same afterwards."""
    shop.is_broken = False
    shop.items, shop.tag = [1, 2], '"9"'
    results = []
    for name in ("out.db", "control.db"):
        shop.seen.clear()
        checks.run("run", "m.yaml", "--store", f"sqlite:{name}", cwd=where, exit_code=3)
        results.append((list(shop.seen), everything(os.path.join(where, name))))
    checks.equal("a pruned store asks for the same", results[0][0], results[1][0])
    checks.expect("that is what cursor, validator and cut walk say", {
        "/items if \"3\"", "/events?after=6", "/pages?page=2"} <= set(results[0][0]), results[0][0])
    checks.equal("and it holds the same", results[0][1], results[1][1])
    checks.equal("what was not seen was swept", rows(os.path.join(where, "out.db"), "select id from items"),
        [(1,), (2,)])
    checks.run("replay", "--config", "m.yaml", "--store", "sqlite:out.db", cwd=where, exit_code=3)


def held(checks, where):
    """While another process holds the source nothing is removed, unless one waits."""
    database = os.path.join(where, "out.db")
    age(database, 40)
    asked, go_on = threading.Event(), threading.Event()

    def slow(path, _):
        asked.set()
        go_on.wait(20)
        return 200, {}, {"items": [], "events": [], "pages": 1}

    with server(slow) as url:
        write(where, "slow.yaml", MAPPING % url)
        command = [INGEST, "run", "slow.yaml", "--full", "--store", "sqlite:out.db"]
        with subprocess.Popen(command, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            asked.wait(20)
            before = counts(database)
            refused = prune(checks, where, "30d", exit_code=1)
            checks.expect("who holds the source is said", f"process {running.pid}" in refused.stderr, refused.stderr)
            checks.equal("nothing was removed", counts(database), before)
            threading.Timer(0.5, go_on.set).start()
            told = prune(checks, where, "30d", "--wait").stdout
            checks.expect("who waits removes it afterwards", "removed, 1 stays" in told, told)
    checks.equal("the source is let go", rows(database, "select count(*) from _ingest_state where name = 'lock'"),
        [(0,)])


def older_and_strange(checks):
    with folder() as where:
        write(where, "m.yaml", MAPPING % "http://127.0.0.1:1")
        write(where, "a.json", '{"items": [{"id": 1, "size": 1}]}')
        database = os.path.join(where, "out.db")
        for _ in range(2):
            checks.run("load", "a.json", "--endpoint", "items", "--config", "m.yaml", "--store", "sqlite:out.db",
                cwd=where)
            age(database, 40)
        with sqlite3.connect(database) as connection:
            connection.executescript(
                "drop view _ingest_last_run; drop table _ingest_files; alter table _ingest_counts drop column swept;"
                "alter table _ingest_responses drop column redacted; alter table _ingest_rejects drop column redacted;"
                "update _ingest_schema set type = '3' where \"table\" = '_ingest_schema' and \"column\" = ''")
        connection.close()
        checks.run("status", "--config", "m.yaml", "--store", "sqlite:out.db", cwd=where)
        told = prune(checks, where, "30d").stdout
        checks.expect("an older store is pruned", told.startswith("shop: 1 run was removed, 1 stays"), told)
        checks.equal("and has the view now", rows(database, "select source, run_id from _ingest_last_run"),
            [("shop", 2)])
        prune(checks, where, "x", exit_code=2)
        prune(checks, where, "0s", exit_code=2)
    with folder() as where:
        write(where, "m.yaml", MAPPING % "http://127.0.0.1:1")
        sqlite3.connect(os.path.join(where, "out.db")).execute("create table items (id)").connection.close()
        before = contents(where)
        prune(checks, where, "30d")
        checks.equal("a database of others stays as it was", contents(where), before)


def cut(checks):
    """Runs that the next one continues stay; a walk that nobody can continue is forgotten."""
    shop = Shop()
    with folder() as where, server(shop) as url:
        write(where, "m.yaml", MAPPING % url)
        database = os.path.join(where, "out.db")
        checks.run("run", "m.yaml", "--store", "sqlite:out.db", cwd=where, exit_code=1)
        checks.run("run", "m.yaml", "--store", "sqlite:out.db", cwd=where, exit_code=1)
        record = '{"began":"%d","run":"1","version":"x"}' % (time.time() * 1000)
        with sqlite3.connect(database) as connection:
            connection.execute("insert into _ingest_state values ('shop', '', 'series/x', ?, 2)", (record,))
        connection.close()
        age(database, 40)
        told = prune(checks, where, "1s").stdout
        checks.expect("what the next run continues stays", "no run can go; 2 stay" in told, told)
        with sqlite3.connect(database) as connection:
            connection.execute("delete from _ingest_state where name = 'series/x'")
            connection.execute(
                "update _ingest_state set value = json_set(value, '$.began', '1000000000000') where name = 'walk'")
        connection.close()
        told = prune(checks, where, "1s").stdout
        checks.expect("what nobody continues goes", "1 run was removed, 1 stays" in told, told)
        left = rows(database, "select name from _ingest_state where scope <> '' order by name")
        checks.equal("with what the walk remembered", sorted({name for (name,) in left}), ["complete", "cursor"])
