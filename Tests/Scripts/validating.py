#!/usr/bin/env python3
"""`ingest validate` as CI and a person at a terminal use it: forms, files and folders, stdin, comments, colours."""
import json
import os
import pty
import subprocess
import xml.etree.ElementTree as xml

from checks import INGEST, Checks, folder, ingest

HEAD = "ingest: 1\nsource: {name: shop, base_url: 'https://api.example.test'}\n"
RECORDS = "records: {User: {table: users, key: id, fields: {id: {type: integer}}}}\n"
ENDPOINTS = "endpoints: {users: {path: /users, records: {users: User}}}\n"
GOOD = HEAD + RECORDS + ENDPOINTS
BAD = GOOD.replace("integer", "integr")
WARNED = GOOD + "variables: {lonely: 5}\n"
FRAGMENT = RECORDS + "variables: {lonely: 5}\n"
INCLUDING = HEAD + ENDPOINTS + "include: part.yaml\n"
TESTED = GOOD + (
    "tests:\n  - {name: one <user>, endpoint: users, body: {users: [{id: 1}]}, expect: {users: [{id: %d}]}}\n")


def write(where, **files):
    for name, text in files.items():
        path = os.path.join(where, name.replace("__", "/") + ".yaml")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def findings(where, *arguments, exit_code, checks, stdin=None):
    result = checks.run("validate", "--format", "json", *arguments, cwd=where, exit_code=exit_code, stdin=stdin)
    report = json.loads(result.stdout)
    checks.equal(f"{arguments}: ok is what the exit code says", report["ok"], exit_code == 0)
    return [(d["file"], d["line"], d["code"]) for d in report["diagnostics"]]


def files(checks, where):
    write(where, good=GOOD, bad=BAD, warned=WARNED, maps__a=INCLUDING, maps__b=INCLUDING, maps__part=FRAGMENT)
    unknown, unused = ("bad.yaml", 3, "unknown-type"), ("maps/part.yaml", 2, "unused")
    for arguments, exit_code, wanted in [
            (["good.yaml"], 0, []), (["bad.yaml", "good.yaml"], 2, [unknown]),
            (["bad.yaml", "./bad.yaml"], 2, [unknown]), (["warned.yaml"], 0, [("warned.yaml", 5, "unused")]),
            (["warned.yaml", "--deny-warnings"], 2, [("warned.yaml", 5, "unused")]),
            (["maps"], 0, [unused]), (["maps", "bad.yaml"], 2, [unused, unknown]),
            (["maps/part.yaml", "maps/a.yaml"], 0, [unused]), ([".", "maps/part.yaml"], 2, None),
            (["maps/part.yaml"], 2, [
                ("maps/part.yaml", 1, "missing-version"), ("maps/part.yaml", 1, "unused"), unused]),
            (["nowhere.yaml", "bad.yaml"], 2, [("nowhere.yaml", 1, "unreadable-file"), unknown]),
            (["maps", "empty"], 2, [unused, ("empty", 1, "unreadable-file")])]:
        os.makedirs(os.path.join(where, "empty"), exist_ok=True)
        found = findings(where, *arguments, exit_code=exit_code, checks=checks)
        if wanted is not None:
            checks.equal(f"validate {' '.join(arguments)}", found, wanted)
        else:
            checks.equal(f"validate {' '.join(arguments)}: each finding once", len(found), len(set(found)))
    checks.equal("standard input", findings(where, "-", exit_code=2, checks=checks, stdin=BAD), [
        ("-", 3, "unknown-type")])
    checks.equal("standard input and a file", findings(where, "-", "bad.yaml", exit_code=2, checks=checks, stdin=BAD), [
        ("-", 3, "unknown-type"), unknown])


