"""The unit tests under the address and the thread sanitizer; the program under the latter and the one for leaks."""

import json
import os
import re
import shutil
import subprocess
import sys
import time

from checks import ROOT, indented
from raw_server import CLOSE, raw, whole

# Of the quick tier: what owns memory of C libraries, and what is shared by threads. Other targets are not built.
FEW = {
    "address": {
        "SQLiteStoreTests": "ConnectionTests|LockWaitTests|ArchiveTableTests",
        "FetchTests": "BodyTests|PackedBodyTests", "JSONReadingTests": ""},
    "thread": {
        "PipelineTests": "ConcurrencyTests|BatchWriterTests|TokenHolderTests|InterruptionTests|CommitRunTests",
        "FetchTests": "FailureTests|LiveTransportTests"},
}
# Measures time, which a sanitizer multiplies.
WITHOUT = "LargeMappingTests"
REPORTS = re.compile(r"(ERROR|WARNING): (AddressSanitizer|ThreadSanitizer|LeakSanitizer)[^\n]*")


def build(kind, is_quick):
    scratch = os.path.join(ROOT, ".build", kind)
    chosen = {"INGEST_TESTS": ",".join(FEW[kind])} if is_quick else {}
    return subprocess.run(
        ["swift", "build", "--sanitize", kind, "--scratch-path", scratch,
         *(["--product", "ingestPackageTests"] if is_quick else ["--build-tests"])],
        cwd=ROOT, capture_output=True, text=True, errors="replace", check=False,
        env={**os.environ, **chosen})


def preloaded(kind, where):
    """What the thread sanitizer has to be told of Swift's mutex (mutex.c)."""
    if kind != "thread":
        return {}
    library = os.path.join(where, "mutex.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutex.c")
    subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return {"LD_PRELOAD": library}


