#!/usr/bin/env python3
"""How time and memory grow with the input: 1, 4 and 16 times as many rows.

    growth.py [--rows 20000] [--rounds 3] [--keep]

For each size: rows a second of a load into a new file, of the same input again, of the same with one row in a thousand
changed, and the peak of memory in MB; one array, NDJSON, and NDJSON on standard input. Then one page of 1,000 rows
into the largest table. `exponent` is the slope of time over rows on logarithmic scales: 1 is linear. --keep writes the
figures to benchmarks/results.json.
"""
import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import results

HERE = os.path.dirname(os.path.abspath(__file__))
INGEST = os.path.abspath(os.environ.get("INGEST", os.path.join(HERE, "..", ".build", "release", "ingest")))
MAPPING = """\
ingest: 1
source: {name: growth, base_url: "https://api.example.test", format: FORMAT}
records:
  Order:
    table: orders
    key: id
    fields:
      id: {type: text}
      customer: {type: text}
      total: {type: real}
      placed_at: {type: timestamp}
      note: {type: text}
    relationships: {lines: [{fields: [{sku: {type: text}}, {count: {type: integer}}]}]}
endpoints: {orders: {path: /orders, records: {.: Order}, fetch: false}}
"""


def row(number, salt=""):
    """Keys come in no order, as ids of APIs do."""
    key = (number * 2654435761) % 2**32
    return (
        f'{{"id":"o-{key:010d}","customer":"customer {number % 977}{salt}","total":{number % 10000}.{number % 100:02d},'
        f'"placed_at":"2024-05-{number % 28 + 1:02d}T{number % 24:02d}:11:12Z","note":"{"words " * (number % 9)}",'
        f'"lines":[{{"sku":"s{number % 311}","count":{number % 7}}},{{"sku":"t{number % 97}","count":1}}]}}')


def write(path, count, changed=0):
    """One row in `changed` is another than before."""
    with open(path, "w", encoding="utf-8") as out:
        for number in range(count):
            out.write(row(number, "!" if changed and number % changed == 0 else "") + "\n")


def run(arguments, where, stdin=None):
    """Seconds, and the peak of memory in MB."""
    start = time.monotonic()
    with subprocess.Popen([INGEST, *arguments], cwd=where, stdin=stdin, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"growth: ingest {' '.join(arguments)}: exit {process.returncode}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def measure(where, count, rounds):
    """The figures of one size; the filled database stays as `store.db`."""
    write(os.path.join(where, "rows.ndjson"), count)
    write(os.path.join(where, "changed.ndjson"), count, changed=1000)
    with open(os.path.join(where, "rows.json"), "w", encoding="utf-8") as out:
        # Piece by piece: a process that is started begins with this one's peak of memory.
        for number in range(count):
            out.write(("[" if number == 0 else ",\n") + row(number))
        out.write("]")
    store = ["--store", "sqlite:store.db"]
    lines, array = ["--config", "lines.yaml"], ["--config", "array.yaml"]
    figures = {}

    def note(name, found):
        figures.setdefault(name, []).append(found[0])
        figures.setdefault(name + ", MB", []).append(found[1])

    for _ in range(rounds):
        for name in ("store.db", "input.db"):
            for ending in ("", "-wal", "-shm"):
                if os.path.exists(os.path.join(where, name + ending)):
                    os.unlink(os.path.join(where, name + ending))
        note("fresh", run(["load", "rows.ndjson", *lines, *store], where))
        note("unchanged", run(["load", "rows.ndjson", *lines, *store], where))
        note("one in a thousand changed", run(["load", "changed.ndjson", *lines, *store], where))
        with open(os.path.join(where, "rows.ndjson"), "rb") as stdin:
            note("standard input", run(["load", "-", *lines, "--store", "sqlite:input.db"], where, stdin))
        note("one array, mapped", run(["map", "rows.json", *array, "--format", "none"], where))
    return {name: round(statistics.median(found), 4) for name, found in figures.items()}


def page(where, rounds):
    """Milliseconds of a page of 1,000 rows, half of them known, into the table that is there."""
    write(os.path.join(where, "page.ndjson"), 1000, changed=2)
    arguments = ["load", "page.ndjson", "--config", "lines.yaml", "--store", "sqlite:store.db"]
    return round(1000 * min(run(arguments, where)[0] for _ in range(rounds)), 1)


def exponent(sizes, figures, name):
    times = [figures[size][name] for size in sizes]
    return math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    sizes = [options.rows, 4 * options.rows, 16 * options.rows]
    figures = {}
    with tempfile.TemporaryDirectory(prefix="ingest-") as where:
        for name, form in (("lines", "ndjson"), ("array", "json")):
            with open(os.path.join(where, name + ".yaml"), "w", encoding="utf-8") as out:
                out.write(MAPPING.replace("FORMAT", form))
        for size in sizes:
            figures[size] = measure(where, size, options.rounds)
            found = (f"{name} {figure}" for name, figure in figures[size].items())
            print(size, "rows:", *found, sep="\n    ", flush=True)
        merged = page(where, options.rounds)
    print(f"a page of 1,000 rows into a table of {sizes[-1]}: {merged} ms, with the start of the program")
    for name in ("fresh", "unchanged", "one in a thousand changed", "one array, mapped"):
        print(f"{name}: exponent {exponent(sizes, figures, name):.2f}")
    if options.keep:
        kept = {"sizes": {str(size): figures[size] for size in sizes}, "page of 1,000, ms": merged}
        results.keep("growth", f"benchmarks/growth.py --rows {options.rows} --rounds {options.rounds}", kept)


main()
