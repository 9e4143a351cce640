#!/usr/bin/env python3
"""Signals, and refusals that leave no trace, on the built binary."""
import http.server
import json
import os
import signal
import subprocess
import threading
import time

from checks import INGEST, Checks, folder, rows

MAPPING = """\
ingest: 1
source: {name: things, base_url: %s, retry: {attempts: 2, backoff: constant, wait: 60s}}
records:
  Thing: {table: things, key: id, fields: [{id: {type: integer}}]}
endpoints:
  things: {path: /things, records: {things: Thing}, paginate: {by: page, param: page, start: 1}}
%s"""
SECOND = "  others: {path: /others, records: {things: Thing}}\n"


class Server(http.server.ThreadingHTTPServer):
    """One page; the second one never ends, or is an error that asks for patience."""

    daemon_threads = True

    def __init__(self, hangs):
        self.asked = threading.Event()
        self.gone = threading.Event()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802, the name is http.server's
                first = self.path.endswith("page=1")
                data = json.dumps({"things": [{"id": 1}]} if first else {}).encode()
                if not first:
                    server.asked.set()
                if not first and hangs:
                    server.gone.wait(20)
                    return
                self.send_response(200 if first else 503)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)


def start(where, *arguments, **options):
    return subprocess.Popen(
        [INGEST, *arguments], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "SWIFT_BACKTRACE": "enable=no"}, **options)


def interrupt(checks, what, process, number):
    """Sends the signal; gives what the process said."""
    began = time.monotonic()
    process.send_signal(number)
    try:
        _, errors = process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        _, errors = process.communicate()
    checks.expect(f"{what}: it ends within 2 s", time.monotonic() - began < 2)
    checks.equal(f"{what}: exit code", process.returncode, 130)
    checks.expect(f"{what}: it says so", "interrupted: " in errors, errors)
    return errors


def while_it_fetches(checks, where):
    for hangs in (True, False):
        for number in (signal.SIGINT, signal.SIGTERM):
            what = f"{signal.Signals(number).name} while it {'waits for an answer' if hangs else 'pauses'}"
            server = Server(hangs)
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            database = os.path.join(where, f"fetch-{hangs}-{number}.db")
            try:
                write(where, "fetch.yaml", MAPPING % (f"http://127.0.0.1:{server.server_address[1]}", ""))
                process = start(where, "--config", "fetch.yaml", "--store", f"sqlite:{database}")
                checks.expect(f"{what}: the second page is asked for", server.asked.wait(20))
                time.sleep(0.3)
                interrupt(checks, what, process, number)
            finally:
                server.gone.set()
                server.shutdown()
                server.server_close()
                thread.join()
            checks.equal(f"{what}: the page before it stays", rows(database, "select id from things"), [(1,)])
            checks.equal(f"{what}: the run", rows(
                database, "select status, finished_at is not null from _ingest_runs"), [("interrupted", 1)])


def while_it_reads(checks, where):
    """A body of 200 MB, and standard input on which nothing comes."""
    write(where, "load.yaml", MAPPING % ("http://127.0.0.1:1", ""))
    with open(os.path.join(where, "large.json"), "w", encoding="utf-8") as out:
        out.write('{"things": [{"id": 0}')
        for part in range(60):
            out.write("".join(f', {{"id": {part * 100000 + n}}}' for n in range(1, 100000)))
        out.write("]}")
    for name, options in (("large.json", {}), ("-", {"stdin": subprocess.PIPE})):
        database = os.path.join(where, f"load-{len(name)}.db")
        process = start(where, "load", name, "--config", "load.yaml", "--store", f"sqlite:{database}", **options)
        for _ in range(100):
            if rows(database, "select status from _ingest_runs") == [("running",)]:
                break
            time.sleep(0.05)
        if options:
            process.stdin.write('{"things": [{"id": 1}, ')
            process.stdin.flush()
        time.sleep(0.3)
        interrupt(checks, f"SIGTERM while it reads {name}", process, signal.SIGTERM)
        checks.equal(f"{name}: nothing of the body stays", rows(database, "select count(*) from things"), [(0,)])
        checks.equal(f"{name}: the run", rows(database, "select status from _ingest_runs"), [("interrupted",)])
        checks.equal(f"{name}: the file is whole", rows(database, "pragma integrity_check"), [("ok",)])


# Endless: SQL of a sweep and of a for_each, and a jq program.
ENDLESS = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n) > 0"
WORK = f"""\
ingest: 1
source: {{name: things, base_url: "http://127.0.0.1:1"}}
records:
  Thing: {{table: things, key: id, fields: [{{id: {{type: integer}}}}], sweep: {{where: "{ENDLESS}", max_delete: 9}}}}
  Part: {{table: parts, key: id, fields: {{id: {{type: integer}}, n: {{jq: "def f: f; f"}}}}}}
endpoints:
  things: {{path: /things, records: {{.: Thing}}}}
  parts: {{path: /parts, records: {{.: Part}}}}
  each: {{path: /things/:id, records: {{.: Part}}, for_each: {{record: Thing, bind: {{id: id}}, where: "{ENDLESS}"}}}}
"""


