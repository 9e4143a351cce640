"""The vocabulary of the chapters: what a behaviour is, its steps, and what is expected of it.

A mapping is written without its head (`ingest: 1` and `source`) unless it needs another one; without `endpoints`, its
first record stands at the place `.` of one endpoint, `all`. `BASE_URL` is the address of the case's own server.
Tables are expected whole: `{"users": ["id name", (1, "Ada")]}` has every column, and every row with SQLite types.
Counts are expected whole too: `{"User": "1 inserted, 2 unchanged"}`, anything else 0. A reject is written as
`RECORD POINTER FIELD: part of the reason`, the pointer of the body itself as `.`, and `-` where no field is named.
"""
import re

ENTRIES = []
HEAD = "ingest: 1\nsource: {name: demo, base_url: https://api.example.test}\n"


class Case:
    def __init__(self, number, title, mapping, steps, server, pending):
        self.number, self.title, self.steps, self.server, self.pending = number, title, steps, server, pending
        self.mapping = whole(mapping)


class Covered:
    def __init__(self, number, by, why):
        self.number, self.by, self.why = number, by, why


class NotApplicable:
    def __init__(self, number, why):
        self.number, self.why = number, why


class Step:
    """One command; `files` are written before it, `expected` is looked at after it."""

    def __init__(self, command, bodies=(), args=(), exit=0, ending="json", env=None, **expected):
        self.command, self.bodies, self.args, self.exit = command, bodies, list(args), exit
        self.ending, self.env, self.expected = ending, env or {}, expected


def case(number, title, mapping, *steps, server=(), pending=None):
    ENTRIES.append(Case(number, title, mapping, steps, server, pending))


def covered(number, by, why):
    ENTRIES.append(Covered(number, by, why))


def not_applicable(number, why):
    ENTRIES.append(NotApplicable(number, why))


def load(*bodies, **options):
    """Stores bodies, each in a file of its own. A body is text as it stands, or bytes."""
    return Step("load", bodies, **options)


def mapped(*bodies, **options):
    """Prints what `load` would store; `lines` are the rows, each `TABLE {…}`."""
    return Step("map", bodies, **options)


def run(**options):
    return Step("run", **options)


def validate(*lines, **options):
    """Checks the mapping; what is expected to be said stands first. With it, the mapping is refused."""
    return Step("validate", exit=options.pop("exit", 2 if lines else 0), has=list(lines), **options)


def route(request, *lines, **options):
    return Step("route", args=request.split(), has=list(lines), **options)


def together(*steps, exit=0):
    """Commands that run at one time; each may end with any of the exits."""
    return Step("together", steps, exit=exit)


def remap(text):
    """The mapping from here on."""
    return Step("remap", (whole(text),))


def sql(*statements):
    """What a user does to the database by hand."""
    return Step("sql", statements)


def answer(request, body="", status=200, times=None, **headers):
    """A reply of the case's server: `GET /path?a=1` fits when these parameters are there; the first that fits."""
    method, target = request.split()
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return {"method": method, "target": target, "body": body, "status": status, "times": times, "headers": names}


def whole(mapping):
    text = mapping.strip("\n") + "\n"
    if not re.search(r"^source:", text, re.M):
        text = HEAD + text
    if not re.search(r"^endpoints:", text, re.M):
        first = re.search(r"^records:\n  (\w+):", text, re.M)
        if first:
            text += "endpoints: {all: {path: /all, records: {.: %s}}}\n" % first.group(1)
    return text
