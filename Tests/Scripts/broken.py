#!/usr/bin/env python3
"""Builds versions of ingest that are broken on purpose, and shows that a check of harness.py notices each.

    broken.py [FLAG …]

A fault is one line under `#if FLAG` in a target of Sources; INGEST_FAULT=TARGET.FLAG builds it in. All builds share a
folder, so that each compiles what its flag reaches. First the checks pass on a build without a fault: what they notice
afterwards is the fault.
"""
import os
import subprocess
import sys
import time

from checks import ROOT, Checks, indented

SCRATCH = os.path.join(ROOT, ".build", "broken")
HARNESS = os.path.join(ROOT, "Tests", "Scripts", "harness.py")

# Flags of one target stand together: it is compiled once for each.
FAULTS = {
    "BROKEN_BEGIN": ("SQLiteStore", "writers", "a transaction begins without IMMEDIATE"),
    "BROKEN_CURSOR": ("SQLiteStore", "calls", "how far a walk is, is committed apart from its rows"),
    "BROKEN_SWEEP": ("SQLiteStore", "partial", "a partial walk sweeps"),
    "BROKEN_REPEATS": ("Pipeline", "endless", "pages that repeat are not noticed"),
    "BROKEN_GREATER": ("Pipeline", "walks", "what is as new as the cursor is not asked for"),
    "BROKEN_REDIRECT": ("Fetch", "leaving", "a secret header goes along with a redirect"),
}


def build(fault=None):
    """Builds; gives the binary, or None and what the compiler said."""
    command = ["swift", "build", "--scratch-path", SCRATCH, "--product", "ingest"]
    environment = {name: value for name, value in os.environ.items() if name != "INGEST_FAULT"}
    if fault:
        environment["INGEST_FAULT"] = fault
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return None, (result.stdout + result.stderr)[-4000:]
    return os.path.join(SCRATCH, "debug", "ingest"), ""


def harness(binary, check, *more):
    return subprocess.run(
        [sys.executable, HARNESS, check, *more], cwd=ROOT, env={**os.environ, "INGEST": binary}, capture_output=True,
        text=True, timeout=600, check=False)


def first_failure(output):
    return next((line for line in output.split("\n") if ": FAILED: " in line), "")


def is_noticed(checks, flag):
    target, check, what = FAULTS[flag]
    began = time.monotonic()
    binary, said = build(f"{target}.{flag}")
    if not checks.expect(f"{flag} is built", binary, said):
        return
    built = time.monotonic()
    result = harness(binary, check, "--stop")
    failure = first_failure(result.stdout)
    noticed = result.returncode == 1 and failure
    if checks.expect(f"'{check}' notices {flag}: {what}", noticed, indented(result.stdout + result.stderr)):
        print(f"broken: {flag} ({what}) is noticed by '{check}': {failure.split('FAILED: ')[1]}"
              f" [built in {built - began:.0f} s, noticed in {time.monotonic() - built:.0f} s]", flush=True)


def main():
    checks = Checks("broken")
    flags = sys.argv[1:] or list(FAULTS)
    binary, said = build()
    if checks.expect("a build without a fault is built", binary, said):
        for check in sorted({FAULTS[flag][1] for flag in flags}):
            result = harness(binary, check)
            checks.expect(
                f"'{check}' passes without a fault", result.returncode == 0, indented(result.stdout + result.stderr))
        for flag in flags:
            is_noticed(checks, flag)
    checks.finish()


main()
