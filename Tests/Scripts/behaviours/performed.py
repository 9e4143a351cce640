"""Performs the steps of one case in a folder, and says where the outcome differs from what is expected."""
import collections
import concurrent.futures
import contextlib
import http.server
import json
import os
import sqlite3
import threading
import urllib.parse

from checks import ingest, indented

LOOKS = ("tables", "sql", "counts", "rejects", "has", "lacks", "absent", "lines", "requests")
COUNTS = ("inserted", "updated", "unchanged", "deleted", "skipped", "filtered", "rejected")


def differences(case, where):
    with serving(case.server) as server:
        bench = Bench(where, server)
        bench.write("mapping.yaml", case.mapping)
        for number, step in enumerate(case.steps, 1):
            found = bench.perform(step)
            if found:
                return [f"step {number}, {step.command}: {text}" for text in found]
    return []


class Bench:
    """A folder with a mapping and a database; bodies get names in the order in which they come: 1.json, 2.json."""

    def __init__(self, where, server):
        self.where, self.server, self.bodies = where, server, 0
        self.database = os.path.join(where, "out.db")

    def write(self, name, content):
        if isinstance(content, str):
            content = content.replace("BASE_URL", self.server.url).encode()
        with open(os.path.join(self.where, name), "wb") as out:
            out.write(content)
        return name

    def perform(self, step):
        if step.command == "remap":
            self.write("mapping.yaml", step.bodies[0])
            return []
        if step.command == "sql":
            with contextlib.closing(sqlite3.connect(self.database)) as connection, connection:
                for statement in step.bodies:
                    connection.execute(statement)
            return []
        if step.command == "together":
            return self.together(step)
        arguments = self.arguments(step)
        self.server.seen.clear()
        result = ingest(*arguments, cwd=self.where, env=step.env, timeout=30)
        found = list(self.compare(step, result))
        return found and found + [f"{' '.join(arguments)}\n{indented(result.stdout + result.stderr)}"]

    def together(self, step):
        commands = [self.arguments(one) for one in step.bodies]
        with concurrent.futures.ThreadPoolExecutor(len(commands)) as pool:
            results = list(pool.map(lambda arguments: ingest(*arguments, cwd=self.where, timeout=30), commands))
        return [
            f"exit {result.returncode}, expected one of {step.exit}\n{indented(result.stdout + result.stderr)}"
            for result in results if result.returncode not in step.exit]

    def arguments(self, step):
        arguments = [step.command]
        for body in step.bodies:
            self.bodies += 1
            arguments.append(self.write(f"{self.bodies}.{step.ending}", body))
        arguments += step.args
        arguments += ["mapping.yaml"] if step.command in ("validate", "run") else ["--config", "mapping.yaml"]
        if step.command in ("load", "run"):
            arguments += ["--store", "sqlite:out.db"]
        return arguments

    def compare(self, step, result):
        expected = step.expected
        unknown = set(expected) - set(LOOKS)
        if unknown:
            yield f"no expectation is called {sorted(unknown)}"
        if result.returncode != step.exit:
            yield f"exit {result.returncode}, expected {step.exit}"
        said = (result.stdout + result.stderr).lower()
        yield from (f"does not say {text!r}" for text in expected.get("has", ()) if text.lower() not in said)
        yield from (f"says {text!r}" for text in expected.get("lacks", ()) if text.lower() in said)
        if "lines" in expected:
            yield from unequal("rows printed", sorted(printed(result.stdout)), sorted(wanted(expected["lines"])))
        if "requests" in expected:
            yield from unequal("requests", self.server.seen, expected["requests"])
        if step.command in ("load", "run"):
            yield from self.stored(expected)

    def stored(self, expected):
        if not os.path.exists(self.database):
            if set(expected) & {"tables", "sql", "counts", "rejects"}:
                yield "there is no database"
            return
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            for name, lines in expected.get("tables", {}).items():
                yield from of_table(connection, name, lines[0].split(), lines[1:])
            for query, rows in expected.get("sql", ()):
                yield from unequal(query, typed(connection.execute(query).fetchall()), typed(rows))
            for name in expected.get("absent", ()):
                if columns_of(connection, name) and connection.execute(f'select 1 from "{name}"').fetchone():
                    yield f"the table {name} is there, with rows"
            yield from of_run(connection, expected)
            yield from unequal("foreign keys", connection.execute("pragma foreign_key_check").fetchall(), [])


