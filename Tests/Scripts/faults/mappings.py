"""Mapping files that are bombs, no files, or that name what SQL would take amiss (R104 to R111, R119 to R125)."""

import json
import os
import subprocess
import time

from checks import ingest, rows

START = 'ingest: 1\nsource: {name: m, base_url: "http://127.0.0.1:1", retry: {attempts: 1}}\n'
WHOLE = START + """\
records:
  Row: {table: %s, key: id, fields: {id: {type: integer}, %s: {from: name}}}
endpoints:
  rows: {path: /rows, records: {rows: Row}}
"""


def levels(count):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, count)]
    return "\n".join(lines) + "\n"


# What the file holds, and words of the finding.
BOMBS = {
    "R104 aliases that multiply": (START + levels(12), "alias"),
    "R105 an anchor within itself": (START + "variables: &a {x: *a}\n", "alias"),
    "R105 a chain of 3,000 merges": (
        START
        + "".join(f"x{n}: &x{n} {{<<: *x{n - 1}, k{n}: 1}}\n" if n else "x0: &x0 {k0: 1}\n" for n in range(3000)),
        "64 levels",
    ),
    "R106 1 MB of [": ("[" * (1 << 20), "64"),
    "R106 1 MB of {a: ": ("{a: " * (1 << 18), "64"),
    "R107 a key twice": (START + "variables: {}\nvariables: {}\n", "duplicate"),
    "R107 a tab as indentation": (START + "variables:\n\tx: 1\n", "tab"),
    "R107 a tag of a language": (START + "variables: {x: !!python/object:os.system a}\n", "tag"),
    "R107 a NUL": (START + "variables: {x: a\0b}\n", "error"),
    "R110 4 MiB and one byte": (START + "#" * (4 << 20), "4194304"),
    "R111 a template of 1,000 levels": (START + 'variables: {x: "' + "${" * 1000 + "}" * 1000 + '"}\n', "error"),
}


def bombs(checks, where, _):
    for what, (text, word) in BOMBS.items():
        with open(os.path.join(where, "bomb.yaml"), "w", encoding="utf-8") as out:
            out.write(text)
        began = time.monotonic()
        result = ingest("validate", "bomb.yaml", cwd=where, timeout=60)
        checks.equal(f"{what}: exit code", result.returncode, 2)
        checks.expect(
            f"{what}: '{word}' at its place",
            word in result.stdout and "bomb.yaml:" in result.stdout,
            (result.stdout + result.stderr)[:500],
        )
        checks.expect(f"{what}: it ends soon", time.monotonic() - began < 10)


def bytes_that_are_none(checks, where, _):
    """R107: a mapping is UTF-8; anything else is refused with its place."""
    plain = (WHOLE % ("rows", "name")).encode()
    for what, data, code in (
        ("UTF-8 with a mark", b"\xef\xbb\xbf" + plain, 0),
        ("UTF-16", plain.decode().encode("utf-16"), 2),
        ("bytes that are no UTF-8", plain.replace(b"m,", b"\xff,"), 2),
    ):
        with open(os.path.join(where, "bytes.yaml"), "wb") as out:
            out.write(data)
        result = ingest("validate", "bytes.yaml", cwd=where)
        checks.expect(f"R107 {what}: exit code {code}", result.returncode == code, result.stdout + result.stderr)
        checks.expect(f"R107 {what}: its place", code == 0 or "bytes.yaml:" in result.stdout, result.stdout)


def no_files(checks, where, _):
    """R110: what is no file that ends is refused, and nothing waits for it."""
    os.mkdir(os.path.join(where, "folder.yaml"))
    os.mkfifo(os.path.join(where, "pipe.yaml"))
    for name in ("folder.yaml", "pipe.yaml", "/dev/zero", "none.yaml"):
        began = time.monotonic()
        result = ingest("--config", name, "--store", "sqlite:none.db", cwd=where, timeout=120)
        checks.equal(f"R110 {name}: exit code", result.returncode, 2)
        checks.expect(f"R110 {name}: it is named", name in result.stderr, result.stderr)
        checks.expect(f"R110 {name}: it ends soon", time.monotonic() - began < 5)
    checks.expect("R110: no store was made", not os.path.exists(os.path.join(where, "none.db")))


def many_endpoints(checks, where, _):
    """R110: 10,000 endpoints are checked, and cost no more than their number."""
    with open(os.path.join(where, "many.yaml"), "w", encoding="utf-8") as out:
        out.write(
            START
            + "records: {Row: {key: id, fields: [id]}}\nendpoints:\n"
            + "".join(f"  e{n}: {{path: /e{n}, records: {{rows: Row}}}}\n" for n in range(10000))
        )
    began = time.monotonic()
    checks.run("validate", "many.yaml", cwd=where)
    checks.expect("R110: 10,000 endpoints take less than a minute", time.monotonic() - began < 60)


