#!/usr/bin/env python3
"""What `ingest infer` drafts is valid, and loads the bodies that it came from: no record rejected, no value lost."""
import glob
import json
import os
import random
import re
import sqlite3
import subprocess
import sys

from checks import INGEST, ROOT, Checks, folder, indented, rows

SEEDS = int(os.environ.get("INGEST_SEEDS", "60"))


def infer(where, *samples, stdin=None):
    result = subprocess.run(
        [INGEST, "infer", *samples], cwd=where, capture_output=True, timeout=300, check=False, input=stdin)
    with open(os.path.join(where, "draft.yaml"), "wb") as file:
        file.write(result.stdout)
    return result


def run(where, *arguments):
    return subprocess.run(
        [INGEST, *arguments], cwd=where, capture_output=True, text=True, errors="replace", timeout=300, check=False)


def endpoints(draft):
    section = draft.split("\nendpoints:\n", 1)[1]
    return re.findall(r"^  ([^ #:\n]+):", section, re.M)


def drafted(checks, what, where, *samples):
    """Drafts, checks and loads; gives the database, or nothing when that is not possible."""
    result = infer(where, *samples)
    draft = result.stdout.decode()
    if not checks.expect(f"{what}: a draft", result.returncode == 0, indented(result.stderr.decode() + draft)):
        return None
    valid = run(where, "validate", "draft.yaml", "--deny-warnings")
    checks.expect(f"{what}: it is valid", valid.returncode == 0, indented(valid.stdout + draft, 60))
    database = os.path.join(where, "out.db")
    names = endpoints(draft)
    for number, sample in enumerate(samples):
        endpoint = ["--endpoint", names[min(number, len(names) - 1)]] if len(names) == len(samples) else []
        loaded = run(where, "load", sample, "--config", "draft.yaml", "--store", "sqlite:out.db", *endpoint)
        if not checks.expect(f"{what}: {sample} loads", loaded.returncode == 0, indented(loaded.stderr + draft, 80)):
            return None
    checks.equal(f"{what}: nothing is rejected", rows(database, "select count(*) from _ingest_rejects"), [(0,)])
    received = rows(database, "select sum(received) from _ingest_counts")[0][0]
    checks.expect(f"{what}: there are rows", (received or 0) > 0, draft)
    return database


def samples(checks):
    names = sorted(glob.glob(os.path.join(ROOT, "samples", "*", "*json")))
    checks.expect("there are samples", len(names) > 20)
    for name in names:
        with folder() as where:
            copy = os.path.join(where, os.path.basename(name))
            with open(name, "rb") as source, open(copy, "wb") as target:
                target.write(source.read())
            drafted(checks, os.path.relpath(name, ROOT), where, os.path.basename(name))