def of_table(connection, name, columns, rows):
    yield from unequal(f"columns of {name}", sorted(columns_of(connection, name)), sorted(columns))
    if set(columns) <= set(columns_of(connection, name)):
        query = "select %s from %s" % (", ".join(f'"{column}"' for column in columns), f'"{name}"')
        yield from unequal(name, sorted(typed(connection.execute(query).fetchall())), sorted(typed(rows)))


def of_run(connection, expected):
    """The report of the latest run: its counts, which must add up, and its rejects."""
    latest = "where run_id = (select max(run_id) from _ingest_runs)"
    rows = connection.execute(f"select record, received, {', '.join(COUNTS)} from _ingest_counts {latest}").fetchall()
    yield from (f"the counts of {row[0]} do not add up: {row}" for row in rows if row[1] != sum(row[2:]))
    if "counts" in expected:
        got = {row[0]: {name: n for name, n in zip(COUNTS, row[2:]) if n} for row in rows if row[1]}
        asked = {record: of_counts(text) for record, text in expected["counts"].items() if text}
        yield from unequal("counts", got, asked)
    if "rejects" in expected:
        rows = connection.execute(f"select record, pointer, field, reason from _ingest_rejects {latest}").fetchall()
        got = sorted("%s %s %s: %s" % (r[0], r[1] or ".", r[2] or "-", r[3]) for r in rows)
        asked = sorted(expected["rejects"])
        if len(got) != len(asked) or not all(fits(*pair) for pair in zip(got, asked)):
            yield f"rejects: expected {asked}\n    got {got}"


def fits(got, asked):
    place, _, reason = asked.partition(": ")
    return got.startswith(place + ": ") and reason.lower() in got.lower()


def of_counts(text):
    return {name: int(number) for number, name in (part.split() for part in text.split(", "))} if text else {}


def columns_of(connection, name):
    return [row[1] for row in connection.execute(f'pragma table_info("{name}")')]


def typed(rows):
    """Rows in which 1, 1.0, "1" and null differ, and which can be sorted."""
    return [tuple(f"{type(value).__name__} {value!r}" for value in row) for row in rows]


def printed(text):
    for line in text.splitlines():
        if line.startswith('{"table"'):
            row = json.loads(line)
            yield row["table"], json.dumps(row["row"], sort_keys=True)


def wanted(lines):
    for line in lines:
        name, _, row = line.partition(" ")
        yield name, json.dumps(json.loads(row), sort_keys=True)


def unequal(what, got, expected):
    if got != expected:
        yield f"{what}: expected {expected}\n      got {got}"


class Server(http.server.ThreadingHTTPServer):
    """Answers by a list of replies, and keeps what was asked."""

    daemon_threads = True

    def __init__(self, replies):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.replies, self.used, self.seen = replies, collections.Counter(), []

    def reply(self, method, target):
        path, _, query = target.partition("?")
        given = urllib.parse.parse_qs(query, keep_blank_values=True)
        for index, reply in enumerate(self.replies):
            wanted_path, _, wanted_query = reply["target"].partition("?")
            asked = urllib.parse.parse_qs(wanted_query, keep_blank_values=True)
            spent = reply["times"] is not None and self.used[index] >= reply["times"]
            if reply["method"] == method and wanted_path == path and not spent and asked.items() <= given.items():
                self.used[index] += 1
                return reply
        return {"body": '{"message": "no such route"}', "status": 404, "headers": {}}


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        self.server.seen.append(f"{self.command} {self.path}")
        reply = self.server.reply(self.command, self.path)
        body = reply["body"].replace("BASE_URL", self.server.url).encode()
        self.send_response(reply["status"])
        for name, value in {"Content-Type": "application/json", **reply["headers"]}.items():
            if value is not None:
                self.send_header(name, value)
        if reply["status"] not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if reply["status"] not in (204, 304):
            self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        """Quiet: what went wrong shows in the case."""


@contextlib.contextmanager
def serving(replies):
    """A server for the case; without replies, an address where nobody listens."""
    if not replies:
        yield type("Nobody", (), {"url": "http://127.0.0.1:9", "seen": []})()
        return
    server = Server(replies)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
