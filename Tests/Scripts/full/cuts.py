"""Bodies that are cut at every place, in every framing: none is taken as complete (R8, R12, R13, R34, S20)."""

import gzip
import json
import os
import random
import re
import shutil
import ssl
import subprocess
import tempfile
import zlib

from checks import ingest, rows
from raw_server import CLOSE, RESET, RawServer, chunk, head

# So many bytes has each body, so many places it can be cut at.
SIZE = 4096
# Mappings of a run, each of which asks for one answer that is cut.
AT_ONCE = 256
MAPPING = """\
ingest: 1
source: {name: cut%(number)d, base_url: "%(url)s", retry: {attempts: 1}%(source)s}
records:
  Row: {table: rows%(number)d, key: id, fields: {id: {type: integer}}}
endpoints:
  rows: {path: /%(number)d, records: {%(place)s: Row}%(format)s}
"""


def body(form):
    """JSON, or lines of it, of SIZE bytes; "large": of twice as many, so that SIZE are left when it is packed."""
    chance, size = random.Random(SIZE), SIZE * (2 if form == "large" else 1)

    def text(count):
        return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ,:[]{} ", k=count))
    if form == "lines":
        out = ""
        while len(out) < size - 120:
            out += json.dumps({"id": len(out) + 1, "text": text(60)}) + "\n"
        last = json.dumps({"id": SIZE, "text": ""})
        return (out + json.dumps({"id": SIZE, "text": text(size - len(out) - len(last) - 1)}) + "\n").encode()
    records = []
    while len(json.dumps({"rows": records})) < size - 120:
        records.append({"id": len(records) + 1, "text": text(60)})
    records.append({"id": 0, "text": ""})
    records[-1]["text"] = text(size - len(json.dumps({"rows": records})))
    return json.dumps({"rows": records}).encode()


BODY, LINES = body("json"), body("lines")
PACKED, PACKED_LINES = gzip.compress(body("large"), mtime=0), gzip.compress(LINES, mtime=0)
KIND = "application/x-ndjson"


def pieces(data, size=512):
    return b"".join(chunk(data[at:at + size]) for at in range(0, len(data), size)) + b"0\r\n\r\n"


def measured(data, *lines, kind="application/json"):
    return head(*lines, f"Content-Length: {len(data)}", kind=kind), data


def chunked(data, *lines, kind="application/json"):
    return head(*lines, "Transfer-Encoding: chunked", kind=kind), pieces(data)


def cut(framed, end=CLOSE):
    first, data = framed
    return lambda at: [first + data[:at], end]


def framed_short(data, *lines, kind="application/json"):
    """A body that its origin has cut, in chunks that are whole."""
    return lambda at: [head(*lines, "Transfer-Encoding: chunked", kind=kind) + pieces(data[:at])]


ZIP = "Content-Encoding: gzip"
DEFLATED = zlib.compress(BODY)
# What is sent when it is cut behind so many bytes of the body, and how many there are.
FRAMINGS = {
    "length": (cut(measured(BODY)), len(BODY)),
    "chunks": (cut(chunked(BODY)), len(pieces(BODY)) - 2),
    "close": (cut((head(), BODY)), len(BODY)),
    # Packed whole and cut before it is sent: the length is right.
    "gzip": (lambda at: [*measured(PACKED[:at], ZIP)], len(PACKED)),
    "gzip-length": (cut(measured(PACKED, ZIP)), len(PACKED)),
    "gzip-chunks": (framed_short(PACKED, ZIP), len(PACKED)),
    "gzip-close": (cut((head(ZIP), PACKED)), len(PACKED)),
    "deflate": (lambda at: [*measured(DEFLATED[:at], "Content-Encoding: deflate")], len(DEFLATED)),
    "reset": (cut(measured(BODY), RESET), len(BODY)),
    "origin": (framed_short(BODY), len(BODY)),
    "lines-length": (cut(measured(LINES, kind=KIND)), len(LINES)),
    "lines-chunks": (cut(chunked(LINES, kind=KIND)), len(pieces(LINES)) - 2),
    "lines-close": (cut((head(kind=KIND), LINES)), len(LINES)),
    "lines-gzip": (lambda at: [*measured(PACKED_LINES[:at], ZIP, kind=KIND)], len(PACKED_LINES)),
}
# Of a cut of nothing there is nothing to be seen: an empty answer is a success without rows.
EMPTY_IS_WHOLE = {"gzip": 1, "gzip-chunks": 1, "deflate": 1, "origin": 1, "lines-gzip": 1}
# The framings of which every place is tried; of the others every so many-th.
EVERY = ("length", "chunks", "close", "gzip")
STEP = 8


class TLSServer(RawServer):
    """The same over TLS; a connection ends without close_notify."""

    context = None

    def serve(self, connection):
        try:
            connection = self.context.wrap_socket(connection, server_side=True, suppress_ragged_eofs=False)
        except OSError:
            connection.close()
            return
        super().serve(connection)

    def take(self, connection, step):
        if step == CLOSE:
            # Not shutdown(): that would end TLS as it wants to be ended.
            os.close(connection.detach())
            return False
        return super().take(connection, step)


def certificate(where):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=where, capture_output=True, check=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(where, "cert.pem"), os.path.join(where, "key.pem"))
    return context


