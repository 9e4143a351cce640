#!/usr/bin/env python3
"""What `map` prints as SQL, CSV and tables says the same as what `load` stores."""
import csv
import io
import json
import os
import sqlite3
import struct
import subprocess

from checks import INGEST, ROOT, Checks, folder, indented, ingest, rows
from mappings import LOADS, sample

TRICKY = """\
ingest: 1
source: {name: tricky, base_url: https://api.example.test}
records:
  Thing:
    table: odd "things"
    key: id
    fields:
      id: {type: integer}
      text: {type: text}
      any: {type: any}
      real: {type: real}
      blob: {type: bytes}
      group: {from: kind, index: true}
    relationships:
      parts: [Part]
      twin: Thing
      tags: [{fields: {tag: .}}]
  Part: {key: no, fields: [no, size]}
  Note: {write: append, fields: {note: .}}
endpoints:
  things: {path: /things, records: {things: Thing, notes: Note}}
"""

TEXTS = [
    "", " ", "a,b", 'say "hi"', "it's", "two\nlines", "dos\r\nlines", "cr\ronly", "tab\t", "nul\0inside", "\x1b[31mred",
    "\u009b2J", "'; drop table things; --", "日本語", "e\u0301 \U0001f600", "\u202eright", ".quit\n.exit", "-- no\n/* */",
    "NULL", "0089", "x" * 5000,
]


def doubles():
    """Doubles of every size, whose shortest decimals are hard to read back."""
    bits = 0x9E3779B97F4A7C15
    for _ in range(300):
        bits = (bits * 6364136223846793005 + 1442695040888963407) % 2**64
        value = struct.unpack("<d", struct.pack("<Q", bits))[0]
        if value == value and abs(value) != float("inf"):
            yield value
    yield from (5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 0.1, 1e23, 9007199254740993.0, -1.5)


def body():
    things = []
    for number, text in enumerate(TEXTS):
        things.append({
            "id": number, "text": text, "any": text, "real": number / 7, "blob": "AAEC/w==" if number % 2 else None,
            "kind": number % 3, "parts": [{"no": "p1", "size": number}, {"no": f"p{number}", "size": None}],
            "tags": [text, "again"]})
    for number, value in enumerate(doubles(), 1000):
        things.append({"id": number, "real": value, "any": value})
    things.append({"id": -2**63, "any": 2**63 - 1, "text": None})
    # Comes again, and refers to a row that comes later.
    things.append({"id": 0, "kind": 7, "tags": ["last"], "twin": {"id": 5000, "text": "later", "twin": {"id": 0}}})
    return json.dumps({"things": things, "notes": ["one", "one", "two"]}, ensure_ascii=False)


def tables(database):
    names = [row[0] for row in rows(
        database, "select name from sqlite_schema where type = 'table' and name not like '\\_ingest%' escape '\\'"
        " and name not like 'sqlite\\_%' escape '\\' order by name")]
    found = {}
    for name in names:
        quoted = '"' + name.replace('"', '""') + '"'
        columns = [row[1] for row in rows(database, f"pragma table_info({quoted})")
                   if row[1] not in ("_ingested_at", "_run_id")]
        values = ", ".join(f'"{column}", typeof("{column}")' for column in columns)
        found[name] = (columns, sorted(rows(database, f"select {values} from {quoted}"), key=repr))
    return found


def indexes(database):
    return sorted(rows(
        database, "select tbl_name, sql from sqlite_schema where type in ('index', 'table') and sql is not null"
        " and tbl_name not like '\\_ingest%' escape '\\' and tbl_name not like 'sqlite\\_%' escape '\\'"))


def same(checks, what, made, loaded):
    checks.equal(f"{what}, table by table", sorted(made), sorted(loaded))
    for name, (columns, found) in made.items():
        others = loaded.get(name, ((), ()))
        checks.equal(f"{what}: columns of {name}", columns, others[0])
        wrong = [pair for pair in zip(found, others[1]) if repr(pair[0]) != repr(pair[1])]
        checks.expect(f"{what}: {name}", not wrong and len(found) == len(others[1]), repr(wrong)[:600])


