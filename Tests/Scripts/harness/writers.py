"""Several processes write to one database at the same time: none is turned away, and every row is there."""
import json
import os
import subprocess

from checks import INGEST, rows

MAPPING = """\
ingest: 1
source: {name: %(name)s, base_url: "http://127.0.0.1:1"}
records:
  Row%(name)s: {table: "%(name)s", key: id, fields: [{id: {type: integer}}, {text: {type: text}}]}
endpoints:
  rows: {path: /rows, fetch: false, records: {rows: Row%(name)s}}
"""
PROCESSES, FILES, ROWS = 4, 60, 20


def check(checks, where, options):
    database = os.path.join(where, "writers.db")
    files = []
    for number in range(FILES):
        files.append(f"writers-{number}.json")
        body = {"rows": [{"id": number * ROWS + n, "text": "x" * 200} for n in range(ROWS)]}
        with open(os.path.join(where, files[-1]), "w", encoding="utf-8") as out:
            json.dump(body, out)
    names = [f"writer{number}" for number in range(PROCESSES)]
    for name in names:
        with open(os.path.join(where, f"{name}.yaml"), "w", encoding="utf-8") as out:
            out.write(MAPPING % {"name": name})
    for turn in ("first", "second"):
        together(checks, where, database, names, files, turn)
    for name in names:
        checks.equal(f"writers: rows of {name}", rows(database, f'select count(*) from "{name}"'), [(FILES * ROWS,)])
    checks.equal("writers: the store", rows(database, "pragma integrity_check"), [("ok",)])


def together(checks, where, database, names, files, turn):
    processes = [
        subprocess.Popen(
            [INGEST, "load", *files, "--config", f"{name}.yaml", "--store", f"sqlite:{database}"], cwd=where,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for name in names]
    for name, process in zip(names, processes):
        _, errors = process.communicate(timeout=300)
        checks.expect(f"writers: {name}, the {turn} time, is not turned away", process.returncode == 0, errors)
