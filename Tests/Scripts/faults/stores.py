"""Databases that are none, disks that are full or broken, files that cannot be written (R129 to R141)."""

import os
import re
import resource
import shutil
import sqlite3
import subprocess
import time

from checks import INGEST, ingest, rows
from raw_server import scened, whole

MAPPING = """\
ingest: 1
source: {name: %s, base_url: "http://127.0.0.1:%d", retry: {attempts: 1}}
records:
  Row: {table: "%s", key: id, fields: {id: {type: integer}, text: {type: text}}}
endpoints:
  rows: {path: /rows, records: {rows: Row}, paginate: {by: page, param: page, start: 1, total_pages: pages}}
"""
PAGES, ROWS = 4, 40


def respond(number, request):
    page = int(re.search(rb"page=(\d+)", request)[1])
    records = ", ".join('{"id": %d, "text": "%s"}' % (page * 1000 + n, chr(96 + page) * 200) for n in range(ROWS))
    return [whole('{"rows": [%s], "pages": %d}' % (records, PAGES))]


ALL = [(page * 1000 + n,) for page in range(1, PAGES + 1) for n in range(ROWS)]


class Scene:
    def __init__(self, checks, where, server):
        self.checks, self.where, self.server = checks, where, server
        self.mapping("m")

    def mapping(self, name, table="rows"):
        with open(os.path.join(self.where, f"{name}.yaml"), "w", encoding="utf-8") as out:
            out.write(MAPPING % (name, self.server.port, table))

    def path(self, name):
        return os.path.join(self.where, name)

    def run(self, database, before=(), name="m", **options):
        """A run under a command of its own; gives the process."""
        return subprocess.run(
            [*before, INGEST, "--config", f"{name}.yaml", "--store", f"sqlite:{database}"],
            cwd=self.where,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
            check=False,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
            **options,
        )

    def judge(self, what, database, result, codes=(1,), words=()):
        """It failed with words, the file is whole, and the next run brings everything."""
        checks, said = self.checks, result.stdout + result.stderr
        checks.expect(f"{what}: exit code {codes}", result.returncode in codes, f"{result.returncode}\n{said}")
        for word in words:
            checks.expect(f"{what}: it says '{word}'", result.returncode == 0 or word in said, said)
        checks.expect(f"{what}: no stack trace", "Fatal error" not in said and "Swift." not in said, said)
        if os.path.exists(self.path(database)):
            checks.equal(f"{what}: the file", rows(self.path(database), "pragma integrity_check"), [("ok",)])
            pages = [
                page
                for (page,) in rows(
                    self.path(database), "select id / 1000 from rows group by 1 having count(*) <> ?", ROWS
                )
            ]
            checks.expect(
                f"{what}: whole pages", pages in ([], ["no such table: rows"]) or "no such table" in str(pages), pages
            )
        after = self.run(database)
        checks.equal(
            f"{what}: the next run", (after.returncode, after.stderr[-300:] if after.returncode else ""), (0, "")
        )
        checks.equal(f"{what}: rows", rows(self.path(database), "select id from rows order by id"), ALL)


