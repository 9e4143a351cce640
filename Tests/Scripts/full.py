#!/usr/bin/env python3
"""The full tier: kills, disks, cut bodies, secrets, stops, a soak, sanitizers and fuzzing, in the numbers that
docs/reliability.md gives. Each part can be called alone.

    full.py [PART …] [--quick] [--count N] [--seed N] [--minutes N] [--sanitizer KIND] [--stop] [--list]

`--quick`: a fixed small part of each, as `make test` runs it; those that need a build of their own are left out, save
when they are named. `--count`: points, bodies or inputs in place of the part's own number. `--minutes`: how long the
soak lasts (10). `--sanitizer`: address or thread, of the part `sanitized` that one alone. `--stop`: ends with the first
thing that does not hold. Without a part: all, one after the other.
"""

import argparse
import os
import subprocess
import sys
import time

from checks import Checks, StoppingChecks, folder

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(HERE, name) for name in ("full", "harness", "faults")]
import canaries  # noqa: E402
import cuts  # noqa: E402
import failing  # noqa: E402
import points  # noqa: E402
import sanitized  # noqa: E402
import soak  # noqa: E402
import stops  # noqa: E402


def script(checks, name, *arguments):
    """A script of its own, whose parts are counted there."""
    result = subprocess.run([sys.executable, os.path.join(HERE, name), *arguments], check=False)
    checks.equal(f"{name} {' '.join(arguments)}", result.returncode, 0)


def kills(checks, _where, given):
    """At random moments; `commit: run` too."""
    count = given.count or (20 if given.quick else 1000)
    script(checks, "harness.py", "kills", "whole", "--kills", str(count), "--seed", str(given.seed))


def fuzzing(checks, _where, given):
    count = given.count or (2000 if given.quick else 500000)
    script(checks, "fuzzing.py", "--runs", str(count), "--seed", str(given.seed))


PARTS = {
    "points": points.check,
    "kills": kills,
    "failing": failing.check,
    "cuts": cuts.check,
    "canaries": canaries.check,
    "stops": stops.check,
    "soak": soak.check,
    "sanitized": sanitized.check,
    "fuzzing": fuzzing,
}
# Parts that need a build of their own.
BUILDING = ("sanitized", "fuzzing")


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--sanitizer", action="append", choices=["address", "thread"])
    parser.add_argument("--stop", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def one_after_the_other(given):
    """Each part as a process of its own; ends the script."""
    failed = []
    names = [name for name in PARTS if name not in BUILDING or not given.quick]
    for name in names:
        began = time.monotonic()
        result = subprocess.run([sys.executable, __file__, name, *sys.argv[1:]], check=False)
        failed += [name] if result.returncode else []
        print(f"full: {name} took {time.monotonic() - began:.0f} s", flush=True)
    print(f"full: {len(names) - len(failed)} parts passed, {len(failed)} failed", *failed)
    sys.exit(1 if failed else 0)


def main():
    given = options()
    if given.list:
        print("\n".join(PARTS))
        return
    if not given.parts:
        one_after_the_other(given)
    checks = (StoppingChecks if given.stop else Checks)("full")
    for name in given.parts:
        with folder() as where:
            PARTS[name](checks, where, given)
    checks.finish()


main()
