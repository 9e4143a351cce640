"""`ingest plan`: what the next run would change in the tables."""
import json
import os
import shutil
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


def run_as_shell(path, script):
    """As a shell for SQL runs it: a statement that fails is passed over, the next one is taken."""
    database = sqlite3.connect(path, isolation_level=None)
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            try:
                database.execute(statement)
            except sqlite3.Error:
                pass
            statement = ""
    database.close()


def check_script(checks, where, script):
    """Given to a shell, what is printed for tables that are made anew neither loses a row nor stands in a run's way."""
    shutil.copy(os.path.join(where, "out.db"), os.path.join(where, "copy.db"))
    run_as_shell(os.path.join(where, "copy.db"), script)
    checks.equal("a plan that makes a table anew loses no row as a script",
                 rows(os.path.join(where, "copy.db"), "select id, code, size from items order by id"),
                 [(1, "7", 1), (2, "x", 2), (3, None, 3)])
    checks.expect("it shows the statements that are to come", '--   CREATE TABLE "_ingest_rebuilt" (' in script, script)
    checks.run("load", "a.json", "--store", "sqlite:copy.db", "--config", "after.yaml", "--allow-loss", cwd=where,
               exit_code=3)


def check_renames(checks, where):
    """A rename that was taken as a script leaves the types of the stored values known."""
    stages = {"flag": "flag: {type: boolean}", "mark": "mark: {from: flag, type: boolean, renamed_from: flag}",
              "word": "mark: {from: flag, type: text}"}
    for name, field in stages.items():
        write(where, name + ".yaml", "ingest: 1\nsource: {name: marks}\nrecords:\n  Mark:\n    key: id\n"
              f"    fields: {{id: {{type: integer}}, {field}}}\n"
              "endpoints:\n  marks: {path: /marks, records: {.: Mark}}\n")
    write(where, "marks.json", '[{"id": 1, "flag": true}, {"id": 2, "flag": false}]')
    write(where, "none.json", "[]")
    store = os.path.join(where, "marks.db")
    checks.run("load", "marks.json", "--store", "sqlite:marks.db", "--config", "flag.yaml", cwd=where)
    script = checks.run("plan", "--store", "sqlite:marks.db", "--config", "mark.yaml", cwd=where).stdout
    run_as_shell(store, script)
    checks.expect("a rename is a script", "RENAME COLUMN" in script and '"mark"' in script, script)
    checks.run("load", "none.json", "--store", "sqlite:marks.db", "--config", "word.yaml", cwd=where)
    checks.equal("and what was stored as a boolean is a boolean's word",
                 rows(store, "select mark from mark order by id"), [("true",), ("false",)])


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
        checks.expect("what would change is outlined", told.startswith(OUTLINE), told)
        check_script(checks, where, told)
        check_renames(checks, where)
        checks.run(*load, "after.yaml", cwd=where, exit_code=2)
        checks.run(*load, "after.yaml", "--allow-loss", cwd=where, exit_code=3)
        result = plan(checks, where, "after.yaml")
        checks.equal("afterwards nothing is left to do", result.stdout, "")
        checks.expect("the other columns are there",
            rows(os.path.join(where, "out.db"), "select count(day) from items")[0] == (0,))
