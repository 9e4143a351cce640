"""Streams, clocks, memory that is bounded, runs that are stopped and go on (R28, R89, R93 to R95, R137, R142)."""

import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import threading
import time

from cases import SECRET, holds_secret
from checks import INGEST, ROOT, rows
from raw_server import HANG, scened, whole

MAPPING = """\
ingest: 1
source:
  name: "%s"
  base_url: "http://127.0.0.1:%d"
  retry: {attempts: 2, wait: 60s}
  headers: {X-Own: "${secret.KEY}"}
records:
  Row: {table: rows, key: id, fields: {id: {type: integer}, text: {type: text}}}
endpoints:
  rows: {path: /rows, records: {rows: Row}, paginate: {by: page, param: page, start: 1, total_pages: pages}}
"""
PAGES, ROWS = 12, 200


def page(number):
    records = [{"id": number * 1000 + n, "text": "x" * 300} for n in range(ROWS)]
    return whole(json.dumps({"rows": records, "pages": PAGES}))


ANSWERS = [page(number) for number in range(1, PAGES + 1)]


def respond(_, request):
    return [ANSWERS[int(re.search(rb"page=(\d+)", request)[1]) - 1]]


class Scene:
    def __init__(self, checks, where, server):
        self.checks, self.where, self.server = checks, where, server
        with open(os.path.join(where, "m.yaml"), "w", encoding="utf-8") as out:
            out.write(MAPPING % ("m", server.port))
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "KEY": SECRET}

    def path(self, name):
        return os.path.join(self.where, name)

    def command(self, database, *more):
        return [INGEST, "--config", "m.yaml", "--store", f"sqlite:{database}", *more]

    def begin(self, database, *more, **options):
        return subprocess.Popen(
            self.command(database, *more),
            cwd=self.where,
            env=self.environment,
            text=True,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        )

    def is_whole(self, what, database):
        self.checks.equal(
            f"{what}: rows",
            rows(self.path(database), "select count(*), count(distinct id) from rows"),
            [(PAGES * ROWS,) * 2],
        )
        self.checks.equal(f"{what}: the file", rows(self.path(database), "pragma integrity_check"), [("ok",)])


def streams(scene):
    """R95: whichever of the three streams is closed or full, no database is opened in its place."""
    for number, words in enumerate(
        ("<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full", ">/dev/full 2>/dev/full", "| true")
    ):
        database = f"streams-{number}.db"
        script = f"{' '.join(scene.command(database, '-v'))} {words}"
        result = subprocess.run(
            ["bash", "-c", script],
            cwd=scene.where,
            env=scene.environment,
            timeout=60,
            check=False,
            capture_output=True,
        )
        scene.checks.expect(f"R95 {words}: exit code 0 or 1", result.returncode in (0, 1), f"{result}")
        scene.is_whole(f"R95 {words}", database)
        with open(scene.path(database), "rb") as file:
            scene.checks.expect(f"R95 {words}: it is a database", file.read(15) == b"SQLite format 3")


def memory(scene):
    """R137, R151: 96 MB hold a page of many records, and what is refused is refused with a word."""
    count = 300000
    with open(scene.path("large.json"), "w", encoding="utf-8") as out:
        out.write(
            '{"rows": [{"id": 0}' + "".join(f', {{"id": {n}, "text": "{n:0100d}"}}' for n in range(1, count)) + "]}"
        )
    for what, command in (
        ("a file of 40 MB", [INGEST, "load", "large.json", "--config", "m.yaml", "--store", "sqlite:large.db"]),
    ):
        process = subprocess.Popen(command, cwd=scene.where, env=scene.environment, stdout=subprocess.DEVNULL)
        most = 0
        while process.poll() is None:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                most = max([most] + [int(line.split()[1]) for line in status if line.startswith("VmHWM:")])
            time.sleep(0.02)
        scene.checks.equal(f"R151 {what}: exit code", process.returncode, 0)
        scene.checks.expect(f"R151 {what}: at most 96 MB of memory", 0 < most < 96 << 10, f"{most} KiB")
        scene.checks.equal(
            f"R151 {what}: rows", rows(scene.path("large.db"), "select count(*) from rows"), [(count,)]
        )


def crashes(scene):
    """R89, S21: a run that crashes says no secret and leaves no file of its memory."""
    inner = scene.path("crash")
    os.mkdir(inner)
    hung = threading.Event()

    def hang(number, request):
        hung.set()
        return [HANG]

    scene.server.respond = hang
    said = scene.path("crash.out")
    with open(said, "wb") as out:
        process = subprocess.Popen(
            [INGEST, "--config", "../m.yaml", "--store", "sqlite:c.db"],
            cwd=inner,
            stdout=out,
            stderr=out,
            start_new_session=True,
            env={**scene.environment, "SWIFT_BACKTRACE": "enable=yes,interactive=no"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30)),
        )
    hung.wait(20)
    with open(f"/proc/{process.pid}/limits", encoding="ascii") as limits:
        core = next(line.split()[4] for line in limits if line.startswith("Max core file size"))
    scene.checks.equal("R89: how large a file of its memory may be", core, "0")
    process.send_signal(signal.SIGABRT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=20)
    # What writes the trace may outlive the process.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    scene.server.respond = respond
    scene.checks.expect("R89: it crashed", process.wait() < 0, process.returncode)
    with open(said, "rb") as out:
        errors = out.read()
    scene.checks.expect("R89: no secret is said", not holds_secret(errors), errors[-2000:])
    left = [name for name in os.listdir(inner) if not name.startswith("c.db")]
    scene.checks.equal("R89: files that are left", left, [])


