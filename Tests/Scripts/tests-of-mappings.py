#!/usr/bin/env python3
"""`ingest test` on the built binary: what it says of tests that hold and that do not, what it rewrites, how it ends."""
import json
import os
import stat
import xml.etree.ElementTree as xml

from checks import ROOT, Checks, folder

MAPPING = """\
ingest: 1
source: {name: shop, base_url: "https://api.example.test"}
records:
  Item:
    table: items
    key: id
    fields:
      id: {type: integer}
      name: {type: text}
      size: {type: integer}
endpoints:
  items: {path: /items, records: {items: Item}, paginate: {by: page, param: page, start: 1}}
  others: {path: /others, records: {items: Item}}
errors:
  - {status: 404, message: message}
tests:
"""
HOLDS = """\
  - name: a page
    endpoint: items
    body: {items: [{id: 1, name: Nut}, {id: 2, name: Net}]}
    expect:
      items: [{id: 1, name: Nut}, {id: 2, name: Net}]   # all
"""
FAILS = """\
  - name: other rows
    endpoint: items
    body: {items: [{id: 1, name: Nut}, {id: 2, name: Net}, {id: x}]}
    expect:
      items:
        - {id: 1, name: 'Nat'}   # the first
        - {id: 3, name: Not}
      requests: [GET /items]
"""
APPENDED = """\
ingest: 1
source: {name: log}
records: {Line: {table: lines, write: append, fields: [text]}}
endpoints: {lines: {path: /lines, fetch: false, records: {lines: Line}}}
tests:
  - {name: lines, endpoint: lines, body: {lines: [{text: a}]}, expect: {lines: [{text: a}]}}
"""


def write(where, name, text):
    with open(os.path.join(where, name), "w", encoding="utf-8") as file:
        file.write(text)


def read(where, name):
    with open(os.path.join(where, name), encoding="utf-8") as file:
        return file.read()


def lines(checks, what, output, *wanted):
    printed = output.split("\n")
    for line in wanted:
        checks.expect(f"{what}: {line}", line in printed, "got:\n" + output)


def reports(checks, where):
    write(where, "m.yaml", MAPPING + HOLDS)
    result = checks.run("test", "m.yaml", cwd=where)
    lines(
        checks, "tests that hold", result.stdout, "m.yaml: 1 test, which holds",
        "  reached: 2 of 3 fields, 1 of 2 descriptors, 0 of 1 error rules", "    m.yaml:10: field 'size' of 'Item'",
        "    m.yaml:13: descriptor 'items' → Item of the endpoint 'others'", "    m.yaml:15: error rule 1")
    write(where, "m.yaml", MAPPING + HOLDS + FAILS)
    result = checks.run("test", "m.yaml", cwd=where, exit_code=1)
    lines(
        checks, "a test that does not", result.stdout, "m.yaml:22:11: test 'other rows' failed",
        "  items: 1 row with other values (~ expected → came), 1 row that did not come (-), 1 row not expected (+)",
        "      id  name", "    ~ 1   \"Nat\" → \"Nut\"", "    - 3   \"Not\"", "    + 2   \"Net\"", "  requests:",
        "    - GET /items", "    + GET /items?page=1", "    + GET /items?page=2", "m.yaml: 2 tests, 1 failed")
    checks.expect(
        "the reason of a reject is told", "1 record was rejected, none was expected: /items/2: " in result.stdout)
    checks.equal("nothing but the result is printed", result.stderr, "")