def patterns(checks, where, _):
    """R111: a pattern that would take for ever makes its value invalid, and the run goes on."""
    with open(os.path.join(where, "p.yaml"), "w", encoding="utf-8") as out:
        out.write(
            (WHOLE % ("rows", "name")).replace("{from: name}", '{from: name, transform: [{extract: "(a+)+$"}]}')
        )
    with open(os.path.join(where, "p.json"), "w", encoding="utf-8") as out:
        json.dump({"rows": [{"id": 1, "name": "a" * 50000 + "!"}, {"id": 2, "name": "aaa"}]}, out)
    began = time.monotonic()
    checks.run("load", "p.json", "--config", "p.yaml", "--store", "sqlite:p.db", cwd=where, exit_code=3)
    checks.expect("R111: it ends soon", time.monotonic() - began < 10)
    checks.equal("R111: the other record is stored", rows(os.path.join(where, "p.db"), "select id from rows"), [(2,)])


# Programs, and words of what ends them: on a slow machine, the time is over before the memory.
PROGRAMS = {
    "that does not end": ("def f: f; f", "longer than 5 s"),
    "that builds an array": ("[range(infinite)]", "this record"),
    "that builds a text": ("def f: . + . | f; \"abcdefgh\" | f", "this record"),
    "that calls itself": ("def f(x): f(x + \"x\"); f(\"x\")", "this record"),
    "that nests values": ("reduce range(infinite) as $i (null; {a: [.]})", "this record"),
    "that writes far behind an array's end": ("{} | .a[1431655765] = 1", "512 MB"),
    "that libjq does not stand": ("1e300 | todate", "assertion"),
}


def programs(checks, where, _):
    """R111: a jq program without an end, or that wants all memory, ends the run, which says at which record."""
    with open(os.path.join(where, "j.json"), "w", encoding="utf-8") as out:
        json.dump({"rows": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}, out)
    for what, (program, words) in PROGRAMS.items():
        mapping = (WHOLE % ("rows", "name")).replace("{from: name}", "{type: json, jq: %s}" % json.dumps(program))
        with open(os.path.join(where, "j.yaml"), "w", encoding="utf-8") as out:
            out.write(mapping)
        began = time.monotonic()
        result = ingest("load", "j.json", "--config", "j.yaml", "--store", "sqlite:j.db", cwd=where, timeout=60)
        ended = f"{result.returncode}\n{result.stderr}"
        checks.expect(f"R111 a program {what}: exit code 1", result.returncode == 1, ended)
        said = "j.json: /rows/0: Row.name: " in result.stderr and words in result.stderr
        checks.expect(f"R111 a program {what}: '{words}' at its record", said, result.stderr)
        checks.expect(f"R111 a program {what}: it ends soon", time.monotonic() - began < 10)
        checks.equal(
            f"R111 a program {what}: the run",
            rows(os.path.join(where, "j.db"), "select status from _ingest_runs order by run_id desc limit 1"),
            [("failed",)],
        )


NAMES = [
    'a"; DROP TABLE keep; --',
    "a`b",
    "a]b",
    "a'b",
    "%s",
    "$1",
    "?1",
    "a b",
    "select",
    "group",
    "rowid",
    "oid",
    "ctid",
    "_ingest",
    "x" * 63,
    "é",
    "☂",
    "a.b",
    "--",
    "/*",
    "a\\b",
    "order",
    "table",
    "where",
    "values",
]


def names(checks, where, _):
    """R119, R122, R124, R125: any name is quoted, but for those of the bookkeeping; no other table changes."""
    for number, name in enumerate(NAMES):
        for place in ("table", "column"):
            with open(os.path.join(where, "n.yaml"), "w", encoding="utf-8") as out:
                pair = (json.dumps(name), "name") if place == "table" else ("rows", json.dumps(name))
                out.write(WHOLE % pair)
            database = os.path.join(where, f"names-{number}-{place}.db")
            subprocess.run(["sqlite3", database, "create table keep(a); insert into keep values (7)"], check=True)
            with open(os.path.join(where, "n.json"), "w", encoding="utf-8") as out:
                json.dump({"rows": [{"id": 1, "name": name}]}, out)
            result = ingest("load", "n.json", "--config", "n.yaml", "--store", f"sqlite:{database}", cwd=where)
            what = f"R119 a {place} {name[:30]!r}"
            wanted = 2 if name.startswith("_ingest") else 0
            checks.expect(f"{what}: exit code {wanted}", result.returncode == wanted, result.stdout + result.stderr)
            checks.equal(f"{what}: the user's table", rows(database, "select a from keep"), [(7,)])
            if result.returncode == 0:
                table, column = (name, "name") if place == "table" else ("rows", name)
                quoted = ['"' + text.replace('"', '""') + '"' for text in (column, table)]
                checks.equal(f"{what}: the value", rows(database, f"select {quoted[0]} from {quoted[1]}"), [(name,)])