def stops(scene, count=25):
    """R93: SIGTERM at any moment ends a run within 2 s; the next run brings the rest."""
    chance = random.Random(7)
    stopped, slowest = 0, 0.0

    def slower(number, request):
        return [chance.choice([0.0, 0.02, 0.05]), *respond(number, request)]

    for number in range(count):
        database = f"stop-{number}.db"
        scene.server.respond = slower
        process = scene.begin(database)
        time.sleep(chance.uniform(0.0, 0.5))
        began = time.monotonic()
        process.send_signal(chance.choice([signal.SIGTERM, signal.SIGINT]))
        _, errors = process.communicate(timeout=60)
        slowest = max(slowest, time.monotonic() - began)
        stopped += process.returncode in (130, -signal.SIGTERM, -signal.SIGINT)
        scene.checks.expect(
            f"R93 stop {number}: exit code 130 or 0",
            process.returncode in (130, 0, -signal.SIGTERM, -signal.SIGINT),
            f"{process.returncode} {errors}",
        )
        scene.server.respond = respond
        after = subprocess.run(
            scene.command(database), cwd=scene.where, env=scene.environment, capture_output=True, check=False
        )
        scene.checks.equal(f"R93 stop {number}: the next run", after.returncode, 0)
        scene.is_whole(f"R93 stop {number}", database)
    scene.checks.expect("R93: each stop within 2 s", slowest < 2, slowest)
    scene.checks.expect("R93: most runs were stopped", stopped * 2 > count, stopped)


