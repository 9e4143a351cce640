"""Many processes on one database: sources side by side, readers, one source twice, and what the dead hold."""

import os
import signal
import sqlite3
import subprocess
import threading
import time

from checks import INGEST, ingest, rows
from server import answer, serving

PROCESSES, READERS, TURNS, PAGES, ROWS = 16, 4, 3, 5, 20
MAPPING = """\
ingest: 1
source: {name: %(name)s, base_url: "%(url)s", retry: {attempts: 1}}
records:
  Row%(name)s:
    table: %(name)s
    key: id
    fields: {id: {type: integer}, run: {from: $root.run, type: integer}}
endpoints:
  rows:
    path: /%(name)s
    records: {rows: Row%(name)s}
    paginate: {by: page, param: page, start: 1, total_pages: pages}
"""


def respond(request):
    page = int(request.query["page"])
    return answer({"run": 1, "pages": PAGES, "rows": [{"id": page * 100 + n} for n in range(ROWS)]})


class Crowd:
    def __init__(self, checks, where, server):
        self.checks, self.where, self.server = checks, where, server
        self.database = os.path.join(where, "crowd.db")

    def mapping(self, name):
        with open(os.path.join(self.where, f"{name}.yaml"), "w", encoding="utf-8") as out:
            out.write(MAPPING % {"name": name, "url": self.server.url})

    def begin(self, name, *more):
        return subprocess.Popen(
            [INGEST, "--config", f"{name}.yaml", "--store", f"sqlite:{self.database}", *more],
            cwd=self.where,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, process, what, code=0):
        out, errors = process.communicate(timeout=300)
        self.checks.expect(
            f"crowd: {what}: exit code {code}", process.returncode == code, f"{process.returncode}\n{out}{errors}"
        )
        return out + errors


def check(checks, where, options):
    with serving(respond) as server:
        crowd = Crowd(checks, where, server)
        side_by_side(crowd, options.full)
        one_source_twice(crowd)
        the_dead_hold_nothing(crowd)


def side_by_side(crowd, full):
    """Each process has a source and a table; what readers see is a whole number of pages, and never an error."""
    names = [f"s{number}" for number in range(PROCESSES)]
    for name in names:
        crowd.mapping(name)
    torn, reads, done = [], [0], threading.Event()

    def read():
        while not done.is_set():
            for name in names:
                ((count,),) = rows(crowd.database, f"select count(*) from {name}") or [(0,)]
                reads[0] += 1
                # Before the first run there is no table, and no file.
                if not (
                    str(count).startswith(("OperationalError: no such table", "no database"))
                    or isinstance(count, int)
                    and count % ROWS == 0
                ):
                    torn.append(count)

    readers = [threading.Thread(target=read, daemon=True) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    for turn in range(10 if full else TURNS):
        for process in [crowd.begin(name) for name in names]:
            crowd.end(process, f"side by side, turn {turn}")
    done.set()
    for reader in readers:
        reader.join()
    crowd.checks.equal("crowd: what readers saw of a page in part", torn[:3], [])
    crowd.checks.expect("crowd: readers have read", reads[0] > 100, reads[0])
    for name in names:
        crowd.checks.equal(
            f"crowd: rows of {name}",
            rows(crowd.database, f"select count(*), min(id), max(id) from {name}"),
            [(PAGES * ROWS, 100, PAGES * 100 + ROWS - 1)],
        )
    crowd.checks.equal(
        "crowd: runs",
        rows(crowd.database, "select status, count(*) from _ingest_runs group by 1"),
        [("done", PROCESSES * (10 if full else TURNS))],
    )
    crowd.checks.equal(
        "crowd: counts",
        rows(crowd.database, "select sum(received), sum(inserted), sum(unchanged) from _ingest_counts"),
        [
            (
                PROCESSES * PAGES * ROWS * (10 if full else TURNS),
                PROCESSES * PAGES * ROWS,
                PROCESSES * PAGES * ROWS * ((10 if full else TURNS) - 1),
            )
        ],
    )
    crowd.checks.equal("crowd: the store", rows(crowd.database, "pragma integrity_check"), [("ok",)])


def held(crowd, then):
    """Does something while a run of the source `one` waits for its second page."""
    crowd.mapping("one")
    gate, asked = threading.Event(), threading.Event()

    def gated(request):
        if request.query["page"] == "2" and not asked.is_set():
            asked.set()
            # Others are answered meanwhile.
            crowd.server.lock.release()
            gate.wait(60)
            crowd.server.lock.acquire()
        return respond(request)

    crowd.server.respond = gated
    process = crowd.begin("one")
    crowd.checks.expect("crowd: the first run is under way", asked.wait(30))
    try:
        then(process, gate)
    finally:
        gate.set()
        crowd.server.respond = respond
    return process


def one_source_twice(crowd):
    """The second run says who holds the source, or waits for it."""

    def then(process, gate):
        second = crowd.end(crowd.begin("one"), "a second run of one source", 1)
        crowd.checks.expect(
            "crowd: it says who holds the source", f"process {process.pid}" in second and "--wait" in second, second
        )
        waiting = crowd.begin("one", "--wait")
        time.sleep(0.7)
        crowd.checks.equal("crowd: with --wait it waits", waiting.poll(), None)
        began = time.monotonic()
        gate.set()
        crowd.end(process, "the first run")
        crowd.end(waiting, "the run that waited")
        crowd.checks.expect("crowd: it goes on soon", time.monotonic() - began < 5)

    held(crowd, then)
    crowd.checks.equal("crowd: rows of both", rows(crowd.database, "select count(*) from one"), [(PAGES * ROWS,)])


def the_dead_hold_nothing(crowd):
    """A killed run's hold is void, also when its number has been given to another process."""

    def then(process, gate):
        process.send_signal(signal.SIGKILL)
        process.communicate()
        gate.set()

    held(crowd, then)
    crowd.checks.equal(
        "crowd: the dead run's hold is still written",
        rows(crowd.database, "select count(*) from _ingest_state where name = 'lock'"),
        [(1,)],
    )
    crowd.end(crowd.begin("one"), "the run after a dead one")

    # The number of a process that lives, and began at another time.
    def forge(process, gate):
        ((text,),) = rows(crowd.database, "select value from _ingest_state where name = 'lock'")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        connection = sqlite3.connect(crowd.database)
        connection.execute(
            "update _ingest_state set value = ? where name = 'lock'",
            (text.replace(str(process.pid), str(os.getpid())),),
        )
        connection.commit()
        connection.close()
        gate.set()

    held(crowd, forge)
    crowd.end(crowd.begin("one"), "the run after a dead one whose number lives on")
    result = ingest("status", "--config", "one.yaml", "--store", f"sqlite:{crowd.database}", cwd=crowd.where)
    crowd.checks.equal("crowd: status", result.returncode, 0)
