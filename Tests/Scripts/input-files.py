#!/usr/bin/env python3
"""Bodies from folders, from standard input, and packed by gzip and zstd: only what is whole is loaded."""
import gzip
import json
import os
import shutil
import subprocess
import time

from checks import INGEST, Checks, folder, ingest, rows

MAPPING = """\
ingest: 1
source: {name: shop, base_url: https://api.example.test}
records:
  User: {table: users, key: id, fields: [{id: {type: integer}}, name]}
endpoints:
  users: {path: /users, records: {users: User}}
  lines: {path: /lines, format: ndjson, records: {.: User}}
"""
ONE = ["--config", "m.yaml", "--endpoint", "users"]


# Prints how much memory a command took, in KiB; a process of its own, since a fork counts as its parent's size.
PEAK = """\
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def users(*numbers):
    return json.dumps({"users": [{"id": number, "name": f"user {number}"} for number in numbers]}).encode()


def zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, capture_output=True, check=True).stdout


def write(where, name, data):
    path = os.path.join(where, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def loaded(where):
    return [row[0] for row in rows(os.path.join(where, "out.db"), "select id from users order by id")]


def load(checks, where, *arguments, exit_code=0, stdin=None, routing=None):
    """Loads into a new database; gives the numbers of the users that are there then, and what was said."""
    for name in os.listdir(where):
        if name.startswith("out.db"):
            os.remove(os.path.join(where, name))
    result = subprocess.run(
        [INGEST, "load", *arguments, *(routing or ONE), "--store", "sqlite:out.db"], cwd=where, input=stdin,
        capture_output=True, timeout=300, check=False)
    said = result.stderr.decode(errors="replace")
    checks.equal(f"load {' '.join(arguments)} ends", result.returncode, exit_code)
    return loaded(where), said


def explained(checks, where, name):
    """The value of a row is found again in the packed file."""
    config = ONE[ONE.index("--config"):][:2]
    result = ingest("explain", "users.id", "1", *config, "--store", "sqlite:out.db", cwd=where)
    told = " ".join(result.stdout.split())
    found = f"in {name}, unchanged" in told and "/id" in told
    checks.expect(f"{name}: explain looks into it", found, result.stdout + result.stderr)


def packed(checks, where):
    cases = {
        "one.json.gz": gzip.compress(users(1)), "one.json.zst": zstd(users(1)), "ONE.JSON.GZ": gzip.compress(users(1)),
        "members.json.gz": gzip.compress(users(1)[:20]) + gzip.compress(users(1)[20:]),
        "frames.json.zst": zstd(users(1)[:20]) + zstd(users(1)[20:], "--no-check"),
        "empty-frame.json.zst": zstd(b"") + zstd(users(1)),
        "plain.gz": gzip.compress(users(1)),
    }
    for name, data in cases.items():
        write(where, name, data)
        checks.equal(f"{name} is unpacked", load(checks, where, name)[0], [1])
        explained(checks, where, name)
        checks.equal(f"{name} through stdin", load(checks, where, "-", stdin=data)[0], [1])
    write(where, "nothing.json.gz", gzip.compress(b""))
    checks.equal("an empty body that is packed is a body", load(checks, where, "nothing.json.gz")[0], [])
    lines = b"".join(json.dumps({"id": number}).encode() + b"\n" for number in range(3))
    for name, data in (("l.ndjson.gz", gzip.compress(lines)), ("l.jsonl.zst", zstd(lines))):
        write(where, name, data)
        routing = ["--config", "m.yaml", "--path", "/lines"]
        checks.equal(f"{name} is lines", load(checks, where, name, routing=routing)[0], [0, 1, 2])
        checks.equal("lines through stdin", load(checks, where, "-", stdin=data, routing=routing)[0], [0, 1, 2])
    checks.equal("plain stdin, in one byte too", load(checks, where, "-", stdin=users(4))[0], [4])
    checks.equal("stdin of nothing", load(checks, where, "-", stdin=b"")[0], [])
    load(checks, where, "-", stdin=b"7", exit_code=1)


def broken(checks, where):
    """What is cut or broken brings nothing, not even its first lines; the body before it stays."""
    lines = b"".join(json.dumps({"id": number, "name": str(number * 7919)}).encode() + b"\n" for number in range(20000))
    flipped = bytearray(gzip.compress(lines))
    flipped[-6] ^= 1
    damaged = bytearray(zstd(lines, "--check"))
    damaged[-2] ^= 1
    cases = {
        "cut.ndjson.gz": (gzip.compress(lines)[:-9], "breaks off", "truncated"),
        "cut.ndjson.zst": (zstd(lines)[:-9], "breaks off", "truncated"),
        "nothing.ndjson.gz": (b"", "breaks off", "truncated"),
        "nothing.ndjson.zst": (b"", "breaks off", "truncated"),
        "checksum.ndjson.gz": (bytes(flipped), "damaged, or no gzip", "bad-encoding"),
        "checksum.ndjson.zst": (bytes(damaged), "damaged, or no zstd", "bad-encoding"),
        "plain.ndjson.gz": (lines, "damaged, or no gzip", "bad-encoding"),
        "plain.ndjson.zst": (lines, "damaged, or no zstd", "bad-encoding"),
        "tail.ndjson.gz": (gzip.compress(lines) + b"tail", "damaged, or no gzip", "bad-encoding"),
        "tail.ndjson.zst": (zstd(lines) + b"tail", "damaged, or no zstd", "bad-encoding"),
    }
    write(where, "first.ndjson", b'{"id": -1}\n')
    routing = ["--config", "m.yaml", "--path", "/lines"]
    for name, (data, words, code) in cases.items():
        write(where, name, data)
        found, said = load(checks, where, "first.ndjson", name, exit_code=1, routing=routing)
        checks.equal(f"{name} brings nothing", found, [-1])
        checks.expect(f"{name} is named, and why", name in said and words in said, said)
        errors = rows(os.path.join(where, "out.db"), "select code, endpoint from _ingest_errors")
        checks.equal(f"{name} is a row of _ingest_errors", errors, [(code, "lines")])
        mapped = subprocess.run(
            [INGEST, "map", name, *routing], cwd=where, capture_output=True, timeout=300, check=False)
        checks.equal(f"map of {name} prints nothing", (mapped.returncode, mapped.stdout), (1, b""))


def limits(checks, where):
    """`limits.ratio` holds for files, `limits.body` does not; memory does not grow with a body."""
    big = b'{"users": [{"id": 5, "name": "' + b"x" * (3 << 20) + b'"}]}'
    write(where, "bomb.json.gz", gzip.compress(big))
    write(where, "bomb.json.zst", zstd(big))
    for name in ("bomb.json.gz", "bomb.json.zst"):
        _, said = load(checks, where, name, exit_code=1)
        checks.expect(f"{name} breaks limits.ratio", "limits.ratio" in said, said)
    with open(os.path.join(where, "m.yaml"), encoding="utf-8") as file:
        text = file.read()
    write(where, "wide.yaml", text.replace("base_url", "limits: {ratio: 100000, body: 1MB}, base_url").encode())
    routing = ["--config", "wide.yaml", "--endpoint", "users"]
    for name in ("bomb.json.gz", "bomb.json.zst"):
        checks.equal(f"{name} within a wider limit", load(checks, where, name, routing=routing)[0], [5])
    element = b'{"id": 5, "name": "' + os.urandom(600).hex().encode() + b'"},'
    write(where, "long.json.gz", gzip.compress(b'{"users": [' + element * 80000 + b'{"id": 6}]}', 1))
    checks.equal("a long body", load(checks, where, "long.json.gz", routing=routing)[0], [5, 6])
    peak = int(subprocess.run(
        ["python3", "-c", PEAK, INGEST, "map", "long.json.gz", *routing, "--format", "none"], cwd=where,
        capture_output=True, text=True, check=True).stdout)
    checks.expect("a long body takes no memory of its size", peak < 64 << 10, f"{peak} KiB")


def folders(checks, where):
    inner = os.path.join(where, "in")
    write(inner, "b.json", users(2))
    write(inner, "a.json", users(1))
    write(inner, "below/c.json.gz", gzip.compress(users(3)))
    write(inner, "below/deeper/d.json.zst", zstd(users(4)))
    write(inner, ".hidden.json", users(9))
    write(inner, ".hidden/x.json", users(9))
    write(inner, "README.txt", b"no body")
    found, said = load(checks, where, "in")
    checks.equal("bodies in a folder and below it", found, [1, 2, 3, 4])
    checks.expect("what is passed over is said", "in/README.txt" in said and ".hidden" not in said, said)
    checks.equal("a folder with a slash, and a file", load(checks, where, "in/below/", "in/a.json")[0], [1, 3, 4])
    write(where, "order/10.json", b'{"users": [{"id": 1, "name": "ten"}]}')
    write(where, "order/9.json", b'{"users": [{"id": 1, "name": "nine"}]}')
    write(where, "order/Z.json", b'{"users": [{"id": 2, "name": "Z"}]}')
    write(where, "order/a.json", b'{"users": [{"id": 2, "name": "a"}]}')
    load(checks, where, "order")
    checks.equal("in the order of their names' bytes", rows(
        os.path.join(where, "out.db"), "select id, name from users order by id"), [(1, "nine"), (2, "a")])
    os.mkdir(os.path.join(where, "empty"))
    write(where, "none/README.txt", b"no body")
    for name in ("empty", "none"):
        found, said = load(checks, where, name, exit_code=2)
        checks.expect(f"a folder without a body: {name}", f"'{name}' has no body" in said, said)
        checks.expect("nothing is made", not os.path.exists(os.path.join(where, "out.db")))
    os.symlink("..", os.path.join(inner, "below", "up"))
    _, said = load(checks, where, "in", exit_code=2)
    checks.expect("a circle of links is an error", "a folder above it" in said, said)
    os.remove(os.path.join(inner, "below", "up"))
    result = ingest("map", "in", *ONE, "--table", "users", cwd=where)
    checks.equal("map takes folders too", len(result.stdout.splitlines()), 4)


def pipes(checks, where):
    """A pipe that is named as a file is read once, by whoever needs it; where it cannot do, it is refused at once."""

    def written(name, data, *arguments):
        """Runs a command while somebody writes into the pipe."""
        os.mkfifo(os.path.join(where, name))
        with subprocess.Popen(
                [INGEST, *arguments], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            with open(os.path.join(where, name), "wb") as pipe:
                for part in (data[:9], data[9:]):
                    time.sleep(0.2)
                    pipe.write(part)
                    pipe.flush()
            out, errors = process.communicate(timeout=60)
        os.remove(os.path.join(where, name))
        ended = (process.returncode, errors[:500])
        checks.expect(f"{' '.join(arguments)}: exit code 0", process.returncode == 0, ended)
        return out

    for name, data in (("p.json", users(1, 2)), ("q.json", gzip.compress(users(1, 2))),
                       ("p.json.gz", gzip.compress(users(1, 2)))):
        written(name, data, "load", name, *ONE, "--store", f"sqlite:{name}.db")
        checks.equal(f"{name} is a body", rows(os.path.join(where, f"{name}.db"), "select id from users"), [(1,), (2,)])
        checks.equal(f"{name} is mapped", len(written(name, data, "map", name, *ONE).splitlines()), 2)
        checks.expect(f"{name} is a sample", b"users" in written(name, data, "infer", name))
    # Read twice: the rule of a failure looks into it first.
    with open(os.path.join(where, "m.yaml"), encoding="utf-8") as file:
        rules = file.read() + "errors: [{when: {ok: false}, message: ok}]\n"
    write(where, "rules.yaml", rules.encode())
    out = written("p.json", users(1), "map", "p.json", "--config", "rules.yaml", "--endpoint", "users")
    checks.equal("a pipe that rules look into", len(out.splitlines()), 1)
    write(where, "one.json", users(1))
    script = f"'{INGEST}' map <(cat one.json) <(gzip < one.json) {' '.join(ONE)}"
    result = subprocess.run(["bash", "-c", script], cwd=where, capture_output=True, text=True, timeout=60, check=False)
    checks.equal("what the shell substitutes", (result.returncode, len(result.stdout.splitlines())), (0, 2))
    description = (
        b'{"swagger": "2.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"responses": {"200": '
        b'{"schema": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}}}}}}}}')
    checks.expect("a description", b"/a" in written("d.json", description, "import", "openapi", "d.json"))
    os.mkfifo(os.path.join(where, "nobody.json"))
    os.makedirs(os.path.join(where, "answers"))
    os.mkfifo(os.path.join(where, "answers", "a.http"))
    tests = "tests: [{name: t, endpoint: users, response: nobody.json, expect: {}}]\n"
    write(where, "t.yaml", (MAPPING + tests).encode())
    for arguments, code, place in (
            (("validate", "t.yaml"), 2, "t.yaml:8:46: error[unreadable-file]"),
            (("test", "t.yaml"), 2, "t.yaml:8:46: error[unreadable-file]"),
            (("run", "m.yaml", "--recorded", "answers", "--store", "sqlite:r.db"), 1, "answers/a.http cannot be read"),
            (("try", "users", "--config", "m.yaml", "--recorded", "answers"), 1, "answers/a.http cannot be read")):
        began = time.monotonic()
        result = checks.run(*arguments, cwd=where, exit_code=code, timeout=20)
        said = result.stdout + result.stderr
        checks.expect(f"{arguments[0]}: the pipe is named", place in said, said)
        checks.expect(f"{arguments[0]}: nobody waits", time.monotonic() - began < 2)


def blank(checks, where):
    """A body of nothing brings no rows and sweeps none; it is told of, since a download that failed leaves it."""
    sweeping = MAPPING.replace("key: id,", "key: id, sweep: true,")
    write(where, "m.yaml", sweeping.encode())
    write(where, "one.json", users(1))
    write(where, "lines.ndjson", b"\n \n")
    config = ["--config", "m.yaml", "--store", "sqlite:out.db"]
    checks.run("load", "one.json", "--endpoint", "users", *config, cwd=where)
    for name, data in (("nothing.json", b""), ("white.json", b" \n\t\n"), ("mark.json", b"\xef\xbb\xbf")):
        write(where, name, data)
        for command in ("load", "map"):
            options = config if command == "load" else config[:2]
            result = checks.run(command, name, "--endpoint", "users", *options, cwd=where)
            checks.expect(
                f"{command} {name} is told of", f"warning: {name}: the body is empty" in result.stderr, result.stderr)
    checks.equal("nothing is swept", loaded(where), [1])
    result = checks.run("load", "lines.ndjson", "--endpoint", "lines", *config, cwd=where)
    checks.expect("no lines are no lines", "empty" not in result.stderr, result.stderr)


def main():
    checks = Checks("input-files")
    if not shutil.which("zstd"):
        checks.expect("zstd is there", False)
        checks.finish()
    for check in (packed, broken, limits, folders, pipes, blank):
        with folder() as where:
            write(where, "m.yaml", MAPPING.encode())
            check(checks, where)
    checks.finish()


if __name__ == "__main__":
    main()
