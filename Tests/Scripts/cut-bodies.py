#!/usr/bin/env python3
"""Bodies that only the end of their connection ends, over TLS and without it: a cut one never passes for a page."""
import os
import shutil
import socket
import ssl
import subprocess
import threading

from checks import Checks, folder, rows

MAPPING = """\
ingest: 1
source:
  name: things
  base_url: %s
  %s
  retry: {attempts: 2, wait: 10ms}
records:
  Thing: {table: things, key: id, fields: [{id: {type: integer}}]}
endpoints:
  things:
    path: /things
    records: {.: Thing}
    format: ndjson
    paginate: {by: page, param: page, start: 1, max_pages: 2}
"""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"


class Server:
    """Answers each request with the next of `answers`: bytes, and whether TLS is ended. Each has its own connection."""

    def __init__(self, answers, context=None):
        self.answers, self.context = list(answers), context
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.scheme = "https" if context else "http"
        threading.Thread(target=self.serve, daemon=True).start()

    @property
    def url(self):
        return f"{self.scheme}://localhost:{self.listener.getsockname()[1]}"

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            if not connection.recv(65536):
                return
            data, ends = self.answers.pop(0)
            connection.sendall(data)
            if self.context and ends:
                connection.settimeout(5)
                connection.unwrap()
        except OSError:
            pass
        finally:
            connection.close()

    def close(self):
        self.listener.close()


def lines(*ids):
    return "".join('{"id": %d}\n' % one for one in ids).encode()


def unframed(*ids):
    return HEAD + b"\r\n" + lines(*ids)


def measured(*ids):
    return HEAD + b"Content-Length: %d\r\n\r\n" % len(lines(*ids)) + lines(*ids)


def chunked(*ids):
    return HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(lines(*ids)), lines(*ids))


def tried(checks, where, what, answers, exit_code, ids, said=None, context=None):
    server = Server(answers, context)
    database = os.path.join(where, "t.db")
    if os.path.exists(database):
        os.remove(database)
    try:
        with open(os.path.join(where, "m.yaml"), "w", encoding="utf-8") as out:
            out.write(MAPPING % (server.url, "tls: {ca_file: cert.pem}" if context else "lenient: false"))
        result = checks.run("--config", "m.yaml", "--store", "sqlite:t.db", cwd=where, exit_code=exit_code)
        checks.equal(f"{what}: rows", rows(database, "select id from things"), [(one,) for one in ids])
        if said:
            checks.expect(f"{what}: it is said", said in result.stderr, result.stderr)
    finally:
        server.close()


def over_tls(checks, where, version):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(where, "cert.pem"), os.path.join(where, "key.pem"))
    context.minimum_version = context.maximum_version = version
    cut = "without ending TLS (no close_notify): it was cut"
    for what, answers, exit_code, ids, said in (
            ("TLS is ended", [(unframed(1), True), (unframed(2), True)], 0, [1, 2], None),
            ("TLS is not ended", [(unframed(1), True)] + [(unframed(2), False)] * 2, 1, [1], cut),
            ("nothing came, TLS is not ended", [(HEAD + b"\r\n", False)] * 2, 1, [], cut),
            ("nothing came, TLS is ended", [(HEAD + b"\r\n", True)], 0, [], None),
            ("tried again", [(unframed(1), False), (unframed(1, 2), True), (unframed(3), True)], 0, [1, 2, 3], cut),
            ("lengths and chunks tell enough", [(measured(1), False), (chunked(2), False)], 0, [1, 2], None)):
        tried(checks, where, f"{version.name}, {what}", answers, exit_code, ids, said, context)


def main():
    checks = Checks("cut bodies")
    with folder() as where:
        doubt = "whether that is all of it cannot be told"
        tried(checks, where, "plain", [(unframed(1), True)] * 2, 1, [], doubt)
        tried(checks, where, "plain, nothing came", [(measured(1), True)] + [(HEAD + b"\r\n", True)] * 2, 1, [1], doubt)
        tried(checks, where, "plain, measured", [(measured(1), True), (chunked(2), True)], 0, [1, 2])
        if shutil.which("openssl"):
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                 "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"],
                cwd=where, capture_output=True, check=True)
            for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
                over_tls(checks, where, version)
        else:
            checks.skip("TLS: there is no openssl")
    checks.finish()


main()
