#!/usr/bin/env python3
"""Every naughty string comes back from the database byte for byte: as a value, and as the name of a member."""
import json
import os

from checks import Checks, beside, folder, rows

CORPUS = os.path.join(beside("INGEST_CORPORA", "corpora"), "naughty-strings.json")

VALUES = """\
ingest: 1
source: {name: naughty, base_url: https://api.example.test}
records:
  Value:
    table: "values"
    key: n
    fields: {n: {type: integer}, text: {type: text}, untyped: {from: text}}
  Name:
    table: names
    key: n
    fields: {n: {from: ., type: integer}, name: {from: $key, type: text}}
  Key:
    table: keys
    key: name
    fields: {name: {type: text}, n: {type: integer}}
endpoints:
  strings: {path: /strings, fetch: false, records: {values: Value, names.*: Name, keys: Key}}
"""

MEMBERS = """\
ingest: 1
source: {name: members, base_url: https://api.example.test}
records:
  Members:
    table: members
    key: id
    fields:
      id: {type: integer}
"""


def yaml_text(text):
    return "'" + text.replace("'", "''") + "'"


def load(checks, where, name, mapping, body):
    for file, text in ((f"{name}.yaml", mapping), (f"{name}.json", body)):
        with open(os.path.join(where, file), "w", encoding="utf-8", newline="") as out:
            out.write(text)
    database = os.path.join(where, f"{name}.db")
    checks.run("load", f"{name}.json", "--config", f"{name}.yaml", "--store", f"sqlite:{database}", cwd=where)
    return database


def compare(checks, what, database, query, strings):
    got = {n: bytes(value) if value is not None else None for n, value in rows(database, query) if isinstance(n, int)}
    checks.equal(f"{what}: the number of rows", len(got), len(strings))
    for n, string in enumerate(strings):
        checks.equal(f"{what}: string {n}", got.get(n), string.encode())


def as_values(checks, where, strings, escaped):
    unique = list(dict.fromkeys(strings))
    body = json.dumps({
        "values": [{"n": n, "text": string} for n, string in enumerate(strings)],
        "names": {string: n for n, string in enumerate(unique)},
        "keys": [{"n": n, "name": string} for n, string in enumerate(unique)],
    }, ensure_ascii=escaped)
    form = "escaped" if escaped else "verbatim"
    database = load(checks, where, f"values-{form}", VALUES, body)
    compare(checks, f"value, {form}", database, 'select n, cast("text" as blob) from "values"', strings)
    compare(checks, f"value without a type, {form}", database, 'select n, cast(untyped as blob) from "values"', strings)
    compare(checks, f"member's name, {form}", database, "select n, cast(name as blob) from names", unique)
    compare(checks, f"key, {form}", database, "select n, cast(name as blob) from keys", unique)


def as_members(checks, where, strings, escaped):
    """Each string is a member's name that a quoted key path leads to, and the value there."""
    unique = list(dict.fromkeys(strings))
    fields = "".join(
        f"      c{n}: {{from: {yaml_text('strings.' + json.dumps(string))}, type: text}}\n"
        for n, string in enumerate(unique))
    mapping = MEMBERS + fields + "endpoints:\n  members: {path: /members, fetch: false, records: {.: Members}}\n"
    body = json.dumps({"id": 1, "strings": {string: string for string in unique}}, ensure_ascii=escaped)
    form = "escaped" if escaped else "verbatim"
    database = load(checks, where, f"members-{form}", mapping, body)
    columns = ", ".join(f"cast(c{n} as blob)" for n in range(len(unique)))
    got = rows(database, f"select {columns} from members")
    if checks.equal(f"quoted key paths, {form}: rows", len(got), 1):
        for n, string in enumerate(unique):
            value = got[0][n] if n < len(got[0]) else got[0]
            checks.equal(f"quoted key path, {form}: string {n}", value, string.encode())


def main():
    checks = Checks("naughty-strings")
    if not os.path.exists(CORPUS):
        checks.skip("no corpus is beside the project (INGEST_CORPORA)")
        checks.finish()
    with open(CORPUS, encoding="utf-8") as file:
        strings = json.load(file)
    with folder() as where:
        for escaped in (True, False):
            as_values(checks, where, strings, escaped)
            as_members(checks, where, strings, escaped)
    checks.finish()


main()