def forms(checks, where):
    write(where, good=TESTED % 1, failing=TESTED % 2, warned=WARNED, bad=BAD + TESTED[len(GOOD):] % 1)
    absolute = os.path.join(where, "bad.yaml")
    log = json.loads(checks.run("validate", absolute, "--format", "sarif", cwd=where, exit_code=2).stdout)
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    checks.equal("SARIF: a file below the working folder is relative to it", place["artifactLocation"], {
        "uri": "bad.yaml", "uriBaseId": "%SRCROOT%"})
    result = checks.run("validate", "failing.yaml", "nowhere.yaml", "--format", "github", cwd=where, exit_code=2)
    lines = result.stdout.splitlines()
    checks.equal("GitHub: a line for each finding", [line.split(",")[0] for line in lines], [
        "::error file=failing.yaml", "::error file=nowhere.yaml"])
    names = ["good.yaml", "failing.yaml", "warned.yaml", "bad.yaml"]
    result = checks.run("validate", *names, "--format", "junit", cwd=where, exit_code=2)
    cases = {
        (case.get("classname"), case.get("name")): [part.tag for part in case]
        for case in xml.fromstring(result.stdout).iter("testcase")}
    checks.equal("JUnit: a case for each mapping and test", cases, {
        ("good.yaml", "mapping"): [], ("good.yaml", "test: one <user>"): [], ("failing.yaml", "mapping"): [],
        ("failing.yaml", "test: one <user>"): ["failure"], ("warned.yaml", "mapping"): ["system-out"],
        ("bad.yaml", "mapping"): ["failure"], ("bad.yaml", "test: one <user>"): ["skipped"]})
    result = checks.run("validate", "good.yaml", cwd=where)
    checks.equal("text: nothing is printed when nothing is found", result.stdout, "")
    checks.equal("and a line for people says so", result.stderr, "1 mapping and 1 test checked: no findings\n")
    checks.equal("but not with -q", checks.run("validate", "-q", "good.yaml", cwd=where).stderr, "")


def comments(checks, where):
    write(
        where, allowed=GOOD + "# ingest: allow unused it is for later\nvariables: {lonely: 5}\n",
        idle=GOOD + "# ingest: allow unused it is for later\n", mistaken=BAD + "# ingest: allow unused for later\n",
        error=GOOD + "# ingest: allow unknown-key for later\nstoer: {}\n")
    for name, exit_code, wanted in [
            ("allowed", 0, []), ("idle", 0, [("idle.yaml", 5, "bad-allow")]),
            ("mistaken", 2, [("mistaken.yaml", 3, "unknown-type")]),
            ("error", 2, [("error.yaml", 5, "bad-allow"), ("error.yaml", 6, "unknown-key")])]:
        found = findings(where, name + ".yaml", exit_code=exit_code, checks=checks)
        checks.equal(f"comments: {name}", found, wanted)
    findings(where, "allowed.yaml", "--deny-warnings", exit_code=0, checks=checks)
    with open(os.path.join(where, "body.json"), "w", encoding="utf-8") as file:
        file.write('{"users": [{"id": 1}]}')
    result = checks.run("map", "body.json", "--config", "allowed.yaml", cwd=where)
    checks.expect("what is allowed is not said by other commands either", "unused" not in result.stderr, result.stderr)


def on_terminal(where, environment):
    """What is printed on a terminal."""
    main, other = pty.openpty()
    try:
        subprocess.run(
            [INGEST, "validate", "bad.yaml"], cwd=where, stdout=other, stderr=subprocess.DEVNULL,
            env={**os.environ, "TERM": "xterm", **environment}, timeout=60, check=False)
        return os.read(main, 1 << 16).decode()
    finally:
        os.close(other)
        os.close(main)


def colours(checks, where):
    write(where, bad=BAD)
    checks.expect("a terminal has colours", "\x1b[1;31merror[unknown-type]" in on_terminal(where, {"NO_COLOR": ""}))
    checks.expect("not with NO_COLOR", "\x1b" not in on_terminal(where, {"NO_COLOR": "1"}))
    checks.expect("nor on one that has none", "\x1b" not in on_terminal(where, {"TERM": "dumb", "NO_COLOR": ""}))
    checks.expect("nor in a pipe", "\x1b" not in ingest("validate", "bad.yaml", cwd=where).stdout)


def stores(checks, where):
    """A store of PostgreSQL is no fault of the mapping, but of no use in this version."""
    write(where, pg="ingest: 1\nsource: {name: a}\nrecords: {U: {key: id, fields: {id: {type: integer}}}}\n"
          "endpoints: {u: {path: /u, fetch: false, records: {.: U}}}\nstore: {url: 'postgres://db.example.test/a'}\n")
    result = checks.run("validate", "pg.yaml", "--deny-warnings", cwd=where)
    checks.expect("a store of PostgreSQL is told of",
        "pg.yaml: this version stores in SQLite only" in result.stderr, result.stderr)
    checks.equal("it is no finding", json.loads(checks.run(
        "validate", "pg.yaml", "--format", "json", cwd=where).stdout)["warnings"], 0)


def main():
    checks = Checks("validating")
    for part in (files, forms, comments, colours, stores):
        with folder() as where:
            part(checks, where)
    result = checks.run("explain", "unknown-key")
    checks.expect("explain: the meaning, an example, what to do", all(
        part in result.stdout for part in ("unknown-key (error)", "feilds", "What to do: ")), result.stdout)
    result = checks.run("explain", "unkown-key", exit_code=2)
    checks.expect("explain: the nearest code", "did you mean 'unknown-key'?" in result.stderr, result.stderr)
    checks.finish()


main()
