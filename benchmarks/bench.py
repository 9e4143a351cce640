#!/usr/bin/env python3
"""Compares ingest with the bound of a bench kit: first that the rows are the same, then the times, as ratios.

    bench.py --kit FOLDER [--mb 30] [--rounds 5] [--sets nyt,events,flat,issues] [--keep]

The bound is a plain C++ program over the same libraries; for `issues`, which it does not have, a careful Python script
takes its place. Programs are timed in turn, several rounds, and a ratio is the median of the rounds' ratios: a machine
that drifts does not matter, and only ratios within one run mean something. --keep writes the ratios to
benchmarks/results.json.
"""
import argparse
import os
import sqlite3
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Tests", "Scripts"))
from checks import INGEST  # noqa: E402
from same_rows import differences  # noqa: E402
import results  # noqa: E402

FILES = {"nyt": "nyt.jsonl", "events": "events.ndjson", "flat": "flat.ndjson", "issues": "issues.jsonl"}
FRESH = "--mode part --fk 0 --child rowid --index defer --vtab 1 --pipe 1 --page 8192".split()
EXISTING = "--mode wal --child rowid --vtab 1 --pipe 1 --cache 128".split()
RERUN = "--mode wal --child wr --vtab 1 --pipe 1 --cache 128".split()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kit", default=os.path.join("..", "shared", "bench"))
    parser.add_argument("--mb", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sets", default=",".join(FILES))
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    kit = os.path.abspath(options.kit)
    if not os.path.exists(os.path.join(kit, "gen.py")):
        print(f"bench: SKIPPED: there is no bench kit at {options.kit}; name one by BENCH_KIT=FOLDER")
        return 0
    data = os.path.join(HERE, "data", f"{options.mb}mb")
    make_data(kit, data, options.mb)
    bound = build_bound(kit)
    wrong = 0
    print(f"{'':24}{'ingest':>10}{'other':>10}{'ratio':>8}   against")
    figures = {}
    for name in options.sets.split(","):
        one = Bench(name, kit, data, bound, options.rounds)
        wrong += one.run()
        figures[name] = one.figures
    if options.keep and not wrong:
        results.keep("bound", f"benchmarks/bench.py --mb {options.mb} --rounds {options.rounds}", figures)
    return 1 if wrong else 0


def make_data(kit, data, mb):
    if all(os.path.exists(os.path.join(data, file)) for file in FILES.values()):
        return
    print(f"bench: making {mb} MB of each data set in {os.path.relpath(data)}")
    os.makedirs(data, exist_ok=True)
    subprocess.run([sys.executable, os.path.join(kit, "gen.py"), "all", "--mb", str(mb), "--out", data], check=True)


def build_bound(kit):
    """The bound's program, or None where it cannot be built."""
    out = os.path.join(HERE, "data", "bin")
    os.makedirs(out, exist_ok=True)
    result = subprocess.run(
        ["make", "-s", "-C", os.path.join(kit, "bound"), f"OUT={out}", os.path.join(out, "bound")],
        capture_output=True, text=True, check=False)
    if result.returncode:
        print(f"bench: SKIPPED: the bound cannot be built here; nothing but issues is compared\n{result.stderr[-800:]}")
        return None
    return os.path.join(out, "bound")


class Bench:
    """One data set: its file and mapping, and the databases of both sides."""

    def __init__(self, name, kit, data, bound, rounds):
        self.name, self.kit, self.bound, self.rounds = name, kit, bound, rounds
        self.file = os.path.join(data, FILES[name])
        self.mapping = os.path.join(kit, "mappings", name + ".yaml")
        self.figures = {}
        self.ours, self.theirs = (os.path.join(data, f"{name}-{side}.db") for side in ("ours", "theirs"))

    def run(self):
        """Prints the ratios of the data set; 1 when rows differ or a program fails."""
        if self.name != "issues" and not self.bound:
            print(f"{self.name}: SKIPPED: there is no bound")
            return 0
        try:
            found = self.compare_rows()
            if found:
                print(f"{self.name}: the rows are NOT the same; no time is taken")
                print("\n".join("    " + line for line in found[:10]))
                return 1
            self.time_all()
        except subprocess.CalledProcessError as error:
            print(f"{self.name}: exit {error.returncode} of {' '.join(map(str, error.cmd))[:200]}")
            print((error.stderr or "")[-800:])
            return 1
        finally:
            remove(self.ours)
            remove(self.theirs)
        return 0

    def compare_rows(self):
        remove(self.ours)
        remove(self.theirs)
        execute(self.load())
        execute(self.script() if self.name == "issues" else self.reference(FRESH))
        return differences(self.name, self.ours, self.theirs)

    def time_all(self):
        if self.name == "issues":
            self.row("fresh file", self.load(), self.script(), "Python script", fresh)
            self.row("existing file", self.load(), self.script(), "Python script", existing)
        else:
            self.row("map only", self.map(), [*self.reference([]), "--stage", "map"], "bound", lambda *_: None)
            self.row("fresh file", self.load(), self.reference(FRESH), "bound", fresh)
            self.row("existing file", self.load(), self.reference(EXISTING), "bound", existing)
        self.unchanged()

    def unchanged(self):
        first, again, theirs, ratios = [], [], [], []
        for _ in range(self.rounds):
            existing(self.ours, self.theirs)
            first.append(seconds(self.load()))
            again.append(seconds(self.load()))
            if self.name != "issues":
                remove(self.theirs)
                execute(self.reference(RERUN))
                theirs.append(seconds([*self.reference(RERUN), "--fresh", "0"]))
                ratios.append(again[-1] / theirs[-1])
        self.show("unchanged", again, first, [a / f for a, f in zip(again, first)], "ingest's first load")
        if theirs:
            self.show("unchanged", again, theirs, ratios, "bound's second run, which rewrites")

    def row(self, what, ours, theirs, against, prepare):
        mine, other = [], []
        for _ in range(self.rounds):
            prepare(self.ours, self.theirs)
            mine.append(seconds(ours))
            other.append(seconds(theirs))
        self.show(what, mine, other, [m / o for m, o in zip(mine, other)], against)

    def show(self, what, mine, other, ratios, against):
        self.figures[f"{what}, against {against}"] = round(statistics.median(ratios), 2)
        print(
            f"{self.name + ': ' + what:24}{statistics.median(mine):9.3f}s{statistics.median(other):9.3f}s"
            f"{statistics.median(ratios):8.2f}   {against}", flush=True)

    def map(self):
        return [INGEST, "map", self.file, "--config", self.mapping, "--format", "none"]

    def load(self):
        return [INGEST, "load", self.file, "--config", self.mapping, "--store", f"sqlite:{self.ours}"]

    def reference(self, more):
        return [self.bound, "--data", self.name, "--file", self.file, "--db", self.theirs, *more]

    def script(self):
        return [sys.executable, os.path.join(self.kit, "peers", "stdlib_ingest.py"), self.name, self.file, self.theirs]


def execute(command):
    subprocess.run(command, capture_output=True, text=True, check=True)


def seconds(command):
    begin = time.monotonic()
    execute(command)
    return time.monotonic() - begin


def remove(database):
    for suffix in ("", "-wal", "-shm", "-journal", ".part", ".part-journal"):
        if os.path.exists(database + suffix):
            os.unlink(database + suffix)


def fresh(*databases):
    for database in databases:
        remove(database)


def existing(ours, theirs):
    """Ours is a database that is there already, with a table of somebody else; the others make their own anew."""
    fresh(ours, theirs)
    connection = sqlite3.connect(ours)
    connection.execute("create table other (id integer primary key)")
    connection.commit()
    connection.close()


if __name__ == "__main__":
    sys.exit(main())