def places(quick, count):
    """(framing, place) of every cut that is tried."""
    found = []
    for name, (_, length) in FRAMINGS.items():
        first = EMPTY_IS_WHOLE.get(name, 0)
        step = 1 if name in EVERY else STEP
        found += [(name, at) for at in range(first, min(length, SIZE), step)]
    wanted = count or (2 * AT_ONCE if quick else len(found))
    return [found[index * len(found) // wanted] for index in range(wanted)] if wanted < len(found) else found


class Bench:
    """One server, whose answers are cut as `cuts` says, and the mappings that ask it."""

    def __init__(self, checks, where, server, source=""):
        self.checks, self.where, self.server, self.cuts = checks, where, server, []
        server.respond = self.respond
        for form, place, more in (("json", "rows", ""), ("lines", ".", ", format: ndjson")):
            for number in range(AT_ONCE):
                with open(os.path.join(where, f"{form}-{number}.yaml"), "w", encoding="utf-8") as out:
                    out.write(MAPPING % {
                        "url": server.url, "number": number, "source": source, "place": place, "format": more})

    def respond(self, _, request):
        name, at = self.cuts[int(request.split(b" ")[1][1:])]
        return FRAMINGS[name][0](at)

    def run(self, name, chosen):
        """Runs the mappings of so many cuts: all of them have to fail."""
        self.cuts, self.server.heads = chosen, []
        form = "lines" if name.startswith("lines") else "json"
        mappings = [f"{form}-{number}.yaml" for number in range(len(chosen))]
        result = ingest("run", *mappings, "--store", "sqlite:cuts.db", cwd=self.where, timeout=300)
        what = f"cuts: {name} at {chosen[0][1]} to {chosen[-1][1]}"
        self.checks.equal(f"{what}: exit code", result.returncode, 1)
        refused = set(re.findall(r"^error: endpoint 'rows': GET https?://[^/]*/(\d+)[: ]", result.stderr, re.M))
        accepted = [chosen[number] for number in range(len(chosen)) if str(number) not in refused]
        self.checks.equal(f"{what}: taken as complete", accepted, [])
        self.checks.equal(f"{what}: requests", len(self.server.heads), len(chosen))
        database = os.path.join(self.where, "cuts.db")
        counts = " + ".join(f"(select count(*) from rows{number})" for number in range(len(chosen)))
        self.checks.equal(f"{what}: rows", rows(database, f"select {counts}"), [(0,)])
        self.checks.equal(f"{what}: runs that did not fail", rows(
            database, "select count(*) from _ingest_runs where status <> 'failed'"), [(0,)])
        return len(chosen) - len(accepted)


def each(checks, bench, chosen, note=""):
    done = 0
    for name in FRAMINGS:
        of_it = [one for one in chosen if one[0] == name]
        refused = sum(bench.run(name, of_it[at:at + AT_ONCE]) for at in range(0, len(of_it), AT_ONCE))
        print(f"cuts: {name}{note}: {refused} of {len(of_it)} were refused", flush=True)
        done += refused
    return done


def whole_ones(checks, bench):
    """The same bodies, whole: what is refused is refused because it is cut."""
    for name, answer in {
        "length": measured(BODY), "chunks": chunked(BODY), "close": (head(), BODY + b""),
        "gzip": measured(PACKED, ZIP), "lines-length": measured(LINES, kind=KIND),
    }.items():
        bench.server.respond = lambda *_, answer=answer: [b"".join(answer), CLOSE]
        form = "lines" if name.startswith("lines") else "json"
        result = ingest("run", f"{form}-0.yaml", "--store", f"sqlite:{name}.db", cwd=bench.where)
        checks.equal(f"cuts: {name}, whole: exit code", result.returncode, 0)
        checks.expect(f"cuts: {name}, whole: rows", rows(
            os.path.join(bench.where, f"{name}.db"), "select count(*) > 30 from rows0") == [(1,)], result.stderr)
    bench.server.respond = bench.respond


def check(checks, where, given):
    # In memory where it can be: what a disk does is measured elsewhere.
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else where
    with tempfile.TemporaryDirectory(prefix="ingest-", dir=shared) as inner:
        judge(checks, inner, given)


def judge(checks, where, given):
    chosen = places(given.quick, given.count)
    server = RawServer(None)
    try:
        bench = Bench(checks, where, server)
        whole_ones(checks, bench)
        done = each(checks, bench, chosen)
    finally:
        server.close()
    checks.equal("cuts: none is taken as complete", done, len(chosen))
    if shutil.which("openssl"):
        inner = os.path.join(where, "tls")
        os.mkdir(inner)
        TLSServer.context = certificate(inner)
        server = TLSServer(None)
        server.url = server.url.replace("http://127.0.0.1", "https://localhost")
        try:
            bench = Bench(checks, inner, server, ", tls: {ca_file: cert.pem}")
            of_tls = chosen[::16]
            done += each(checks, bench, of_tls, " over TLS")
        finally:
            server.close()
        checks.equal("cuts: none is taken as complete over TLS", done, len(chosen) + len(of_tls))
    else:
        checks.skip("cuts over TLS: there is no openssl")
    print(f"cuts: {done} answers were cut, none was taken as complete" if not checks.failed else "cuts: see above")
