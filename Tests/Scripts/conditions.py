#!/usr/bin/env python3
"""SQL that a mapping writes, where it fails on rows; and tables of as many columns as SQLite keeps."""
import json
import os
import sqlite3

from checks import Checks, folder, rows

HEAD = "ingest: 1\nsource: {name: shop, base_url: 'https://api.example.test'}\n"
ITEM = HEAD + """records:
  Item:
    table: items
    key: id
    fields: {id: {type: integer}, n: {type: integer}, note: {type: text}}
%s
endpoints:
  items: {path: /items, records: {items: Item}}
"""
LOWEST = -2**63


def write(where, name, text):
    with open(os.path.join(where, name), "w", encoding="utf-8") as file:
        file.write(text if isinstance(text, str) else json.dumps(text))


def items(*values):
    return {"items": [{"id": number, "n": n, "note": note} for number, (n, note) in enumerate(values)]}


def failing(checks, where):
    """A condition that SQLite understands, and that a row makes fail: the message names its place in the mapping."""
    write(where, "one.json", items((LOWEST, "{}"), (1, "{}")))
    write(where, "none.json", items())
    write(where, "m.yaml", ITEM % "    sweep: {where: abs(n) > 0}")
    checks.run("validate", "m.yaml", cwd=where)
    checks.run("load", "one.json", "--config", "m.yaml", "--store", "sqlite:s.db", cwd=where)
    result = checks.run("load", "none.json", "--config", "m.yaml", "--store", "sqlite:s.db", cwd=where, exit_code=1)
    checks.expect("a sweep's condition that fails is named", (
        "m.yaml:8:20: 'sweep.where' of the record 'Item' fails on a row, and nothing was swept: 's.db': integer "
        "overflow") in result.stderr, result.stderr)
    checks.equal("and nothing was swept", rows(os.path.join(where, "s.db"), "SELECT count(*) FROM items"), [(2,)])

    write(where, "i.yaml", ITEM % "    indexes: [{columns: [note], where: abs(n) > 1}]")
    write(where, "lowest.json", items((LOWEST, "x")))
    write(where, "plain.json", items((1, "x")))
    place = "i.yaml:8:40: 'indexes.where' of the record 'Item' fails on a row: 'i.db': integer overflow"
    result = checks.run("load", "lowest.json", "--config", "i.yaml", "--store", "sqlite:i.db", cwd=where, exit_code=1)
    checks.expect("an index's condition that fails is named", place in result.stderr, result.stderr)
    checks.run("load", "plain.json", "--config", "i.yaml", "--store", "sqlite:i.db", cwd=where)
    result = checks.run("load", "lowest.json", "--config", "i.yaml", "--store", "sqlite:i.db", cwd=where, exit_code=1)
    checks.expect("also when it fails on a change", place in result.stderr, result.stderr)
    write(where, "plain.yaml", ITEM % "")
    checks.run("load", "lowest.json", "--config", "plain.yaml", "--store", "sqlite:p.db", cwd=where)
    result = checks.run("load", "lowest.json", "--config", "i.yaml", "--store", "sqlite:p.db", cwd=where, exit_code=2)
    checks.expect("and when the index is made", place.replace("i.db", "p.db") in result.stderr, result.stderr)

    each = (ITEM % "").replace("items: {path: /items", "items: {fetch: false, path: /items") + (
        "  parts:\n    path: /items/:id/parts\n    records: {parts: Part}\n"
        "    for_each: {record: Item, bind: {id: id}, where: abs(n) > 0}\n")
    each = each.replace("records:\n  Item", "records:\n  Part: {key: id, fields: [id]}\n  Item", 1)
    write(where, "e.yaml", each)
    os.makedirs(os.path.join(where, "answers"), exist_ok=True)
    write(where, "answers/1.http", "GET https://api.example.test/items/1/parts\nHTTP/1.1 200\n"
          "Content-Type: application/json\n\n{\"parts\": []}")
    checks.run("load", "one.json", "--config", "e.yaml", "--endpoint", "items", "--store", "sqlite:e.db", cwd=where)
    result = checks.run(
        "run", "e.yaml", "--store", "sqlite:e.db", "--recorded", "answers", cwd=where, exit_code=1)
    checks.expect("the condition of 'for_each' that fails is named", (
        "e.yaml:15:53: 'for_each.where' over the record 'Item' fails on a row: 'e.db': integer overflow")
        in result.stderr, result.stderr)


