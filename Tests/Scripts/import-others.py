#!/usr/bin/env python3
"""What `ingest import airbyte` and `import har` draft is valid and fetches; no credential is copied.

What is left out is said."""
import base64
import http.server
import json
import os
import subprocess
import threading
import urllib.parse

from checks import INGEST, Checks, folder, indented, rows

MANIFEST = """\
version: 4.0.0
type: DeclarativeSource
definitions:
  base:
    type: HttpRequester
    url_base: "{{ config['host'] }}/v1/"
    http_method: GET
    authenticator: {type: BearerAuthenticator, api_token: "{{ config['api_token'] }}"}
    request_parameters: {fixed: "1", team: "{{ config['team'] }}", odd: "{{ now_utc() }}"}
    error_handler: {type: DefaultErrorHandler}
  pages:
    type: DefaultPaginator
    page_token_option: {type: RequestOption, inject_into: request_parameter, field_name: page}
    page_size_option: {type: RequestOption, inject_into: request_parameter, field_name: per_page}
    pagination_strategy: {type: PageIncrement, page_size: 2, start_from_page: 1}
  users:
    type: DeclarativeStream
    $parameters: {name: users, primary_key: id, path: users}
    retriever:
      type: SimpleRetriever
      requester: {$ref: "#/definitions/base", path: "{{ parameters['path'] }}"}
      record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: [data, items]},
                        record_filter: {type: RecordFilter, condition: "{{ record.x }}"}}
      paginator: {$ref: "#/definitions/pages"}
    schema_loader:
      type: InlineSchemaLoader
      schema:
        type: object
        properties:
          id: {type: [integer, "null"]}
          name: {type: [string, "null"]}
          joined: {type: string, format: date-time}
          tags: {type: array, items: {type: string}}
  posts:
    type: DeclarativeStream
    name: posts
    primary_key: [user_id, "no"]
    retriever:
      type: SimpleRetriever
      requester: {$ref: "#/definitions/base", path: "/users/{{ stream_partition.user_id }}/posts"}
      record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}
      paginator:
        type: DefaultPaginator
        page_token_option: {type: RequestOption, inject_into: request_parameter, field_name: after}
        pagination_strategy: {type: CursorPagination, cursor_value: "{{ response.get('next', {}).get('cursor') }}",
                              stop_condition: "{{ not response.more }}"}
      partition_router:
        type: SubstreamPartitionRouter
        parent_stream_configs:
          - {type: ParentStreamConfig, parent_key: id, partition_field: user_id, stream: "#/definitions/users"}
    incremental_sync:
      type: DatetimeBasedCursor
      cursor_field: updated
      datetime_format: "%Y-%m-%dT%H:%M:%SZ"
      start_datetime: "2024-01-01T00:00:00Z"
      start_time_option: {type: RequestOption, inject_into: request_parameter, field_name: since}
    schema_loader: {type: JsonFileSchemaLoader, file_path: x.json}
    transformations: [{type: AddFields}]
streams: ["#/definitions/users", "#/definitions/posts",
  {type: DeclarativeStream, name: coded, retriever: {type: CustomRetriever, requester: {}}},
  {type: DeclarativeStream, name: elsewhere, retriever: {type: SimpleRetriever,
    requester: {type: HttpRequester, url_base: "https://other.example.test", path: x}}}]
spec:
  type: Spec
  connection_specification:
    type: object
    properties:
      host: {type: string}
      team: {type: string, default: red}
      api_token: {type: string, airbyte_secret: true}
"""


def run(where, *arguments, **environment):
    return subprocess.run(
        [INGEST, *arguments], cwd=where, capture_output=True, text=True, errors="replace", timeout=120, check=False,
        env={**os.environ, "SWIFT_BACKTRACE": "enable=no", **environment})


def drafted(checks, what, where, kind, name, text):
    with open(os.path.join(where, name), "w", encoding="utf-8") as file:
        file.write(text)
    result = run(where, "import", kind, name)
    with open(os.path.join(where, "draft.yaml"), "w", encoding="utf-8") as file:
        file.write(result.stdout)
    checks.expect(f"{what}: a draft", result.returncode == 0, indented(result.stderr, 40))
    valid = run(where, "validate", "draft.yaml", "--deny-warnings")
    checks.expect(f"{what}: it is valid", valid.returncode == 0, indented(valid.stdout + result.stdout, 80))
    return result.stdout, result.stderr


