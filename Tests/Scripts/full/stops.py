"""SIGTERM and SIGINT, in whatever a command is doing: it ends within 2 s, and the next run brings the rest (R93)."""

import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import threading
import time

from checks import INGEST, rows
from raw_server import HANG, RawServer, head, whole

LIMIT = 2.0
MAPPING = """\
ingest: 1
source: {name: stops, base_url: "%s", timeout: 60s, retry: {attempts: 3, backoff: constant, wait: 60s}%s}
records:
  Row:
    table: rows
    key: id
    sweep: {max_delete: 100%%}
    fields: {id: {type: integer}, text: {type: %s}, more: {from: $root.none%s}}
endpoints:
  rows: {path: /rows, records: {rows: Row}, paginate: {by: page, param: page, start: 1, total_pages: pages}}
"""
MANY = 400000
DONE = {"rows": [{"id": 1, "text": "1"}], "pages": 1}


def page(count, pages=1):
    return '{"pages": %d, "rows": [%s]}' % (
        pages, ", ".join('{"id": %d, "text": "%d"}' % (n, n * 7919 % 1000003) for n in range(count)))


class Scene:
    """One thing that a command is doing when the signal comes."""

    def __init__(self, where, server, large):
        self.where, self.server, self.large = where, server, large
        self.reached = threading.Event()

    def write(self, url=None, more="", kind="text", index=""):
        with open(os.path.join(self.where, "stops.yaml"), "w", encoding="utf-8") as out:
            out.write(MAPPING % (url or self.server.url, more, kind, index))

    def answers(self, *steps):
        def respond(number, _):
            if number >= len(steps):
                self.reached.set()
            return steps[min(number, len(steps)) - 1]

        self.server.heads, self.server.respond = [], respond

    def fill(self):
        """A database that holds MANY rows, made once."""
        path = os.path.join(self.where, "filled.db")
        if not os.path.exists(path):
            self.write()
            subprocess.run(
                [INGEST, "load", self.large, "--config", "stops.yaml", "--store", f"sqlite:{path}"],
                cwd=self.where, check=True, capture_output=True)
            connection = sqlite3.connect(path)
            connection.execute("pragma journal_mode = delete")
            connection.close()
        target = self.database()
        with open(path, "rb") as source, open(target, "wb") as out:
            out.write(source.read())

    def database(self):
        return os.path.join(self.where, "stops.db")

    RUN = ("run", "stops.yaml", "--store", "sqlite:stops.db")

    # MARK: what a command is doing. Each gives its arguments; `reached` is set when it has come there.

    def connects(self):
        """Nobody takes the connection: the queue of those that wait is full."""
        self.full = socket.socket()
        self.full.bind(("127.0.0.1", 0))
        self.full.listen(0)
        self.others = []
        for _ in range(4):
            other = socket.socket()
            other.setblocking(False)
            other.connect_ex(self.full.getsockname())
            self.others.append(other)
        self.write(f"http://127.0.0.1:{self.full.getsockname()[1]}")
        self.reached.set()
        return self.RUN

    def agrees_on_tls(self):
        self.answers([HANG])
        self.server.read_head = lambda connection: self.reached.set() or RawServer.read_head(connection)
        self.write(self.server.url.replace("http:", "https:"))
        return self.RUN

    def waits_for_an_answer(self):
        self.answers([HANG])
        self.write()
        return self.RUN

    def waits_within_a_body(self):
        self.answers([head("Content-Length: 99999") + b'{"rows": [', HANG])
        self.write()
        return self.RUN

    def reads_a_slow_body(self):
        def drip():
            yield head("Content-Length: 99999") + b'{"rows": ['
            while True:
                yield b" "
                yield 0.05

        self.answers(drip())
        self.write()
        return self.RUN

    def waits_to_try_again(self):
        self.answers([whole("{}", status="503 Busy")])
        self.write()
        return self.RUN

    def waits_as_it_is_told(self):
        self.answers([whole("{}", "Retry-After: 50", status="429 Too Many")])
        self.write()
        return self.RUN

    def keeps_to_a_rate(self):
        self.answers([whole(page(1, pages=9))])
        self.write(more=", rate_limit: 1/min")
        return self.RUN

    def waits_for_another_run(self):
        self.answers([HANG])
        self.write()
        self.holder = self.start(*self.RUN)
        self.reached.wait(20)
        return (*self.RUN, "--wait")

    def waits_for_another_writer(self):
        self.answers([whole(json.dumps(DONE))])
        self.write()
        subprocess.run([INGEST, *self.RUN], cwd=self.where, check=True, capture_output=True)
        self.writer = sqlite3.connect(self.database(), isolation_level=None, check_same_thread=False)
        self.writer.execute("begin immediate")
        self.reached.set()
        return self.RUN

    def stores_a_large_page(self):
        with open(self.large, "rb") as body:
            self.answers([whole(body.read())])
        self.write()
        return self.RUN

    def sweeps_many_rows(self):
        self.fill()
        self.answers([whole(json.dumps(DONE))])
        self.write()
        return self.RUN

    def changes_a_large_table(self):
        self.fill()
        self.answers([whole(json.dumps(DONE))])
        self.write(kind="integer")
        self.reached.set()
        return (*self.RUN, "--allow-loss")

    def loads_a_large_file(self):
        self.write()
        self.reached.set()
        return ("load", self.large, "--config", "stops.yaml", "--store", "sqlite:stops.db")

    def maps_a_large_file(self):
        self.write()
        self.reached.set()
        return ("map", self.large, "--config", "stops.yaml")

    def infers_from_a_large_file(self):
        self.reached.set()
        return ("infer", self.large)

    def checks_a_large_mapping(self):
        self.write()
        with open(os.path.join(self.where, "stops.yaml"), "a", encoding="utf-8") as out:
            for number in range(10000):
                out.write("  e%d: {path: /e%d, records: {rows: Row}}\n" % (number, number))
        self.reached.set()
        return ("validate", "stops.yaml")

    def prunes(self):
        self.fill()
        self.write()
        self.reached.set()
        return ("prune", "stops.yaml", "--store", "sqlite:stops.db", "--keep-runs", "0")

    # MARK: one stop

    def start(self, *arguments):
        # A file takes what is printed: nothing waits for a reader.
        with open(os.path.join(self.where, "said"), "w", encoding="utf-8") as errors:
            return subprocess.Popen(
                [INGEST, *arguments], cwd=self.where, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=errors)

    def end(self):
        for name in ("full", "writer"):
            if hasattr(self, name):
                getattr(self, name).close()
        for other in getattr(self, "others", []):
            other.close()
        if hasattr(self, "holder"):
            self.holder.kill()
            self.holder.wait()
        self.server.__dict__.pop("read_head", None)