class Bodies:
    """Bodies of every shape. Each text and each whole number occurs once, so that none can be lost unnoticed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = 1000 + seed * 100000
        self.values = []

    def fresh(self):
        self.number += 1
        return self.number

    def text(self):
        value = f"w{self.fresh()}" + self.random.choice(["", " ", "é", "\n", "日本", '"', "'", "\\", "#: ,{}[]", "\t"])
        self.values.append(value)
        return value

    def integer(self):
        value = self.fresh() * self.random.choice([1, -1, 10**6, 10**20])
        self.values.append(value)
        return value

    def name(self):
        return self.random.choice([
            "id", "_id", "name", "Name", "first-name", "a.b", "user_id", "key", "position", "x y", "", "$ref", "@id",
            "ünï", "0", "12", "type", "value", "item_id", "items_position", "data", "tags", "null", "on", "_ingest_x",
            "createdAt", "a:b", "#", "*", "[0]", "order", "table", "日", "_extra", "rowid", "oid", "emoji😀", "${x}",
            "$$", "a${",
            "a" * 70])

    def scalar(self, kind):
        if kind == "text":
            return self.text()
        if kind == "integer":
            return self.integer()
        if kind == "mixed":
            return self.random.choice([self.text, self.integer, lambda: True, lambda: None, lambda: 1.5, lambda: ""])()
        return {"boolean": self.random.random() < 0.5, "null": None, "blank": self.random.choice(["", "  "]),
                "real": self.random.choice([0.1, 1e300, -2.5, 3.0, 1]),
                "zip": f"0{self.random.randrange(100, 999)}",
                "date": f"20{self.random.randrange(10, 40)}-02-1{self.random.randrange(10)}",
                "stamp": self.random.choice(["2024-03-01T10:00:00Z", "2024-03-01 10:00:00.5+02:00"]),
                "uuid": "0b1c2d3e-0000-4000-8000-00000000000a"}[kind]

    KINDS = ["text", "integer", "mixed", "boolean", "null", "blank", "real", "zip", "date", "stamp", "uuid"]

    def plan(self, depth):
        """What stands at one place: a kind of value, or the members of an object, or the elements of a list."""
        dice = self.random.random()
        if depth <= 0 or dice < 0.55:
            return self.random.choice(self.KINDS)
        if dice < 0.75:
            return {self.name(): self.plan(depth - 1) for _ in range(self.random.randrange(1, 6))}
        if dice < 0.88:
            return [self.plan(depth - 1)]
        if dice < 0.94:
            inner = self.random.choice([self.plan(depth - 1), {"a": "text"}, [{"b": "integer"}]])
            return {"7001": inner, "7002": inner, "7003": inner}
        return (self.plan(depth - 1), self.plan(depth - 1))

    def value(self, plan):
        """A value after a plan; now and then it is null, absent or empty."""
        if isinstance(plan, str):
            return self.scalar(plan)
        if self.random.random() < 0.1:
            return None
        if isinstance(plan, dict):
            return {name: self.value(part) for name, part in plan.items() if self.random.random() < 0.9}
        if isinstance(plan, list):
            return [self.value(plan[0]) for _ in range(self.random.randrange(0, 4))]
        return self.value(self.random.choice(plan))

    def record_plan(self):
        plan = {self.name(): self.plan(3) for _ in range(self.random.randrange(1, 8))}
        if self.random.random() < 0.6:
            plan["id"] = "integer"
        return plan

    def body(self):
        plan = self.record_plan()
        records = [self.value(plan) or {} for _ in range(self.random.randrange(1, 12))]
        kind = self.random.randrange(5)
        if kind == 0:
            return records
        if kind == 1:
            return {"things": records, "next": None, "count": 3}
        if kind == 2:
            return {"result": {"by_id": {str(self.fresh()): record for record in records + [{"id": 5}]}}}
        if kind == 3:
            return {"days": {"2024-01-01": records, "2024-01-02": records[:1]}}
        return {"id": self.integer(), "things": records}


def stored(database):
    """All that is stored, as one text."""
    connection = sqlite3.connect(database)
    parts = []
    for (name,) in connection.execute(
            "select name from sqlite_schema where type = 'table'"
            " and name not like '\\_ingest%' escape '\\'").fetchall():
        quoted = '"' + name.replace('"', '""') + '"'
        for row in connection.execute(f"select * from {quoted}"):
            parts += [str(value) for value in row]
    connection.close()
    return "\0".join(parts)


def generated(checks):
    for seed in range(SEEDS):
        bodies = Bodies(seed)
        body = bodies.body()
        with folder() as where:
            with open(os.path.join(where, "things.json"), "w", encoding="utf-8") as file:
                json.dump(body, file, ensure_ascii=False)
            database = drafted(checks, f"seed {seed}", where, "things.json")
            if not database:
                print(json.dumps(body)[:1500], file=sys.stderr)
                continue
            text = stored(database)
            forms = [(value, {str(value), json.dumps(value, ensure_ascii=False)[1:-1] if isinstance(value, str)
                              else str(value)}) for value in bodies.values]
            lost = [value for value, forms in forms if not any(form in text for form in forms)]
            with open(os.path.join(where, "draft.yaml"), encoding="utf-8") as file:
                checks.expect(f"seed {seed}: nothing is lost", not lost,
                              f"{lost[:5]!r}\n{json.dumps(body, ensure_ascii=False)[:3000]}\n{file.read()}")


WHOLE = {
    # name of the file: its bytes, and what the rows are
    "lines.ndjson": ('{"id": 1, "a": {"b": "x"}}\n\n{"id": 2, "a": null}\n', "line", "select id, a_b from lines",
                     [(1, "x"), (2, None)]),
    "loose.json": ('{"items": [{"id": 1,}, /* no more */ ]}', "lenient", "select id from items", [(1,)]),
    "days.json": ('{"2024-01-01": [{"n": 1}, {"n": 2}], "2024-01-02": [{"n": 3}]}', "key", "select key, n from days",
                  [("2024-01-01", 1), ("2024-01-01", 2), ("2024-01-02", 3)]),
    "rows.json": ('[["a", 1], ["b", null]]', "column_1", "select column_1, column_2 from rows",
                  [("a", 1), ("b", None)]),
    "one.json": ('{"id": "7", "tags": ["a", ""], "at": "Sat, 04 Jul 2015 10:00:00 GMT"}', "rfc2822",
                 "select id, at, (select group_concat(tag, '/') from one_tags) from one",
                 [("7", "2015-07-04 10:00:00", "a/")]),
    "loosely.json": ('{"items": [{"id": 1, "p": {"a": 1}}, {"id": 2, "p": [{"a": 2}, {"a": 3}]}]}', "items",
                     "select item_id, a from item_p order by 1, 2", [(1, 1), (2, 2), (2, 3)]),
    "book.json": ('{"title": "x", "author": {"id": 1, "name": "Ada"}}', "author_id",
                  "select title, author_name from book", [("x", "Ada")]),
    "twice.json": ('[{"id": 1, "a": "x"}, {"id": 1, "a": "y"}]', "write: append", "select id, a from twice",
                   [(1, "x"), (1, "y")]),
    "shop.json": ('{"name": "x", "by_id": {"17": {"n": 1}, "18": {"n": 2}}}', "by_id.*",
                  "select name, key, n from shop join shop_by_id on shop__id = _id order by key",
                  [("x", "17", 1), ("x", "18", 2)]),
    "answer.json": ('{"ok": true, "page": 1, "user": {"id": 1, "name": "Ada"}}', "user: User",
                    "select id, name from user", [(1, "Ada")]),
    "zips.json": ('[{"id": 9223372036854775807, "zip": "0123", "n": 9223372036854775808, "m": 1.10}]', "decimal",
                  "select id, zip, n, m from zips", [(2**63 - 1, "0123", "9223372036854775808", 1.1)]),
    "nested.json": ('[{"n": 1, "a": [{"b": ["x", "y"]}, {"b": ["z"]}]}, {"n": 2, "a": [{"b": ["w"]}]}]', "append",
                    "select _id, a_position, b from nested join nested_a on nested__id = _id join nested_a_b on"
                    " a_nested__id = _id and a_position = nested_a.position order by _id, a_position",
                    [(1, 0, "x"), (1, 0, "y"), (1, 1, "z"), (2, 0, "w")]),
    "dates.json": ('[{"id": 1, "a": "31/12/2024", "b": "01/02/2024", "c": "01.02.2024", "d": "2024-02-01 10:00"}]',
                   "dd/MM/yyyy", "select a, b, c, d from dates",
                   [("2024-12-31", "01/02/2024", "2024-02-01", "2024-02-01 10:00:00")]),
}


def known(checks):
    for name, (text, words, query, wanted) in WHOLE.items():
        with folder() as where:
            with open(os.path.join(where, name), "w", encoding="utf-8") as file:
                file.write(text)
            database = drafted(checks, name, where, name)
            with open(os.path.join(where, "draft.yaml"), encoding="utf-8") as file:
                draft = file.read()
            checks.expect(f"{name}: the draft says '{words}'", words in draft, draft)
            if database:
                checks.equal(f"{name}: its rows", rows(database, query), wanted)


def several(checks):
    """Pages of one list are one endpoint; other bodies have their own. An id that comes again is the same row."""
    files = {"page-1.json": '{"users": [{"id": 1}, {"id": 2, "name": "B"}], "page": 1}',
             "page-2.json": '{"users": [{"id": 2, "name": "B"}, {"id": 3, "age": 4}], "page": 2}',
             "teams.json": '[{"id": 1, "lead": "0"}]', "broken.json": "{"}
    with folder() as where:
        for name, text in files.items():
            with open(os.path.join(where, name), "w", encoding="utf-8") as file:
                file.write(text)
        draft = infer(where, "page-1.json", "page-2.json", "teams.json").stdout.decode()
        checks.equal("two endpoints", endpoints(draft), ["page", "teams"])
        checks.expect("members of all pages", "age: {type: integer}" in draft and "key: id" in draft, draft)
        for sample, endpoint in (("page-1.json", "page"), ("page-2.json", "page"), ("teams.json", "teams")):
            loaded = run(
                where, "load", sample, "--config", "draft.yaml", "--store", "sqlite:o.db", "--endpoint", endpoint)
            checks.equal(f"{sample} loads", loaded.returncode, 0)
        checks.equal("rows of all", rows(os.path.join(where, "o.db"), "select count(*) from users"), [(3,)])
        checks.equal("a broken sample", infer(where, "teams.json", "broken.json").returncode, 1)
        checks.equal("no sample", infer(where, "gone.json").returncode, 2)
        result = infer(where, "-", stdin=b'{"users": [{"id": 1}]}')
        checks.expect("stdin", b"table: users" in result.stdout)
        checks.equal("with -q nothing else is said", run(where, "infer", "page-1.json", "-q").stderr, "")


WRAPPED = """{"ok": true, "generated_at": "2026-03-01T10:00:00Z", "data": {"bookings": [{"id": %d, "ref": "a"}]},
"paging": {"next_cursor": "b", "total": 5}}"""


def wrapped(checks):
    """One list in an envelope of values is the list of records; a body that tells of an error is no record."""
    files = {"bookings-1.json": WRAPPED % 1, "bookings-2.json": WRAPPED % 2,
             "odd.json": '{"served_by": "eu-1", "rev": 4, "data": {"boats": [{"id": 1}]}}',
             "error.json": '{"ok": false, "error": {"code": "gone", "message": "no such property"}}',
             "card.json": '{"name": "Ada", "profile": {"orders": [{"nr": 1}]}}'}
    with folder() as where:
        for name, text in files.items():
            with open(os.path.join(where, name), "w", encoding="utf-8") as file:
                file.write(text)
        database = drafted(checks, "wrapped", where, "bookings-1.json", "bookings-2.json")
        checks.equal("wrapped: a row for each record", rows(database, "select id, ref from bookings order by id"),
                     [(1, "a"), (2, "a")])
        draft = infer(where, "bookings-1.json", "bookings-2.json", "error.json").stdout.decode()
        for words in ["records: {data.bookings: Booking}", "# beside the records, not carried over: ok, generated_at",
                      "paginate: {by: cursor, param: cursor, from: paging.next_cursor}",
                      "errors: [{when: {ok: false}, message: error.message, code: error.code}]"]:
            checks.expect(f"wrapped: the draft has {words!r}", words in draft, draft)
        checks.equal("wrapped: the error is no endpoint", endpoints(draft), ["bookings"])
        draft = infer(where, "odd.json").stdout.decode()
        checks.expect("wrapped: by 'data', whatever stands beside it", "records: {data.boats: Boat}" in draft, draft)
        draft = infer(where, "error.json").stdout.decode()
        checks.equal("wrapped: an error alone is drafted as it is", endpoints(draft), ["error"])
        draft = infer(where, "card.json").stdout.decode()
        checks.expect("wrapped: a record of its own stays one", "records: {.: Card}" in draft, draft)


PAGED = """{"items": [{"id": 1}], "next": "https://a.example.test/b?x", "nextPageToken": "abc", "page": 1,
"total_pages": 4, "total": 33, "hasMore": true, "offset": 0, "limit": 20, "meta": {"end_cursor": null}, "note": "x"}"""


def hints(checks):
    """Each suggestion on paging is right when it is taken."""
    for name, body in (("paged.json", PAGED), ("charges.json", '{"data": [{"id": "a"}], "has_more": true}')):
        with folder() as where:
            with open(os.path.join(where, name), "w", encoding="utf-8") as file:
                file.write(body)
            result = infer(where, name)
            draft = result.stdout.decode()
            suggested = re.findall(r"#   (paginate: .*)", draft)
            checks.expect(f"{name}: paging is suggested", len(suggested) >= (4 if "next" in body else 1), draft)
            for line in suggested:
                chosen = re.sub(r"    fetch: false.*", "    " + line, draft).replace(
                    "source: {name", "source: {base_url: https://a.example.test, name")
                with open(os.path.join(where, "chosen.yaml"), "w", encoding="utf-8") as file:
                    file.write(chosen)
                valid = run(where, "validate", "chosen.yaml", "--deny-warnings")
                checks.expect(f"{name}: {line}", valid.returncode == 0, valid.stdout)
            if "note" in body:
                checks.expect("what is left out is said", b"paged: note: stands beside" in result.stderr)


def main():
    checks = Checks("infer")
    samples(checks)
    known(checks)
    several(checks)
    hints(checks)
    wrapped(checks)
    generated(checks)
    checks.finish()


if __name__ == "__main__":
    main()
