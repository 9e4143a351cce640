"""A long run against a server that fails now and then: memory, descriptors and the write-ahead log stay as they are."""

import gzip
import json
import os
import re
import signal
import sqlite3
import subprocess
import threading
import time

from checks import INGEST, rows
from raw_server import CLOSE, RESET, head, raw, whole

MAPPING = """\
ingest: 1
source:
  name: soak
  base_url: "%s"
  concurrency: 4
  retry: {attempts: 9, backoff: constant, wait: 5ms}
  timeout: 10s
records:
  Boat: {table: boats, key: id, fields: {id: {type: integer}}}
  Trip:
    table: trips
    key: id
    fields: {id: {type: integer}, boat: {type: integer}, note: {type: text}}
    relationships: {stops: [{fields: {name: {from: ., type: text}}}]}
endpoints:
  boats: {path: /boats, fetch: false, records: {boats: Boat}}
  trips:
    path: /boats/:boat/trips
    for_each: {record: Boat, bind: {boat: id}}
    records: {rows: Trip}
    paginate: {by: cursor, param: cursor, from: next}
"""
BOATS, PAGES, ROWS, TRIPS = 400000, 3, 15, 40000
# The tables soon hold more than the 32 MB that a run keeps of them in memory: what grows then is something else.
NOTE = "x" * 1200
# Of so many requests one fails so.
FAULTS = {17: "busy", 23: "reset", 29: "cut", 31: "wait", 37: "packed", 41: "refused", 43: "slow"}
# Seconds before an answer: the number of requests is that of a service, not of this machine.
PACE = 0.003
# What memory may grow by in ten minutes, after the first third of the time, and be at most; and the log.
GROWTH, MOST, LOG = 1 << 20, 96 << 20, 64 << 20