KEYWORDS = """
    abort action add after all alter always analyze and as asc attach autoincrement before begin between
    by cascade case cast check collate column commit conflict constraint create cross current
    current_date current_time current_timestamp database default deferrable deferred delete desc detach
    distinct do drop each else end escape except exclude exclusive exists explain fail filter first
    following for foreign from full generated glob group groups having if ignore immediate in index
    indexed initially inner insert instead intersect into is isnull join key last left like limit match
    materialized natural no not nothing notnull null nulls of offset on or order others outer over
    partition plan pragma preceding primary query raise range recursive references regexp reindex
    release rename replace restrict returning right rollback row rows savepoint select set table temp
    temporary then ties to transaction trigger unbounded union unique update using vacuum values view
    virtual when where window with without rowid oid
""".split()


def keywords(checks, where, _):
    """R122, R124: every reserved word of SQL is a column like others, and a table."""
    with open(os.path.join(where, "k.yaml"), "w", encoding="utf-8") as out:
        columns = ", ".join(f'"{word}": {{type: text}}' for word in KEYWORDS)
        out.write(
            START + f"records:\n  Row: {{table: table, key: select, fields: {{{columns}}}}}\n"
            "endpoints:\n  rows: {path: /rows, records: {rows: Row}}\n"
        )
    with open(os.path.join(where, "k.json"), "w", encoding="utf-8") as out:
        json.dump({"rows": [{word: f"{word} {n}" for word in KEYWORDS} for n in (1, 2)]}, out)
    for turn in ("inserted", "unchanged"):
        checks.run("load", "k.json", "--config", "k.yaml", "--store", "sqlite:k.db", cwd=where)
        checks.equal(
            f"R122: {turn}",
            rows(os.path.join(where, "k.db"), f"select {turn} from _ingest_counts order by run_id desc limit 1"),
            [(2,)],
        )
    names = ", ".join(f'"{word}"' for word in KEYWORDS)
    checks.equal(
        "R122: values",
        rows(os.path.join(where, "k.db"), f'select {names} from "table" order by "select"'),
        [tuple(f"{word} {n}" for word in KEYWORDS) for n in (1, 2)],
    )


# Names that SQLite, or another store, could not tell apart or hold; the finding's words.
REFUSED = {
    "R123 two columns of one name but for the case": ("{id: {type: integer}, Name: a, name: b}", "name"),
    "R123 a key and a column of one name but for the case": ("{id: {type: integer}, ID: a}", "id"),
    "R119 a zero character": ('{id: {type: integer}, "a\\0b": a}', "error"),
    "R125 2,001 columns": ("{id: {type: integer}, " + ", ".join(f"c{n}: c" for n in range(2000)) + "}", "columns"),
    "R121 a misspelt column in a condition of SQL": (
        "{id: {type: integer}, name: a}, sweep: {where: 'nmae = 1'}",
        "nmae",
    ),
}


def refused_names(checks, where, _):
    for what, (fields, word) in REFUSED.items():
        with open(os.path.join(where, "r.yaml"), "w", encoding="utf-8") as out:
            out.write(
                START + f"records:\n  Row: {{table: rows, key: id, fields: {fields}}}\n"
                "endpoints:\n  rows: {path: /rows, records: {rows: Row}}\n"
            )
        with open(os.path.join(where, "r.json"), "w", encoding="utf-8") as out:
            out.write('{"rows": [{"id": 1}]}')
        result = ingest("load", "r.json", "--config", "r.yaml", "--store", "sqlite:r.db", cwd=where)
        said = result.stdout + result.stderr
        checks.expect(f"{what}: exit code 1 or 2", result.returncode in (1, 2), said)
        checks.expect(f"{what}: it says '{word}'", word in said, said[:500])


def names_of_endpoints(checks, where, _):
    """R85: a name that would be a path stays within the folder of recorded answers, or is an error."""
    for name in ("../../x", "/etc/x", "x" * 300, "CON", "☂", "a b", "."):
        with open(os.path.join(where, "e.yaml"), "w", encoding="utf-8") as out:
            out.write(
                START.replace("name: m", f"name: {json.dumps(name)}") + "records: {Row: {key: id, fields: [id]}}\n"
                f"endpoints: {{{json.dumps(name)}: {{path: /rows, records: {{rows: Row}}}}}}\n"
            )
        inner = os.path.join(where, "inner", "deep")
        os.makedirs(inner, exist_ok=True)
        before = tree(where)
        result = ingest("record", "answers", "--config", "../../e.yaml", cwd=inner, env={"HOME": inner})
        checks.expect(f"R85 {name[:20]!r}: exit code 1 or 2", result.returncode in (1, 2), result.stderr)
        outside = [path for path in tree(where) - before if not path.startswith(inner)]
        checks.equal(f"R85 {name[:20]!r}: files outside of the folder", outside, [])
        checks.expect(f"R85 {name[:20]!r}: no stack trace", "Fatal error" not in result.stderr, result.stderr)


def tree(where):
    return {os.path.join(place, name) for place, _, files in os.walk(where) for name in files}


PARTS = {
    "bombs": bombs,
    "bytes_that_are_none": bytes_that_are_none,
    "no_files": no_files,
    "many_endpoints": many_endpoints,
    "patterns": patterns,
    "programs": programs,
    "names": names,
    "keywords": keywords,
    "refused_names": refused_names,
    "names_of_endpoints": names_of_endpoints,
}
