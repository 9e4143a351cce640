"""Runs that are cut, and the runs that continue them."""
import contextlib
import os
import re
import shutil
import subprocess
import time

import changing
import compare
from checks import INGEST, rows
from mapping import mapping

SIZE = 4
# Where a page is a number, the page before the missing one is asked for again: rows may have moved.
AGAIN = {"page": 1, "offset": 1}
ENVIRONMENT = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}


class Scene:
    """An API, and two states that a run of it can begin with: nothing, and what a run before the API changed has left.

    Its pages: boats, the trips of each, events, and, where no page is asked for twice, readings without a key, in which
    a page that is stored twice would show. A row's column `page` tells from which page it came.
    """

    def __init__(self, where, server, api, boats=10, trips=17, others=16, **options):
        self.where, self.server, self.api, self.others = where, server, api, others
        self.name = "-".join([api.kind, str(boats), *map(str, options.values())])
        for _ in range(boats):
            api.add_boat()
        for boat in api.boats:
            for _ in range(trips):
                api.tick()
                api.add_trip(boat)
        for _ in range(others):
            api.add_reading()
        self.add_events()
        with open(os.path.join(where, f"{self.name}.yaml"), "w", encoding="utf-8") as out:
            out.write(mapping(
                server.url, api.kind, api.size, pages=True, readings=api.kind not in AGAIN, **options))
        self.start = None

    def add_events(self):
        for _ in range(self.others):
            self.api.tick()
            self.api.add_event()

    def move_on(self):
        """From now on runs begin with what the first one left, and every trip has changed."""
        self.start = self.database("start")
        place(self.database("whole"), self.start)
        for trip in self.api.trips.values():
            self.api.tick()
            trip.update(updated_at=self.api.now, version=trip["version"] + 1)
        self.add_events()
        self.api.generation += 1

    # MARK: runs

    def database(self, name):
        return os.path.join(self.where, f"{self.name}-{name}.db")

    def command(self, database):
        return [INGEST, "--config", f"{self.name}.yaml", "--store", f"sqlite:{database}"]

    def begin(self, database, before=()):
        """`before`: a command that runs this one, such as strace."""
        return subprocess.Popen(
            [*before, *self.command(database)], cwd=self.where, env=ENVIRONMENT, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, errors="replace")

    def run(self, checks, what, database):
        """Runs to the end."""
        process = self.begin(database)
        try:
            _, errors = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            _, errors = process.communicate()
        checks.expect(f"{what} exits with 0", process.returncode == 0, f"exit {process.returncode}\n{errors}")

    def whole(self, checks):
        """What a run does that nothing cuts: its time, its requests, its tables, and the next run's requests."""
        database = self.database("whole")
        place(self.start, database)
        self.server.forget()
        began = time.monotonic()
        self.run(checks, f"{self.name}: a run that nothing cuts", database)
        self.took = time.monotonic() - began
        self.requests = self.asked()
        self.tables = compare.dump(database)
        place(database, self.database("after"))
        self.run(checks, f"{self.name}: the run after it", self.database("after"))
        self.next_requests = sorted(self.asked())
        checks.expect(f"{self.name}: every page is asked for once", len(set(self.requests)) == len(self.requests))

    def asked(self):
        return [f"{self.api.generation} {request.target}" for request in self.server.forget()]

    def stored(self, database):
        """The pages of which rows are stored."""
        tables = compare.dump(database) if os.path.exists(database) else {}
        pattern = re.compile(rf"{self.api.generation} /")
        return {
            value for held in tables.values() for row in held for value in row
            if isinstance(value, str) and pattern.match(value)}

    def has_ended(self, database):
        """Has a run ended since the start?"""
        before = self.runs(self.start) if self.start else 0
        return self.runs(database, "where status <> 'running'") > before

    def runs(self, database, where=""):
        count = rows(database, f"select count(*) from _ingest_runs {where}")[0][0]
        return count if isinstance(count, int) else 0

    # MARK: one run that is cut, and its end

    def cut(self, checks, what, cuts):
        """Begins a run, cuts it as each of `cuts` does, and lets the next one end. Was there anything to cut?"""
        database = self.database("cut")
        place(self.start, database)
        self.server.forget()
        for cut in cuts:
            held = self.stored(database)
            cut(self, database)
            self.server.settle()
            checks.equal(f"{what}: the store after the cut", compare.faults(database), [])
            self.not_again(checks, what, held, self.asked())
            if self.has_ended(database):
                return False
        held = self.stored(database)
        self.run(checks, f"{what}: the next run", database)
        asked = self.asked()
        self.not_again(checks, what, held, asked)
        lacking = set(self.requests) - held - set(asked)
        # A page without rows leaves none, so it may have been stored too.
        checks.equal(f"{what}: pages that were not asked for", [page for page in lacking if self.has_rows(page)], [])
        self.equal(checks, what, database)
        return True

    def has_rows(self, page):
        return any(page in row for held in self.tables.values() for row in held)

    def not_again(self, checks, what, held, asked):
        again = [page for page in asked if page in held]
        checks.expect(f"{what}: no page is asked for again that is stored", len(again) <= AGAIN.get(self.api.kind, 0),
                      f"{again}")
        checks.equal(f"{what}: no page is asked for twice", len(asked), len(set(asked)))

    def equal(self, checks, what, database):
        """The tables are those of a run that was never cut, and so are the cursors: the next run asks for the same."""
        tables = compare.dump(database)
        for table, wanted in self.tables.items():
            held = tables.get(table, [])
            checks.expect(
                f"{what}: {table} is as if nothing had been cut", held == wanted,
                f"{len(held)} rows, {len(wanted)} are right; differing: {sorted(set(held) ^ set(wanted))[:4]}")
        checks.equal(f"{what}: the store", compare.faults(database), [])
        self.run(checks, f"{what}: the run after it", database)
        checks.equal(f"{what}: what the run after it asks for", sorted(self.asked()), self.next_requests)


def place(source, target):
    """Copies a database with its journal; None: there is none."""
    for ending in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(target + ending)
        if source and os.path.exists(source + ending):
            shutil.copy(source + ending, target + ending)


def scene_api(kind, seed):
    return changing.ChangingAPI(seed, size=SIZE, kind=kind)
