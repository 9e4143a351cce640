#!/usr/bin/env python3
"""nginx: TLS with an authority of its own, certificates that are wrong, a limit of requests, large bodies, connections
that are closed."""
import json
import os
import subprocess

from running import Run, free_port, installed, main, started, write
from checks import rows

NGINX = installed("root", "usr", "sbin", "nginx")
CONFIG = """\
daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log access.log;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  default_type application/json;
  limit_req_zone $binary_remote_addr zone=slow:1m rate=5r/s;
  limit_req_zone $binary_remote_addr zone=kept:1m rate=5r/s;
  limit_req_status 429;
  server {
    listen 127.0.0.1:%(plain)d;
    root files;
    location /items { try_files /page-$arg_page.json /page-none.json; }
    location /slow { limit_req zone=slow; try_files /page-$arg_page.json /page-none.json; }
    location /kept { limit_req zone=kept burst=4 nodelay; try_files /page-$arg_page.json /page-none.json; }
    location /closed { keepalive_requests 1; try_files /page-$arg_page.json /page-none.json; }
    location = /large { gzip on; gzip_types application/json; try_files /large.json =404; }
    location = /trickle { limit_rate 300k; try_files /page-1.json =404; }
  }
  server {
    listen 127.0.0.1:%(tls)d ssl;
    ssl_certificate right.pem; ssl_certificate_key right.key;
    root files;
    location /items { try_files /page-$arg_page.json /page-none.json; }
    location = /down { return 302 http://127.0.0.1:%(plain)d/items?page=1; }
  }
  server {
    listen 127.0.0.1:%(expired)d ssl;
    ssl_certificate expired.pem; ssl_certificate_key expired.key;
    root files;
    location /items { try_files /page-$arg_page.json /page-none.json; }
  }
  server {
    listen 127.0.0.1:%(elsewhere)d ssl;
    ssl_certificate elsewhere.pem; ssl_certificate_key elsewhere.key;
    root files;
    location /items { try_files /page-$arg_page.json /page-none.json; }
  }
  server {
    listen 127.0.0.1:%(client)d ssl;
    ssl_certificate right.pem; ssl_certificate_key right.key;
    ssl_client_certificate ca.pem; ssl_verify_client on;
    root files;
    location /items { try_files /page-$arg_page.json /page-none.json; }
  }
}
"""
MAPPING = """\
ingest: 1
source:
  name: nginx
  base_url: %(url)s
%(source)s
records:
  Item: {table: items, key: id, fields: [{id: {type: integer}}, {text: {type: text}}]}
endpoints:
  items:
    path: /%(path)s
    records: {items: Item}
%(more)s"""
PAGED = "    paginate: {by: page, param: page, start: 1}\n"
PAGES, SIZE, LARGE = 12, 50, 60000
NAMES = ["plain", "tls", "expired", "elsewhere", "client"]


def openssl(where, *arguments):
    result = subprocess.run(["openssl", *arguments], cwd=where, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"openssl {' '.join(arguments)}: {result.stderr}")


