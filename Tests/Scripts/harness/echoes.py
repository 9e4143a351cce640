"""A secret is nowhere but on the wire, wherever a request carries it, and also when the API says it back."""
import base64
import json
import os
import urllib.parse

from checks import rows
from server import answer, serving

SECRET = 'plum/7f3k+"quince"'
PLACES = {
    "a header": "  headers: {X-Own: 'own ${secret.KEY}'}\n",
    "a parameter": "  params: {own: '${secret.KEY}'}\n",
    "a JSON body": "",
    "a form": "",
    "a text": "",
    "an API key": "  auth: {api_key: {header: X-Key, value: '${secret.KEY}'}}\n",
    "a password": "  auth: {basic: {username: ada, password: '${secret.KEY}'}}\n",
}
BODIES = {
    "a JSON body": "    body: {json: {own: ['${secret.KEY}', 'x ${secret.KEY} y']}}\n",
    "a form": "    body: {form: {own: '${secret.KEY}'}}\n",
    "a text": "    body: {text: 'own=${secret.KEY}'}\n",
}
MAPPING = """\
ingest: 1
source:
  name: echoes
  base_url: "%s"
  retry: {attempts: 2, backoff: constant, wait: 10ms}
%srecords:
  Row: {table: rows, key: id, fields: [{id: {type: integer}}, {said: {type: text}}]}
endpoints:
  rows:
    path: /%s
    method: POST
    records: {rows: Row}
%s"""


def echo(request):
    """What came, in an error's text, in an error page, or in a row that is refused."""
    said = [request.target, str(request.headers), request.body.decode()]
    if request.path == "/error":
        return answer({"message": said}, 503)
    if request.path == "/page":
        return answer(f"<html>{' '.join(said)}</html>".encode(), 400, Content_Type="text/html")
    return answer({"rows": [{"id": "none", "said": said}]})


def forms():
    plain = SECRET.encode()
    return {
        plain, json.dumps(SECRET)[1:-1].encode(), urllib.parse.quote(SECRET, safe="").encode(),
        urllib.parse.quote(SECRET).encode(), urllib.parse.quote_plus(SECRET).encode(), base64.b64encode(plain),
        base64.b64encode(b"ada:" + plain)}


def check(checks, where, options):
    for number, (place, source) in enumerate(PLACES.items()):
        for path, code in (("error", 1), ("page", 1), ("rows", 3)):
            name = f"echoes-{number}-{path}"
            with serving(echo) as server:
                with open(os.path.join(where, f"{name}.yaml"), "w", encoding="utf-8") as out:
                    out.write(MAPPING % (server.url, source, path, BODIES.get(place, "")))
                result = checks.run(
                    "-v", "--config", f"{name}.yaml", "--store", f"sqlite:{name}.db", cwd=where, exit_code=code,
                    env={"KEY": SECRET}, timeout=60)
                nowhere(checks, where, f"echoes: {place}, {path}", name, result)
                checks.expect(f"echoes: {place}, {path}: it was sent", any(
                    form in (request.target + str(request.headers)).encode() + request.body
                    for request in server.seen for form in forms()))


def nowhere(checks, where, what, name, result):
    printed = (result.stdout + result.stderr).encode()
    checks.expect(f"{what}: printed nowhere", not any(form in printed for form in forms()), printed.decode())
    for file in sorted(os.listdir(where)):
        if file.startswith(f"{name}.db"):
            with open(os.path.join(where, file), "rb") as stored:
                held = stored.read()
            checks.expect(f"{what}: not in {file}", not any(form in held for form in forms()))
    checks.expect(f"{what}: the run is kept", rows(
        os.path.join(where, f"{name}.db"), "select count(*) from _ingest_runs") == [(1,)])