def stops_while_it_waits(scene):
    """R93: a server that says nothing does not keep a run from its end."""
    for steps in ([HANG], [b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", HANG]):
        asked = threading.Event()

        def hang(number, request, steps=steps, asked=asked):
            asked.set()
            return steps

        scene.server.respond = hang
        process = scene.begin("waits.db")
        asked.wait(20)
        time.sleep(0.3)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=4)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        scene.checks.equal("R93 while it waits: exit code", process.returncode, 130)
        scene.checks.expect("R93 while it waits: within 2 s", time.monotonic() - began < 2)
        scene.server.respond = respond


def renamed(scene):
    """R94, R149: what takes a file's name has been written to the disk before."""
    if not shutil.which("strace"):
        scene.checks.skip("R94: strace is not installed")
        return
    trace = scene.path("trace")
    for what, command in {
        "recorded answers": ["record", "answers", "--config", "m.yaml", "--store", "sqlite:renamed.db"],
        "expectations": ["test", "--update", "t.yaml"],
    }.items():
        with open(scene.path("t.yaml"), "w", encoding="utf-8") as out:
            out.write(
                MAPPING % ("t", scene.server.port)
                + (
                    "tests:\n  - name: one\n    endpoint: rows\n    body: {rows: [{id: 1}], pages: 1}\n"
                    "    expect: {rows: [{id: 2}]}\n"
                )
            )
        subprocess.run(
            [
                "strace",
                "-f",
                "-y",
                "-qq",
                "-o",
                trace,
                "-e",
                "trace=write,fsync,rename,renameat,renameat2,close",
                INGEST,
                *command,
            ],
            cwd=scene.where,
            env=scene.environment,
            capture_output=True,
            check=False,
            timeout=120,
        )
        synced, renames, unsynced = set(), 0, []
        with open(trace, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                called = re.search(r" (write|fsync)\(\d+<([^>]*)>", line)
                if called:
                    (synced.add if called[1] == "fsync" else synced.discard)(os.path.basename(called[2]))
                named = re.search(r' rename(?:at2?)?\((?:AT_FDCWD, )?"([^"]*)"', line)
                if named:
                    renames += 1
                    unsynced += [] if os.path.basename(named[1]) in synced else [named[1]]
        scene.checks.expect(f"R94 {what}: files were renamed", renames > 0)
        scene.checks.equal(f"R94 {what}: files that were renamed before they were on the disk", unsynced, [])


# Too old, or not all there.
LIBRARIES = {
    "7.74.0": 'struct info { int age; const char *version; unsigned number; } held = {0, "7.74.0", 0x074A00};\n'
    "#define FUNCTION(name) void *name(void) { return &held; }\n%s",
    "it has no": "void curl_nothing(void) {}\n",
}


def old_library(scene):
    """R90, S23: a libcurl that is too old is refused, before anything is sent."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        scene.checks.skip("R90: there is no C compiler")
        return
    with open(os.path.join(ROOT, "Sources", "CCurl", "curl.c"), encoding="utf-8") as source:
        functions = sorted(set(re.findall(r"\bcurl_[a-z_]+", source.read())))
    for words, code in LIBRARIES.items():
        place = scene.path(f"library-{len(words)}")
        os.mkdir(place)
        with open(os.path.join(place, "stub.c"), "w", encoding="utf-8") as out:
            out.write(code % "".join(f"FUNCTION({name})\n" for name in functions) if "%s" in code else code)
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-w", "-o", "libcurl.so.4", "stub.c"], cwd=place, check=True, timeout=60
        )
        scene.server.heads = []
        result = subprocess.run(
            scene.command("old.db"),
            cwd=scene.where,
            env={**scene.environment, "LD_LIBRARY_PATH": place},
            timeout=60,
            capture_output=True,
            text=True,
            check=False,
        )
        scene.checks.equal(f"R90 {words}: exit code", result.returncode, 1)
        scene.checks.expect(
            f"R90 {words}: it is said", words in result.stderr and "7.85" in result.stderr, result.stderr
        )
        scene.checks.equal(f"R90 {words}: requests", scene.server.heads, [])


# Preloaded: a second after the start of the program the time of day is another, by JUMP seconds; the monotonic clock is
# left alone.
CLOCK = """\
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long start;
static long elapsed(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
__attribute__((constructor)) static void begin(void) { start = elapsed(); }
static long jump(void) { return elapsed() - start < 1000 ? 0 : atol(getenv("JUMP")); }
int clock_gettime(clockid_t which, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, which, now);
  if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) now->tv_sec += jump();
  return result;
}
int gettimeofday(struct timeval *now, void *zone) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
  return 0;
}
time_t time(time_t *into) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (into) *into = exact.tv_sec;
  return exact.tv_sec;
}
"""
DAY = 86400


def clock_jumps(scene):
    """R28: a wait is as long as it was to be, though the time of day jumps while it lasts."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        scene.checks.skip("R28: there is no C compiler")
        return
    with open(scene.path("clock.c"), "w", encoding="utf-8") as out:
        out.write(CLOCK)
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", "clock.so", "clock.c"], cwd=scene.where, check=True, timeout=60
    )
    busy = whole("{}", "Retry-After: 3", status="429 Too Many")
    for jump in (DAY, -DAY):
        times = []

        def respond_late(number, request, times=times):
            times.append(time.monotonic())
            return [busy] if number == 2 else respond(number, request)

        scene.server.heads, scene.server.respond = [], respond_late
        database = f"clock{jump}.db"
        environment = {**scene.environment, "LD_PRELOAD": scene.path("clock.so"), "JUMP": str(jump)}
        result = subprocess.run(
            scene.command(database, "--deadline", "60s"),
            cwd=scene.where,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        what = f"R28 {jump:+} s"
        scene.checks.expect(f"{what}: exit code 0", result.returncode == 0, result.stderr)
        waited = times[2] - times[1] if len(times) > 2 else 0
        scene.checks.expect(f"{what}: it waits 3 s", 2.9 < waited < 6, f"{waited:.2f} s")
        scene.checks.equal(f"{what}: requests", len(times), PAGES + 1)
        scene.is_whole(what, database)
        ((began, ended),) = rows(
            scene.path(database),
            "select unixepoch(started_at), unixepoch(finished_at) from _ingest_runs",
        )
        moved = isinstance(ended, int) and abs(ended - began - jump) < 60
        scene.checks.expect(f"{what}: the time of day was another", moved, (began, ended))
    scene.server.respond = respond


def stopped_and_continued(scene):
    """R142: a run that was stopped for a while is still the holder: nobody comes between its pages."""
    gate = threading.Event()

    def gated(number, request):
        if b"page=5" in request:
            gate.set()
            time.sleep(0.5)
        return respond(number, request)

    scene.server.respond = gated
    process = scene.begin("zombie.db")
    gate.wait(20)
    process.send_signal(signal.SIGSTOP)
    second = subprocess.run(
        scene.command("zombie.db"),
        cwd=scene.where,
        env=scene.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    scene.checks.equal("R142: the second run's exit code", second.returncode, 1)
    scene.checks.expect("R142: it says who holds the source", str(process.pid) in second.stderr, second.stderr)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    scene.server.respond = respond
    scene.checks.equal(
        "R142: the first run's exit code", (process.returncode, errors if process.returncode else ""), (0, "")
    )
    scene.is_whole("R142", "zombie.db")


PARTS = {
    part.__name__: scened(part, Scene, respond)
    for part in (
        streams,
        memory,
        crashes,
        stops,
        stops_while_it_waits,
        renamed,
        old_library,
        clock_jumps,
        stopped_and_continued,
    )
}
