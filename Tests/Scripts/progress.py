#!/usr/bin/env python3
"""What a run shows on a terminal, and what it says where there is none."""
import http.server
import json
import os
import pty
import re
import subprocess
import threading
import time

from checks import INGEST, Checks, folder

MAPPING = """\
ingest: 1
source: {name: things, base_url: %s, retry: {attempts: 2, backoff: constant, wait: 2s}}
records:
  Thing: {table: things, key: id, fields: [{id: {type: integer}}]}
endpoints:
  things:
    path: /things
    records: {things: Thing}
    paginate: {by: page, param: page, start: 1, total: total}
  others: {path: /others, records: {things: Thing}}
"""


class Handler(http.server.BaseHTTPRequestHandler):
    """Four pages of two things, each after a while; the third one fails at first."""

    failed = False

    def do_GET(self):  # noqa: N802, the name is http.server's
        time.sleep(0.3)
        page = int(self.path.partition("page=")[2] or 9)
        status = 503 if page == 3 and not Handler.failed else 200
        Handler.failed = Handler.failed or status == 503
        data = json.dumps({"total": 8, "things": [{"id": page * 2}, {"id": page * 2 + 1}]}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def on_terminal(where, *arguments, **variables):
    """Standard error is a terminal; gives what was written to it."""
    Handler.failed = False
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "SWIFT_BACKTRACE": "enable=no", **variables}
    process = subprocess.Popen(
        [INGEST, "--config", "mapping.yaml", "--full", *arguments], cwd=where, stdout=subprocess.PIPE, stderr=theirs,
        env=environment)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(ours)
    output, _ = process.communicate(timeout=60)
    return process.returncode, text.decode(), output.decode()


def main():
    checks = Checks("progress")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with folder() as where:
        with open(os.path.join(where, "mapping.yaml"), "w", encoding="utf-8") as out:
            out.write(MAPPING % f"http://127.0.0.1:{server.server_address[1]}")

        code, text, output = on_terminal(where)
        checks.equal("a run on a terminal ends well", code, 0)
        checks.expect("its line changes in place", text.count("\r\x1b[K") > 5, text)
        checks.expect("a known total is a bar", re.search(r"█+░+ 4 of 8 records", text), text)
        checks.expect("a wait is named", re.search(r"waits \d s \(next try\)", text), text)
        shown = [line.split("\r\x1b[K")[-1] for line in text.replace("\r\n", "\n").split("\n") if line]
        left = [line for line in shown if re.match(r"(things|others)  \d", line)]
        checks.equal(
            "each endpoint leaves a line", [re.sub(r"\d+ s$", "N s", line) for line in left],
            ["things  4 pages  8 records  N s", "others  1 page  2 records  N s"])
        checks.expect(
            "a message stands above the line, whole",
            any(re.match(r"endpoint 'things': GET \S+ answered 503; next try in 2", line) for line in shown), text)
        checks.expect("the report stands below", re.match(r"things  received", shown[-2]) and not output, text)

        for what, arguments, variables in (
                ("with -q", ["-q"], {}), ("with --log-format json", ["--log-format", "json"], {}),
                ("on a terminal that can do no more", [], {"TERM": "dumb"})):
            code, text, _ = on_terminal(where, *arguments, **variables)
            checks.expect(f"no line {what}", code == 0 and "\x1b" not in text and "█" not in text, text)

        Handler.failed = False
        result = checks.run("--config", "mapping.yaml", "--full", cwd=where)
        checks.expect(
            "no line where there is no terminal",
            "\x1b" not in result.stderr and "\r" not in result.stderr, result.stderr)
    checks.finish()


main()
