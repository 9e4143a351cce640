"""Names, routes and links that fail, each in a network namespace of the test's own (R2 to R4, R14 to R19, R64, R66)."""

import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time

from checks import INGEST, ROOT, rows
from raw_server import raw, whole

MAPPING = """\
ingest: 1
source: {name: m, base_url: "%s", timeout: %s, retry: {attempts: %d, backoff: constant, wait: 200ms}}
records:
  Row: {table: rows, key: id, fields: {id: {type: integer}}}
endpoints:
  rows: {path: /rows, records: {rows: Row}, paginate: {by: page, param: page, start: 1, total_pages: pages}}
"""
# An address of a network that exists within the namespace alone, and leads nowhere.
DEAD = "198.51.100.7"


class Names:
    """Answers questions for names, on port 53 of the namespace's own loopback."""

    def __init__(self, records):
        self.records = records
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            question, sender = self.socket.recvfrom(2000)
            end = question.index(b"\0", 12) + 5
            kind = struct.unpack(">H", question[end - 4 : end - 2])[0]
            labels, place = [], 12
            while question[place]:
                labels.append(question[place + 1 : place + 1 + question[place]].decode())
                place += 1 + question[place]
            found = self.records.get(".".join(labels), 3)
            if found is None:
                continue
            if isinstance(found, int):
                self.socket.sendto(
                    question[:2] + struct.pack(">HHHHH", 0x8180 | found, 1, 0, 0, 0) + question[12:end], sender
                )
                continue
            family = {1: socket.AF_INET, 28: socket.AF_INET6}.get(kind)
            packed = (
                [socket.inet_pton(family, text) for text in found if (":" in text) == (kind == 28)] if family else []
            )
            self.socket.sendto(
                question[:2]
                + struct.pack(">HHHHH", 0x8180, 1, len(packed), 0, 0)
                + question[12:end]
                + b"".join(b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, len(data)) + data for data in packed),
                sender,
            )


def run(where, url, timeout="2s", attempts=1, extra=()):
    with open(os.path.join(where, "m.yaml"), "w", encoding="utf-8") as out:
        out.write(MAPPING % (url, timeout, attempts))
    began = time.monotonic()
    result = subprocess.run(
        [INGEST, "--config", "m.yaml", "--store", "sqlite:m.db", *extra],
        cwd=where,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no"},
    )
    return result.returncode, result.stderr, time.monotonic() - began


def respond(number, request):
    return [whole('{"rows": [{"id": %d}], "pages": 1}' % number)]


