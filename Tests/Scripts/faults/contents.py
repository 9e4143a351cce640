"""Bodies that are too much, packed wrongly, cut, or no JSON (R30 to R46)."""

import functools
import gzip
import os
import subprocess
import time
import zlib

from cases import STORED, case, table
from checks import INGEST
from raw_server import CLOSE, chunk, head, raw, whole

BODY = STORED.encode()
PACKED = gzip.compress(BODY)
GZIP = "Content-Encoding: gzip"
SMALL = "  limits: {body: 1MB}\n"


@functools.lru_cache
def bomb(size):
    """As many blanks, packed, in front of a body: the same packed mebibyte again and again."""
    blanks, packer = b" " * (1 << 20), zlib.compressobj(9, wbits=-15)
    part = packer.compress(blanks) + packer.flush(zlib.Z_FULL_FLUSH)
    end = packer.compress(BODY) + packer.flush()
    total = functools.reduce(lambda held, _: zlib.crc32(blanks, held), range(size >> 20), 0)
    count = size + len(BODY) & 0xFFFFFFFF
    sums = zlib.crc32(BODY, total).to_bytes(4, "little") + count.to_bytes(4, "little")
    return b"\x1f\x8b\x08\0\0\0\0\0\0\3" + part * (size >> 20) + end + sums


def without_end(first, part):
    def steps():
        yield first
        while True:
            yield part

    return steps


def flushed(parts):
    """What a server has sent that packs and sends part by part, and then goes."""
    packer = zlib.compressobj(wbits=31)
    return b"".join(packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH) for part in parts)


def folded(times):
    data = BODY
    for _ in range(times):
        data = gzip.compress(data)
    return data


NDJSON = b"".join(
    b'{"rows": [{"id": %d, "name": "%s"}]}\n' % pair for pair in ((1, b"one"), (2, b"two"), (3, b"three"))
)
LINES = "    format: ndjson\n"

