#!/usr/bin/env python3
"""Django REST framework: its page, limit/offset and cursor pagination, each walked whole, and its throttle obeyed."""
import os

from running import PYTHON, Run, free_port, installed, main, same, started
from checks import rows

COUNT = 230
MAPPING = """\
ingest: 1
source: {name: harbor, base_url: "%(url)s", retry: {attempts: 10, backoff: constant, wait: 100ms}}
records:
  Boat:
    table: boats
    key: id
    sweep: true
    fields:
      - id: {type: integer}
      - name: {type: text}
      - length: {type: decimal}
      - built_at: {type: timestamp}
endpoints:
  boats:
    path: %(path)s
    params: {%(params)s}
    records: {results: Boat}
    paginate: %(paginate)s
"""
WAYS = {
    "pages, counted": (
        "/pages/", "", "{by: page, param: page, start: 1, total: count, size_param: page_size, size: 50}"),
    "pages, by next": ("/pages/", "", "{by: next_url, from: next}"),
    "limit and offset": ("/limits/", "", "{by: offset, param: offset, size_param: limit, size: 30, total: count}"),
    "limit and offset, by next": ("/limits/", "limit: 45", "{by: next_url, from: next}"),
    "cursors": ("/cursors/", "", "{by: next_url, from: next}"),
}
COLUMNS = "select id, name, length, built_at from boats"


def check(checks, where):
    port = free_port()
    source = os.path.join(where, "django.db")
    app = os.path.join(os.path.dirname(os.path.abspath(__file__)), "django_app.py")
    with started([PYTHON, app, str(port), source, str(COUNT)], where, port):
        url = f"http://127.0.0.1:{port}"
        wanted = rows(source, "select id, name, printf('%.10f', length), built_at from harbor_boat")
        for number, (way, (path, params, paginate)) in enumerate(WAYS.items()):
            run = Run(checks, where, f"django-{number}", MAPPING % {
                "url": url, "path": path, "params": params, "paginate": paginate})
            run()
            same(checks, way, rows(run.database, COLUMNS), wanted)
            run()
            checks.equal(f"{way}: once more, nothing changes", rows(
                run.database, "select received, unchanged from _ingest_counts order by run_id desc limit 1"),
                         [(COUNT, COUNT)])
        throttled(checks, where, url, wanted)


def throttled(checks, where, url, wanted):
    run = Run(checks, where, "django-slow", MAPPING % {
        "url": url, "path": "/slow/", "params": "page_size: 20", "paginate": "{by: next_url, from: next}"})
    run()
    same(checks, "throttled", rows(run.database, COLUMNS), wanted)
    statuses = rows(run.database, "select distinct status, action from _ingest_errors")
    checks.equal("throttled: its 429 were waited for", statuses, [(429, "retry")])


main("django", installed("python", "bin", "python"), check)
