"""`ingest plan`: what the next run would change in the tables."""
import json
import os
import sqlite3

from answering import contents, write
from checks import folder, rows

BEFORE = """\
ingest: 1
source: {name: shop, base_url: "https://api.example.test"}
records:
  Item:
    table: items
    key: id
    fields: {id: {type: integer}, name: {type: text}, code: {type: text}, size: {type: integer}, place: {type: integer}}
  Old: {table: olds, key: id, fields: {id: {type: integer}}}
endpoints:
  items: {path: /items, records: {items: Item, olds: Old}}
"""
AFTER = """\
ingest: 1
source: {name: shop, base_url: "https://api.example.test"}
records:
  Item:
    table: items
    key: place
    fields:
      id: {type: integer}
      title: {type: text, renamed_from: name, index: true}
      code: {type: integer}
      size: {type: decimal}
      place: {type: integer}
      day: {type: date}
    relationships: {tags: [{fields: {tag: .}}]}
  Old: {table: news, renamed_from: olds, key: id, fields: {id: {type: integer}, seen: {type: boolean, index: unique}}}
endpoints:
  items: {path: /items, records: {items: Item, olds: Old}}
"""
OUTLINE = """\
-- ~ table news, was olds
--     + column seen boolean
--     + unique index on (seen), 2 rows
-- ~ table items
--     ~ column title, was name
--     ~ column code: text to integer, LOSES DATA: 1 row would lose their value
--     ~ column size: integer to decimal, 3 rows rewritten
--     - primary key (id)
--     + primary key (place), LOSES DATA: 1 row would go
--     + column day date
--     ~ made anew, 3 rows copied
--     + index on (title), 3 rows
-- + table item_tags
--     + column item_place integer, key
--     + column position integer, key
--     + column tag any
--     + foreign key (item_place) to items
-- 1 table to add, 2 tables to change, 2 columns to add, 3 columns to change, 1 key to change, 2 indexes to add; \
what loses data is done with --allow-loss only
"""
BODY = {"items": [{"id": 1, "name": "a", "code": "7", "size": 1, "place": 1},
                  {"id": 2, "name": "b", "code": "x", "size": 2, "place": 1},
                  {"id": 3, "name": "c", "size": 3, "place": 2}], "olds": [{"id": 1}, {"id": 2}]}


def plan(checks, where, mapping):
    before = contents(where)
    result = checks.run("plan", "--config", mapping, "--store", "sqlite:out.db", cwd=where)
    checks.equal("planning changes no file", contents(where), before)
    return result


def check(checks):
    with folder() as where:
        write(where, "before.yaml", BEFORE)
        write(where, "after.yaml", AFTER)
        write(where, "a.json", json.dumps(BODY))
        made = plan(checks, where, "before.yaml").stdout
        checks.expect("a table that is to come is outlined", made.startswith(
            "-- + table items\n--     + column id integer, key\n--     + column name text\n"), made)
        database = sqlite3.connect(":memory:")
        database.executescript(made)
        checks.equal("the plan is a script", database.execute("select count(*) from items").fetchall(), [(0,)])
        database.close()
        load = ["load", "a.json", "--store", "sqlite:out.db", "--config"]
        checks.run(*load, "before.yaml", cwd=where)
        result = plan(checks, where, "before.yaml")
        checks.expect("when nothing is to be done it is said",
            not result.stdout and "as the mapping wants" in result.stderr,
                      result.stdout + result.stderr)
        told = plan(checks, where, "after.yaml").stdout
        outline = "".join(line + "\n" for line in told.splitlines() if line.startswith("--"))
        checks.equal("what would change is outlined", outline, OUTLINE)
        checks.run(*load, "after.yaml", cwd=where, exit_code=2)
        checks.run(*load, "after.yaml", "--allow-loss", cwd=where, exit_code=3)
        result = plan(checks, where, "after.yaml")
        checks.equal("afterwards nothing is left to do", result.stdout, "")
        checks.expect("the other columns are there",
            rows(os.path.join(where, "out.db"), "select count(day) from items")[0] == (0,))