CASES = [
    case(
        "R30",
        "a gzip bomb below the limit of its ratio",
        lambda: [whole(bomb(64 << 20), GZIP)],
        1,
        "limits.body",
        requests=1,
        source="  limits: {body: 16MB, ratio: 100000}\n",
    ),
    case("R30", "a gzip bomb of 1 GiB", lambda: [whole(bomb(1 << 30), GZIP)], 1, "limits.", requests=1),
    case("R31", "a body without end", without_end(head(), b" " * 65536), 1, "limits.body", requests=1, source=SMALL),
    case(
        "R31",
        "chunks without end",
        without_end(head("Transfer-Encoding: chunked"), chunk(b" " * 65536)),
        1,
        "limits.body",
        requests=1,
        source=SMALL,
    ),
    case(
        "R31",
        "one text without end",
        without_end(head(), b'{"rows": [{"id": 1, "name": "' + b"x" * 65536),
        1,
        "limits.body",
        requests=1,
        source=SMALL,
    ),
    case("R32", "brotli, which nobody asked for", whole(BODY, "Content-Encoding: br"), 1, "br", requests=1),
    case("R32", "zstd, which nobody asked for", whole(BODY, "Content-Encoding: zstd"), 1, "zstd", requests=1),
    case(
        "R33",
        "twenty layers of gzip",
        whole(folded(20), "Content-Encoding: " + ", ".join(["gzip"] * 20)),
        1,
        "encoding",
        requests=1,
    ),
    case(
        "R34", "half a gzip stream, with the right length", whole(PACKED[: len(PACKED) // 2], GZIP), 1, "breaks off"
    ),
    case("R34", "a gzip stream that lacks its sum alone", whole(PACKED[:-8], GZIP), 1, "breaks off"),
    case(
        "R34",
        "lines whose gzip stream breaks off between two",
        whole(flushed(NDJSON.splitlines(True)[:2]), GZIP),
        1,
        "breaks off",
        endpoint=LINES,
    ),
    case("R34", "half a gzip stream, once", [whole(PACKED[:-9], GZIP), whole(PACKED, GZIP)], 0),
    case("R35", "a flipped bit", whole(PACKED[:30] + bytes([PACKED[30] ^ 4]) + PACKED[31:], GZIP), 1),
    case("R35", "a wrong sum", whole(PACKED[:-8] + b"\1\2\3\4" + PACKED[-4:], GZIP), 1),
    case("R35", "plain text that is said to be gzip", whole(BODY, GZIP), 1, "gzip"),
    case("R35", "bytes behind a gzip stream", whole(PACKED + b"more", GZIP), 1),
    case("R36", "a header of 64 KiB and one byte", whole(BODY, "X-Long: " + "x" * 65536), 1, "header", requests=1),
    case(
        "R36",
        "a header of 110 KB",
        whole(BODY, "X-Long: " + "x" * 110000),
        1,
        "header",
        requests=1,
        not_said=["memory"],
    ),
    case("R37", "6,000 headers", whole(BODY, *(f"X-{n}: {'y' * 50}" for n in range(6000))), 1, "header", requests=1),
    case(
        "R37",
        "headers without end",
        without_end(b"HTTP/1.1 200 OK\r\n", b"X-More: yes\r\n" * 500),
        1,
        "header",
        requests=1,
    ),
    case("R38", "a NUL in a header", [[head("X: a\0b") + BODY, CLOSE]], 1),
    case(
        "R38", "a header without a colon", [[head("no colon here", f"Content-Length: {len(BODY)}") + BODY, CLOSE]], 1
    ),
    case(
        "R38",
        "lines that end with LF alone",
        [
            [
                f"HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: {len(BODY)}\n\n".encode() + BODY,
                CLOSE,
            ]
        ],
        0,
    ),
    case(
        "R39",
        "a page for people",
        whole("<html><title>Log in</title></html>", kind="text/html"),
        1,
        "text/html",
        requests=1,
    ),
    case(
        "R39",
        "a page for people that is said to be JSON",
        whole("<html><title>Log in</title></html>"),
        1,
        "line 1",
        requests=1,
    ),
    # An empty answer is a success without rows; the place is absent, so nothing is swept.
    case("R40", "an empty 200", whole(""), 0),
    case("R40", "white space alone", whole(" \r\n\t "), 0),
    case("R40", "a 204", [[b"HTTP/1.1 204 No Content\r\n\r\n", CLOSE]], 0),
    case("R40", "a 304 that nobody asked for", [[b"HTTP/1.1 304 Not Modified\r\n\r\n", CLOSE]], 1, "304", requests=1),
    case("R41", "JSON that is said to be text", whole(BODY, kind="text/plain"), 1, "text/plain", requests=1),
    case("R41", "JSON of no type", whole(BODY, kind=None), 0),
    case("R42", "UTF-8 with a mark", whole(b"\xef\xbb\xbf" + BODY), 0),
    case("R42", "UTF-16 with a mark", whole("\ufeff".encode("utf-16-le") + STORED.encode("utf-16-le")), 0),
    case("R42", "UTF-16 by charset", whole(STORED.encode("utf-16-be"), kind="application/json; charset=utf-16be"), 0),
    case(
        "R42",
        "a charset of one byte",
        whole(STORED.replace("two", "zw\xf6lf").encode("latin-1"), kind="application/json; charset=iso-8859-1"),
        1,
        "iso-8859-1",
        requests=1,
    ),
    case("R42", "bytes that are no UTF-8", whole(BODY.replace(b"two", b"t\xffo")), 1, "line 1, byte 56", requests=1),
    *(
        case("R43", what, whole(text), 1, "line 1", requests=1)
        for what, text in {
            "a guard in front": ")]}'\n" + STORED,
            "a call around it": f"call({STORED});",
            "a comma too many": STORED.replace("]}", ",]}"),
            "a comment": STORED.replace("[", "[ /* all */ "),
            "NaN": STORED.replace("3,", "NaN,"),
            "single quotes": STORED.replace('"', "'"),
        }.items()
    ),
    case("R44", "two documents", whole(STORED + STORED), 1, "line 1", requests=1),
    case("R44", "a NUL behind the end", whole(BODY + b"\0"), 1, "line 1, byte 90", requests=1),
    case("R44", "two lines where lines are declared", whole(NDJSON), 0, endpoint=LINES),
    case(
        "R13", "lines whose last one is cut", [[head("Content-Length: 999") + NDJSON[:-9], CLOSE]], 1, endpoint=LINES
    ),
    case(
        "R45",
        "an error with status 200",
        whole('{"error": {"info": "no such action"}}'),
        1,
        "no such action",
        requests=1,
        endpoint="errors:\n  - {when: {error: {exists: true}}, message: error.info}\n",
    ),
    case(
        "R45",
        "an error with status 200, without a rule",
        whole('{"error": {"info": "no such action"}}'),
        1,
        "rows",
        "error",
        requests=1,
    ),
    case(
        "R46",
        "a part of the content",
        whole('{"rows": [{"id": 1}]}', "Content-Range: items 0-0/3", status="206 Partial"),
        0,
        "206",
        requests=1,
    ),
]


def memory_of(process):
    """The most that it has held so far, in KiB."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as status:
            return next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def memory(checks, where, _):
    """R30, R31: what is endless costs a bounded amount of memory and time."""
    packed = bomb(1 << 30)
    for name, steps, limit in (
        ("a bomb", [whole(packed, GZIP)], ""),
        (
            "a body without end",
            without_end(head(), b'{"rows": [' + b'{"id": 1}, ' * 6000),
            "  limits: {body: 64MB}\n",
        ),
    ):
        with raw(lambda *_, steps=steps: steps() if callable(steps) else steps) as server:
            with open(os.path.join(where, "m.yaml"), "w", encoding="utf-8") as out:
                out.write(
                    f"ingest: 1\nsource:\n  name: m\n  base_url: {server.url}\n{limit}"
                    "records: {Row: {table: rows, key: id, fields: [id]}}\n"
                    "endpoints: {rows: {path: /rows, records: {rows: Row}}}\n"
                )
            began = time.monotonic()
            process = subprocess.Popen(
                [INGEST, "--config", "m.yaml", "--store", "sqlite:m.db"],
                cwd=where,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            most = 0
            while process.poll() is None:
                most = max(most, memory_of(process.pid))
                time.sleep(0.01)
            errors = process.stderr.read()
            process.stderr.close()
            checks.equal(f"{name}: exit code", process.returncode, 1)
            checks.expect(f"{name}: the limit is named", "limits." in errors, errors)
            checks.expect(f"{name}: at most 96 MB of memory", 0 < most < 96 << 10, f"{most} KiB")
            checks.expect(f"{name}: it ends soon", time.monotonic() - began < 20)
            checks.expect(f"{name}: the server sent little", server.sent < 96 << 20, f"{server.sent} bytes")


PARTS = {"cases": table(CASES), "memory": memory}
