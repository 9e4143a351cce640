#!/usr/bin/env python3
"""Feeds the parts that read what others wrote with inputs that libFuzzer makes, under the address sanitizer.

    fuzzing.py [TARGET …] [--runs N] [--seconds N] [--keep FOLDER] [--seed N] [--readers]

`--runs`: inputs for each target (20,000); those of which each input takes long get a part of it. `--seconds`: instead,
how long each target runs. `--keep`: where inputs that reach something new are kept, to go on from later. An input that
ends the process, takes more than 5 s or 1 GB is a failure: it is printed, and belongs into Tests/Fuzzing/seeds/TARGET,
so that it is tried each time. `--readers`: without the target `rows`, which makes the build twice as long. Targets run
two at a time.

Seeds and dictionaries are in Tests/Fuzzing; what a target expects of its part is in Sources/Fuzz.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import time

from checks import ROOT, Checks, folder, indented

SCRATCH = os.path.join(ROOT, ".build", "fuzz")
HOME = os.path.join(ROOT, "Tests", "Fuzzing")
# The longest input.
LENGTHS = {"json": 4096, "lenient": 4096, "lines": 4096, "rows": 1024, "mapping": 2048, "redaction": 512}

# Where an input takes long: one of so many.
SHARES = {"lines": 4, "mapping": 4, "rows": 40}


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--runs", type=int, default=20000)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--keep")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readers", action="store_true")
    return parser.parse_args()


def build(given):
    result = subprocess.run(
        [
            "swift",
            "build",
            "-c",
            "release",
            "--scratch-path",
            SCRATCH,
            "--product",
            "ingest-fuzz",
            # The program's entry is libFuzzer's; of two flags of the compiler the last one counts.
            "--sanitize",
            "fuzzer",
            "-Xswiftc",
            "-sanitize=fuzzer,address",
        ],
        cwd=ROOT,
        env={**os.environ, "INGEST_FUZZ": "readers" if given.readers else "all"},
        capture_output=True,
        text=True,
        check=False,
    )
    return result.returncode == 0, (result.stdout + result.stderr)[-4000:]


def targets(given):
    with open(os.path.join(ROOT, "Sources", "Fuzz", "FuzzTarget.swift"), encoding="utf-8") as file:
        names = ", ".join(re.findall(r"^ +case ([\w, ]+)$", file.read(), re.M)).split(", ")
    return [name for name in names if not (given.readers and name == "rows")]


def run(checks, target, given, where):
    seeds = os.path.join(HOME, "seeds", target)
    checks.expect(f"{target}: there are seeds", glob.glob(os.path.join(seeds, "*")))
    kept = os.path.join(given.keep or os.path.join(where, "kept"), target)
    os.makedirs(kept, exist_ok=True)
    words = os.path.join(HOME, f"{target}.dict")
    bound = [f"-max_total_time={given.seconds}"] if given.seconds else [f"-runs={given.runs // SHARES.get(target, 1)}"]
    began = time.monotonic()
    result = subprocess.run(
        [
            os.path.join(SCRATCH, "release", "ingest-fuzz"),
            *bound,
            f"-seed={given.seed}",
            "-timeout=5",
            "-rss_limit_mb=1024",
            f"-max_len={LENGTHS.get(target, 256)}",
            f"-artifact_prefix={where}/{target}-",
            "-print_final_stats=1",
            *([f"-dict={words}"] if os.path.exists(words) else []),
            kept,
            seeds,
        ],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        # Time zones and the like are read once and kept: that is no leak.
        env={
            **os.environ,
            "INGEST_FUZZ_TARGET": target,
            "SWIFT_BACKTRACE": "enable=no",
            "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=64",
        },
    )
    said = result.stdout + result.stderr
    done = re.search(r"stat::number_of_executed_units: (\d+)", said)
    found = "".join(
        f"\n{path}: {open(path, 'rb').read()!r}" for path in glob.glob(os.path.join(where, f"{target}-*-*"))
    )
    coverage = re.findall(r" cov: (\d+) ", said)
    checks.expect(f"{target}: its code is instrumented", coverage and int(coverage[-1]) > 100, coverage[-1:])
    if checks.expect(f"{target}: no input is a failure", result.returncode == 0, indented(said[-3000:], 60) + found):
        took = time.monotonic() - began
        print(f"fuzzing: {target}: {done[1] if done else '?'} inputs in {took:.0f} s", flush=True)


def main():
    checks, given = Checks("fuzzing"), options()
    began = time.monotonic()
    built, said = build(given)
    print(f"fuzzing: built in {time.monotonic() - began:.0f} s", flush=True)
    if checks.expect("the program is built", built, said):
        with folder() as where, concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda target: run(checks, target, given, where), given.targets or targets(given)))
    checks.finish()


main()