def while_it_works(checks, where):
    """What a mapping makes last for ever: SQL in the database, a jq program."""
    write(where, "work.yaml", WORK)
    write(where, "two.json", '[{"id": 1}, {"id": 2}]')
    write(where, "one.json", '[{"id": 1}]')
    database = os.path.join(where, "work.db")
    common = ("--config", "work.yaml", "--store", f"sqlite:{database}")
    checks.run("validate", "work.yaml", cwd=where, timeout=20)
    checks.run("load", "two.json", "--endpoint", "things", *common, cwd=where)
    checks.run("plan", *common, cwd=where, timeout=20)
    for number in (signal.SIGINT, signal.SIGTERM):
        for what, *arguments in (
                ("sweeps", "load", "one.json", "--endpoint", "things"), ("reads parents", "run", "--endpoint", "each"),
                ("reads parents of a dry run", "run", "--endpoint", "each", "--dry-run"),
                ("reads parents to try", "try", "each"), ("runs jq", "load", "one.json", "--endpoint", "parts")):
            process = start(where, *arguments, *common)
            time.sleep(1)
            checks.equal(f"{what}: it runs", process.poll(), None)
            interrupt(checks, f"{signal.Signals(number).name} while it {what}", process, number)
            checks.equal(f"{what}: what was stored stays", rows(database, "select id from things"), [(1,), (2,)])
            checks.equal(f"{what}: no run goes on", rows(
                database, "select count(*) from _ingest_runs where status = 'running'"), [(0,)])
    for options in ((), ("--dry-run",)):
        began = time.monotonic()
        result = checks.run(
            "run", "--endpoint", "each", "--deadline", "1s", *options, *common, cwd=where, exit_code=1, timeout=20)
        checks.expect("the deadline ends it", time.monotonic() - began < 3)
        checks.expect("the deadline is named", "the deadline of 1 s has passed" in result.stderr, result.stderr)


def while_nobody_writes(checks, where):
    """A pipe that is named as a file: whoever reads it waits for who writes, and answers a signal."""
    write(where, "load.yaml", MAPPING % ("http://127.0.0.1:1", ""))
    for name in ("pipe.json", "pipe.json.gz", "pipe.ndjson"):
        os.mkfifo(os.path.join(where, name))
        for arguments in (("load", "--config", "load.yaml"), ("map", "--config", "load.yaml"), ("infer",),
                          ("import", "openapi")):
            for times in (1, 2):
                what = f"{arguments[0]} {name}, {times} SIGINT"
                process = start(where, *arguments, name)
                time.sleep(0.4)
                checks.equal(f"{what}: it waits", process.poll(), None)
                if times == 1:
                    interrupt(checks, what, process, signal.SIGINT)
                    continue
                process.send_signal(signal.SIGINT)
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=10)
                checks.expect(f"{what}: exit code", process.returncode in (130, -signal.SIGINT), process.returncode)


def usage_leaves_no_trace(checks, where):
    write(where, "two.yaml", MAPPING % ("http://127.0.0.1:1", SECOND))
    write(where, "body.json", '{"things": []}')
    database = os.path.join(where, "none.db")
    for arguments in (
            ("load", "body.json"), ("load", "body.json", "--endpoint", "nope"), ("run", "--endpoint", "nope"),
            ("map", "body.json")):
        store = () if arguments[0] == "map" else ("--store", f"sqlite:{database}")
        result = checks.run(*arguments, "--config", "two.yaml", *store, cwd=where, exit_code=2)
        checks.expect(f"{arguments}: no database", not os.path.exists(database))
        checks.equal(f"{arguments}: one message", result.stderr.count("\n"), 1)
    checks.run("load", "body.json", "--endpoint", "things", "--config", "two.yaml", "--store", "sqlite::memory:",
               cwd=where, exit_code=2)


def folders_that_are_closed(checks, where):
    if os.geteuid() != 0:
        checks.skip("a folder of another user: this needs root")
        return
    closed = os.path.join(where, "closed")
    os.mkdir(closed, 0o755)
    os.chmod(where, 0o755)
    try:
        process = start(where, "load", "body.json", "--endpoint", "things", "--config", "two.yaml", "--store",
                        f"sqlite:{closed}/o.db", user=65534, group=65534, extra_groups=[])
    except OSError as error:
        checks.skip(f"a folder of another user: {error}")
        return
    _, errors = process.communicate(timeout=60)
    checks.equal("a closed folder: exit code", process.returncode, 2)
    checks.expect("a closed folder is named", f"may not create files in the folder '{closed}'" in errors, errors)


def write(where, name, text):
    with open(os.path.join(where, name), "w", encoding="utf-8") as out:
        out.write(text)


def main():
    checks = Checks("interruptions")
    with folder() as where:
        while_it_fetches(checks, where)
        while_it_reads(checks, where)
    for check in (while_it_works, while_nobody_writes):
        with folder() as where:
            check(checks, where)
    with folder() as where:
        usage_leaves_no_trace(checks, where)
        folders_that_are_closed(checks, where)
    checks.finish()


main()