def same_as_load(checks, what, where, arguments):
    loaded, made = os.path.join(where, "loaded.db"), os.path.join(where, "made.db")
    checks.run("load", *arguments, "--store", f"sqlite:{loaded}")
    script = checks.run("map", *arguments, "--format", "sql").stdout
    shell = subprocess.run(
        ["sqlite3", "-bail", "-cmd", "PRAGMA foreign_keys = ON", made], input=script, capture_output=True, text=True,
        timeout=120, check=False)
    checks.expect(f"{what}: sqlite3 takes the script", shell.returncode == 0 and not shell.stderr,
                  indented(shell.stderr))
    same(checks, f"{what}: the rows are those of load", tables(made), tables(loaded))
    checks.equal(f"{what}: the tables and indexes are those of load", indexes(made), indexes(loaded))
    checks.expect(f"{what}: there are rows", any(found for _, found in tables(made).values()))


def scripts(checks):
    for mapping, _, loads in LOADS:
        for name, *more in loads:
            with folder() as where:
                same_as_load(
                    checks, f"{mapping}: {name}", where, [sample(name), "--config", f"mappings/{mapping}.yaml", *more])


def tricky(checks, where):
    mapping, data = os.path.join(where, "tricky.yaml"), os.path.join(where, "things.json")
    for path, text in ((mapping, TRICKY), (data, body())):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    arguments = [data, "--config", mapping]
    same_as_load(checks, "values of every kind", where, arguments)
    only = checks.run("map", *arguments, "--format", "sql", "--table", "part_list", exit_code=2)
    checks.expect("an unknown table is named", "part_list" in only.stderr)
    name = 'odd "things"'
    script = checks.run("map", *arguments, "--format", "sql", "--table", "thing_tags").stdout
    lone = sqlite3.connect(":memory:")
    lone.execute("pragma foreign_keys = on")
    lone.executescript(script)
    checks.equal("one table alone", sorted(lone.execute("select thing_id, position, tag from thing_tags")), sorted(
        rows(os.path.join(where, "loaded.db"), "select thing_id, position, tag from thing_tags")))
    lone.close()
    refused = checks.run("map", *arguments, "--format", "csv", exit_code=2)
    checks.expect("csv of several tables is refused", "--table" in refused.stderr and not refused.stdout)
    as_csv(checks, arguments, name)
    as_table(checks, arguments, name)


def as_csv(checks, arguments, name):
    got = subprocess_bytes("map", *arguments, "--format", "csv", "--table", name)
    checks.expect("csv has no bare line end", got.endswith(b"\r\n"))
    parsed = list(csv.reader(io.StringIO(got.decode("utf-8"), newline=""), strict=True))
    lines = [json.loads(line)["row"] for line in
             checks.run("map", *arguments, "--table", name).stdout.splitlines()]
    checks.equal("csv names its columns", parsed[0], list(lines[0]))
    checks.equal("csv has each row", len(parsed) - 1, len(lines))
    for found, row in zip(parsed[1:], lines):
        wanted = ["" if value is None else value if isinstance(value, str) else None for value in row.values()]
        checks.equal("csv has each text", [one if two is not None else None for one, two in zip(found, wanted)], wanted)
        numbers = [(one, value) for one, value in zip(found, row.values()) if isinstance(value, (int, float))]
        checks.expect("csv has each number", all(type(value)(one) == value for one, value in numbers), repr(numbers))
    first = got.split(b"\r\n")[1]
    checks.expect("null is empty, empty text is quoted", first.startswith(b'0,"","",0.0,,0,'), repr(first))


