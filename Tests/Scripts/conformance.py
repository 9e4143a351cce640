#!/usr/bin/env python3
"""Runs the conformance cases that this version promises: conformance-groups.txt names them.

A line is a group or a case, or `- GROUP/PATTERN` for cases of it that a later version brings.
"""
import fnmatch
import os
import subprocess
import sys

from checks import INGEST, Checks, beside

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "conformance-groups.txt")
KIT = beside("INGEST_CONFORMANCE", "conformance")


def promised():
    groups, left_out = [], []
    with open(LIST, encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line.startswith("- "):
                left_out.append(line[2:].strip())
            elif line:
                groups.append(line)
    cases = [
        case for group in groups
        for case in ([group] if "/" in group else
                     [f"{group}/{name}" for name in sorted(os.listdir(os.path.join(KIT, "cases", group)))])]
    unused = [pattern for pattern in left_out if not fnmatch.filter(cases, pattern)]
    return [case for case in cases if not any(fnmatch.fnmatch(case, pattern) for pattern in left_out)], unused


def main():
    checks = Checks("conformance")
    if not os.path.exists(os.path.join(KIT, "run")):
        checks.skip("no kit is beside the project (INGEST_CONFORMANCE)")
        checks.finish()
    cases, unused = promised()
    checks.equal("every exclusion names a case", unused, [])
    sys.stdout.flush()
    result = subprocess.run(
        [sys.executable, os.path.join(KIT, "run"), "--ingest", INGEST, "--jobs", "2", *cases], check=False)
    checks.expect(f"all of {len(cases)} cases pass", result.returncode == 0)
    checks.finish()


main()
