"""Two faults, one after the other, and faults of different kinds at once (R171 to R177)."""

import os
import random
import signal
import subprocess
import threading
import time

import contents
import framing
import redirects
import statuses
from cases import LATER, NOTHING, SECRET, STORED, Bench, case
from checks import INGEST, rows
from raw_server import CLOSE, head, raw, whole

DRAWS = 60


def is_simple(given):
    """Does it need no mapping of its own, and is it soon over?"""
    options = set(given.options) - {"requests", "attempts", "not_said", "wait"}
    return not options and given.exit in (0, 1) and len(given.answers) == 1


def pairs(checks, where, _):
    """R177: draws of two faults of servers, met by the tries of one request: what is stored stays whole."""
    known = [
        given for module in (framing, contents, statuses, redirects) for given in module.CASES if is_simple(given)
    ]
    chance = random.Random(177)
    for number in range(DRAWS):
        first, second = chance.sample(known, 2)
        given = case("R177", f"{first.row} {first.name}, then {second.row} {second.name}", [], None, attempts=3)
        bench = Bench(checks, where, number, given)
        with raw(None) as server:
            bench.write(server.url)
            bench.run(server, [whole(STORED), whole(NOTHING)], (0,), "a good run before it")
            answers = [*first.answers, *second.answers, whole(STORED)]
            said, _requests = bench.run(server, answers, (0, 1), "both faults")
            checks.equal(f"{bench.what}: rows", bench.stored(), [1, 2, 3])
            bench.judge_store(said)
            bench.run(server, [whole(LATER), whole(NOTHING)], (0,), "a good run after them")
            checks.equal(f"{bench.what}: rows after them", bench.stored(), [1, 2, 4])
    checks.expect("R177: there are many faults to draw from", len(known) > 60, len(known))


def stopped_while_it_waits(checks, where, _):
    """R172: SIGTERM while a 429 is waited for, whose token has just been refused."""
    asked = threading.Event()

    def respond(number, request):
        if b"/token" in request:
            return [whole('{"access_token": "kiwi-%d", "expires_in": "60"}' % number)]
        if number == 2:
            return [whole("{}", status="401 Unauthorized")]
        asked.set()
        return [whole("{}", "Retry-After: 60", status="429 Too Many")]

    with raw(respond) as server:
        with open(os.path.join(where, "m.yaml"), "w", encoding="utf-8") as out:
            out.write(
                f"ingest: 1\nsource:\n  name: m\n  base_url: {server.url}\n"
                "  auth: {oauth2: {grant: client_credentials, token_url: /token, client_id: a,"
                ' client_secret: "${secret.KEY}"}}\n'
                "records: {Row: {table: rows, key: id, fields: [id]}}\n"
                "endpoints: {rows: {path: /rows, records: {rows: Row}}}\n"
            )
        process = subprocess.Popen(
            [INGEST, "--config", "m.yaml", "--store", "sqlite:m.db"],
            cwd=where,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "KEY": SECRET, "SWIFT_BACKTRACE": "enable=no"},
        )
        checks.expect("R172: the request with a new token came", asked.wait(20), server.heads)
        time.sleep(0.3)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=20)
        checks.equal("R172: exit code", process.returncode, 130)
        checks.expect("R172: within 2 s", time.monotonic() - began < 2)
        checks.expect("R172: no secret is said", "kiwi" not in out + errors, errors)
    checks.equal(
        "R172: the run", rows(os.path.join(where, "m.db"), "select status from _ingest_runs"), [("interrupted",)]
    )


def redirected_cut_and_echoed(checks, where, _):
    """R176: a redirect to another origin, whose gzip body is cut, and says back what was asked."""
    for number, form in enumerate((SECRET, "kiwi%2F7f3k%2Bplum")):
        given = case("R176", f"echo {number}", [], None)
        bench = Bench(checks, where, number, given)
        with raw(None) as other, raw(None) as server:
            other.respond = lambda *_, form=form: [
                head("Content-Encoding: gzip", "Content-Length: 900") + form.encode(),
                CLOSE,
            ]
            bench.write(server.url)
            answers = [whole("{}", f"Location: {other.url}/there?key={form}", status="302 Found")]
            said, _requests = bench.run(server, answers, (1,), "the fault")
            bench.judge_store(said)
            told = [line for request in other.heads for line in request.split(b"\r\n")]
            checks.expect(
                f"{bench.what}: the other origin gets no header", not any(b"kiwi" in line for line in told[1:]), told
            )


PARTS = {
    "pairs": pairs,
    "stopped_while_it_waits": stopped_while_it_waits,
    "redirected_cut_and_echoed": redirected_cut_and_echoed,
}
