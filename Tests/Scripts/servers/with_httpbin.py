#!/usr/bin/env python3
"""httpbin: kinds of authentication, redirects, compression, statuses, and requests that are echoed as they came."""
import json

from running import PYTHON, Run, free_port, installed, main, started
from checks import rows

SERVE = "from httpbin import app; app.run(host='127.0.0.1', port={port}, threaded=True)"
MAPPING = """\
ingest: 1
source:
  name: bin
  base_url: "%(url)s"
  retry: {attempts: 3, backoff: constant, wait: 50ms}
%(source)srecords:
  Answer:
    table: answers
    key: path
    fields:
      - path: {from: $request.url, transform: [{extract: "^[^?]+"}], type: text}
      - value: {from: ., type: json}
endpoints:
  it:
    path: %(path)s
    records: {.: Answer}
%(more)s"""
SECRET = "quince-7f3k"


class Bin:
    def __init__(self, checks, where, url):
        self.checks, self.where, self.url, self.count = checks, where, url, 0

    def run(self, path, source="", more="", exit_code=0, **options):
        """One request; gives the run, so that its store can be looked at."""
        self.count += 1
        run = Run(self.checks, self.where, f"bin-{self.count}", MAPPING % {
            "url": self.url, "source": source, "path": path, "more": more})
        run.result = run(exit_code=exit_code, env={"KEY": SECRET}, **options)
        return run

    def value(self, path, **options):
        """The body that is stored."""
        held = rows(self.run(path, **options).database, "select value from answers")
        self.checks.equal(f"{path}: rows", len(held), 1)
        try:
            return json.loads(held[0][0])
        except (IndexError, ValueError):
            return {}


def authentication(checks, bin_):
    ways = {
        f"/basic-auth/ada/{SECRET}": "{basic: {username: ada, password: '${secret.KEY}'}}",
        "/bearer": "{bearer: {token: '${secret.KEY}'}}",
        f"/digest-auth/auth/ada/{SECRET}/MD5": "{digest: {username: ada, password: '${secret.KEY}'}}",
        f"/digest-auth/auth/ada/{SECRET}/SHA-256": "{digest: {username: ada, password: '${secret.KEY}'}}",
    }
    for path, auth in ways.items():
        value = bin_.value(path, source=f"  auth: {auth}\n")
        checks.equal(f"{path}: let in", value.get("authenticated"), True)
    for path in ways:
        run = bin_.run(path, source="  auth: {basic: {username: bo, password: '${secret.KEY}'}}\n", exit_code=1) \
            if path != "/bearer" else bin_.run(path, exit_code=1)
        checks.equal(f"{path}: turned away", rows(
            run.database, "select status from _ingest_errors"), [(401,)])


def redirects(checks, bin_):
    for path in ("/redirect/10", "/relative-redirect/5", "/absolute-redirect/5"):
        checks.expect(f"{path} is followed", bin_.value(path).get("url", "").endswith("/get"))
    run = bin_.run("/redirect/11", exit_code=1)
    checks.expect("/redirect/11 is too many", "redirect" in run.result.stderr, run.result.stderr)
    for status, method in ((303, "GET"), (302, "GET"), (307, "POST"), (308, "POST")):
        value = bin_.value(
            "/redirect-to", more="    method: POST\n    body: {json: {n: 1}}\n"
            f"    params: {{url: /anything, status_code: {status}}}\n")
        checks.equal(f"POST, then {status}", (value.get("method"), value.get("json")),
                     (method, {"n": 1} if method == "POST" else None))


def encodings(checks, bin_):
    checks.equal("gzip", bin_.value("/gzip").get("gzipped"), True)
    checks.equal("deflate", bin_.value("/deflate").get("deflated"), True)
    run = bin_.run("/stream/7", more="    format: ndjson\n    params: {x: 1}\n")
    checks.equal("lines", rows(run.database, "select received from _ingest_counts"), [(7,)])
    for path, kind in (("/html", "text/html"), ("/xml", "application/xml"), ("/image/png", "image/png"),
                       ("/deny", "text/plain")):
        run = bin_.run(path, exit_code=1)
        checks.expect(f"{path}: the type is named", kind in run.result.stderr, run.result.stderr)
    run = bin_.run("/drip", more="    params: {numbytes: 3, duration: 1, delay: 0}\n", exit_code=1)
    checks.expect("/drip: the type is named", "application/octet-stream" in run.result.stderr, run.result.stderr)


def statuses(checks, bin_):
    for status, tries in ((503, 3), (429, 3), (500, 3), (418, 1), (404, 1), (501, 1)):
        run = bin_.run(f"/status/{status}", exit_code=1)
        checks.equal(f"status {status}: tries", rows(
            run.database, "select status, attempt from _ingest_errors order by attempt"),
                     [(status, n + 1) for n in range(tries)])
    for status in (204, 205):
        run = bin_.run(f"/status/{status}")
        checks.equal(f"status {status}: no rows", rows(run.database, "select count(*) from answers"), [(0,)])
    run = bin_.run("/delay/3", source="  timeout: 500ms\n", exit_code=1)
    checks.equal("a silence: tries", rows(run.database, "select count(*) from _ingest_errors"), [(3,)])


def validators(checks, bin_):
    """The second run asks whether anything has changed; the server says that nothing has."""
    run = bin_.run("/etag/tide")
    run()
    checks.equal("ETag: the row stays", rows(run.database, "select count(*) from answers"), [(1,)])
    received = rows(run.database, "select sum(received) from _ingest_counts group by run_id order by run_id")
    checks.equal("ETag: nothing was sent again", received[-1][0] if len(received) > 1 else 0, 0)


def echoes(checks, bin_):
    """What is written in a mapping is what arrives."""
    texts = ["a&b=c", "1+1", "100 %", "caf\u00e9", "\U0001f6a2", "#?/", "\"'\\", " x "]
    params = ", ".join(f"p{n}: {json.dumps(text, ensure_ascii=False)}" for n, text in enumerate(texts))
    value = bin_.value("/anything", more=f"    params: {{{params}, list: [b, a], none: null}}\n")
    checks.equal("parameters", value.get("args"), {**{f"p{n}": t for n, t in enumerate(texts)}, "list": ["b", "a"]})
    value = bin_.value("/anything", more=f"    method: POST\n    body: {{form: {{{params}}}}}\n")
    checks.equal("a form", value.get("form"), {f"p{n}": text for n, text in enumerate(texts)})
    document = {"z": [1, 2.5, True, None, {"a": texts}], "a": "", "n": 9007199254740993}
    text = json.dumps(document, ensure_ascii=False)
    value = bin_.value("/anything", more=f"    method: POST\n    body: {{json: {text}}}\n")
    checks.equal("a JSON body", value.get("json"), document)
    checks.expect("in its order, minified", str(value.get("data", "")).startswith('{"z":[1,2.5,true,null,{"a":'))
    value = bin_.value("/headers", source='  headers: {X-One: "1", Accept: application/json}\n',
                       more="    headers: {x-one: two}\n")
    got = value.get("headers", {})
    checks.equal("an endpoint's header overrides the source's", (got.get("X-One"), got.get("Accept")),
                 ("two", "application/json"))


def check(checks, where):
    port = free_port()
    with started([PYTHON, "-c", SERVE.format(port=port)], where, port):
        bin_ = Bin(checks, where, f"http://127.0.0.1:{port}")
        for part in (authentication, redirects, encodings, statuses, validators, echoes):
            part(checks, bin_)


main("httpbin", installed("python", "lib"), check)