def suite(checks, where, kind, given):
    """The suite; the runner of the tests itself leaks, so leaks are looked for in the program."""
    began = time.monotonic()
    built = build(kind, given.quick)
    if not checks.expect(f"sanitizers: {kind}: the tests are built", built.returncode == 0, built.stdout[-3000:]):
        return
    print(f"sanitizers: {kind}: built in {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    few = "|".join(rf"^{target}\.({suites})" for target, suites in FEW[kind].items())
    chosen = ["--filter", few] if given.quick else ["--skip", WITHOUT]
    # Not by `swift test`, which would be preloaded too.
    result = subprocess.run(
        [os.path.join(ROOT, ".build", kind, "debug", "ingestPackageTests.xctest"),
         "--testing-library", "swift-testing", *chosen],
        cwd=ROOT, capture_output=True, text=True, errors="replace", check=False,
        env={
            **os.environ, "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0",
            "TSAN_OPTIONS": "halt_on_error=0 exitcode=66", **preloaded(kind, where)})
    said = result.stdout + result.stderr
    reports = [match[0] for match in REPORTS.finditer(said)]
    count = re.search(r"Test run with (\d+) tests", said)
    checks.equal(f"sanitizers: {kind}: reports", reports, [])
    failures = "\n".join(line for line in said.splitlines() if re.search("[✘↳]|error:|SUMMARY", line))
    checks.expect(f"sanitizers: {kind}: the tests pass", result.returncode == 0, indented(failures or said[-3000:], 40))
    checks.expect(f"sanitizers: {kind}: there were tests", count and int(count[1]) > 0, said[-500:])
    print(f"sanitizers: {kind}: {count[1] if count else '?'} tests in {time.monotonic() - began:.0f} s,"
          f" {len(reports)} reports", flush=True)


MAPPING = """\
ingest: 1
source: {name: leaks, base_url: "%s", retry: {attempts: 2, backoff: constant, wait: 10ms}}
store: {archive: true}
records:
  Row:
    table: rows
    key: id
    sweep: true
    fields: {id: {type: integer}, name: {type: text, transform: [trim, {replace: ["x+", "y"]}]}, at: {type: timestamp}}
    relationships: {tags: [{fields: {tag: {from: .}}}]}
endpoints:
  rows: {path: /rows, records: {rows: Row}, paginate: {by: cursor, param: c, from: next}}
"""
# What a global holds lives as long as the process; where the pointer to it carries bits of an enum, it is not seen.
# The last mapping that `validate` reads is not freed on purpose; other commands, which read as it does, free theirs.
SUPPRESSED = "leak:once_slow\nleak:MappingCheckO5check_6isLast\n"
BODY = {"rows": [{"id": n, "name": "x" * n, "at": "2024-05-01T00:00:00Z", "tags": ["a", n]} for n in range(200)]}
# What is run under the leak detector, and how it ends.
COMMANDS = [
    (("load", "body.json", "--config", "leaks.yaml", "--store", "sqlite:a.db"), 0),
    (("load", "body.json", "--config", "leaks.yaml", "--store", "sqlite:a.db"), 0),
    (("run", "leaks.yaml", "--store", "sqlite:b.db", "-v"), 0),
    (("run", "leaks.yaml", "--store", "sqlite:b.db", "--full"), 0),
    (("map", "body.json", "--config", "leaks.yaml"), 0),
    (("replay", "--config", "leaks.yaml", "--store", "sqlite:b.db"), 0),
    (("validate", "leaks.yaml"), 0),
    (("status", "--config", "leaks.yaml", "--store", "sqlite:b.db"), 0),
    (("infer", "body.json"), 0),
    (("load", "broken.json", "--config", "leaks.yaml", "--store", "sqlite:c.db"), 1),
    (("validate", "broken.yaml"), 2),
]


def leaks(checks, where):
    """Each command of the program that was built with the address sanitizer ends without a leak."""
    program = os.path.join(ROOT, ".build", "address", "debug", "ingest")
    if not checks.expect("sanitizers: the program is built", os.path.exists(program)):
        return
    for name, text in {
        "body.json": json.dumps(BODY), "broken.json": json.dumps(BODY)[:-40], "broken.yaml": "ingest: 1\na: [",
        "suppressed": SUPPRESSED,
    }.items():
        with open(os.path.join(where, name), "w", encoding="utf-8") as out:
            out.write(text)

    def respond(number, request):
        if number == 2:
            return [b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", CLOSE]
        return [whole(json.dumps({**BODY, "next": None if b"c=" in request else "two", "page": number}))]

    done = 0
    with raw(respond) as server:
        with open(os.path.join(where, "leaks.yaml"), "w", encoding="utf-8") as out:
            out.write(MAPPING % server.url)
        for arguments, code in COMMANDS:
            result = subprocess.run(
                [program, *arguments], cwd=where, capture_output=True, text=True, errors="replace", check=False,
                timeout=300, env={**os.environ, "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=1",
                     "LSAN_OPTIONS": "print_suppressions=0:suppressions=" + os.path.join(where, "suppressed")})
            said = result.stdout + result.stderr
            what = f"sanitizers: ingest {' '.join(arguments)}"
            done += checks.expect(f"{what}: no report", not REPORTS.search(said), indented(said[-4000:], 60))
            checks.expect(f"{what}: exit code {code}", result.returncode == code, f"{result.returncode}: {said[-400:]}")
    print(f"sanitizers: {done} commands without a leak")


# What is run under the thread sanitizer: walks side by side, and many runs on one database.
HARNESS = ("walks", "crowd", "writers", "partial")


def threads(checks, where):
    """Checks of the harness hold for the program that was built with the thread sanitizer, which reports nothing."""
    program, reports = os.path.join(ROOT, ".build", "thread", "debug", "ingest"), os.path.join(where, "reports")
    if not checks.expect("sanitizers: the program is built", os.path.exists(program)):
        return
    os.mkdir(reports)
    for name in HARNESS:
        result = subprocess.run(
            [sys.executable, os.path.join(ROOT, "Tests", "Scripts", "harness.py"), name, "--concurrency", "3"],
            cwd=ROOT, capture_output=True, text=True, errors="replace", check=False,
            env={
                **os.environ, "SWIFT_BACKTRACE": "enable=no", "INGEST": program,
                "TSAN_OPTIONS": f"halt_on_error=0 exitcode=66 log_path={reports}/{name}", **preloaded("thread", where)})
        said = result.stdout + result.stderr
        checks.expect(f"sanitizers: harness.py {name} under the thread sanitizer", result.returncode == 0, said[-3000:])
        print(f"sanitizers: thread: {(said.splitlines() or [''])[-1]} ({name})", flush=True)
    found = sorted(os.listdir(reports))
    texts = [open(os.path.join(reports, name), encoding="utf-8", errors="replace").read() for name in found[:3]]
    checks.expect("sanitizers: the program has no report", not found, indented("\n".join(texts), 60))


def check(checks, where, given):
    if not shutil.which("swift"):
        checks.skip("sanitizers: there is no swift")
        return
    for kind in given.sanitizer or FEW:
        suite(checks, where, kind, given)
        if not given.quick:
            (leaks if kind == "address" else threads)(checks, where)
