"""Forty secrets of different alphabets, sent with every request: none is seen anywhere, whatever fails (R80, R81)."""

import base64
import html
import json
import os
import random
import string
import subprocess
import urllib.parse

import cases
import contents
import framing
import paging
import records
import redirects
import statuses
from cases import Bench, case
from checks import ingest, rows
from raw_server import CLOSE, head, raw, whole

TABLES = (framing, contents, statuses, paging, records, redirects)


def drawn(alphabet, count, number):
    return "".join(random.Random(number).choices(alphabet, k=count))


# Every kind of text that is used as a secret, or that is hard to find again once it is written in another way.
SECRETS = [
    drawn("0123456789abcdef", 32, 1), drawn("0123456789ABCDEF", 40, 2), drawn(string.digits, 12, 3),
    drawn(string.ascii_lowercase, 24, 4), drawn(string.ascii_uppercase, 20, 5),
    drawn(string.ascii_letters + string.digits, 40, 6), drawn(string.ascii_letters + string.digits + "-_", 43, 7),
    drawn(string.ascii_letters + string.digits + "+/", 42, 8) + "==", "3f2b8c1e-9a47-4d6b-8f10-5ce2d7a9b046",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    "ghp_" + drawn(string.ascii_letters + string.digits, 36, 10), "AKIA" + drawn(string.ascii_uppercase, 16, 11),
    "correct horse battery staple", "it's a \"quoted\" one", "back\\slash\\and\\more", '{"key": "va\\"lue"}',
    "a%2Fb%20c%25d", "name=value&other=thing", "question?mark#hash;semi", "plus+plus+plus/slash",
    "<b>bold &amp; brash</b>", "Grüße aus Köln", "密码是很长的一句话", "🔑🗝️🔒 emoji", "cafe\u0301 au lait",
    "كلمة السر الطويلة", "пароль-очень-длинный", "user:pa55w0rd@host", "^(a|b)*[c-d]+$",
    "$(rm -rf /) `ls` |", "$VAR and %PATH%",
    "%s%n%d %x", "'; DROP TABLE rows;--", "key: [yaml, {flow: 1}]", "../../etc/passwd", "q9Z!", "aaaaaaaaaaaa",
    "aaaaaaaaaaaab", drawn(string.printable[:94], 300, 38), "\\u0041\\u0042\\n literal",
]
NAMES = [f"CANARY_{number}" for number in range(len(SECRETS))]
ENVIRONMENT = {"KEY": cases.SECRET, **dict(zip(NAMES, SECRETS))}


def of_a_header(secret):
    return secret.isascii() and secret == secret.strip()


def written(secret):
    """How a secret may be written, whole."""
    plain = secret.encode()
    quoted = urllib.parse.quote(secret, safe="")
    texts = {
        secret, quoted, quoted.lower() if "%" in quoted and secret == secret.lower() else quoted,
        urllib.parse.quote(secret), urllib.parse.quote_plus(secret), urllib.parse.quote(quoted, safe=""),
        json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(secret))[3:-3], html.escape(secret), html.escape(secret, quote=False),
        plain.hex(), plain.hex().upper(),
    }
    packed = {
        encode(b"x" * lead + plain + b"y" * (2 - lead)).decode()
        for encode in (base64.b64encode, base64.urlsafe_b64encode) for lead in range(3)}
    return sorted(texts | packed), packed


def looked_for(secret):
    """What must be seen nowhere. Of base64 the ends, which depend on what stands beside the secret, are left out."""
    texts, packed = written(secret)
    return {(text[4:-4] if text in packed else text).encode() for text in texts if len(text) > 16 or text not in packed}


WRITTEN = sorted({text for secret in SECRETS for text in written(secret)[0]})
FORMS = {form: number for number, secret in enumerate(SECRETS) for form in sorted(looked_for(secret))}


def seen(data):
    """Which secrets stand in the data, and how."""
    return sorted({(number, form) for form, number in FORMS.items() if form in data})


def carriers():
    """Lines of a source: each secret is a parameter of each request, and a header where it can be one."""
    params = "".join(f'    c{number}: "${{secret.{name}}}"\n' for number, name in enumerate(NAMES))
    headers = "".join(
        f'    X-C{number}: "a ${{secret.{name}}}"\n'
        for number, (name, secret) in enumerate(zip(NAMES, SECRETS)) if of_a_header(secret))
    return f'  params:\n{params}  headers:\n    X-Own: "own ${{secret.KEY}}"\n{headers}'


class CanaryBench(Bench):
    """A fault of the tables, with all secrets on each request."""

    environment = ENVIRONMENT

    def settings(self, url):
        text = cases.settings(url, self.given.options)
        line = '  headers: {X-Own: "own ${secret.KEY}"}\n'
        assert text.count(line) == 1
        return text.replace(line, carriers()) + "store: {archive: true}\n"

    def holds_secret(self, data):
        found = seen(data)
        if found:
            print(f"canaries: {self.what}: {found[:3]}")
        return found or cases.holds_secret(data)

    def judge(self):
        """What the fault comes to is judged elsewhere: here only what it says and leaves."""
        given = self.given
        with raw(None) as server:
            self.write(server.url)
            self.run(server, [whole(cases.STORED), whole(cases.NOTHING)], (0,), "a good run before it")
            said, _ = self.run(server, given.answers, (0, 1, 2, 3), "the fault", *given.options.get("arguments", ()))
            self.judge_store(said)
            self.judge_archive()
            sent = b"".join(server.heads)
        missing = [secret for secret in SECRETS if urllib.parse.quote(secret, safe="").encode() not in sent]
        self.checks.equal(f"{self.what}: secrets that were not sent", missing, [])

    def judge_archive(self):
        """Answers are kept packed."""
        for (body,) in rows(self.database, "select body from _ingest_responses"):
            if isinstance(body, bytes):
                kept = subprocess.run(["zstd", "-dcq"], input=body, capture_output=True, check=False).stdout
                self.checks.expect(f"{self.what}: no secret in the archive", not self.holds_secret(kept))