def machines(checks, where):
    write(where, "m.yaml", MAPPING + HOLDS + FAILS)
    result = checks.run("test", "--format", "json", "--cut-at", "1", "m.yaml", "none.yaml", cwd=where, exit_code=2)
    checks.equal("JSON: nothing else is said", result.stderr, "")
    report = json.loads(result.stdout)
    checks.equal("JSON: the whole", (report["ok"], report["tests"], report["failed"]), (False, 2, 1))
    tested, missing = report["mappings"]
    checks.equal("JSON: a file that is not there", missing["diagnostics"][0]["code"], "unreadable-file")
    holds, fails = tested["tests"]
    checks.equal("JSON: a test that holds", (holds["name"], holds["ok"], holds["failures"]), ("a page", True, []))
    checks.equal("JSON: what a mode found", holds["modes"], [{"mode": "cut-at", "result": "same"}])
    checks.equal("JSON: the place of a test", (fails["file"], fails["line"], fails["column"]), ("m.yaml", 22, 11))
    checks.equal("JSON: kinds of failures", [f["kind"] for f in fails["failures"]], ["table", "rejects", "requests"])
    table, rejects, requests = fails["failures"]
    checks.equal("JSON: rows", [row["kind"] for row in table["rows"]], ["differs", "missing", "unexpected"])
    checks.equal("JSON: values", table["rows"][0]["values"], [
        {"column": "id", "expected": 1, "came": 1, "equal": True},
        {"column": "name", "expected": "Nat", "came": "Nut", "equal": False}])
    checks.equal("JSON: rejects", (rejects["expected"], rejects["came"]), (None, 1))
    checks.equal("JSON: requests", requests["came"], ["GET /items?page=1", "GET /items?page=2"])
    coverage = {part["of"]: (part["reached"], part["total"]) for part in tested["coverage"]}
    checks.equal("JSON: coverage", coverage, {
        "fields": (2, 3), "cases": (0, 0), "descriptors": (1, 2), "error rules": (0, 1)})
    result = checks.run("test", "--format", "github", "m.yaml", cwd=where, exit_code=1)
    checks.expect("GitHub: a finding at the test's name", result.stdout.startswith(
        "::error file=m.yaml,line=22,col=11,"), result.stdout)
    result = checks.run("test", "--format", "junit", "m.yaml", cwd=where, exit_code=1)
    cases = {case.get("name"): [part.tag for part in case] for case in xml.fromstring(result.stdout).iter("testcase")}
    checks.equal("JUnit: a case for each test", cases, {
        "mapping": [], "test: a page": [], "test: other rows": ["failure"]})
    result = checks.run("test", "--format", "json", "--update", "m.yaml", cwd=where)
    checks.equal("JSON: what was rewritten", [
        (test["ok"], test["updated"]) for test in json.loads(result.stdout)["mappings"][0]["tests"]],
        [(True, False), (True, True)])


def updates(checks, where):
    path = os.path.join(where, "m.yaml")
    os.chmod(path, 0o604)
    result = checks.run("test", "--update", "m.yaml", cwd=where)
    lines(
        checks, "an update", result.stdout, "m.yaml:22:11: test 'other rows' was rewritten",
        "m.yaml: 2 tests, all of which hold")
    after = FAILS.replace("'Nat'", "'Nut'").replace("{id: 3, name: Not}", "{id: 2, name: Net}").replace(
        "[GET /items]", "[GET /items?page=1, GET /items?page=2]\n      rejects: 1")
    checks.equal("the rest of the file stays", read(where, "m.yaml"), MAPPING + HOLDS + after)
    checks.equal("its permissions stay", stat.S_IMODE(os.stat(path).st_mode), 0o604)
    before = os.stat(path).st_mtime_ns
    checks.run("test", "--update", "m.yaml", cwd=where)
    checks.equal("a second update writes nothing", os.stat(path).st_mtime_ns, before)
    checks.equal("no file is left over", sorted(os.listdir(where)), ["m.yaml"])
    text = MAPPING + HOLDS.replace("[{id: 1, name: Nut}, {id: 2, name: Net}]   #", "&rows [{id: 9}] #") + FAILS
    write(where, "m.yaml", text)
    result = checks.run("test", "--update", "m.yaml", cwd=where, exit_code=1)
    checks.expect("a refusal names test and reason", result.stderr.startswith(
        "error: m.yaml:17:11: test 'a page' cannot be rewritten, and nothing was: "), result.stderr)
    checks.equal("nothing is written then", read(where, "m.yaml"), text)
    text = MAPPING + HOLDS + FAILS
    write(where, "m.yaml", text)
    os.chmod(path, 0o444)
    result = checks.run("test", "--update", "m.yaml", cwd=where, exit_code=1)
    checks.expect("a read-only file is named, at the test that would change it", result.stderr.startswith(
        "error: m.yaml:22:11: ") and "'m.yaml' cannot be written: it is read-only" in result.stderr, result.stderr)
    checks.equal("it stays", (read(where, "m.yaml"), stat.S_IMODE(os.stat(path).st_mode)), (text, 0o444))


