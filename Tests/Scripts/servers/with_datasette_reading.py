#!/usr/bin/env python3
"""Datasette reads a file while `ingest load` fills it anew: answers are the old rows or the new ones."""
import json
import os
import sqlite3
import subprocess

from running import PYTHON, Run, asked, free_port, installed, main, started, write
from checks import INGEST, rows

COUNT = 6000
LOADS = 4
MAPPING = """\
ingest: 1
source: {name: shop, base_url: "http://127.0.0.1:1"}
records:
  Item: {table: items, key: id, fields: {id: {type: integer}, state: {type: integer}}}
endpoints:
  items: {path: /items, records: {items: Item}}
"""


def check(checks, where):
    run = Run(checks, where, "shop", MAPPING)

    def body(state):
        return write(where, f"{state}.json", json.dumps({"items": [{"id": n, "state": state} for n in range(COUNT)]}))

    def load(state):
        return [INGEST, "load", body(state), "--config", run.config, "--store", f"sqlite:{run.database}"]

    subprocess.run(load(0), check=True, capture_output=True)
    port = free_port()
    command = [PYTHON, "-m", "datasette", "serve", run.database, "-h", "127.0.0.1", "-p", str(port)]
    url = f"http://127.0.0.1:{port}/shop.json?_shape=arrays&sql=select+state,count(*)+from+items+group+by+state"
    answers, seen = [], set()
    with started(command, where, port):
        for state in range(1, LOADS + 1):
            with subprocess.Popen(load(state), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True) as loading:
                while loading.poll() is None:
                    answers.append(asked(url)[2]["rows"])
                checks.equal(f"load {state} does not fail",
                    (loading.returncode, loading.stderr.read()[-300:] if loading.returncode else ""), (0, ""))
            answers.append(asked(url)[2]["rows"])
            checks.equal(f"after load {state} the new rows are read", answers[-1], [[state, COUNT]])
    for answer in answers:
        seen.add(json.dumps(answer))
    whole = {json.dumps([[state, COUNT]]) for state in range(LOADS + 1)}
    checks.expect("every answer is one state, whole", seen <= whole, seen - whole)
    checks.expect("it was asked while loads went on", len(answers) > 2 * LOADS, len(answers))
    held_open(checks, run, load, LOADS + 1)


def held_open(checks, run, load, state):
    """A reader in the midst of a long look goes on seeing what it saw, and a load does not wait for it."""
    reader = sqlite3.connect(run.database, isolation_level=None)
    reader.execute("begin")
    before = reader.execute("select state, count(*) from items group by state").fetchall()
    result = subprocess.run(load(state), capture_output=True, text=True, timeout=60, check=False)
    checks.equal("a load beside an open look does not fail",
        (result.returncode, result.stderr[-300:] if result.returncode else ""), (0, ""))
    checks.equal("the look stays as it was",
        reader.execute("select state, count(*) from items group by state").fetchall(), before)
    reader.execute("commit")
    reader.close()
    checks.equal("the next one sees the new rows", rows(run.database, "select distinct state from items"), [(state,)])


main("datasette_reading", installed("python", "bin", "datasette"), check)
