#!/usr/bin/env python3
"""Credentials on the wire, on the screen and on the disk, by the built binary against servers on loopback."""
import base64
import http.server
import json
import os
import signal
import stat
import subprocess
import threading
import urllib.parse

from checks import INGEST, Checks, folder, ingest, rows

# Each ends in a word that is nowhere else, so that a search for it finds every leak.
SECRETS = {"CS": "client-kiwi", "RT": "refresh-kiwi-0", "PW": "pass/w+rd-kiwi", "PX": "prox y:kiwi"}
MAPPING = """\
ingest: 1
source:
  name: things
  base_url: %s
  auth: %s
  retry: {attempts: 2, wait: 10ms}
  %s
records:
  Thing: {table: things, key: id, write: %s, track: true, fields: [{id: {type: integer}}, {url: $request.url}]}
endpoints:
  things: {path: /things, records: {things: Thing}, paginate: {by: page, param: page, start: 1}}
store: {commit: %s}
errors: [{status: 4xx, message: message}]
"""
REFRESH = '{oauth2: {grant: refresh_token, token_url: /token, client_id: a, client_secret: "${secret.CS}", ' \
          'refresh_token: "${secret.RT}"}}'


class Server(http.server.ThreadingHTTPServer):
    """Gives a new refresh token for each, which is then the only one that is good; and things to whoever has its token.

    `kills` is a process that is gone as soon as a thing is asked for with the first token.
    """

    daemon_threads = True

    def __init__(self):
        self.kills = None
        self.refresh, self.count, self.seen = SECRETS["RT"], 0, []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length).decode()
                server.seen.append((self.command, self.path, dict(self.headers), body))
                status, value = server.reply(self, body)
                if status is None:
                    self.close_connection = True
                    return
                data = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                if status == 307:
                    self.send_header("Location", value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = answer  # noqa: N815, the names are http.server's

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def reply(self, handler, body):
        path = urllib.parse.urlsplit(handler.path).path
        if path == "/token":
            form = dict(urllib.parse.parse_qsl(body))
            if form.get("refresh_token") != self.refresh:
                return 400, {"error": "invalid_grant", "error_description": f"not {form.get('refresh_token')}"}
            self.count += 1
            self.refresh = f"refresh-kiwi-{self.count}"
            return 200, {"access_token": f"access-kiwi-{self.count}", "refresh_token": self.refresh}
        if handler.headers.get("Authorization") != f"Bearer access-kiwi-{self.count}":
            return 401, {"message": f"no {handler.headers.get('Authorization')}"}
        if self.kills:
            process, self.kills = self.kills, None
            process.send_signal(signal.SIGKILL)
            process.wait()
            return None, None
        page = int(urllib.parse.parse_qs(urllib.parse.urlsplit(handler.path).query)["page"][0])
        return 200, {"things": [{"id": page}] if page < 3 else []}

    def close(self):
        self.shutdown()
        self.server_close()
        self.thread.join()


def leaks(where, *texts):
    """What holds a secret, in any form: texts, and all files but the mappings."""
    forms = [b"kiwi"]
    forms += [base64.b64encode(b"x" * n + value.encode())[4:-4] for value in SECRETS.values() for n in range(3)]
    found = [text for text in texts if any(form in text.encode() for form in forms)]
    for folder_, _, names in os.walk(where):
        for name in names:
            if name.endswith(".yaml") or name in ("netrc", "recorded.http"):
                continue
            with open(os.path.join(folder_, name), "rb") as file:
                data = file.read()
            found += [name] if any(form in data for form in forms) else []
    return found


def refresh_tokens(checks, where):
    """A run that is killed with a new refresh token, before it used the access token that came with it."""
    for write, commit in (("upsert", "page"), ("replace", "page"), ("upsert", "run")):
        what = f"write: {write}, commit: {commit}"
        server = Server()
        place = os.path.join(where, f"{write}-{commit}")
        os.mkdir(place)
        try:
            save(place, "m.yaml", MAPPING % (server.url, REFRESH, "lenient: true", write, commit))
            process = subprocess.Popen(
                [INGEST, "--config", "m.yaml", "--store", "sqlite:t.db"], cwd=place, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, env={**os.environ, **SECRETS, "SWIFT_BACKTRACE": "enable=no"})
            server.kills = process
            process.communicate(timeout=60)
            checks.equal(f"{what}: it was killed", process.returncode, -signal.SIGKILL)
            aside = [name for name in os.listdir(place) if "-state-" in name]
            checks.expect(f"{what}: what is set aside is for the user alone", all(
                stat.S_IMODE(os.stat(os.path.join(place, name)).st_mode) == 0o600 for name in aside), aside)
            # What is only set aside counts for those who look into the store, too.
            checks.run("try", "things", "--config", "m.yaml", "--store", "sqlite:t.db", cwd=place, env=SECRETS)
            result = checks.run("--config", "m.yaml", "--store", "sqlite:t.db", cwd=place, env=SECRETS)
            database = os.path.join(place, "t.db")
            checks.equal(f"{what}: the next run goes on", rows(database, "select id from things"), [(1,), (2,)])
            checks.equal(f"{what}: nothing is left aside", [n for n in os.listdir(place) if "-state-" in n], [])
            checks.expect(f"{what}: nothing is said", not leaks("/nowhere", result.stdout, result.stderr))
            kept = rows(database, "select value from _ingest_state where name = 'auth.refresh_token'")
            checks.expect(f"{what}: the newest is kept", len(kept) == 1 and server.refresh in kept[0][0], kept)
            # A token that somebody else has used up.
            server.refresh = "another"
            refused = checks.run("--config", "m.yaml", "--store", "sqlite:t.db", cwd=place, env=SECRETS, exit_code=1)
            checks.expect(f"{what}: a new log-in is asked for", "log in again" in refused.stderr, refused.stderr)
            checks.expect(f"{what}: and the old token is not said", not leaks("/nowhere", refused.stderr))
            for table in ("_ingest_errors", "_ingest_runs", "things"):
                held = rows(database, f"select * from {table}")
                checks.expect(f"{what}: no secret in {table}", "kiwi" not in repr(held), held)
        finally:
            server.close()


def tokens_of_others(checks, where):
    """Another process replaces the refresh token while a run is between two pages, also within its transaction."""
    for write, commit in (("upsert", "page"), ("replace", "page"), ("upsert", "run")):
        what = f"replaced meanwhile, write: {write}, commit: {commit}"
        server = Server()
        original = server.reply
        place = os.path.join(where, f"others-{write}-{commit}")
        os.mkdir(place)
        tried = []

        def reply(handler, body, server=server, original=original, place=place, tried=tried):
            if handler.path.endswith("page=2") and not tried:
                tried.append(None)
                tried[0] = ingest(
                    "try", "things", "--config", "m.yaml", "--store", "sqlite:t.db", cwd=place, env=SECRETS)
            return original(handler, body)

        server.reply = reply
        try:
            save(place, "m.yaml", MAPPING % (server.url, REFRESH, "lenient: true", write, commit))
            result = checks.run("--config", "m.yaml", "--store", "sqlite:t.db", cwd=place, env=SECRETS)
            checks.equal(f"{what}: the trial has its answer", tried[0] and tried[0].returncode, 0)
            database = os.path.join(place, "t.db")
            checks.equal(f"{what}: the run is whole", rows(database, "select id from things"), [(1,), (2,)])
            kept = rows(database, "select value from _ingest_state where name = 'auth.refresh_token'")
            checks.expect(f"{what}: the newest is kept", len(kept) == 1 and server.refresh in kept[0][0], kept)
            checks.equal(f"{what}: nothing is left aside", [n for n in os.listdir(place) if "-state-" in n], [])
            checks.expect(f"{what}: nothing is said", not leaks("/nowhere", result.stdout, result.stderr))
            # Another source that was given the same token, and whose run is not alone in the store.
            text = MAPPING % (server.url, REFRESH, "lenient: true", write, commit)
            text = text.replace("name: things", "name: others").replace("table: things", "table: others")
            save(place, "n.yaml", text)
            checks.run("--config", "n.yaml", "--store", "sqlite:t.db", cwd=place, env=SECRETS)
            checks.run("--config", "m.yaml", "--store", "sqlite:t.db", cwd=place, env=SECRETS)
        finally:
            server.close()


def other_origins(checks, where):
    """A token endpoint and an API that lead elsewhere."""
    home, other = Server(), Server()
    original = home.reply
    try:
        save(where, "away.yaml", MAPPING % (home.url, REFRESH, "lenient: true", "upsert", "page"))
        home.reply = lambda *_: (307, other.url + "/token")
        result = checks.run("--config", "away.yaml", "--store", "sqlite:a.db", cwd=where, env=SECRETS, exit_code=1)
        checks.equal("a token request goes to no other origin", other.seen, [])
        checks.expect("and that is said", "another origin" in result.stderr, result.stderr)
        home.reply = lambda handler, body: \
            original(handler, body) if handler.path == "/token" else (307, other.url + "/things")
        other.reply = lambda *_: (200, {"things": []})
        checks.run("--config", "away.yaml", "--store", "sqlite:a.db", cwd=where, env=SECRETS)
        checks.expect("no token follows a redirect", other.seen and "kiwi" not in repr(other.seen), other.seen)
    finally:
        home.close()
        other.close()


def files_and_surroundings(checks, where):
    """Proxies, certificates and `.netrc`: only what the mapping asks for, or what is said."""
    server = Server()
    server.reply = lambda *_: (200, {"things": []})
    base = {name: None for name in ("http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "no_proxy")}
    try:
        place = os.path.join(where, "surroundings")
        os.mkdir(place)
        proxy = 'proxy: "http://ada:${secret.PX}@127.0.0.1:%d"' % server.server_address[1]
        save(place, "proxy.yaml", MAPPING % ("http://api.example.test", "{netrc: false}", proxy, "upsert", "page"))
        said = checks.run("--config", "proxy.yaml", "--store", "sqlite:p.db", cwd=place, env={**SECRETS, **base})
        sent = server.seen[0][2].get("Proxy-Authorization", "")
        checks.equal("the proxy's name and password", base64.b64decode(sent[6:]).decode(), "ada:prox y:kiwi")
        server.close()
        gone = checks.run(
            "--config", "proxy.yaml", "--store", "sqlite:p.db", cwd=place, env={**SECRETS, **base}, exit_code=1)
        checks.expect(
            "a proxy that is gone is named", "ada" not in gone.stderr and "the proxy" in gone.stderr, gone.stderr)
        server = Server()
        server.reply = lambda *_: (200, {"things": []})
        save(
            place, "env.yaml",
            MAPPING % ("http://api.example.test", "{netrc: false}", "lenient: true", "upsert", "page"))
        environment = {**SECRETS, **base, "http_proxy": f"http://ada:env-kiwi@127.0.0.1:{server.server_address[1]}"}
        told = checks.run("--config", "env.yaml", "--store", "sqlite:e.db", cwd=place, env=environment)
        checks.expect("the environment's proxy is said", "(http_proxy)" in told.stderr, told.stderr)
        save(place, "netrc", "machine 127.0.0.1 login ada password net-kiwi\n")
        os.chmod(os.path.join(place, "netrc"), 0o600)
        for auth, wanted in (("{netrc: true}", "Basic YWRhOm5ldC1raXdp"), ("{netrc: false}", None)):
            server.seen.clear()
            save(place, "netrc.yaml", MAPPING % (server.url, auth, "lenient: true", "upsert", "page"))
            surroundings = {**base, "NETRC": os.path.join(place, "netrc")}
            told = checks.run("--config", "netrc.yaml", "--store", "sqlite:n.db", cwd=place, env=surroundings)
            checks.equal(f"auth: {auth}", server.seen[0][2].get("Authorization"), wanted)
        checks.equal("no secret anywhere", leaks(place, said.stderr, gone.stderr, told.stderr), [])
    finally:
        server.close()


def before_any_request(checks, where):
    """Exit code 2, the place, and no request, database or secret: what is wrong with files and values."""
    server = Server()
    try:
        for name, auth, more, code, words in (
                ("ca", "{netrc: false}", "tls: {ca_file: none.pem}", 2, "before.yaml:7:18: error[unreadable-file]"),
                ("key", "{netrc: false}", "tls: {cert: m.pem, key: m.pem}", 2, "holds no certificate in PEM"),
                ("netrc", "{netrc: true}", "lenient: true", 2, "netrc"),
                ("secret", REFRESH, "lenient: true", 2, "'secret.CS' has no value")):
            save(where, "m.pem", "garbage")
            save(where, "before.yaml", MAPPING % (server.url, auth, more, "upsert", "page"))
            environment = {**{name: None for name in SECRETS}, "NETRC": os.path.join(where, "none")}
            result = checks.run(
                "--config", "before.yaml", "--store", "sqlite:before.db", cwd=where, env=environment, exit_code=code)
            checks.expect(f"{name}: it is said", words in result.stderr, result.stderr)
            checks.expect(f"{name}: no database", not os.path.exists(os.path.join(where, "before.db")))
            checks.run("validate", "before.yaml", cwd=where, env=environment)
        checks.equal("nothing was asked", server.seen, [])
        recorded(checks, where)
    finally:
        server.close()


def trials(checks, where):
    """`try` keeps the one thing that would be lost: a refresh token that takes the place of another one."""
    server = Server()
    try:
        save(where, "try.yaml", MAPPING % (server.url, REFRESH, "lenient: true", "upsert", "page"))
        for number in (1, 2):
            result = checks.run(
                "try", "things", "--config", "try.yaml", "--store", "sqlite:try.db", cwd=where, env=SECRETS)
            checks.expect(f"try {number}: no token is shown", not leaks("/nowhere", result.stdout, result.stderr))
        database = os.path.join(where, "try.db")
        kept = rows(database, "select value from _ingest_state where name = 'auth.refresh_token'")
        checks.expect("try: the newest token is kept", len(kept) == 1 and server.refresh in kept[0][0], kept)
        tables = {name for (name,) in rows(database, "select name from sqlite_schema where type = 'table'")}
        checks.expect("try: no table of records is made", "things" not in tables, tables)
        for _ in range(2):
            checks.run(
                "--config", "try.yaml", "--store", "sqlite:dry.db", "--dry-run", cwd=where,
                env={**SECRETS, "RT": server.refresh})
        kept = rows(os.path.join(where, "dry.db"), "select value from _ingest_state where name = 'auth.refresh_token'")
        checks.expect("--dry-run: the newest token is kept", len(kept) == 1 and server.refresh in kept[0][0], kept)
    finally:
        server.close()


def secrets_files(checks, where):
    """Files of `--secrets` that are open to others, no files, or pipes."""
    server = Server()
    path = os.path.join(where, "secrets")
    text = "".join(f"{name}={value}\n" for name, value in SECRETS.items())
    nothing = {name: None for name in SECRETS}
    arguments = ("--config", "s.yaml", "--store", "sqlite:s.db")
    try:
        auth = '{basic: {username: ada, password: "${secret.PW}"}}'
        save(where, "s.yaml", MAPPING % (server.url, auth, "lenient: true", "upsert", "page"))
        save(where, "secrets", text)
        for mode, warns in ((0o600, False), (0o644, True), (0o640, True)):
            os.chmod(path, mode)
            said = ingest(*arguments, "--secrets", "secrets", cwd=where, env=nothing).stderr
            words = f"warning: secrets can be read by other users (mode {mode:o})"
            checks.equal(f"mode {mode:o}: a warning", words in said, warns)
        save(where, "large", "#" * (1 << 20) + "\n" + text)
        os.chmod(path, 0o600)
        for name, words in (
                ("large", "larger than 1 MiB"), ("none", "No such file"), (".", "Is a directory")):
            said = checks.run(*arguments, "--secrets", name, cwd=where, env=nothing, exit_code=2).stderr
            checks.expect(f"--secrets {name}: it is said", words in said, said)
        os.mkfifo(os.path.join(where, "pipe"))
        said = checks.run(*arguments, "--secrets", "pipe", cwd=where, env=nothing, exit_code=2, timeout=20).stderr
        checks.expect("a pipe without a writer: it is said", "nobody writes into it" in said, said)
        command = f"{INGEST} {' '.join(arguments)} --secrets <(sleep 1.5; cat secrets)"
        result = subprocess.run(
            ["bash", "-c", command], cwd=where, capture_output=True, text=True, timeout=60, check=False,
            env={name: value for name, value in os.environ.items() if name not in SECRETS})
        checks.expect("a pipe whose writer takes its time serves", "has no value" not in result.stderr, result.stderr)
        result = ingest(*arguments, "--secrets", "-", cwd=where, env=nothing, stdin=text)
        checks.expect("standard input serves", "has no value" not in result.stderr, result.stderr)
    finally:
        server.close()


def recorded(checks, where):
    """Recorded answers need neither a token nor a secret, nor files."""
    os.mkdir(os.path.join(where, "answers"))
    save(where, "answers/recorded.http", "GET http://api.test/things?page=1\nHTTP/1.1 200\n\n{\"things\": []}")
    session = '{session: {path: /login, body: {json: {p: "${secret.PW}"}}, token: t, send: {query: sid}}}'
    for auth in (REFRESH, session, "{netrc: true}", '{digest: {username: a, password: "${secret.PW}"}}',
                 '{aws_sigv4: {access_key: a, secret_key: "${secret.PW}", region: r, service: s}}'):
        save(where, "r.yaml", MAPPING % (
            "http://api.test", auth, "tls: {ca_file: none.pem, insecure: true}", "upsert", "page"))
        environment = {**{name: None for name in SECRETS}, "NETRC": os.path.join(where, "none")}
        result = ingest(
            "--config", "r.yaml", "--recorded", "answers", "--store", "sqlite:r.db", cwd=where, env=environment)
        checks.expect(f"recorded answers of {auth}", result.returncode == 0, result.stderr)


def save(where, name, text):
    with open(os.path.join(where, name), "w", encoding="utf-8") as out:
        out.write(text)


def main():
    checks = Checks("credentials")
    with folder() as where:
        refresh_tokens(checks, where)
        tokens_of_others(checks, where)
        other_origins(checks, where)
        files_and_surroundings(checks, where)
        before_any_request(checks, where)
        trials(checks, where)
        secrets_files(checks, where)
    checks.finish()


main()
