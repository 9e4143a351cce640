#!/usr/bin/env python3
"""Builds ingest with faults on purpose, turns on one after the other, and shows that a check notices each.

    broken.py [FAULT …]

`INGEST_FAULTS=1` builds all of them in (Sources/Faults, and `#if FAULTS` in Sources), in a folder of their own;
`INGEST_FAULT=NAME` turns one on when the binary runs. First the checks pass without one: what they notice afterwards is
the fault.
"""
import os
import subprocess
import sys
import time

from checks import ROOT, Checks, indented

SCRATCH = os.path.join(ROOT, ".build", "broken")

# What notices it, and what it is.
FAULTS = {
    "begin": ("harness.py writers", "a transaction begins without IMMEDIATE"),
    "cursor": ("harness.py calls", "how far a walk is, is committed apart from its rows"),
    "sweep": ("harness.py partial", "a partial walk sweeps"),
    "repeats": ("harness.py endless", "pages that repeat are not noticed"),
    "greater": ("harness.py walks", "what is as new as the cursor is not asked for"),
    "redirect": ("harness.py leaving", "a secret header goes along with a redirect"),
    "unpacked": ("faults.py contents.cases --row R30", "bytes are counted before they are unpacked"),
    "gzip": ("faults.py contents.cases --row R34", "a body that is cut within gzip is taken as whole"),
    "header": ("faults.py redirects.values_that_break_out", "a header with CR LF in it is sent"),
    "redaction": ("harness.py echoes", "a secret is found in its raw form alone"),
    "rename": ("faults.py processes.renamed", "a file takes its name before it is on the disk"),
    "signal": ("faults.py processes.stops_while_it_waits", "SIGTERM waits for the answer"),
    "identifier": ("faults.py mappings.names", "names in SQL are not quoted"),
}


def build():
    """Gives the binary, or None and what the compiler said."""
    result = subprocess.run(
        ["swift", "build", "--scratch-path", SCRATCH, "--product", "ingest"], cwd=ROOT,
        env={**os.environ, "INGEST_FAULTS": "1"}, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return None, (result.stdout + result.stderr)[-4000:]
    return os.path.join(SCRATCH, "debug", "ingest"), ""


def run(binary, check, *more, fault=None):
    script, *arguments = check.split()
    environment = {name: value for name, value in os.environ.items() if name != "INGEST_FAULT"}
    environment["INGEST"] = binary
    if fault:
        environment["INGEST_FAULT"] = fault
    return subprocess.run(
        [sys.executable, os.path.join(ROOT, "Tests", "Scripts", script), *arguments, *more], cwd=ROOT, env=environment,
        capture_output=True, text=True, timeout=600, check=False)


def first_failure(output):
    return next((line for line in output.split("\n") if ": FAILED: " in line), "")


def is_noticed(checks, binary, fault):
    check, what = FAULTS[fault]
    began = time.monotonic()
    result = run(binary, check, "--stop", fault=fault)
    failure = first_failure(result.stdout)
    noticed = result.returncode == 1 and failure
    if checks.expect(f"'{check}' notices '{fault}': {what}", noticed, indented(result.stdout + result.stderr)):
        print(f"broken: '{fault}' ({what}) is noticed by '{check}' in {time.monotonic() - began:.0f} s:"
              f" {failure.split('FAILED: ')[1]:.120}", flush=True)


def main():
    checks = Checks("broken")
    faults = sys.argv[1:] or list(FAULTS)
    began = time.monotonic()
    binary, said = build()
    if checks.expect("a build with all faults is built", binary, said):
        print(f"broken: built in {time.monotonic() - began:.0f} s", flush=True)
        for check in sorted({FAULTS[fault][0] for fault in faults}):
            result = run(binary, check)
            checks.expect(
                f"'{check}' passes without a fault", result.returncode == 0, indented(result.stdout + result.stderr))
        for fault in faults:
            is_noticed(checks, binary, fault)
    checks.finish()


main()
