#!/usr/bin/env python3
"""Counts the instructions of `ingest map` and `ingest load` on three small fixed inputs, by callgrind.

    instructions.py [--record]

The counts are compared with benchmarks/instructions.json: more than 3 % above it is red, until the record is changed
on purpose by --record. A count is no time, but it is nearly the same on every run: processor features that select
other code (simdjson's kernels, glibc's string functions) are pinned, Swift's hashing is deterministic, and the record
holds one set of counts for each architecture. It notes the versions that it was made with: another glibc or Swift
moves the counts a little.
"""
import json
import os
import platform
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Tests", "Scripts"))
from checks import INGEST, Checks, folder, rows  # noqa: E402

RECORD = os.path.join(HERE, "instructions.json")
ALLOWED = 1.03
# simdjson's AVX2 kernel is not there on every machine; SSE4.2 is. glibc: no AVX variants of memcpy and the like.
PINNED = {
    "x86_64": {
        "SIMDJSON_FORCE_IMPLEMENTATION": "westmere",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-AVX_Fast_Unaligned_Load,-ERMS,"
                          "-FSRM,-BMI2,-RTM,-MOVBE",
    },
}
TABLES = {
    "articles": {"articles": 437, "article_keywords": 1360}, "events": {"events": 1200, "event_commits": 1567},
    "flat": {"flat": 4000},
}


def versions():
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False).stdout
    match = re.search(r"Swift version (\S+)", swift)
    return {"libc": " ".join(platform.libc_ver()), "swift": match.group(1) if match else "unknown"}


def without_debug_information(where):
    """A copy that Debian's valgrind can read: it does not know the debug information of newer compilers."""
    copy = os.path.join(where, "ingest")
    subprocess.run(["strip", "--strip-debug", "-o", copy, INGEST], check=True)
    return copy


def count(checks, binary, arguments, where):
    environment = {
        "PATH": os.environ["PATH"], "HOME": where, "LC_ALL": "C.UTF-8", "TZ": "UTC", "SWIFT_DETERMINISTIC_HASHING": "1",
        "SWIFT_BACKTRACE": "enable=no", **PINNED.get(platform.machine(), {})}
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, *arguments], cwd=where,
        env=environment, capture_output=True, text=True, errors="replace", check=False)
    match = re.search(r"Collected : (\d+)", result.stderr)
    if not checks.expect(
            f"ingest {' '.join(arguments)} ends well under callgrind", result.returncode == 0 and match,
            f"exit {result.returncode}\n{result.stderr[-1500:]}"):
        return None
    return int(match.group(1))


def measure(checks):
    counts = {}
    with folder() as where:
        subprocess.run([sys.executable, os.path.join(HERE, "fixed-inputs.py"), where], check=True)
        binary = without_debug_information(where)
        for name, tables in TABLES.items():
            mapping = os.path.join(HERE, "fixed", name + ".yaml")
            body, database = name + ".ndjson", name + ".db"
            counts[f"map {name}"] = count(
                checks, binary, ["map", body, "--config", mapping, "--format", "none"], where)
            counts[f"load {name}"] = count(
                checks, binary, ["load", body, "--config", mapping, "--store", f"sqlite:{database}"], where)
            for table, wanted in tables.items():
                got = rows(os.path.join(where, database), f"select count(*) from {table}")[0][0]
                checks.expect(f"{name}: rows of {table}", got == wanted, f"expected {wanted}, got {got}")
    return counts


def read_record():
    if not os.path.exists(RECORD):
        return {}
    with open(RECORD, encoding="utf-8") as file:
        return json.load(file)


def compare(checks, counts, kept):
    for name, got in counts.items():
        wanted = kept["counts"].get(name)
        if got is None or not checks.expect(f"{name} has a record", wanted is not None):
            continue
        print(f"instructions: {name:15} {got:13,} of {wanted:13,} recorded ({got / wanted - 1:+.1%})")
        checks.expect(
            f"{name} takes at most 3 % more instructions than recorded", got <= wanted * ALLOWED,
            f"{got / wanted:.3f} of the record; find the reason, or change the record on purpose: make record")


def main():
    checks = Checks("instructions")
    if not shutil.which("valgrind"):
        checks.skip("there is no valgrind")
        checks.finish()
    record, machine = read_record(), platform.machine()
    recording = "--record" in sys.argv[1:]
    if not recording and machine not in record:
        checks.skip(f"no counts are recorded for {machine} (make record)")
        checks.finish()
    counts = measure(checks)
    if recording and not checks.failed:
        record[machine] = {**versions(), "counts": counts}
        with open(RECORD, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=2, sort_keys=True)
            file.write("\n")
        print(f"instructions: recorded for {machine} in benchmarks/instructions.json")
    elif not recording:
        made_with = {name: record[machine].get(name) for name in ("libc", "swift")}
        if made_with != versions():
            print(f"instructions: the record was made with {made_with}, here are {versions()}")
        compare(checks, counts, record[machine])
    checks.finish()


main()
