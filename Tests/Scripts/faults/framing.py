"""Connections that break, lengths that lie, and what is no HTTP (R1 to R26)."""

import socket

from cases import STORED, case, table
from checks import rows
from raw_server import CLOSE, HANG, RESET, chunk, head, whole

BODY = STORED.encode()
CHUNKED = head("Transfer-Encoding: chunked")
LONG = "127.0.0.1"


def endless(first, part, pause=0.0):
    """The same part again and again."""

    def steps():
        yield first
        while True:
            yield part
            if pause:
                yield pause

    return steps


def slowly(data, pause):
    def steps():
        for index in range(len(data)):
            yield data[index : index + 1]
            yield pause

    return steps


CASES = [
    case("R5", "a reset before the status", [[RESET]], 1, "dropped"),
    case("R5", "a reset once", [[RESET], whole(STORED)], 0),
    case("R6", "closed before the status", [[CLOSE]], 1, "closed the connection without an answer"),
    case("R6", "closed once", [[CLOSE], whole(STORED)], 0),
    case(
        "R5",
        "a POST whose connection breaks is not sent again",
        [[CLOSE], whole(STORED)],
        1,
        requests=1,
        endpoint="    method: POST\n",
    ),
    case(
        "R5",
        "a POST that is idempotent is",
        [[CLOSE], whole(STORED)],
        0,
        endpoint="    method: POST\n    idempotent: true\n",
    ),
    case(
        "R7",
        "a reset within a chunk",
        [[CHUNKED + chunk(BODY[:40]), 0.05, RESET]],
        1,
        "after 40 bytes",
        "tried 2 times",
    ),
    case("R7", "a reset within a chunk, once", [[CHUNKED + chunk(BODY[:40]), 0.05, RESET], whole(STORED)], 0),
    case("R8", "a length beyond the body", [[head("Content-Length: 500") + BODY, CLOSE]], 1, "bytes"),
    case("R9", "a length short of the body", [[head("Content-Length: 40") + BODY, CLOSE]], 1),
    case(
        "R9",
        "what came behind a body is no answer to the next request",
        [
            whole('{"rows": [{"id": 1}, {"id": 2}, {"id": 3}], "next": "/rows?page=2"}')
            + whole('{"rows": [{"id": 66}]}'),
            whole('{"rows": [{"id": 7}]}'),
        ],
        0,
        stored=[1, 2, 3, 7],
        endpoint="    paginate: {by: next_url, from: next}\n",
    ),
    case(
        "R10",
        "two lengths that differ",
        [[head("Content-Length: 40", f"Content-Length: {len(BODY)}") + BODY, CLOSE]],
        1,
        "Content-Length",
    ),
    case("R10", "a negative length", [[head("Content-Length: -1") + BODY, CLOSE]], 1),
    case("R10", "a length that is a word", [[head("Content-Length: many") + BODY, CLOSE]], 1),
    case("R10", "a length of 20 digits", [[head("Content-Length: 99999999999999999999") + BODY, CLOSE]], 1),
    case(
        "R11",
        "a length and chunks",
        [[head("Content-Length: 10", "Transfer-Encoding: chunked") + chunk(BODY) + b"0\r\n\r\n", CLOSE]],
        0,
    ),
    case("R12", "no last chunk", [[CHUNKED + chunk(BODY), CLOSE]], 1),
    case("R12", "a chunk that is cut", [[CHUNKED + b"ff\r\n" + BODY, CLOSE]], 1),
    case("R12", "a size that is none", [[CHUNKED + b"zz\r\n" + BODY + b"\r\n0\r\n\r\n", CLOSE]], 1),
    case("R12", "a size beyond 64 bits", [[CHUNKED + b"fffffffffffffffff\r\n" + BODY, CLOSE]], 1),
    case("R13", "no length at all, and whole", [[head() + BODY, CLOSE]], 0),
    case("R13", "no length at all, and cut", [[head() + BODY[:-1], CLOSE]], 1),
    case("R13", "a list that is cut behind a record", [[head() + BODY[: BODY.index(b", {")], CLOSE]], 1),
    case("R17", "closed after each answer", [[whole(STORED), CLOSE]], 0),
    case("R21", "no HTTP", [[b"220 mail.test ESMTP\r\n", CLOSE]], 1, "not HTTP"),
    case("R21", "HTTP of 1991", [[b"<html>hello</html>", CLOSE]], 1, "not HTTP"),
    case("R21", "status 000", [[b"HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n", CLOSE]], 1),
    case("R21", "status 20", [[b"HTTP/1.1 20 X\r\nContent-Length: 0\r\n\r\n", CLOSE]], 1),
    case("R21", "status 999", [[b"HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n", CLOSE]], 1, "999", requests=1),
    case("R22", "no answer at all", [[HANG]], 1, "300 ms", timeout="300ms"),
    case("R22", "no answer, once", [[HANG], whole(STORED)], 0, timeout="300ms"),
    case("R22", "headers that stop", [[b"HTTP/1.1 200 OK\r\nContent-", HANG]], 1, "300 ms", timeout="300ms"),
    case("R22", "a body that stops", [[head("Content-Length: 500") + BODY, HANG]], 1, "300 ms", timeout="300ms"),
    case(
        "R23",
        "headers byte by byte without end",
        endless(b"HTTP/1.1 200 OK\r\nX: ", b"x", 0.05),
        1,
        "deadline",
        arguments=("--deadline", "1s"),
        requests=1,
    ),
    case(
        "R24",
        "a body byte by byte that outlasts the deadline",
        [slowly(whole(STORED), 0.02)],
        1,
        "deadline",
        arguments=("--deadline", "1s"),
        requests=1,
    ),
    case("R25", "1xx without end", endless(b"", b"HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n"), 1, "header"),
    case(
        "R26",
        "a pause just below the timeout",
        [[0.4, whole(STORED)[:60], 0.4, whole(STORED)[60:]]],
        0,
        timeout="800ms",
    ),
    case(
        "R27",
        "the deadline comes while it waits to try again",
        whole("{}", status="503 Down"),
        1,
        "deadline",
        arguments=("--deadline", "1s"),
        attempts=9,
        wait="700ms",
        requests=2,
    ),
]


def refused(checks, where, _):
    """R1: nobody listens."""
    with socket.create_server((LONG, 0)) as taken:
        port = taken.getsockname()[1]
    with open(f"{where}/refused.yaml", "w", encoding="utf-8") as out:
        out.write(
            f'ingest: 1\nsource: {{name: r, base_url: "http://{LONG}:{port}", retry: {{attempts: 2, wait: 10ms}}}}\n'
            "records: {Row: {table: rows, key: id, fields: [id]}}\n"
            "endpoints: {rows: {path: /rows, records: {rows: Row}}}\n"
        )
    result = checks.run("--config", "refused.yaml", "--store", "sqlite:refused.db", cwd=where, exit_code=1)
    checks.expect("R1: it is said", "refused" in result.stderr and f":{port}" in result.stderr, result.stderr)
    checks.equal(
        "R1: both tries are kept",
        rows(f"{where}/refused.db", "select endpoint, attempt from _ingest_errors order by attempt"),
        [("rows", 1), ("rows", 2)],
    )


PARTS = {"cases": table(CASES), "refused": refused}