def names(checks, where):
    with open("/etc/resolv.conf", "w", encoding="ascii") as out:
        out.write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    Names(
        {
            "broken.test": 2,
            "silent.test": None,
            "live.test": ["127.0.0.1"],
            "two.test": ["2001:db8::7", "127.0.0.1"],
            "far.test": [DEAD],
            "mapped.test": ["::ffff:127.0.0.1"],
            "metadata.test": ["169.254.169.254"],
        }
    )
    for name, words in (("none.test", "resolve"), ("broken.test", "resolve"), ("silent.test", "resolve")):
        code, said, took = run(where, f"http://{name}:1", timeout="5s")
        checks.equal(f"R18 {name}: exit code", code, 1)
        checks.expect(f"R18 {name}: it is named", name in said and words in said, said)
        checks.expect(f"R18 {name}: the wait has an end", took < 15, took)
    with raw(respond) as server:
        for name, row in (("live.test", "R64"), ("two.test", "R19"), ("mapped.test", "R64")):
            code, said, took = run(where, f"http://{name}:{server.port}", timeout="5s")
            checks.equal(f"{row} {name}: exit code", (code, said if code else ""), (0, ""))
            checks.expect(f"{row} {name}: it takes no time-out", took < 4, took)
        # R58, R64, R66: what an answer names is another origin, wherever its name leads, and gets no credential.
        server.respond = lambda number, head: [
            (
                whole("{}", f"Location: http://live.test:{server.port}/rows", status="302 Found")
                if b"Host: 127.0.0.1" in head
                else respond(number, head)[0]
            )
        ]
        server.heads = []
        with open(os.path.join(where, "m.yaml"), "w", encoding="utf-8") as out:
            out.write(
                (MAPPING % (server.url, "2s", 1)).replace("retry:", 'auth: {bearer: {token: "kiwi-token"}}, retry:')
            )
        result = subprocess.run(
            [INGEST, "--config", "m.yaml", "--store", "sqlite:r.db"],
            cwd=where,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        checks.equal("R57 by name: exit code", result.returncode, 0)
        checks.equal(
            "R57 by name: who gets the token", [b"kiwi-token" in head for head in server.heads], [True, False]
        )


def routes(checks, where):
    def ip(*words):
        subprocess.run(["ip", *words], check=True, capture_output=True)

    ip("link", "add", "dead0", "type", "veth", "peer", "name", "dead1")
    ip("link", "set", "dead1", "up")
    ip("addr", "add", "198.51.100.1/24", "dev", "dead0")
    ip("link", "set", "dead0", "up")
    ip("neigh", "add", DEAD, "lladdr", "02:00:00:00:00:07", "dev", "dead0")
    code, said, took = run(where, f"http://{DEAD}:81", timeout="1s", attempts=2)
    checks.equal("R2: exit code", code, 1)
    checks.expect("R2: it is said", DEAD in said and "1 s" in said, said)
    checks.expect("R2: two tries of a second", 1.5 < took < 8, took)
    for kind, row in (("prohibit", "R3"), ("unreachable", "R3"), ("blackhole", "R3")):
        ip("route", "add", kind, "203.0.113.9")
        code, said, took = run(where, "http://203.0.113.9:81", timeout="5s")
        ip("route", "del", kind, "203.0.113.9")
        checks.equal(f"{row} {kind}: exit code", code, 1)
        checks.expect(f"{row} {kind}: it is said at once", "203.0.113.9" in said and took < 3, (took, said))


def link_down(checks, where):
    """R15, R16: the link, and then the server, is away for a while between two pages."""
    seen = threading.Event()

    def away(number, request):
        page = int(request.split(b"page=")[1].split(b" ")[0])
        if page == 2 and not seen.is_set():
            seen.set()
            subprocess.run(["ip", "link", "set", "lo", "down"], check=True)
            threading.Timer(1.5, lambda: subprocess.run(["ip", "link", "set", "lo", "up"], check=True)).start()
        return [whole('{"rows": [{"id": %d}], "pages": 4}' % page)]

    os.remove(os.path.join(where, "m.db"))
    with raw(away) as server:
        code, said, _ = run(where, server.url, timeout="1s", attempts=20)
    checks.equal("R15: exit code", (code, said[-300:] if code else ""), (0, ""))
    checks.equal(
        "R15: rows", rows(os.path.join(where, "m.db"), "select id from rows order by id"), [(1,), (2,), (3,), (4,)]
    )


def inside(where):
    """Within the namespaces: prints what failed."""
    from checks import Checks  # pylint: disable=import-outside-toplevel

    checks = Checks("networks")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    names(checks, where)
    routes(checks, where)
    link_down(checks, where)
    checks.finish()


def check(checks, where, _):
    if os.geteuid() != 0 or not shutil.which("ip"):
        checks.skip("networks: namespaces need root and the command ip")
        return
    own = os.path.join(where, "resolv.conf")
    open(own, "w", encoding="ascii").close()
    script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
    result = subprocess.run(
        ["unshare", "-m", "-n", "bash", "-c", script, own, sys.executable, os.path.abspath(__file__), where],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "Tests", "Scripts")},
    )
    if "unshare" in result.stderr or "mount:" in result.stderr:
        checks.skip(f"networks: {result.stderr.strip()}")
        return
    checks.expect("networks: all held", result.returncode == 0, result.stdout + result.stderr)
    print(result.stdout.strip())


PARTS = {"check": check}

if __name__ == "__main__":
    inside(sys.argv[1])
