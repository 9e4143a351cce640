"""Where redirects, next URLs and values in paths may lead (R57 to R73)."""

import json
import os
import shutil
import subprocess
import urllib.parse

from cases import case, table
from checks import INGEST, ingest, rows
from raw_server import raw, whole

BY_URL = "    paginate: {by: next_url, from: next}\n"
BY_LINK = "    paginate: {by: link_header}\n"
SCHEMES = [
    "file:///etc/passwd",
    "ftp://127.0.0.1/x",
    "gopher://127.0.0.1:1/x",
    "dict://127.0.0.1:1/x",
    "ldap://127.0.0.1:1/x",
    "data:application/json,[]",
    "javascript:1",
    "FILE:///etc/passwd",
]
NO_URLS = [
    "http://",
    "http://[::1",
    "http://127.0.0.1:99999/",
    "http://a b/",
    "http://127.0.0.1\\@evil.test/x",
    "http://ada:pw@127.0.0.1:1/rows",
    "http://127.0.0.1:1/\x01",
]


def redirect(to, status="302 Found"):
    return whole("{}", f"Location: {to}", status=status)


CASES = [
    *(
        case("R62", f"a redirect to {url}", redirect(url), 1, url.split(":")[0].lower(), requests=1)
        for url in SCHEMES
    ),
    *(
        case(
            "R62",
            f"a next URL of {url}",
            whole(json.dumps({"rows": [{"id": 1}], "next": url})),
            1,
            requests=1,
            endpoint=BY_URL,
        )
        for url in SCHEMES
    ),
    *(
        case(
            "R59",
            f"a next URL that is none: {url!r}",
            whole(json.dumps({"rows": [{"id": 1}], "next": url})),
            1,
            requests=1,
            endpoint=BY_URL,
        )
        for url in NO_URLS
    ),
    case("R61", "a redirect to itself", redirect("/rows"), 1, "redirect", requests=11),
    case("R61", "redirects without end", [redirect(f"/rows/{n}") for n in range(20)], 1, "10", requests=11),
    case("R61", "an empty Location", redirect(""), 1, "circle", requests=2),
    case("R61", "no Location", whole("{}", status="302 Found"), 1, "302", requests=1),
]
HOSTILE = [
    "../../admin",
    "..",
    ".",
    "%2e%2e",
    "%2e%2e%2f",
    "..;/",
    "a/b",
    "//evil.test/x",
    "?admin=1",
    "#x",
    "a\\b",
    "..\\..",
    "a b",
    "+",
    "%",
    "%00",
    "é",
    "e\u0301",
    "☂",
    "a&b=c",
    "http://evil.test/",
    "x" * 5000,
    "\u202eabc",
    ":",
    "@",
    ";",
]


def mapping(url):
    return f"""\
ingest: 1
source: {{name: paths, base_url: "{url}/v1", retry: {{attempts: 1}}}}
variables: {{name: x}}
records:
  Name: {{table: names, write: append, fields: {{name: {{from: $route.name, type: text}}}}}}
endpoints:
  names: {{path: "/names/:name/items", records: {{names: Name}}, params: {{q: "${{name}}"}}}}
"""


def values_stay_in_their_segment(checks, where, _):
    """R67, R68: whatever a value holds, the server gets it back from the one segment and the one parameter."""
    with raw(lambda *_: [whole('{"names": [{}]}')]) as server:
        with open(os.path.join(where, "paths.yaml"), "w", encoding="utf-8") as out:
            out.write(mapping(server.url))
        for value in HOSTILE:
            result = ingest(
                "--config", "paths.yaml", "--store", "sqlite:paths.db", "--set", f"name={value}", cwd=where
            )
            checks.expect(f"R67 {value[:20]!r}: exit code 0", result.returncode == 0, result.stderr)
            target = server.targets[-1]
            path, _, query = target.partition("?")
            segments = path.split("/")
            checks.equal(f"R67 {value[:20]!r}: segments of {path[:60]}", len(segments), 5)
            checks.equal(f"R67 {value[:20]!r}: the segment", urllib.parse.unquote(segments[3]), value)
            checks.expect(f"R67 {value[:20]!r}: no dots are left to resolve", segments[3] not in (".", ".."), path)
            checks.equal(f"R68 {value[:20]!r}: the parameter", urllib.parse.parse_qs(query), {"q": [value]})
    held = [name for (name,) in rows(os.path.join(where, "paths.db"), "select name from names order by rowid")]
    checks.equal("R67: $route gives the value back", held, HOSTILE)


