#!/usr/bin/env python3
"""Compares ingest with what people load JSON into SQL with today: whole processes, in turn, as ratios.

    rivals.py --kit FOLDER --python VENV/bin/python [--mb 15] [--rounds 3] [--sets nyt,events,flat,issues] [--keep]

The scripts of the rivals are those of the bench kit. VENV has sqlite-utils, dlt[sqlalchemy,duckdb], duckdb and orjson;
who is missing there is left out, and said so. A figure is the median of a rival's times divided by ours in the same
round: 5.0 means that ingest takes a fifth. `again` is the same input once more into the filled database. --keep writes
the figures to benchmarks/results.json.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time

from bench import FILES, make_data, remove
import results

HERE = os.path.dirname(os.path.abspath(__file__))
INGEST = os.path.abspath(os.environ.get("INGEST", os.path.join(HERE, "..", ".build", "release", "ingest")))


class Set:
    """One data set, and how each program loads it."""

    def __init__(self, name, kit, data, python):
        self.name, self.kit, self.python = name, kit, python
        self.file = os.path.join(data, FILES[name])
        self.ours = os.path.join(data, f"{name}-rival-ours.db")
        self.theirs = os.path.join(data, f"{name}-rival-theirs.db")

    def ingest(self):
        mapping = os.path.join(self.kit, "mappings", self.name + ".yaml")
        return [INGEST, "load", self.file, "--config", mapping, "--store", f"sqlite:{self.ours}"]

    def script(self, peer, *more):
        return [self.python, os.path.join(self.kit, "peers", peer), self.name, self.file, *more]

    def utils(self, verb):
        """sqlite-utils makes one table; of a page it would make one column, so nyt is given as records."""
        file, key = self.file, "id"
        if self.name == "nyt":
            file, key = self.records(), "_id"
        command = [os.path.join(os.path.dirname(self.python), "sqlite-utils"), verb, self.theirs, "t", file, "--nl"]
        return command + ["--pk", key] + (["--flatten"] if self.name == "nyt" or verb == "upsert" else [])

    def records(self):
        path = self.file + ".records"
        if not os.path.exists(path):
            with open(path, "wb") as out:
                subprocess.run(["jq", "-c", ".response.docs[]", self.file], stdout=out, check=True)
        return path

    def rivals(self):
        """Name → (how it fills a new file, how it takes the same again, or None)."""
        found = {"Python script": (self.script("stdlib_ingest.py", self.theirs), None)}
        if self.name != "issues":
            found["sqlite-utils"] = (self.utils("insert"), self.utils("upsert"))
            found["DuckDB file"] = (self.script("duckdb_ingest.py", "duckdb", self.theirs), None)
            found["dlt"] = (self.script("dlt_ingest.py", "sqlite", self.theirs), None)
        return found


def seconds(command):
    start = time.monotonic()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"exit {result.returncode}: {(result.stderr or result.stdout).strip().splitlines()[-1:]}")
    return time.monotonic() - start


def clean(database):
    remove(database)
    remove(database + ".wal")
    shutil.rmtree(database + ".dlt", ignore_errors=True)


def compare(one, rounds):
    figures = {}
    for name, (fresh, again) in one.rivals().items():
        ratios = {"fresh": [], "again": []}
        try:
            for _ in range(rounds):
                clean(one.ours)
                clean(one.theirs)
                ratios["fresh"].append((seconds(one.ingest()), seconds(fresh)))
                if again:
                    ratios["again"].append((seconds(one.ingest()), seconds(again)))
        except (RuntimeError, FileNotFoundError) as problem:
            print(f"{one.name}: {name}: SKIPPED: {problem}")
            continue
        for what, times in ratios.items():
            if times:
                ratio = statistics.median(theirs / ours for ours, theirs in times)
                figures[f"{name}, {what}"] = round(ratio, 2)
                print(f"{one.name + ': ' + name + ', ' + what:36}{ratio:8.1f} times as long", flush=True)
    clean(one.ours)
    clean(one.theirs)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kit", default=os.path.join("..", "shared", "bench"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--mb", type=int, default=15)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sets", default=",".join(FILES))
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    kit = os.path.abspath(options.kit)
    if not os.path.exists(os.path.join(kit, "gen.py")):
        print(f"rivals: SKIPPED: there is no bench kit at {options.kit}")
        return
    data = os.path.join(HERE, "data", f"{options.mb}mb")
    make_data(kit, data, options.mb)
    sets = [Set(name, kit, data, os.path.abspath(options.python)) for name in options.sets.split(",")]
    figures = {one.name: compare(one, options.rounds) for one in sets}
    if options.keep:
        results.keep("rivals", f"benchmarks/rivals.py --mb {options.mb} --rounds {options.rounds}", figures)


if __name__ == "__main__":
    main()
