#!/usr/bin/env python3
"""`--drift` on the built binary: what is said, for people and for machines, and how the command ends."""
import json
import os

from checks import Checks, folder, rows

MAPPING = """\
ingest: 1
source: {name: shop, base_url: "https://api.example.test"}
records: {Item: {table: items, key: id, fields: {id: {type: integer}, name: {type: text}}}}
endpoints: {items: {path: /items, records: {items: Item}}}
"""
BEFORE = {"items": [{"id": 1, "name": "Nut", "size": 3}]}
AFTER = {"items": [{"id": 1, "name": None, "colour": "red"}]}
FAILING = {"things": []}


def write(where, name, text):
    with open(os.path.join(where, name), "w", encoding="utf-8") as file:
        file.write(text)


def prepare(where):
    write(where, "m.yaml", MAPPING)
    for name, body in (("before", BEFORE), ("after", AFTER), ("failing", FAILING)):
        write(where, name + ".json", json.dumps(body))
        os.mkdir(os.path.join(where, name))
        head = "GET https://api.example.test/items\nHTTP/1.1 200\nContent-Type: application/json\n\n"
        write(where, name + "/1.http", head + json.dumps(body))


def commands(where, kind):
    """The arguments of a command that takes the body of a name."""
    if kind == "load":
        return lambda name: ["load", name + ".json", "--config", "m.yaml", "--store", "sqlite:load.db", "--drift"]
    if kind == "stdin":
        return lambda name: ["load", "-", "--config", "m.yaml", "--store", "sqlite:stdin.db", "--drift"]
    return lambda name: ["run", "m.yaml", "--recorded", name, "--store", "sqlite:run.db", "--drift"]


def gate(checks, where, kind):
    command = commands(where, kind)

    def run(name, code, *more):
        body = json.dumps({"before": BEFORE, "after": AFTER, "failing": FAILING}[name]) if kind == "stdin" else None
        return checks.run(*command(name), *more, cwd=where, exit_code=code, stdin=body)

    first = run("before", 0)
    checks.expect(
        f"{kind}: the first run has nothing to compare with", "4 members seen for the first time" in first.stderr)
    same = run("before", 0)
    checks.expect(f"{kind}: no change", "endpoint 'items': 4 members, as before (--drift)" in same.stderr)
    failed = run("failing", 1)
    checks.expect(
        f"{kind}: a failure says it too", "endpoint 'items': 'items' is gone: " in failed.stderr, failed.stderr)
    changed = run("after", 3)
    for line in (
            "'items[*].colour' is new: string, in 1 of 1", "'items[*].name' is null in 1 of 1, before never in 2",
            "'items[*].size' is gone: 2 of 2 had it, and none of 1 has it"):
        checks.expect(f"{kind}: {line}", f"warning: endpoint 'items': {line}\n" in changed.stderr, changed.stderr)
    run("after", 0)
    objects = [json.loads(line) for line in run("before", 3, "--log-format", "json").stderr.splitlines()]
    found = [{name: entry[name] for name in ("level", "drift", "endpoint", "member", "was", "now")}
             for entry in objects if "drift" in entry]
    checks.equal(f"{kind}: for machines", found, [{
        "level": "warning", "drift": "new", "endpoint": "items", "member": "items[*].size", "was": "not there",
        "now": "integer, in 1 of 1"}])


def dictionaries(checks, where):
    """One record with hundreds of members ends the comparison by name: that is a change, and said."""
    many = {"items": [{"id": 1, "name": "Nut", **{f"m{n}": n for n in range(300)}}]}
    write(where, "many.json", json.dumps(many))
    arguments = ["--config", "m.yaml", "--store", "sqlite:many.db", "--drift"]
    checks.run("load", "before.json", *arguments, cwd=where)
    said = checks.run("load", "many.json", *arguments, cwd=where, exit_code=3).stderr
    checks.expect("a record with very many names is told of", (
        "'items[*]' is a dictionary now: more than 200 names, which are compared as one, before 3 names") in said, said)
    checks.run("load", "many.json", *arguments, cwd=where)


def rest(checks, where):
    arguments = ["load", "before.json", "--config", "m.yaml", "--store", "sqlite:out.db"]
    checks.run(*arguments, cwd=where)
    database = os.path.join(where, "out.db")
    kept = "select count(*) from _ingest_state where name like 'drift/%'"
    checks.equal("without the option nothing is kept", rows(database, kept), [(0,)])
    checks.run(*arguments, "--drift", "-q", cwd=where)
    checks.equal("with it one shape is", rows(database, kept), [(1,)])
    dry = ["run", "m.yaml", "--store", "sqlite:out.db", "--recorded", "after", "--drift"]
    checks.run(*dry, "--dry-run", cwd=where, exit_code=3)
    checks.run(*dry, "--dry-run", cwd=where, exit_code=3)
    checks.run(*dry, "--max-rejects", "100%", cwd=where, exit_code=3)
    checks.run(*dry, cwd=where)


def main():
    checks = Checks("drift")
    with folder() as where:
        prepare(where)
        for kind in ("load", "stdin", "run"):
            gate(checks, where, kind)
        dictionaries(checks, where)
        rest(checks, where)
    checks.finish()


if __name__ == "__main__":
    main()