def certificates(where):
    """An authority, and certificates that it has signed: for this address, for another, and one that has expired."""
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl(where, "req", "-x509", *new_key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=harbor CA",
            "-addext", "basicConstraints=critical,CA:TRUE")
    openssl(where, "req", "-x509", *new_key, "-keyout", "other.key", "-out", "other.pem", "-subj", "/CN=another CA")
    for name, address, days in (("right", "IP:127.0.0.1", "2"), ("elsewhere", "DNS:tides.example.test", "2"),
                                ("expired", "IP:127.0.0.1", "-1"), ("ada", "DNS:ada", "2")):
        write(where, f"{name}.ext", f"subjectAltName={address}\n")
        openssl(where, "req", *new_key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        openssl(where, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-out", f"{name}.pem", "-days", days, "-extfile", f"{name}.ext")


def files(where):
    os.mkdir(os.path.join(where, "files"))
    for page in range(1, PAGES + 1):
        items = [{"id": page * SIZE + n, "text": f"item {n} " + "x" * 300} for n in range(SIZE)]
        write(where, f"files/page-{page}.json", json.dumps({"items": items}))
    write(where, "files/page-none.json", '{"items": []}')
    items = [{"id": n, "text": f"{n * 7919 % 1000003:07} " * 60} for n in range(LARGE)]
    write(where, "files/large.json", json.dumps({"items": items}))


class Server:
    def __init__(self, checks, where, ports):
        self.checks, self.where, self.ports, self.count = checks, where, ports, 0

    def run(self, name, path, source="", more="", exit_code=0, scheme=None, **options):
        self.count += 1
        scheme = scheme or ("http" if name == "plain" else "https")
        run = Run(self.checks, self.where, f"nginx-{self.count}", MAPPING % {
            "url": f"{scheme}://127.0.0.1:{self.ports[name]}", "source": source, "path": path, "more": more})
        run.result = run(exit_code=exit_code, timeout=120, **options)
        return run

    def items(self, what, run, count):
        self.checks.equal(f"{what}: rows", rows(run.database, "select count(*) from items"), [(count,)])


ONCE = "  retry: {attempts: 1}\n"


def over_tls(checks, server):
    authority = "  tls: {ca_file: ca.pem}\n"
    server.items("an authority of our own", server.run("tls", "items", authority, PAGED), PAGES * SIZE)
    once = ONCE + authority
    for name, source, word in (
            ("tls", ONCE, "certificate"), ("tls", ONCE + "  tls: {ca_file: other.pem}\n", "certificate"),
            ("expired", once, "expired"), ("elsewhere", once, "127.0.0.1")):
        run = server.run(name, "items", source, PAGED, exit_code=1)
        checks.expect(f"{name}, {source.split()[-1]}: '{word}' is said", word in run.result.stderr, run.result.stderr)
        checks.equal(f"{name}: nothing was asked twice", rows(
            run.database, "select count(*) from _ingest_errors"), [(1,)])
    run = server.run("expired", "items", ONCE + "  tls: {insecure: true}\n", PAGED)
    server.items("insecure", run, PAGES * SIZE)
    checks.expect("insecure: it warns", "insecure" in run.result.stderr, run.result.stderr)
    server.run("tls", "items", "  tls: {ca_file: nowhere.pem}\n", PAGED, exit_code=2)
    run = server.run("tls", "down", once, exit_code=1)
    checks.expect("from https to http: refused", "http" in run.result.stderr, run.result.stderr)


def client_certificates(checks, server):
    source = "  tls: {ca_file: ca.pem, cert: ada.pem, key: ada.key}\n"
    server.items("a client's certificate", server.run("client", "items", source, PAGED), PAGES * SIZE)
    run = server.run("client", "items", ONCE + "  tls: {ca_file: ca.pem}\n", PAGED, exit_code=1)
    checks.equal("without one: what was answered", rows(run.database, "select status from _ingest_errors"), [(400,)])


def wrong_schemes(checks, server):
    run = server.run("tls", "items", ONCE, PAGED, exit_code=1, scheme="http")
    checks.expect("http where TLS is spoken", "400" in run.result.stderr, run.result.stderr)
    run = server.run("plain", "items", ONCE, PAGED, exit_code=1, scheme="https")
    checks.expect("https where none is spoken", "TLS" in run.result.stderr or "SSL" in run.result.stderr,
                  run.result.stderr)


def limits(checks, server):
    patient = "  retry: {attempts: 20, backoff: constant, wait: 200ms}\n"
    run = server.run("plain", "slow", patient, PAGED)
    server.items("429 by a limit", run, PAGES * SIZE)
    checks.equal("429 by a limit: it was met, and waited for", rows(
        run.database, "select distinct status, action from _ingest_errors"), [(429, "retry")])
    run = server.run("plain", "kept", "  rate_limit: 4/s\n", PAGED)
    server.items("a limit that is kept", run, PAGES * SIZE)
    checks.equal("a limit that is kept: no 429", rows(run.database, "select count(*) from _ingest_errors"), [(0,)])


def bodies(checks, server):
    server.items("a large body", server.run("plain", "large"), LARGE)
    run = server.run("plain", "large", ONCE + "  limits: {body: 1MB}\n", exit_code=1)
    checks.expect("a body above the limit: it is named", "body" in run.result.stderr, run.result.stderr)
    server.items("a body above the limit", run, 0)
    server.items("connections that are closed", server.run("plain", "closed", "", PAGED), PAGES * SIZE)
    server.items("slow, and not silent", server.run("plain", "trickle", "  timeout: 1s\n"), SIZE)


def check(checks, where):
    certificates(where)
    files(where)
    ports = {name: free_port() for name in NAMES}
    write(where, "nginx.conf", CONFIG % ports)
    command = [NGINX, "-p", where, "-c", os.path.join(where, "nginx.conf"), "-e", "stderr"]
    with started(command, where, ports["client"]):
        server = Server(checks, where, ports)
        for part in (over_tls, client_certificates, wrong_schemes, limits, bodies):
            part(checks, server)


main("nginx", NGINX, check)