def forbidden(checks, where):
    """What is written for PostgreSQL is not looked at by `validate`; it does no more when SQLite stores after all."""
    for sql in ("load_extension('x')", "EXISTS (SELECT 1 FROM pragma_optimize)"):
        text = ITEM % f'    sweep: {{where: "{sql}"}}'
        write(where, "f.yaml", text)
        result = checks.run("load", "one.json", "--config", "f.yaml", "--store", "sqlite:f.db", cwd=where, exit_code=2)
        checks.expect(f"{sql} is refused", "error[bad-sql]" in result.stderr, result.stderr)
        write(where, "f.yaml", text.replace("records:", "store: {url: 'postgres://localhost/x'}\nrecords:", 1))
        result = checks.run("load", "one.json", "--config", "f.yaml", "--store", "sqlite:f.db", cwd=where, exit_code=2)
        checks.expect(f"{sql} is refused at run time", "has no place in a condition" in result.stderr, result.stderr)


def wide(checks, where):
    """A table at the limit loads twice, with every way to write; one beyond it is told of, at the column."""
    def mapping(columns, key, *more):
        names = ", ".join(f"a{n}" for n in range(columns))
        return HEAD + "records:\n  Item:\n    table: items\n" + "".join(f"    {line}\n" for line in more) + (
            f"    key: [{', '.join(f'a{n}' for n in range(key))}]\n" if key else "") + (
            f"    fields: [{names}]\nendpoints: {{items: {{path: /items, records: {{items: Item}}}}}}\n")

    for name in ("first", "second"):
        write(where, f"{name}.json", {"items": [
            {f"a{n}": n if n < 1998 else name for n in range(2000)} | {"a0": number} for number in range(2)]})
    for what, text, counts in [
            ("2,000 columns", mapping(2000, 1), (0, 2, 0)),
            ("2,000 columns, replaced", mapping(1999, 0, "write: replace"), (2, 0, 2)),
            ("2,000 columns with a history", mapping(1998, 1, "write: history"), (0, 0, 0)),
            ("a key of 2,000 columns", mapping(2000, 2000), (2, 0, 0)),
            ("a swept key of 1,998 columns", mapping(1998, 1998, "sweep: true"), (0, 0, 0))]:
        write(where, "wide.yaml", text)
        store = f"sqlite:{what.replace(' ', '-')}.db"
        checks.run("validate", "wide.yaml", cwd=where)
        checks.run("load", "first.json", "--config", "wide.yaml", "--store", store, cwd=where)
        checks.run("load", "second.json", "--config", "wide.yaml", "--store", store, cwd=where)
        found = rows(os.path.join(where, store[len("sqlite:"):]), (
            "SELECT inserted, updated, swept FROM _ingest_last_run"))
        checks.equal(f"{what}: loaded twice", found, [counts])
    for command in (["validate", "wide.yaml"], ["plan", "--config", "wide.yaml"], ["schema", "--config", "wide.yaml"]):
        write(where, "wide.yaml", mapping(2001, 1))
        result = checks.run(*command, cwd=where, exit_code=2)
        checks.expect(f"{command[0]}: 2,001 columns are too many", (
            "error[store-limit]: the table 'items' has 2001 columns, and SQLite keeps 2000")
            in result.stdout + result.stderr, result.stderr[:300])
    write(where, "wide.yaml", HEAD + "records: {Item: {table: items, key: id, fields: [id, rowid, oid]}}\n"
          "endpoints: {items: {path: /items, records: {items: Item}}}\n")
    write(where, "one.json", {"items": [{"id": 1, "rowid": 2, "oid": 3}]})
    checks.run("load", "one.json", "--config", "wide.yaml", "--store", "sqlite:own.db", cwd=where)
    with sqlite3.connect(os.path.join(where, "own.db")) as database:
        database.execute("ALTER TABLE items ADD COLUMN _rowid_ ANY")
    result = checks.run("plan", "--config", "wide.yaml", "--store", "sqlite:own.db", cwd=where)
    checks.expect("plan tells of columns of one's own that hide the row number",
                  "they hide the row number" in result.stdout + result.stderr, result.stdout)


def main():
    checks = Checks("conditions")
    with folder() as where:
        failing(checks, where)
        forbidden(checks, where)
        wide(checks, where)
    checks.finish()


main()
