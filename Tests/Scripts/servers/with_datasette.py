#!/usr/bin/env python3
"""Datasette over an SQLite database: `next` as cursor and as URL, Link, lines; every row as it is in the database."""
import os
import random
import sqlite3

from running import PYTHON, Run, free_port, installed, main, same, started
from checks import rows

COUNT = 5000
COLUMNS = "id, code, amount, ratio, name, made_at, note"
MAPPING = """\
ingest: 1
source: {name: shop, base_url: "%(url)s"}
records:
  Item:
    table: items
    key: id
    fields:
      - id: {type: integer}
      - code: {type: text}
      - amount: {type: integer}
      - ratio: {type: real}
      - name: {type: text}
      - made_at: {type: timestamp}
      - note: {type: text}
endpoints:
  items:
    path: /shop/items.json
    params: {%(params)s}
    records: {%(place)s: Item}
    paginate: %(paginate)s%(more)s
"""
WAYS = {
    "a cursor": ("_shape: objects, _size: 500", "rows", "{by: cursor, param: _next, from: next}", ""),
    "a URL": ("_shape: objects, _size: 500", "rows", "{by: next_url, from: next_url}", ""),
    "Link": ("_shape: array, _size: 500", ".", "{by: link_header}", ""),
    "Link and lines": ('_shape: array, _nl: "on", _size: 500', ".", "{by: link_header}", "\n    format: ndjson"),
}


def make(path):
    """Values at the edges: integers beyond 2^53, an emoji, line breaks, empty text, nulls."""
    chance = random.Random(7)
    texts = ["", "plain", "a\nb\r\n", "caf\u00e9", "cafe\u0301", "\U0001f6a2", '"\\', "<b>&amp;</b>", "  blank  ", None]
    amounts = [0, -1, 2**53 + 1, -2**53 - 1, 2**63 - 1, -2**63, None]
    connection = sqlite3.connect(path)
    connection.execute(
        "create table items (id integer primary key, code text, amount integer, ratio real, name text, made_at text,"
        " note text)")
    connection.executemany("insert into items values (?, ?, ?, ?, ?, ?, ?)", (
        (3 * n + 1, f"{n:05}", chance.choice(amounts), chance.choice([0.1, -1e-7, 1e300, 2.5, None]),
         chance.choice(texts), f"2024-{n % 12 + 1:02}-{n % 28 + 1:02} {n % 24:02}:00:{n % 60:02}", chance.choice(texts))
        for n in range(COUNT)))
    connection.commit()
    connection.close()


def check(checks, where):
    source = os.path.join(where, "shop.db")
    make(source)
    wanted = rows(source, f"select {COLUMNS} from items")
    port = free_port()
    command = [PYTHON, "-m", "datasette", "serve", source, "-h", "127.0.0.1", "-p", str(port),
               "--setting", "max_returned_rows", "1000"]
    with started(command, where, port):
        for number, (way, (params, place, paginate, more)) in enumerate(WAYS.items()):
            run = Run(checks, where, f"datasette-{number}", MAPPING % {
                "url": f"http://127.0.0.1:{port}", "params": params, "place": place, "paginate": paginate,
                "more": more})
            run()
            same(checks, way, rows(run.database, f"select {COLUMNS} from items"), wanted)
            run()
            counts = rows(run.database, "select received, unchanged from _ingest_counts order by run_id desc limit 1")
            checks.equal(f"{way}: once more, nothing changes", counts, [(COUNT, COUNT)])


main("datasette", installed("python", "bin", "datasette"), check)
