"""Servers that were made by others: where they are, how one is started on a free port of loopback, and how it ends."""
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from checks import ROOT, Checks, folder  # noqa: E402

PLACE = os.path.join(ROOT, ".build", "servers")
PYTHON = os.path.join(PLACE, "python", "bin", "python")
PATIENCE = 60


def main(name, program, check):
    """Runs `check(checks, where)`. Without the server it is skipped, and says so; continuous integration has it."""
    checks = Checks(name)
    if not os.path.exists(program):
        message = f"{program} is not there; 'make deps' sets it up"
        if os.environ.get("CI"):
            checks.expect("the server is there", False, message)
        else:
            checks.skip(message)
        checks.finish()
    with folder() as where:
        check(checks, where)
    checks.finish()


def installed(*path):
    return os.path.join(PLACE, *path)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def started(command, where, port, **options):
    """Starts a server, waits until its port answers, and ends this very process afterwards."""
    log = os.path.join(where, f"server-{port}.log")
    with open(log, "wb") as out:
        process = subprocess.Popen(command, cwd=where, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **options)
    try:
        wait_for(process, port, log)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(process, port, log):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    with open(log, encoding="utf-8", errors="replace") as said:
        raise RuntimeError(f"the server did not start:\n{said.read()[-3000:]}")


def asked(url, body=None, method=None, headers=None):
    """What the server answers to a request that ingest has no part in: status, headers, value."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=30) as given:
            return given.status, given.headers, json.loads(given.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def same(checks, what, held, wanted):
    """The same rows, in any order; prints a few of those that differ."""
    held, wanted = sorted(held, key=repr), sorted(wanted, key=repr)
    lacking, strange = list(set(wanted) - set(held))[:3], list(set(held) - set(wanted))[:3]
    checks.expect(
        f"{what}: {len(wanted)} rows", held == wanted, f"{len(held)} rows; lacking {lacking}; strange {strange}")


def write(where, name, text):
    path = os.path.join(where, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


class Run:
    """A mapping in a folder, with a store of its own."""

    def __init__(self, checks, where, name, mapping):
        self.checks, self.where, self.name = checks, where, name
        self.config = write(where, f"{name}.yaml", mapping)
        self.database = os.path.join(where, f"{name}.db")

    def __call__(self, *arguments, exit_code=0, **options):
        return self.checks.run(
            "--config", self.config, "--store", f"sqlite:{self.database}", *arguments, cwd=self.where,
            exit_code=exit_code, **options)