def values_that_break_out(checks, where, _):
    """R67, R71: control characters and values without a text are refused before anything is sent."""
    with raw(lambda *_: [whole('{"names": [{}]}')]) as server:
        with open(os.path.join(where, "out.yaml"), "w", encoding="utf-8") as out:
            out.write(mapping(server.url))
        for value in ("", "  "):
            result = ingest("--config", "out.yaml", "--store", "sqlite:out.db", "--set", f"name={value}", cwd=where)
            checks.expect(
                f"R67 {value!r} in a path: refused", value != "" or result.returncode in (1, 2), result.stderr
            )
        server.heads = []
        for place in (
            'headers: {X-Own: "${secret.KEY}"}',
            'auth: {bearer: {token: "${secret.KEY}"}}',
            'auth: {basic: {username: "${secret.KEY}", password: x}}',
            'auth: {api_key: {cookie: c, value: "${secret.KEY}"}}',
            'headers: {User-Agent: "${secret.KEY}"}',
        ):
            with open(os.path.join(where, "out.yaml"), "w", encoding="utf-8") as out:
                out.write(mapping(server.url).replace("retry: {attempts: 1}", place))
            for secret in ("kiwi\r\nX-Injected: 1", "kiwi\nX-Injected: 1", "kiwi\rX", "kiwi\x7f", "kiwi\x01"):
                result = ingest("--config", "out.yaml", "--store", "sqlite:out.db", cwd=where, env={"KEY": secret})
                what = f"R71 {secret!r} in {place.split('$')[0]}"
                checks.expect(f"{what}: exit code 1 or 2", result.returncode in (1, 2), result.stdout + result.stderr)
                checks.expect(
                    f"{what}: the value is not said", "kiwi" not in result.stdout + result.stderr, result.stderr
                )
        checks.equal("R71: requests that were sent", server.heads, [])


def names_of_headers(checks, where, _):
    """R72, R73: what cannot be a method or a header is an error of the mapping."""
    for place in (
        "method: 'GE T'",
        'method: "GET\\r\\nX: 1"',
        'headers: {"X A": b}',
        'headers: {"X:A": b}',
        'headers: {"X\\r\\nA": b}',
        'headers: {"": b}',
        'headers: {X-A: "a\\r\\nb"}',
        "headers: {Ü: b}",
    ):
        with open(os.path.join(where, "names.yaml"), "w", encoding="utf-8") as out:
            out.write(mapping("http://127.0.0.1:1").replace("params:", f"{place}, params:"))
        result = ingest("validate", "names.yaml", cwd=where)
        checks.expect(f"R72 {place}: exit code 2", result.returncode == 2, result.stdout + result.stderr)
        checks.expect(f"R72 {place}: its place is told", "names.yaml:7:" in result.stdout, result.stdout)


def no_socket_for_other_schemes(checks, where, _):
    """R62: a redirect to a file or another scheme opens nothing."""
    if not shutil.which("strace"):
        checks.skip("R62: strace is not installed")
        return
    with raw(lambda *_: [redirect("file:///etc/hostname")]) as server:
        with open(os.path.join(where, "s.yaml"), "w", encoding="utf-8") as out:
            out.write(mapping(server.url))
        trace = os.path.join(where, "trace")
        subprocess.run(
            [
                "strace",
                "-f",
                "-qq",
                "-o",
                trace,
                "-e",
                "trace=connect,openat",
                INGEST,
                "--config",
                "s.yaml",
                "--store",
                "sqlite:s.db",
            ],
            cwd=where,
            capture_output=True,
            check=False,
            timeout=60,
        )
        with open(trace, encoding="utf-8") as lines:
            calls = lines.read()
        checks.expect("R62: the file is not opened", "connect(" in calls and "/etc/hostname" not in calls)
        checks.equal("R62: sockets to servers", calls.count("sin_port"), 1)


PARTS = {
    "cases": table(CASES),
    "values_stay_in_their_segment": values_stay_in_their_segment,
    "values_that_break_out": values_that_break_out,
    "names_of_headers": names_of_headers,
    "no_socket_for_other_schemes": no_socket_for_other_schemes,
}
