#!/usr/bin/env python3
"""Faults of servers, stores, mappings and records, on the built binary: what each comes to, and what it leaves behind.

    faults.py [GROUP[.PART] …] [--row ROW …] [--stop] [--times] [--list]

The rows are those of docs/reliability.md. `--row`: of the tables of cases, these rows alone. `--stop`: ends with the
first thing that does not hold. `--times`: says how long each part took. Without a group, groups run two at a time.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import time

from checks import Checks, StoppingChecks, folder

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults"))
import compound  # noqa: E402
import contents  # noqa: E402
import documents  # noqa: E402
import framing  # noqa: E402
import mappings  # noqa: E402
import networks  # noqa: E402
import paging  # noqa: E402
import processes  # noqa: E402
import records  # noqa: E402
import redirects  # noqa: E402
import statuses  # noqa: E402
import stores  # noqa: E402

GROUPS = {
    module.__name__: module.PARTS
    for module in (
        framing,
        contents,
        statuses,
        paging,
        records,
        redirects,
        mappings,
        stores,
        processes,
        networks,
        compound,
    )
}

TABLES = (framing, contents, statuses, paging, records, redirects)


def names():
    return [f"{group}.{part}" for group, parts in GROUPS.items() for part in parts]


def documented(checks, _where, _rows):
    documents.check(checks, names(), [given for module in TABLES for given in module.CASES])


GROUPS["documents"] = {"check": documented}


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("parts", nargs="*", metavar="GROUP[.PART]")
    parser.add_argument("--row", action="append", default=[])
    parser.add_argument("--stop", action="store_true")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def side_by_side():
    """Each group as a process of its own, two at a time; ends the script."""

    def run(name):
        return subprocess.run(
            [sys.executable, __file__, name, *sys.argv[1:]],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, result in zip(GROUPS, pool.map(run, GROUPS)):
            print("\n".join(f"{name}: {line}" for line in (result.stdout + result.stderr).splitlines()), flush=True)
            failed += result.returncode != 0
    print(f"faults: {len(GROUPS) - failed} groups passed, {failed} failed")
    sys.exit(1 if failed else 0)


def main():
    given = options()
    if given.list:
        print("\n".join(names()))
        return
    if not given.parts:
        side_by_side()
    checks = (StoppingChecks if given.stop else Checks)("faults")
    for wanted in given.parts:
        found = [name for name in names() if wanted in (name, name.split(".")[0])]
        checks.expect(f"there are parts named '{wanted}'", found)
        for name in found:
            group, part = name.split(".")
            began = time.monotonic()
            with folder() as where:
                GROUPS[group][part](checks, where, given.row)
            if given.times:
                print(f"faults: {name} took {time.monotonic() - began:.1f} s")
    checks.finish()


main()