def modes(checks, where):
    write(where, "m.yaml", MAPPING + HOLDS)
    write(where, "lines.yaml", APPENDED)
    result = checks.run(
        "test", "m.yaml", "--shuffle", "--seed", "7", "--duplicate-pages", "--cut-at", "1", cwd=where)
    lines(
        checks, "modes", result.stdout, "  1 test was tried with pages and members in another order (seed 7)",
        "  1 test was tried with each page twice", "  1 test was tried with each walk cut after 1 page, and continued")
    result = checks.run("test", "--duplicate-pages", ".", cwd=where, exit_code=1)
    lines(
        checks, "rows without a key", result.stdout,
        "./lines.yaml:6:12: test 'lines': the tables differ with each page twice",
        "  lines: its rows have no key of their own: each page adds rows, numbered in the order in which they come",
        "2 mappings, 2 tests, 1 failed")
    two = APPENDED.replace("body: {lines: [{text: a}]}", "response: [a.json, b.json]").replace(
        "[{text: a}]}}", "{count: 2}}}")
    write(where, "two.yaml", two)
    for name in ("a", "b"):
        write(where, name + ".json", '{"lines": [{"text": "%s"}]}' % name)
    result = checks.run("test", "two.yaml", "--duplicate-pages", "--shuffle", cwd=where, exit_code=1)
    lines(checks, "a test that fails in two ways is one", result.stdout, "two.yaml: 1 test, 1 failed")
    seeds = {checks.run("test", "m.yaml", "--shuffle", cwd=where).stdout for _ in range(5)}
    checks.expect("each shuffle has another seed", len(seeds) > 1)


def refusals(checks, where):
    write(where, "m.yaml", MAPPING + HOLDS.replace("items: [{id: 1, name: Nut}", "itms: [{id: 1, name: Nut}"))
    result = checks.run("test", "m.yaml", cwd=where, exit_code=2)
    checks.expect(
        "a name that is unknown is a finding",
        "m.yaml:21:7: error[bad-value]: no table is named 'itms'" in result.stderr)
    checks.run("test", "none.yaml", cwd=where, exit_code=2)
    write(where, "m.yaml", MAPPING + FAILS)
    checks.run("test", "m.yaml", "none.yaml", cwd=where, exit_code=2)
    for options in (
            ["--seed", "1"], ["--shuffle", "--seed", "-1"], ["--cut-at", "0"], ["--update", "--shuffle"],
            ["--shuffle=1"]):
        checks.run("test", "m.yaml", *options, cwd=where, exit_code=2)
    checks.run("test", cwd=where, exit_code=2)
    checks.run("test", "-", "--update", cwd=where, exit_code=2, stdin=MAPPING + HOLDS)
    result = checks.run("test", "-", cwd=where, stdin=MAPPING + HOLDS)
    lines(checks, "standard input", result.stdout, "-: 1 test, which holds")


def shipped(checks):
    result = checks.run("test", "mappings", cwd=ROOT)
    checks.expect("every line of the mappings is reached", "not reached" not in result.stdout, result.stdout)
    checks.run("test", "mappings", "--duplicate-pages", "--cut-at", "1", cwd=ROOT)


def main():
    checks = Checks("tests of mappings")
    for check in (reports, machines, updates, modes, refusals):
        with folder() as where:
            if check is updates:
                write(where, "m.yaml", MAPPING + HOLDS + FAILS)
            check(checks, where)
    shipped(checks)
    checks.finish()


if __name__ == "__main__":
    main()
