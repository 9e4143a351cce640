"""Servers that never come to an end: the walk is an error as soon as something repeats, and what came before stays."""
import os

from checks import rows
from server import answer, serving

MAPPING = """\
ingest: 1
source: {name: endless, base_url: "%s", retry: {attempts: 1}, limits: {pages: 60}}
records:
  Row: {table: "%s", key: id, fields: [{id: {type: integer}}]}
endpoints:
  rows: {path: "/%s", records: {rows: Row}, paginate: %s}
"""
CURSOR = "{by: cursor, param: cursor, from: next}"


def same_body(number, _):
    """The page's number is not looked at."""
    return {"rows": [{"id": 1}, {"id": 2}]}


def same_cursor(number, _):
    return {"rows": [{"id": number}], "next": "again"}


def circle(number, query):
    """Seven cursors that lead back to the first."""
    return {"rows": [{"id": number}], "next": f"c{number % 7}"}


def new_cursor_same_rows(number, _):
    return {"rows": [{"id": 1}], "next": "always"} if number > 1 else {"rows": [{"id": 1}], "next": "first"}


def same_url(number, _):
    return {"rows": [{"id": number}], "next": "/same_url?cursor=x"}


# what the server does, how it is asked, and after how many requests the repeat is known
CASES = [
    (same_body, "{by: page, param: page, start: 1}", 2),
    (same_body, "{by: offset, param: offset, size: 2}", 2),
    (same_cursor, CURSOR, 2),
    (circle, CURSOR, 8),
    (new_cursor_same_rows, CURSOR, 3),
    (same_url, "{by: next_url, from: next}", 2),
]


def check(checks, where, options):
    for index, (behaviour, paging, bound) in enumerate(CASES):
        what = f"endless: {behaviour.__name__} {paging}"
        count = [0]

        def respond(request, count=count, behaviour=behaviour):
            count[0] += 1
            return answer(behaviour(count[0], request.query))

        with serving(respond) as server:
            with open(os.path.join(where, f"endless-{index}.yaml"), "w", encoding="utf-8") as out:
                out.write(MAPPING % (server.url, f"endless{index}", behaviour.__name__, paging))
            database = os.path.join(where, f"endless-{index}.db")
            checks.run(
                "--config", f"endless-{index}.yaml", "--store", f"sqlite:{database}", cwd=where, exit_code=1,
                timeout=60)
        checks.expect(f"{what}: it ends within {bound + 1} requests", count[0] <= bound + 1, f"{count[0]} requests")
        checks.equal(f"{what}: the pages before stay", rows(
            database, f'select count(*) > 0 from "endless{index}"'), [(1,)])
