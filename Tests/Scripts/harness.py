#!/usr/bin/env python3
"""What cannot be seen from a run that goes well: an API that changes, kills, many writers, endless servers, redirects.

    harness.py [CHECK …] [--seed N] [--kind KIND …] [--kills N] [--points N] [--concurrency N] [--full]
               [--stop] [--list]

`--kind`: of paging, for walks and kills (all). `--kills`: runs that are cut at random moments (40). `--points`: system
calls at which a run is cut (40). `--concurrency`: walks side by side, for walks and kills (1). `--full`: 300 kills and
every system call; so does INGEST_HARNESS=full. `--stop`: ends with the first thing that does not hold.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys

from checks import Checks, StoppingChecks, folder

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "harness"))
import again  # noqa: E402
import changing  # noqa: E402
import crowd  # noqa: E402
import echoes  # noqa: E402
import endless  # noqa: E402
import kills  # noqa: E402
import leaving  # noqa: E402
import partial  # noqa: E402
import walks  # noqa: E402
import writers  # noqa: E402

CHECKS = {
    "walks": walks.check,
    "kills": kills.at_random,
    "calls": kills.at_calls,
    "whole": kills.as_a_whole,
    "again": again.check,
    "writers": writers.check,
    "crowd": crowd.check,
    "endless": endless.check,
    "partial": partial.check,
    "leaving": leaving.check,
    "echoes": echoes.check,
}


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("checks", nargs="*", choices=[*CHECKS, []], metavar="CHECK")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=changing.KINDS)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--points", type=int)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--full", action="store_true", default=os.environ.get("INGEST_HARNESS") == "full")
    parser.add_argument("--stop", action="store_true")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    given.kind = given.kind or changing.KINDS
    given.kills = given.kills or (300 if given.full else 40)
    given.points = given.points or (100000 if given.full else 40)
    return given


def side_by_side(names):
    """Each check as a process of its own, two at a time; ends the script."""
    def run(name):
        return subprocess.run(
            [sys.executable, __file__, name, *sys.argv[1:]], capture_output=True, text=True, errors="replace",
            check=False)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, result in zip(names, pool.map(run, names)):
            print("\n".join(f"{name}: {line}" for line in (result.stdout + result.stderr).splitlines()), flush=True)
            failed += result.returncode != 0
    print(f"harness: {len(names) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def main():
    given = options()
    if given.list:
        print("\n".join(CHECKS))
        return
    if not given.checks:
        side_by_side(list(CHECKS))
    checks = (StoppingChecks if given.stop else Checks)("harness")
    for name in given.checks:
        with folder() as where:
            CHECKS[name](checks, where, given)
    checks.finish()


main()