def no_databases(scene):
    """R129: what is no database of ours is refused, and its bytes stay as they are."""
    whole_path = scene.path("good.db")
    scene.run("good.db")
    with open(whole_path, "rb") as file:
        good = file.read()
    for what, data in {
        "a text": b"hello, world\n" * 400,
        "half a header": good[:60],
        "a damaged header": b"\0" * 100 + good[100:],
        "a file that is cut": good[: len(good) // 2 - 77],
        "pages of noise": good[:4096] + bytes(range(256)) * ((len(good) - 4096) // 256),
    }.items():
        with open(scene.path("bad.db"), "wb") as out:
            out.write(data)
        result = scene.run("bad.db")
        scene.checks.expect(
            f"R129 {what}: exit code 1 or 2", result.returncode in (1, 2), result.stdout + result.stderr
        )
        scene.checks.expect(f"R129 {what}: it is named", "bad.db" in result.stderr, result.stderr)
        with open(scene.path("bad.db"), "rb") as file:
            scene.checks.expect(f"R129 {what}: its bytes stay", file.read() == data)
        for name in ("bad.db-wal", "bad.db-shm"):
            if os.path.exists(scene.path(name)):
                os.remove(scene.path(name))


    for_all_commands(scene, good)


def for_all_commands(scene, good):
    """R129: every command that opens a store says the same of it, by the same exit code."""
    commands = (
        ("run", "m.yaml"),
        ("run", "m.yaml", "--dry-run"),
        ("load", "one.json", "--config", "m.yaml"),
        ("plan", "--config", "m.yaml"),
        ("status", "--config", "m.yaml"),
        ("explain", "rows.id", "1", "--config", "m.yaml"),
        ("prune", "--keep", "1d", "--config", "m.yaml"),
        ("replay", "--config", "m.yaml"),
        ("replay", "--rejects", "--config", "m.yaml"),
        ("try", "rows", "--config", "m.yaml"),
    )
    with open(scene.path("one.json"), "w", encoding="utf-8") as out:
        out.write('{"rows": []}')
    for what, data, code, word in (
        ("a text", b"hello, world\n" * 400, 2, "not an SQLite database"),
        ("a damaged schema", good[:100] + b"\x55" * 3000 + good[3100:], 1, "damaged"),
    ):
        for command in commands:
            with open(scene.path("all.db"), "wb") as out:
                out.write(data)
            result = ingest(*command, "--store", "sqlite:all.db", cwd=scene.where)
            scene.checks.expect(
                f"R129 {what}, {command[0]}: exit code {code}",
                result.returncode == code,
                f"{result.returncode}\n{result.stderr}",
            )
            scene.checks.expect(f"R129 {what}, {command[0]}: '{word}'", word in result.stderr, result.stderr)
            with open(scene.path("all.db"), "rb") as file:
                scene.checks.expect(f"R129 {what}, {command[0]}: its bytes stay", file.read() == data)
            for name in ("all.db", "all.db-wal", "all.db-shm"):
                if os.path.exists(scene.path(name)):
                    os.remove(scene.path(name))


def flipped_bytes(scene):
    """R129: with any byte of the database changed, a run ends with a word, never in a crash."""
    scene.run("good.db")
    with open(scene.path("good.db"), "rb") as file:
        good = file.read()
    for number in range(60):
        place = number * len(good) // 60 + number % 7
        with open(scene.path("flip.db"), "wb") as out:
            out.write(good[:place] + bytes([good[place] ^ 0x55]) + good[place + 1 :])
        result = scene.run("flip.db")
        scene.checks.expect(
            f"R129 a changed byte at {place}: no crash",
            result.returncode in (0, 1, 2, 3),
            f"{result.returncode}\n{result.stderr[:500]}",
        )
        for name in ("flip.db", "flip.db-wal", "flip.db-shm"):
            if os.path.exists(scene.path(name)):
                os.remove(scene.path(name))


def calls_that_fail(scene):
    """R130, R131: each n-th write or sync says that the disk is full or broken, once, and from there on."""
    if not shutil.which("strace"):
        scene.checks.skip("R130, R131: strace is not installed")
        return
    failed = 0
    for error, calls in (("ENOSPC", ("pwrite64", "ftruncate")), ("EIO", ("pwrite64", "fdatasync", "pread64"))):
        for call in calls:
            for when in ("1", "2", "3", "5", "8", "12", "20", "30", "1+", "3+", "8+", "20+"):
                database = f"io-{error}-{call}-{when}.db"
                files = [
                    word for end in ("", "-wal", "-shm", "-journal") for word in ("-P", scene.path(database) + end)
                ]
                result = scene.run(
                    database,
                    [
                        "strace",
                        "-f",
                        "-qq",
                        "-o",
                        "/dev/null",
                        *files,
                        "-e",
                        f"inject={call}:error={error}:when={when}",
                    ],
                )
                failed += result.returncode != 0
                scene.judge(f"R130 {error} of {call} {when}", database, result, codes=(0, 1, 2), words=["disk"])
                os.remove(scene.path(database))
    scene.checks.expect("R130: most of the calls end a run", failed > 25, failed)
    print(f"faults: {failed} runs were ended by a write, sync or read that failed")


def small_disk(scene):
    """R130: a file system of 1 MB, in a mount namespace of the test's own."""
    place = scene.path("small")
    os.mkdir(place)
    script = f'mount -t tmpfs -o size=256k none {place} && cd {scene.where} && exec "$@"'
    result = subprocess.run(
        ["unshare", "-m", "bash", "-c", script, "x", INGEST, "--config", "m.yaml", "--store", f"sqlite:{place}/s.db"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
    )
    if "unshare" in result.stderr or "mount:" in result.stderr:
        scene.checks.skip("R130: a small file system needs the right to mount one")
        return
    scene.checks.expect("R130 a small disk: exit code 1", result.returncode == 1, result.stdout + result.stderr)
    scene.checks.expect("R130 a small disk: it is said", "full" in result.stderr, result.stderr)


def full_again(scene):
    """R171: the disk is full when a killed run is taken up again: what that one stored stays, and goes on later."""
    if not shutil.which("strace"):
        scene.checks.skip("R171: strace is not installed")
        return

    def kills(number, request):
        if b"page=3" in request:
            process.kill()
        return respond(number, request)

    for when in range(1, 30, 3):
        scene.server.respond = kills
        process = subprocess.Popen(
            [INGEST, "--config", "m.yaml", "--store", "sqlite:again.db"],
            cwd=scene.where,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        process.wait(60)
        scene.server.respond = respond
        files = [word for end in ("", "-wal", "-shm") for word in ("-P", scene.path("again.db") + end)]
        result = scene.run(
            "again.db",
            ["strace", "-f", "-qq", "-o", "/dev/null", *files, "-e", f"inject=pwrite64:error=ENOSPC:when={when}+"],
        )
        kept = rows(scene.path("again.db"), "select count(*) from rows where id < 3000")
        scene.checks.equal(f"R171 from write {when}: pages before the kill", kept, [(2 * ROWS,)])
        scene.judge(f"R171 from write {when}", "again.db", result, codes=(0, 1, 2), words=["disk"])
        for name in ("again.db", "again.db-wal", "again.db-shm"):
            if os.path.exists(scene.path(name)):
                os.remove(scene.path(name))


def bounds_of_the_process(scene):
    """R133, R134: a file may grow no more, or no file may be opened."""

    def files(size):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    def descriptors(count):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))

    for size in (1 << 14, 1 << 16, 1 << 17):
        result = scene.run("fsize.db", preexec_fn=files(size))
        scene.judge(f"R133 files of at most {size} bytes", "fsize.db", result, codes=(0, 1, 2))
        os.remove(scene.path("fsize.db"))
    for count in (4, 6, 8, 10, 12, 16, 24):
        result = scene.run("nofile.db", preexec_fn=descriptors(count))
        scene.judge(f"R134 {count} descriptors", "nofile.db", result, codes=(0, 1, 2))
        os.remove(scene.path("nofile.db"))


def closed(scene):
    """R135: what may not be written is said before the first request."""

    def as_nobody():
        os.setgid(65534)
        os.setuid(65534)

    if os.geteuid() != 0:
        scene.checks.skip("R135: this needs root")
        return
    scene.run("closed.db")
    os.chmod(scene.where, 0o755)
    os.chmod(scene.path("closed.db"), 0o444)
    scene.server.heads = []
    result = scene.run("closed.db", preexec_fn=as_nobody)
    scene.checks.expect(
        "R135 a file that may not be written: exit code 1 or 2", result.returncode in (1, 2), result.stderr
    )
    scene.checks.expect(
        "R135 a file that may not be written: it is named", "closed.db" in result.stderr, result.stderr
    )
    scene.checks.equal("R135 a file that may not be written: requests", scene.server.heads, [])
    os.chmod(scene.path("closed.db"), 0o666)
    result = scene.run("closed.db", preexec_fn=as_nobody)
    scene.checks.expect(
        "R135 a folder that may not be written: it is said before the first request",
        result.returncode in (1, 2) and not scene.server.heads,
        (result.stderr, scene.server.heads),
    )
    script = f'mount --bind {scene.where} {scene.where} && mount -o remount,ro,bind {scene.where} && exec "$@"'
    result = subprocess.run(
        [
            "unshare",
            "-m",
            "bash",
            "-c",
            script,
            "x",
            INGEST,
            "--config",
            scene.path("m.yaml"),
            "--store",
            f"sqlite:{scene.path('ro.db')}",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if "unshare" not in result.stderr and "mount:" not in result.stderr:
        scene.checks.expect(
            "R135 a read-only file system: it is said",
            result.returncode in (1, 2) and "ro.db" in result.stderr and not scene.server.heads,
            result.stderr,
        )


def links(scene):
    """R86: a link is followed, a folder and a device are refused."""
    os.symlink(scene.path("target.db"), scene.path("link.db"))
    result = scene.run("link.db")
    scene.checks.equal("R86 a link to a file to come: exit code", result.returncode, 0)
    scene.checks.equal(
        "R86 a link: rows are where it leads",
        rows(scene.path("target.db"), "select count(*) from rows"),
        [(len(ALL),)],
    )
    for name in (".", "/dev/null", "/dev/full"):
        result = scene.run(name)
        scene.checks.expect(f"R86 {name}: exit code 1 or 2", result.returncode in (1, 2), result.stderr)
        scene.checks.expect(f"R86 {name}: it is named", name in result.stderr, result.stderr)


def held(scene):
    """R138: another writer holds the database for a while, and for ever; a reader does not stop a run."""
    scene.run("held.db")
    other = sqlite3.connect(scene.path("held.db"), isolation_level=None)
    other.execute("begin immediate")
    process = subprocess.Popen(
        [INGEST, "--config", "m.yaml", "--store", "sqlite:held.db"],
        cwd=scene.where,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(1.5)
    other.execute("commit")
    out, errors = process.communicate(timeout=60)
    scene.checks.equal(
        "R138 a writer that lets go: exit code",
        (process.returncode, out + errors if process.returncode else ""),
        (0, ""),
    )
    other.execute("begin immediate")
    began = time.monotonic()
    result = scene.run("held.db")
    took = time.monotonic() - began
    other.execute("rollback")
    scene.checks.expect("R138 a writer that stays: exit code 1", result.returncode == 1, result.stderr)
    scene.checks.expect(
        "R138 a writer that stays: it is said",
        "held.db" in result.stderr and ("locked" in result.stderr or "another process" in result.stderr),
        result.stderr,
    )
    scene.checks.expect("R138 a writer that stays: the wait has an end", took < 60, took)
    # R139: a reader that stays open.
    other.execute("begin")
    other.execute("select count(*) from rows").fetchall()
    scene.mapping("longer", "others")
    result = scene.run("held.db", name="longer")
    scene.checks.equal(
        "R139 a long reader: exit code",
        (result.returncode, result.stderr[-200:] if result.returncode else ""),
        (0, ""),
    )
    other.execute("commit")
    other.close()


def replaced(scene):
    """R136: the file is moved away, or another one put in its place, between two pages."""
    scene.run("good.db")
    for how in ("moved", "replaced", "removed"):
        path = scene.path(f"{how}.db")

        def meanwhile(number, request, how=how, path=path):
            if b"page=3" in request:
                if how == "removed":
                    os.remove(path)
                else:
                    os.rename(path, path + ".away")
                if how == "replaced":
                    shutil.copy(scene.path("good.db"), path)
            return respond(number, request)

        scene.server.respond = meanwhile
        result = scene.run(f"{how}.db")
        scene.server.respond = respond
        scene.checks.expect(f"R136 {how}: exit code 1", result.returncode == 1, result.stderr)
        scene.checks.expect(f"R136 {how}: it is said", f"{how}.db" in result.stderr, result.stderr)


def altered(scene):
    """R143: another process changes the table between two pages: no value is stored in a wrong column."""
    for change in (
        'alter table rows add column "more" text',
        'alter table rows rename column "text" to "other"',
        "drop table rows",
    ):

        def meanwhile(number, request, change=change):
            if b"page=3" in request:
                connection = sqlite3.connect(scene.path("altered.db"), timeout=10)
                connection.execute(change)
                connection.commit()
                connection.close()
            return respond(number, request)

        scene.server.respond = meanwhile
        result = scene.run("altered.db")
        scene.server.respond = respond
        scene.checks.expect(
            f"R143 {change}: exit code 0 or 1", result.returncode in (0, 1), result.stdout + result.stderr
        )
        if result.returncode == 0:
            scene.checks.equal(
                f"R143 {change}: rows",
                rows(scene.path("altered.db"), "select id from rows where text <> '' order by id"),
                ALL,
            )
        else:
            scene.checks.expect(f"R143 {change}: it says what", "rows" in result.stderr, result.stderr)
        os.remove(scene.path("altered.db"))


def hostile_schema(scene):
    """R129: triggers and views of the user's own do what the user had them do, and no more is run."""
    connection = sqlite3.connect(scene.path("hostile.db"))
    connection.executescript(
        "create table log(a); create table rows(id integer primary key, text text) strict;"
        "create trigger t after insert on rows begin insert into log values (new.id); end;"
        "create view _ingest_view as select load_extension('evil') as a;"
    )
    connection.close()
    result = scene.run("hostile.db")
    scene.checks.expect("R129 a trigger of the user's: exit code", result.returncode in (0, 1, 2), result.stderr)
    if result.returncode == 0:
        scene.checks.equal(
            "R129 a trigger of the user's runs",
            rows(scene.path("hostile.db"), "select count(*) from log"),
            [(len(ALL),)],
        )
    scene.checks.run("--config", "m.yaml", "--store", "sqlite:file:uri.db?mode=memory", cwd=scene.where)
    scene.checks.expect("S16: a name is no URI", os.path.exists(scene.path("file:uri.db?mode=memory")))


PARTS = {
    part.__name__: scened(part, Scene, respond)
    for part in (
        no_databases,
        flipped_bytes,
        calls_that_fail,
        small_disk,
        full_again,
        bounds_of_the_process,
        closed,
        links,
        held,
        replaced,
        altered,
        hostile_schema,
    )
}