class Server:
    """Page after page; no row is new for ever, so that the tables do not grow."""

    def __init__(self):
        self.requests, self.failed = 0, 0

    def page(self, request):
        boat = int(re.search(rb"/boats/(\d+)/", request)[1])
        at = re.search(rb"cursor=(\d+)", request)
        number = int(at[1]) if at else 0
        first = (boat * PAGES + number) * ROWS
        records = [
            {"id": (first + n) % TRIPS, "boat": boat, "note": f"{first + n} {NOTE}", "stops": ["a", "b"][:n % 3]}
            for n in range(ROWS)]
        return json.dumps({"rows": records, "next": number + 1 if number + 1 < PAGES else None})

    def __call__(self, _, request):
        self.requests += 1
        count = self.requests
        body = self.page(request)
        fault = next((name for every, name in FAULTS.items() if count % every == 0), None)
        self.failed += fault is not None and fault != "slow"
        data = body.encode()
        return {
            None: [PACE, whole(body)],
            "busy": [whole('{"message": "busy"}', status="503 Busy")],
            "reset": [whole(body)[:200], RESET],
            "cut": [head(f"Content-Length: {len(data)}") + data[:len(data) // 2], CLOSE],
            "wait": [whole("{}", "Retry-After: 0", status="429 Too Many")],
            "packed": [whole(gzip.compress(data)[:-9], "Content-Encoding: gzip")],
            "refused": [CLOSE],
            "slow": [0.05, whole(body)],
        }[fault]


def measure(process, database):
    """(memory in bytes, descriptors, bytes of the log)"""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        memory = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmRSS:"))
    log = os.path.getsize(database + "-wal") if os.path.exists(database + "-wal") else 0
    return memory, len(os.listdir(f"/proc/{process.pid}/fd")), log


def reads(database, ended, counts):
    """Somebody who looks into the tables all the while."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=20)
    while not ended.wait(0.25):
        counts.append(connection.execute("select count(*), count(distinct boat) from trips").fetchone())
    connection.close()


def slope(samples):
    """Bytes in ten minutes, by least squares over (seconds, bytes)."""
    middle = sum(second for second, _ in samples) / len(samples)
    mean = sum(value for _, value in samples) / len(samples)
    spread = sum((second - middle) ** 2 for second, _ in samples)
    return sum((second - middle) * (value - mean) for second, value in samples) / spread * 600


def check(checks, where, given):
    seconds = 60 * (given.minutes or (0.25 if given.quick else 10))
    database = os.path.join(where, "soak.db")
    with open(os.path.join(where, "boats.json"), "w", encoding="utf-8") as out:
        json.dump({"boats": [{"id": number} for number in range(BOATS)]}, out)
    server = Server()
    with raw(server) as listener:
        with open(os.path.join(where, "soak.yaml"), "w", encoding="utf-8") as out:
            out.write(MAPPING % listener.url)
        checks.run(
            "load", "boats.json", "--endpoint", "boats", "--config", "soak.yaml", "--store", "sqlite:soak.db", cwd=where
        )
        with open(os.path.join(where, "said"), "w", encoding="utf-8") as said:
            process = subprocess.Popen(
                [INGEST, "run", "soak.yaml", "--store", "sqlite:soak.db", "-q"], cwd=where, stdout=said, stderr=said,
                env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        ended, counts, samples = threading.Event(), [], []
        began = time.monotonic()
        while not rows(database, "select count(*) > 0 from trips") == [(1,)] and time.monotonic() - began < 30:
            time.sleep(0.2)
        reader = threading.Thread(target=reads, args=(database, ended, counts), daemon=True)
        reader.start()
        while time.monotonic() - began < seconds and process.poll() is None:
            time.sleep(0.5)
            if process.poll() is None:
                samples.append((time.monotonic() - began, *measure(process, database)))
            # A list of all requests would be this script's own leak.
            del listener.heads[:-1]
        checks.equal("soak: it goes on", process.poll(), None)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
        ended.set()
        reader.join()
    with open(os.path.join(where, "said"), encoding="utf-8") as said:
        words = said.read()
    ended_well = process.returncode == 130
    checks.expect("soak: it ends when it is asked to", ended_well, f"{process.returncode} {words[-800:]}")
    checks.expect("soak: the reader was served", len(counts) > seconds, len(counts))
    checks.equal("soak: the file", rows(database, "pragma integrity_check"), [("ok",)])
    checks.equal("soak: counts that do not add up", rows(
        database, "select * from _ingest_counts where received is not"
        " inserted + updated + unchanged + deleted + skipped + filtered + rejected"), [])
    tried = rows(database, "select count(*) from _ingest_errors where action = 'retry'")[0][0]
    checks.expect("soak: faults were met, and tried again", tried > seconds, tried)
    judge(checks, samples, seconds)
    received = rows(database, "select sum(received) from _ingest_counts")[0][0]
    print(f"soak: {server.requests} requests, {server.failed} of them failed, {received} records in {seconds:.0f} s")


def judge(checks, samples, seconds):
    late = [sample for sample in samples if sample[0] > seconds / 3]
    if not checks.expect("soak: it was measured", len(late) > 10, len(samples)):
        return
    memory, files, logs = ([(sample[0], sample[place]) for sample in late] for place in (1, 2, 3))
    most = max(value for _, value in memory)
    checks.expect("soak: memory", most < MOST, f"{most >> 20} MB")
    grown = slope(memory)
    if seconds >= 300:
        checks.expect("soak: memory does not grow", grown <= GROWTH, f"{grown / (1 << 20):.2f} MB in 10 minutes")
    # Connections come and go.
    open_files = sorted(value for _, value in files)
    checks.expect("soak: descriptors", open_files[-1] - open_files[0] <= 8 and open_files[-1] < 64, open_files[::20])
    half = len(open_files) // 2
    early, last = (sum(value for _, value in part) / len(part) for part in (files[:half], files[half:]))
    checks.expect("soak: descriptors do not grow", last - early < 1, f"{early:.1f}, then {last:.1f}")
    largest = max(value for _, value in logs)
    checks.expect("soak: the write-ahead log", largest <= LOG, f"{largest >> 20} MB")
    minutes = [f"{value / (1 << 20):.1f}" for _, value in memory[:: max(1, len(memory) // 10)]]
    print(f"soak: memory, one after the other: {' '.join(minutes)} MB")
    print(f"soak: memory at most {most >> 20} MB, {grown / (1 << 20):+.2f} MB in 10 minutes; {open_files[0]} to"
          f" {open_files[-1]} descriptors; a log of {largest / (1 << 20):.1f} MB at most")