def as_table(checks, arguments, name):
    result = checks.run("map", *arguments, "--format", "table")
    lines = result.stdout.split("\n")
    checks.expect("a table is titled", any(line.startswith(f"{name}: ") for line in lines))
    checks.expect("nothing upsets a terminal", not any(ord(c) < 32 and c != "\n" or 0x7f <= ord(c) < 0xa0
                                                       for c in result.stdout))
    checks.expect("what is cut is said", "cut to 60 columns" in result.stderr)
    head = lines.index(next(line for line in lines if line.startswith("thing_tags: ")))
    rule = lines[head + 2]
    checks.equal("columns are aligned", rule.index("-"), 2)
    wide = next(line for line in lines[head:] if "日本語" in line)
    narrow = next(line for line in lines[head:] if line.rstrip().endswith("again"))
    checks.equal("wide characters take two columns", wide.index("日本語"), narrow.index("again"))


def subprocess_bytes(*arguments):
    return subprocess.run([INGEST, *arguments], cwd=ROOT, capture_output=True, timeout=120, check=False).stdout


def tombstones(checks):
    """What is received adds up, also where records say that they are gone."""
    mapping = (
        "ingest: 1\nsource: {name: t}\n"
        "records: {Item: {table: items, key: id, fields: [id], delete_when: {gone: true}}}\n"
        "endpoints: {items: {path: /items, fetch: false, records: {items: Item}}}\n")
    with folder() as where:
        with open(os.path.join(where, "m.yaml"), "w", encoding="utf-8") as file:
            file.write(mapping)
        with open(os.path.join(where, "b.json"), "w", encoding="utf-8") as file:
            json.dump({"items": [{"id": 1}, {"id": 2, "gone": True}, {"id": 3}]}, file)
        result = checks.run("map", "b.json", "--config", "m.yaml", cwd=where)
        checks.equal("a tombstone is not printed", len(result.stdout.splitlines()), 2)
        names, counts = [line.split() for line in result.stderr.splitlines()][-2:]
        checks.equal("and is counted as deleted", dict(zip(names[1:], counts[1:])), {
            "received": "3", "mapped": "2", "deleted": "1", "skipped": "0", "filtered": "0", "rejected": "0"})


def main():
    checks = Checks("map-formats")
    scripts(checks)
    with folder() as where:
        tricky(checks, where)
    failing(checks)
    children(checks)
    tombstones(checks)
    checks.finish()


def children(checks):
    """Children with columns of their parent: the parent stands in their rows, as it is stored."""
    arguments = ["samples/shopify/orders-1.json", "--config", "mappings/shopify.yaml", "--endpoint", "orders"]
    lines = checks.run("map", *arguments, "--table", "line_items", "-q").stdout.splitlines()
    checks.equal("ndjson has the parent", [json.loads(line)["row"]["order_id"] for line in lines],
                 [5500000000001, 5500000000001, 5500000000002])
    text = checks.run("map", *arguments, "--table", "line_items", "--format", "csv", "-q").stdout
    checks.equal("csv has the parent", [row[-1] for row in csv.reader(io.StringIO(text))],
                 ["order_id", "5500000000001", "5500000000001", "5500000000002"])


def failing(checks):
    """A body that fails: what the bodies before it brought is printed, and the exit code says so."""
    with folder() as where:
        for name, text in (("good.json", '{"things": [{"id": 1}]}'), ("bad.json", '{"things": [')):
            with open(os.path.join(where, name), "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(where, "m.yaml"), "w", encoding="utf-8") as file:
            file.write(TRICKY)
        result = ingest("map", "good.json", "bad.json", "--config", "m.yaml", "--format", "sql", cwd=where)
        checks.equal("a body that fails ends it", result.returncode, 1)
        checks.expect("the earlier rows are there", "VALUES (1, NULL" in result.stdout, result.stdout)
        checks.expect("the script is whole", result.stdout.endswith("COMMIT;\n"))
        checks.expect("no file is left", sorted(os.listdir(where)) == ["bad.json", "good.json", "m.yaml"])


if __name__ == "__main__":
    main()