class API(http.server.BaseHTTPRequestHandler):
    """Users in pages of two, and posts of each of them."""
    seen = []

    def do_GET(self):
        API.seen.append((self.path, self.headers.get("Authorization")))
        if self.path.startswith("/v1/users?"):
            page = int(urllib.parse.parse_qs(self.path.split("?")[1])["page"][0])
            items = {1: [{"id": 1, "name": "Ada", "tags": ["x"]}, {"id": 2}], 2: [{"id": 3}], 3: []}[page]
            body = {"data": {"items": items}}
        else:
            user = int(self.path.split("/")[3])
            body = {"user_id": user, "no": 1, "updated": "2024-02-03T04:05:06Z", "text": "hello"}
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


def airbyte(checks):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), API)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with folder() as where:
        draft, said = drafted(checks, "airbyte", where, "airbyte", "shop.yaml", MANIFEST)
        for words in (
                'base_url: "${host}/v1"', 'bearer: {token: "${secret.SHOP_API_TOKEN}"}',
                "team: {type: text, default: red}",
                "by: page, param: page, start: 1, size_param: per_page, size: 2", "by: cursor, param: after",
                "from: next.cursor", "has_more: more", "for_each: {record: User, bind: {user_id: id}}",
                "key: [user_id, \"no\"]", "unmapped: capture", "column: updated, param: since",
                "joined: {type: timestamp}", "records: {data.items: User}"):
            checks.expect(f"airbyte: the draft has {words!r}", words in draft, indented(draft, 90))
        for words in ("'odd'", "error_handler", "record_filter", "'coded'", "'elsewhere'", "AddFields",
                      "schema is not in the manifest", "where incremental_sync starts"):
            checks.expect(f"airbyte: it is said: {words}", words in said, indented(said, 40))
        fetched = run(
            where, "run", "draft.yaml", "--set", f"host=http://127.0.0.1:{server.server_port}", "--store",
            "sqlite:out.db", SHOP_API_TOKEN="t0ken-of-the-shop")
        checks.equal("airbyte: it fetches", fetched.returncode, 0)
        checks.expect("airbyte: without a complaint", "error" not in fetched.stderr, indented(fetched.stderr))
        database = os.path.join(where, "out.db")
        checks.equal("airbyte: users", rows(database, "select id, name from users order by id"),
                     [(1, "Ada"), (2, None), (3, None)])
        checks.equal("airbyte: posts", rows(database, "select user_id, no, _extra from posts order by 1"),
                     [(user, 1, '{"text":"hello"}') for user in (1, 2, 3)])
        checks.expect("airbyte: the token is sent", {token for _, token in API.seen} == {"Bearer t0ken-of-the-shop"})
        for text, words in (("{}", "no declarative manifest"), ("streams: [1]", "no requester")):
            with open(os.path.join(where, "no.yaml"), "w", encoding="utf-8") as file:
                file.write(text)
            result = run(where, "import", "airbyte", "no.yaml")
            checks.expect(f"airbyte: {text}", words in result.stderr, result.stderr)
            checks.equal(f"airbyte: {text} is no draft", (result.returncode, result.stdout), (1, ""))
    server.shutdown()


def entry(method, url, body, headers=(), query=(), **content):
    text = body if isinstance(body, str) else json.dumps(body)
    return {
        "request": {"method": method, "url": url, "headers": [{"name": n, "value": v} for n, v in headers],
                    "queryString": [{"name": n, "value": v} for n, v in query],
                    "cookies": [{"name": "sid", "value": "c00kie-secret"}],
                    **({"postData": {"text": '{"password": "hunter2-secret"}'}} if method == "POST" else {})},
        "response": {"status": 200, "content": {"mimeType": "application/json; charset=utf-8", "text": text,
        **content}}}


SECRETS = ["c00kie-secret", "hunter2-secret", "b3arer-secret", "k3y-secret", "t0ken-secret", "ada@example.test",
"s3ssion", "illness"]


