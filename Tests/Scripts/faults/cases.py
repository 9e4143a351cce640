"""What every fault has to leave behind, whatever it is, and the table's rows that say what it comes to."""

import base64
import collections
import json
import os
import urllib.parse

from checks import ingest, rows
from raw_server import raw, whole

# Its base64 and percent forms differ from it, so that each is looked for by itself.
SECRET = "kiwi/7f3k+plum"
STORED = '{"rows": [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}, {"id": 3, "name": "three"}]}'
NOTHING = '{"rows": []}'
LATER = '{"rows": [{"id": 1, "name": "one"}, {"id": 2, "name": "2"}, {"id": 4, "name": "four"}]}'
MAPPING = """\
ingest: 1
source:
  name: faults
  base_url: "%(url)s"
  auth: {api_key: {query: key, value: "${secret.KEY}"}}
  headers: {X-Own: "own ${secret.KEY}"}
  retry: {attempts: %(attempts)d, backoff: constant, wait: %(wait)s, max_wait: 2s}
  timeout: %(timeout)s
%(source)srecords:
  Row:
    table: rows
    key: id
    sweep: {max_delete: 100%%}
    fields: {id: {type: integer}, name: {type: text}%(fields)s}
endpoints:
  rows:
    path: /rows
    records: {rows: Row}
%(endpoint)s"""

Case = collections.namedtuple("Case", "row name answers exit words options")


def case(row, name, answers, exit_code, *words, **options):
    """A row of the table: what the server answers, request by request (the last one again and again), how the run
    ends, and words of its messages.

    Options: `stored` and `later` (ids afterwards, and after a good run), `requests` (how many, at most), `attempts`,
    `timeout`, `wait`, `source`, `endpoint` and `fields` (lines of the mapping), `arguments`, `not_said`, `url` (False:
    the fault is not of one request).
    """
    return Case(row, name, answers if isinstance(answers, list) else [answers], exit_code, words, options)


def settings(server_url, options):
    return MAPPING % {
        "url": server_url,
        "attempts": options.get("attempts", 2),
        "timeout": options.get("timeout", "5s"),
        "wait": options.get("wait", "10ms"),
        "source": options.get("source", ""),
        "endpoint": options.get("endpoint", ""),
        "fields": options.get("fields", ""),
    }


class Bench:
    """One store: filled by a good run, then met by the fault, then brought up to date by another good run."""

    environment = {"KEY": SECRET}
    # Of each run.
    arguments = ()

    def __init__(self, checks, where, number, given):
        self.checks, self.where, self.given = checks, where, given
        self.what = f"{given.row} {given.name}"
        self.name = f"fault-{number}"
        self.database = os.path.join(where, f"{self.name}.db")

    def write(self, url):
        with open(os.path.join(self.where, f"{self.name}.yaml"), "w", encoding="utf-8") as out:
            out.write(self.settings(url))

    def settings(self, url):
        return settings(url, self.given.options)

    def run(self, server, answers, exit_codes, what, *arguments):
        """A run that is answered so; gives what it said and how many requests it made."""
        server.heads = []

        def respond(number, _):
            answer = answers[min(number, len(answers)) - 1]
            return answer() if callable(answer) else [answer] if isinstance(answer, bytes) else answer

        server.respond = respond
        result = ingest(
            "--config",
            f"{self.name}.yaml",
            "--store",
            f"sqlite:{self.database}",
            *self.arguments,
            *arguments,
            cwd=self.where,
            env=self.environment,
            timeout=60,
        )
        said = result.stdout + result.stderr
        self.checks.expect(
            f"{self.what}: {what}: exit code {' or '.join(map(str, exit_codes))}",
            result.returncode in exit_codes,
            f"{result.returncode}\n{said}",
        )
        return said, len(server.heads)

    def stored(self):
        return [row[0] for row in rows(self.database, "select id from rows order by id")]

    def judge(self):
        given, options = self.given, self.given.options
        with raw(None) as server:
            self.write(server.url)
            self.run(server, [whole(STORED), whole(NOTHING)], (0,), "a good run before it")
            said, requests = self.run(
                server, given.answers, (given.exit,), "the fault", *options.get("arguments", ())
            )
            self.judge_words(said)
            self.checks.equal(f"{self.what}: rows", self.stored(), options.get("stored", [1, 2, 3]))
            most = options.get("requests", options.get("attempts", 2))
            self.checks.expect(f"{self.what}: 1 to {most} requests", 0 < requests <= most, f"{requests} requests")
            self.judge_store(said)
            self.run(server, [whole(LATER), whole(NOTHING)], (0,), "a good run after it")
            self.checks.equal(f"{self.what}: rows after it", self.stored(), options.get("later", [1, 2, 4]))

    def judge_words(self, said):
        given, options = self.given, self.given.options
        for word in given.words:
            self.checks.expect(f"{self.what}: it says '{word}'", word in said, said[:2000])
        for word in options.get("not_said", ()):
            self.checks.expect(f"{self.what}: it does not say {word!r:.40}", word not in said, said[:2000])
        where = ("endpoint 'rows'", "127.0.0.1:", "/rows") if options.get("url", True) else ("endpoint 'rows'",)
        if given.exit == 1:
            self.checks.expect(f"{self.what}: its place is told", all(word in said for word in where), said[:2000])

    def judge_store(self, said):
        """What holds after any fault."""
        self.checks.expect(
            f"{self.what}: no stack trace",
            not any(word in said for word in ("Fatal error", "Stack dump", "Swift.", "FetchError(")),
            said,
        )
        self.checks.equal(f"{self.what}: the file", rows(self.database, "pragma integrity_check"), [("ok",)])
        self.checks.equal(
            f"{self.what}: counts that do not add up",
            rows(
                self.database,
                "select * from _ingest_counts where received is not"
                " inserted + updated + unchanged + deleted + skipped + filtered + rejected",
            ),
            [],
        )
        self.checks.equal(
            f"{self.what}: runs without an end",
            rows(self.database, "select run_id from _ingest_runs where finished_at is null"),
            [],
        )
        leaks = [
            name
            for name in ("output", *self.files())
            if self.holds_secret(said.encode() if name == "output" else self.read(name))
        ]
        self.checks.equal(f"{self.what}: the secret is in", leaks, [])

    def holds_secret(self, data):
        return holds_secret(data)

    def files(self):
        return [name for name in os.listdir(self.where) if name.startswith(f"{self.name}.db")]

    def read(self, name):
        with open(os.path.join(self.where, name), "rb") as file:
            return file.read()


def holds_secret(data):
    plain = SECRET.encode()
    forms = {
        plain,
        urllib.parse.quote(SECRET, safe="").encode(),
        urllib.parse.quote(SECRET).encode(),
        json.dumps(SECRET)[1:-1].encode(),
        plain.hex().encode(),
    }
    forms |= {base64.b64encode(b"x" * n + plain)[4:-4] for n in range(3)}
    return any(form in data for form in forms)


def table(cases):
    """A part that judges the cases, or those of some rows."""

    def judge(checks, where, chosen):
        for number, given in enumerate(cases):
            if not chosen or given.row in chosen:
                Bench(checks, where, number, given).judge()

    return judge