# Those that go on until they are stopped: seconds at most before they are.
WAITING = {
    "connects": 0.2, "agrees_on_tls": 0.2, "waits_for_an_answer": 0.2, "waits_within_a_body": 0.2,
    "reads_a_slow_body": 0.3, "waits_to_try_again": 0.2, "waits_as_it_is_told": 0.2, "keeps_to_a_rate": 0.3,
    "waits_for_another_run": 0.5, "waits_for_another_writer": 0.5,
}
# Those that end by themselves, sooner on a faster machine: stopped within the time that one takes there.
WORKING = (
    "stores_a_large_page", "sweeps_many_rows", "changes_a_large_table", "loads_a_large_file", "maps_a_large_file",
    "infers_from_a_large_file", "checks_a_large_mapping",
)
PHASES = (*WAITING, *WORKING)


def clean(scene):
    for name in ("stops.db", "stops.db-wal", "stops.db-shm"):
        if os.path.exists(os.path.join(scene.where, name)):
            os.remove(os.path.join(scene.where, name))


def duration(scene, phase):
    """Seconds from where the command has come to what is to be stopped until its end."""
    clean(scene)
    process = scene.start(*getattr(scene, phase)())
    try:
        scene.reached.wait(30)
        began = time.monotonic()
        process.wait(timeout=120)
    finally:
        process.kill()
        scene.end()
    return time.monotonic() - began


def stop(checks, scene, phase, pause, number):
    """Gives how long the command took to end, and whether it was stopped."""
    clean(scene)
    process = scene.start(*getattr(scene, phase)())
    try:
        reached = scene.reached.wait(30)
        time.sleep(pause)
        began = time.monotonic()
        process.send_signal(number)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        took = time.monotonic() - began
    finally:
        scene.end()
    what = f"stops: {phase}, {signal.Signals(number).name} after {pause:.2f} s"
    checks.expect(f"{what}: it came there", reached)
    with open(os.path.join(scene.where, "said"), encoding="utf-8", errors="replace") as said:
        text = said.read()
    checks.expect(f"{what}: it ends within {LIMIT} s", took < LIMIT, f"{took:.2f} s\n{text}")
    # A command that has nothing to undo ends by the signal itself; one may also have been done just before.
    checks.expect(
        f"{what}: exit code", process.returncode in (130, 0, -number), f"{process.returncode}\n{text}")
    if os.path.exists(scene.database()):
        checks.equal(f"{what}: the file", rows(scene.database(), "pragma integrity_check"), [("ok",)])
        running = rows(scene.database(), "select count(*) from _ingest_runs where status = 'running'")
        if process.returncode == 130 and phase != "waits_for_another_run":
            is_over = running in ([(0,)], []) or "no such table" in str(running)
            checks.expect(f"{what}: no run seems to go on", is_over, running)
    return took, process.returncode != 0


def check(checks, where, given):
    # A shell's background job has it ignored, and so would what it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chance = random.Random(given.seed)
    count = given.count or (len(PHASES) if given.quick else 204)
    large = os.path.join(where, "large.json")
    with open(large, "w", encoding="utf-8") as out:
        out.write(page(MANY // 4 if given.quick else MANY))
    took, most, stopped = {phase: [] for phase in PHASES}, dict(WAITING), {phase: 0 for phase in PHASES}
    for index in range(count):
        phase = PHASES[index % len(PHASES)]
        server = RawServer(None)
        try:
            scene = Scene(where, server, large)
            if phase not in most:
                most[phase] = duration(scene, phase) * 0.8
                scene = Scene(where, server, large)
            number = chance.choice([signal.SIGTERM, signal.SIGTERM, signal.SIGINT])
            pause = chance.uniform(min(0.05, most[phase]), most[phase])
            spent, was_stopped = stop(checks, scene, phase, pause, number)
            took[phase].append(spent)
            stopped[phase] += was_stopped
        finally:
            server.close()
    for phase, times in took.items():
        print(f"stops: {phase}: {len(times)}, the slowest {max(times, default=0):.2f} s", flush=True)
    for phase in WAITING:
        checks.equal(f"stops: {phase}: each was stopped", stopped[phase], len(took[phase]))
    in_time = sum(stopped[phase] for phase in WORKING)
    checks.expect("stops: some were stopped at work", in_time or count < len(PHASES), stopped)
    slow = sum(spent >= LIMIT for times in took.values() for spent in times)
    halted = sum(stopped.values())
    print(f"stops: {count - slow} of {count} ended within {LIMIT} s; {halted} were stopped, the others were done")