def har(checks):
    auth = [("Authorization", "Bearer b3arer-secret"), ("Cookie", "sid=c00kie-secret"), ("X-Api-Key", "k3y-secret"),
            ("User-Agent", "x")]
    api = "https://api.example.test"
    log = {"log": {"entries": [
        entry("GET", f"{api}/v2/users?page=1&limit=50&access_token=t0ken-secret&email=ada@example.test",
              {"users": [{"id": 1, "mail": "ada@example.test"}], "next_cursor": None}, auth,
              [("page", "1"), ("limit", "50"), ("access_token", "t0ken-secret"), ("email", "ada@example.test")]),
        entry("GET", f"{api}/v2/users?page=2&limit=50", {"users": [{"id": 2, "name": "B"}], "next_cursor": "x"}, auth,
              [("page", "2"), ("limit", "50")]),
        entry("GET", f"{api}/v2/users/17/posts", [{"id": 5, "title": "x"}], auth),
        entry("GET", f"{api}/v2/users/18/posts", base64.b64encode(b'[{"id": 6}]').decode(), auth, encoding="base64"),
        entry("GET", f"{api}/v2/search?q=my+secret+illness&order=asc", {"hits": 0, "found": [{"id": 1}]}, auth,
              [("q", "my secret illness"), ("order", "asc")]),
        entry("POST", f"{api}/v2/sessions", {"token": "s3ssion"}, auth),
        entry("GET", "https://tracker.example.test/x", {"a": 1}),
        entry("GET", f"{api}/v2/broken", "{"),
        {"request": {"method": "GET", "url": f"{api}/logo.png", "headers": []},
         "response": {"status": 200, "content": {"mimeType": "image/png"}}},
        {"request": {"method": "GET", "url": f"{api}/gone", "headers": []},
         "response": {"status": 404, "content": {"mimeType": "application/json", "text": "{}"}}}]}}
    with folder() as where:
        draft, said = drafted(checks, "har", where, "har", "seen.har", json.dumps(log))
        for words in (
                "base_url: https://api.example.test", 'bearer: {token: "${secret.', "X-Api-Key: ", "access_token: ",
                "/v2/users/{user_id}/posts", "for: user_id", "order: asc", 'q: "${q}"',
                "method: POST", 'limit: "50"', "name: {type: text}",
                "path: /v2/users\n"):
            checks.expect(f"har: the draft has {words!r}", words in draft, indented(draft, 90))
        for words in ("tracker.example.test", "cookies are not carried over", "cannot be read",
        "its body is not carried"):
            checks.expect(f"har: it is said: {words}", words in said, indented(said, 40))
        for secret in SECRETS:
            checks.expect(f"har: {secret} is not copied", secret not in draft + said)
        for body, path, method in (({"users": [{"id": 1}, {"id": 2}]}, "/v2/users", "GET"),
                                   ([{"id": 5}], "/v2/users/17/posts", "GET"), ({"token": "x"}, "/v2/sessions",
                                   "POST")):
            with open(os.path.join(where, "body.json"), "w", encoding="utf-8") as file:
                json.dump(body, file)
            result = run(where, "load", "body.json", "--config", "draft.yaml", "--store", "sqlite:o.db", "--path", path,
                         "--method", method)
            checks.expect(f"har: {path} loads", result.returncode == 0, result.stderr)
        for text, words in (("{}", "log.entries"), ('{"log": {"entries": []}}', "no answer")):
            with open(os.path.join(where, "no.har"), "w", encoding="utf-8") as file:
                file.write(text)
            result = run(where, "import", "har", "no.har")
            checks.expect(f"har: {text}", result.returncode == 1 and words in result.stderr, result.stderr)


JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLW9mLWl0"
RANDOM = "x7Kp2mQ9vR4tW8zL1nB5"
WRITTEN = """\
version: 4.0.0
type: DeclarativeSource
streams:
  - type: DeclarativeStream
    name: users
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: https://ada:Hunter2-secret@api.example.test/v1
        path: /token/T0k3n-secret/users?api_key=K3y-secret&page=1
        authenticator: {type: BearerAuthenticator, api_token: b3arer-secret}
        request_headers: {X-Api-Key: h3ader-secret, Accept-Language: en, X-Trace: %s, X-Odd: "a\\x01b"}
        request_parameters: {password: "pazzword", team: "{{ config['team'] }}", sort_key: created}
      record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: [items]}}
    schema_loader:
      type: InlineSchemaLoader
      schema:
        type: object
        properties:
          id: {type: integer}
          note: {type: string, description: "such as %s or so"}
          gone: {$ref: "#/definitions/no"}
spec:
  connection_specification:
    properties:
      team: {type: string, default: %s}
""" % (RANDOM, JWT, RANDOM)


