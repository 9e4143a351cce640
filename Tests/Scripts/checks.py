"""What the end-to-end scripts share: the binary, a temporary folder, and a count of what held."""
import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INGEST = os.path.abspath(os.environ.get("INGEST", os.path.join(ROOT, ".build", "release", "ingest")))

# Tests may run as root; that ingest says so is a test of its own.
os.environ.setdefault("INGEST_AS_ROOT", "1")


def beside(variable, *path):
    """A folder beside the project that need not be there: from the environment, or under ../shared."""
    return os.environ.get(variable) or os.path.join(os.path.dirname(ROOT), "shared", *path)


class Checks:
    """Counts what held and what did not; `finish` prints the summary and ends the script."""

    def __init__(self, name):
        self.name, self.passed, self.failed, self.skipped = name, 0, 0, []

    def expect(self, what, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"{self.name}: FAILED: {what}" + (f"\n    {detail}" if detail else ""))
        return holds

    def equal(self, what, got, wanted):
        return self.expect(what, got == wanted, f"expected {wanted!r}\n    got      {got!r}")

    def skip(self, what):
        self.skipped.append(what)

    def finish(self):
        if not self.passed and not self.failed and not self.skipped:
            self.failed = 1
            print(f"{self.name}: nothing was checked")
        skipped = "".join(f"; SKIPPED: {what}" for what in self.skipped)
        print(f"{self.name}: {self.passed} passed, {self.failed} failed{skipped}")
        sys.exit(1 if self.failed else 0)

    def run(self, *arguments, exit_code=0, **options):
        """Runs ingest and checks how it ended; gives the finished process, its output as text."""
        result = ingest(*arguments, **options)
        self.expect(
            f"ingest {' '.join(arguments)} exits with {exit_code}", result.returncode == exit_code,
            f"exit {result.returncode}\n{indented(result.stdout + result.stderr)}")
        return result


class StoppingChecks(Checks):
    """Ends with the first check that does not hold."""

    def expect(self, what, holds, detail=""):
        return super().expect(what, holds, detail) or self.finish()


def ingest(*arguments, cwd=ROOT, env=None, stdin=None, timeout=300):
    surroundings = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **(env or {})}
    surroundings = {name: value for name, value in surroundings.items() if value is not None}
    try:
        return subprocess.run(
            [INGEST, *arguments], cwd=cwd, env=surroundings, input=stdin, capture_output=True, text=True,
            errors="replace", timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(arguments, f"none, killed after {timeout} s", "", "")


def indented(text, lines=20):
    return "\n".join("    " + line for line in text.rstrip().split("\n")[:lines])


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory(prefix="ingest-") as path:
        yield path


def rows(database, query, *values):
    """The rows of a query; an error of the database is the one row of the answer, so that it shows in a comparison."""
    if not os.path.exists(database):
        return [("no database",)]
    connection = sqlite3.connect(database)
    try:
        return connection.execute(query, values).fetchall()
    except sqlite3.Error as error:
        return [(f"{type(error).__name__}: {error}",)]
    finally:
        connection.close()


def last_counts(database):
    """record → (received, inserted, updated, unchanged, rejected) of the latest run."""
    return {row[0]: row[1:] for row in rows(
        database, "select record, received, inserted, updated, unchanged, rejected from _ingest_counts"
        " where run_id = (select max(run_id) from _ingest_runs)")}