# MARK: what an API may say back


def said_back(text, place):
    """The answers in which a text stands at some place."""
    data = text.encode()
    line = text.encode().replace(b"\r", b" ").replace(b"\n", b" ")
    shown = json.dumps({"message": text}, ensure_ascii=False)
    next_url = json.dumps({"rows": [{"id": 1}], "next": "/rows?own=" + text})
    return {
        "an error's message": [whole(shown, status="400 Bad")],
        "an error's code": [whole(json.dumps({"code": text, "error": {"message": "no"}}), status="422 No")],
        "an error page": [whole(b"<html>" + data + b"</html>", status="500 Bad", kind="text/html")],
        "a page in place of JSON": [whole(b"<html>" + data + b"</html>", kind="text/html")],
        "broken JSON": [whole(b'{"rows": [ ' + data + b" ]}")],
        "text behind the end": [whole(b'{"rows": []} ' + data)],
        "a status line": [b"HTTP/1.1 404 " + line + b"\r\nContent-Length: 0\r\n\r\n"],
        "a media type": [head("Content-Type: text/" + line.decode(), "Content-Length: 2", kind=None) + b"{}"
                         if text.isascii() else whole("{}")],
        "a place to go": [b"HTTP/1.1 302 Found\r\nLocation: /there?x=" + line + b"\r\nContent-Length: 0\r\n\r\n"],
        "a place nowhere": [b"HTTP/1.1 302 Found\r\nLocation: ftp://" + line + b"/\r\nContent-Length: 0\r\n\r\n"],
        "an encoding": [b"HTTP/1.1 200 OK\r\nContent-Encoding: " + line + b"\r\nContent-Length: 2\r\n\r\n{}"],
        "a time to wait": [b"HTTP/1.1 503 No\r\nRetry-After: " + line + b"\r\nContent-Length: 2\r\n\r\n{}"],
        "no header": [b"HTTP/1.1 200 OK\r\n" + line + b"\r\nContent-Length: 2\r\n\r\n{}", CLOSE],
        "no HTTP": [data + b"\r\n\r\n", CLOSE],
        "a rejected record": [whole(json.dumps({"rows": [{"id": text}, {"id": 1, "name": {"a": text}}]}))],
        "a key of no place": [whole(json.dumps({text: []}))],
        "a cut body": [head("Content-Length: 99999") + data, CLOSE],
        "a next URL": [whole(next_url)],
    }[place]


PLACES = (
    "an error's message", "an error's code", "an error page", "a page in place of JSON", "broken JSON",
    "text behind the end", "a status line", "a media type", "a place to go", "a place nowhere", "an encoding",
    "a time to wait", "no header", "no HTTP", "a rejected record", "a key of no place", "a cut body", "a next URL")


def echoes(checks, where, given):
    """Each place says back all forms of all secrets, some at a time: on the console, as JSON, in what is recorded."""
    at_once = 60 if given.quick else 12
    for place in PLACES:
        # A row that holds it is a row as the API gives it; all else is not.
        paging_of_it = "    paginate: {by: next_url, from: next}\n" if place == "a next URL" else ""
        for number, start in enumerate(range(0, len(WRITTEN), at_once)):
            if given.quick and number % 7 != PLACES.index(place) % 7:
                continue
            text = " ".join(WRITTEN[start:start + at_once])
            shown = case("R81", f"said back as {place}, {number}", [], None, endpoint=paging_of_it)
            recorded = f"recorded-{PLACES.index(place)}-{number}"
            bench = CanaryBench(checks, where, f"echo-{number}", shown)
            bench.arguments = ("-v",) if number % 2 else ("-v", "--log-format", "json")
            with raw(lambda *_, text=text, place=place: said_back(text, place)) as server:
                bench.write(server.url)
                if os.path.exists(bench.database):
                    os.remove(bench.database)
                command = ["record", recorded] if number % 3 == 0 else ["run"]
                result = ingest(
                    *command, "--config", f"{bench.name}.yaml", "--store", f"sqlite:{bench.database}",
                    *bench.arguments, cwd=where, env=ENVIRONMENT, timeout=60)
                said = result.stdout + result.stderr
                checks.expect(f"{bench.what}: exit code", result.returncode in (0, 1, 3), said[:500])
                bench.judge_store(said)
                bench.judge_archive()
                for folder, _, names in os.walk(os.path.join(where, recorded)):
                    for name in names:
                        with open(os.path.join(folder, name), "rb") as file:
                            data = name.encode() + b" " + file.read()
                        checks.expect(f"{bench.what}: no secret in {name!r:.60}", not bench.holds_secret(data))


def check(checks, where, given):
    checks.equal("canaries: so many secrets", len(set(SECRETS)), 40)
    scenes = 0
    known = [one for module in TABLES for one in module.CASES]
    for number, one in enumerate(known[::12] if given.quick else known):
        CanaryBench(checks, where, number, one).judge()
        scenes += 1
    print(f"canaries: {len(SECRETS)} secrets in {scenes} faults", flush=True)
    echoes(checks, where, given)
    print(f"canaries: {len(WRITTEN)} forms of them were said back in {len(PLACES)} places")