def written_airbyte(checks):
    """What a manifest holds in clear becomes a secret, and nothing of it is told."""
    with folder() as where:
        draft, said = drafted(checks, "written airbyte", where, "airbyte", "shop.yaml", WRITTEN)
        for secret in ("secret@", "Hunter2", "T0k3n", "K3y-", "b3arer", "h3ader", "pazzword", RANDOM, JWT):
            checks.expect(f"airbyte: {secret} is not copied", secret not in draft + said, indented(draft + said, 60))
        for words in ("base_url: https://api.example.test/v1", 'token: "${secret.SHOP_API_TOKEN}"',
                      'X-Api-Key: "${secret.SHOP_X_API_KEY}"', 'X-Trace: "${secret.SHOP_X_TRACE}"',
                      'api_key: "${secret.SHOP_API_KEY}"', 'password: "${secret.SHOP_PASSWORD}"',
                      "/token/${secret.SHOP_TOKEN}/users", "sort_key: created", "Accept-Language: en"):
            checks.expect(f"airbyte: the draft has {words!r}", words in draft, indented(draft, 60))
        for words in ("'X-Odd' cannot be sent as a header", "nothing at its reference '#/definitions/no'",
                      "its default looks like a credential", "a user name and password stand in a URL"):
            checks.expect(f"airbyte: it is said: {words}", words in said, indented(said, 40))


def written_har(checks):
    """Credentials in paths, in names of parameters and members; names that would upset a reader of the draft."""
    api = "https://api.example.test"
    body = {"items": [{"id": 1, RANDOM: 2, "na\u202eme": 3, 'q"uo\'te': 4}], "tokens": {JWT: {"id": 7}}, "pages": 3}
    log = {"log": {"entries": [
        entry("GET", f"{api}/v1/token/S3cr3t-in-path/items?{RANDOM}=1&trace={RANDOM}x&odd=1", body,
              [("X-Odd\u0001", RANDOM), ("X-Weird", RANDOM)],
              [(RANDOM, "1"), ("trace", RANDOM + "x"), ('o"d\u202ed', "1")]),
        entry("GET", f"{api}/v1/{JWT}/users/7", {"id": 7, "name": "x"}),
        entry("GET", f"{api}/v1/{RANDOM}", {"id": 7, "colour": "x"}),
        entry("GET", f"{api}/v1/re\u202every\u0001/q\"uote", {"id": 7, "shape": "x"})]}}
    with folder() as where:
        draft, said = drafted(checks, "written har", where, "har", "seen.har", json.dumps(log))
        for secret in ("S3cr3t", RANDOM, JWT, JWT.split(".")[1], "\u202e", "\u0001"):
            checks.expect(f"har: {secret!r} is not copied", secret not in draft + said, indented(draft + said, 60))
        for words in ("/v1/token/${secret.API_EXAMPLE_TEST_TOKEN}/items",
                      "/v1/${secret.API_EXAMPLE_TEST_TOKEN}/users/{user_id}",
                      'trace: "${secret.API_EXAMPLE_TEST_TRACE}"'):
            checks.expect(f"har: the draft has {words!r}", words in draft, indented(draft, 80))
        for words in ("a part of the path looks like a credential", "names look like credentials",
                      "a parameter whose name looks like a credential"):
            checks.expect(f"har: it is said: {words}", words in said, indented(said, 40))
        with open(os.path.join(where, "body.json"), "w", encoding="utf-8") as file:
            json.dump(body, file)
        result = run(where, "load", "body.json", "--config", "draft.yaml", "--store", "sqlite:o.db", "--path",
                     "/v1/token/S3cr3t-in-path/items", API_EXAMPLE_TEST_TOKEN="S3cr3t-in-path",
                     API_EXAMPLE_TEST_TRACE="x", API_EXAMPLE_TEST_X_WEIRD="x")
        checks.expect("har: the body that it came from loads", result.returncode == 0, result.stderr)


def main():
    checks = Checks("import-others")
    written_airbyte(checks)
    written_har(checks)
    airbyte(checks)
    har(checks)
    checks.finish()


if __name__ == "__main__":
    main()
