"""`ingest explain TABLE.COLUMN KEY…`: from a stored row back to body, place, rule and run."""
import json
import os
import sqlite3
import urllib.parse

from answering import contents, server, write
from checks import folder

MAPPING = """\
ingest: 1
source: {name: shop, base_url: "%(url)s"}
store: {archive: %(archive)s}
variables: {q: nut}
records:
  Order:
    table: orders
    key: [shop, number]
    modified: changed
    fields:
      shop: {type: text}
      number: {type: integer}
      changed: {type: timestamp}
      total: {from: [sums.gross, sums.net], type: decimal}
      last: {from: "lines[-1].sku", type: text}
      skus: {from: "lines[*].sku", type: json}
      page: {from: $root.meta.page, type: integer}
      asked: {from: $var.q, type: text}
      state: {type: text, default: open}
      kind: {const: order}
      term: {const: "a ${q}"}
      seen: {from: $fetched_at, type: timestamp}
      long: {type: text}
    relationships:
      buyer: Person
      lines: [{fields: {sku: {type: text}, size: {from: "a/b~c", type: real}}}]
      tags: [Tag]
      helpers: {record: [Helper], via: child}
  Person: {table: people, key: id, track: true, fields: {id: {type: any}, name: {type: text, transform: [uppercase]}}}
  Tag: {table: tags, key: name, fields: {name: {type: text}}}
  Helper: {table: helpers, key: id, fields: {id: {type: integer}}}
  Price: {table: prices, key: id, write: history, fields: {id: {type: integer}, price: {type: decimal}}}
  Event: {table: events, write: append, fields: {what: {type: text}}, relationships: {parts: [{fields: {part: .}}]}}
endpoints:
  orders:
    path: /orders
    records: {orders: Order, prices: Price, events: Event}
    paginate: {by: page, param: page, start: 1}
  lines: {path: /lines, format: ndjson, fetch: false, records: {.: Order}}
"""


def order(number, changed="2024-01-01T00:00:00Z", **more):
    return {"shop": "a.b", "number": number, "changed": changed, "sums": {"gross": None, "net": "1.50"},
            "lines": [{"sku": "x", "a/b~c": 2}, {"sku": "y"}], "buyer": {"id": 7, "name": "Ada"},
            "tags": [{"name": "n\0ul"}, {"name": "-t"}], "helpers": [{"id": 70 + number}], "long": "z" * 5000, **more}


PAGES = [
    {"meta": {"page": 1}, "orders": [order(1), order(2)], "prices": [{"id": 1, "price": "9.0"}],
     "events": [{"what": "made", "parts": ["p", "q"]}]},
    {"meta": {"page": 2}, "orders": [order(3, buyer={"id": "7", "name": "Text"}), order(1, "2023-01-01T00:00:00Z")],
     "prices": []},
]


def answer(path, _):
    page = int(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query))["page"])
    return 200, {}, PAGES[page - 1] if page <= len(PAGES) else {"orders": [], "prices": [], "events": []}


def explain(checks, where, *words, **options):
    before = contents(where)
    result = checks.run("explain", "--config", "m.yaml", "--store", "sqlite:out.db", *words, cwd=where, **options)
    checks.equal("explaining changes no file", contents(where), before)
    return result.stdout + result.stderr


def told(checks, where, words, *parts, lacks=(), **options):
    """Each part, with its spaces made one, is in what is told."""
    text = " ".join(explain(checks, where, *words, **options).split())
    for part in parts:
        checks.expect(f"explain {' '.join(words)} says {part!r}", part in text, text)
    for part in lacks:
        checks.expect(f"explain {' '.join(words)} does not say {part!r}", part not in text, text)


def check(checks):
    with folder() as where, server(answer) as url:
        write(where, "m.yaml", MAPPING % {"url": url, "archive": "true"})
        told(checks, where, ["orders.total", "a.b", "1"], "is not there yet", exit_code=1)
        checks.run("run", "m.yaml", "--store", "sqlite:out.db", cwd=where)
        fields(checks, where, url)
        tables(checks, where)
        refusals(checks, where)
        changed(checks, where)
    from_files(checks)
    older(checks)
    without(checks)


def fields(checks, where, url):
    told(checks, where, ["orders.total", "a.b", "1"],
         'orders.total of shop "a.b", number 1: "1.50"', "rule m.yaml:14: total: {from: [sums.gross, sums.net]",
         "the first of the key paths sums.gross, sums.net, type decimal", 'raw "1.50"',
         "at /orders/0/sums/net, record /orders/0", f"in GET {url}/orders?page=1, answer 1 of the archive",
         "run 1: run at 20", "by m.yaml, endpoint orders")
    told(checks, where, ["orders.total", "a.b", "3"], "/orders/0/sums/net", "answer 2 of the archive")
    told(checks, where, ["orders.last", "a.b", "2"], 'raw "y"', "at /orders/1/lines/1/sku")
    told(checks, where, ["orders.skus", "a.b", "2"], 'raw ["x","y"]', "at /orders/1/lines, record")
    told(checks, where, ["orders.page", "a.b", "3"], ": 2 ", "raw 2", "at $root.meta.page")
    told(checks, where, ["orders.asked", "a.b", "3"], 'raw "nut"', "at $var.q")
    told(checks, where, ["orders.state", "a.b", "1"], ': "open"', "raw missing")
    told(checks, where, ["orders.kind", "a.b", "1"], ': "order"', "a constant", lacks=["raw"])
    told(checks, where, ["orders.term", "a.b", "1"], ': "a nut"', "a constant", lacks=["differs"])
    told(checks, where, ["orders.seen", "a.b", "1"], "at $fetched_at", "answer 1 of", lacks=["differs"])
    told(checks, where, ["orders.long", "a.b", "1"], "zz… (5002 bytes)", "(5000 bytes)",
        lacks=["z" * 2001, "differs"])
    told(checks, where, ["orders.buyer_id", "a.b", "1"], "relationship 'buyer' at key path buyer",
        "rule m.yaml:25: buyer")
    told(checks, where, ["orders.changed", "a.b", "1"], "answer 1 of the archive", lacks=["seen"])


def tables(checks, where):
    told(checks, where, ["people.name", "7"], "two rows of 'people' have id 7", exit_code=2)
    told(checks, where, ["people.name", '"7"'], ': "TEXT"', 'raw "Text"', "at /orders/0/buyer/name", "answer 2 of",
         "track run 1 changed the row last")
    told(checks, where, ["people._run_id", '"7"'], "the run that last changed the row")
    told(checks, where, ["order_lines.size", "a.b", "1", "0"], ": 2.0", "raw 2 ", "at /orders/0/lines/0/a~1b~0c")
    told(checks, where, ["order_lines.position", "a.b", "1", "1"], "number in its list", "at /orders/0/lines/1")
    told(checks, where, ["order_lines.order_shop", "a.b", "1", "1"], "the key of the row's parent",
        "at /orders/0/lines/1")
    told(checks, where, ["order_tags.position", "a.b", "1", '"n\\u0000ul"'], ": 0 ", "at /orders/0/tags/0")
    told(checks, where, ["tags.name", '"n\\u0000ul"'], ': "n\\u0000ul"', "/tags/0/name",
         "seen in 2 bodies; this is the last one with this value")
    told(checks, where, ["tags.name", "--", "-t"], ': "-t"', "/tags/1/name")
    told(checks, where, ["helpers.order_number", "73"], ": 3 ", "in whose list it is, relationship 'helpers'",
         "at /orders/0/helpers/0")
    told(checks, where, ["prices.price", "1"], ': "9.0"', "at /prices/0/price")
    told(checks, where, ["prices.valid_to", "1"], ": null", "when the next version was stored")
    told(checks, where, ["events.what", "1"], ': "made"', "at /events/0/what")
    told(checks, where, ["events._id", "1"], "the store numbers the rows", "at /events/0")
    told(checks, where, ["event_parts.part", "1", "1"], ': "q"', "at /events/0/parts/1")


def refusals(checks, where):
    told(checks, where, ["orders.total", "a.b", "9"], "no row of 'orders' with shop a.b, number 9", exit_code=1)
    told(checks, where, ["orders.totl", "a.b", "1"], "fills no column 'orders.totl'", "did you mean 'orders.total'?",
         exit_code=2)
    told(checks, where, ["nothing.at_all", "1"], "there are the tables: orders, people", exit_code=2)
    told(checks, where, ["orders.total", "a.b"], "the key of 'orders' is shop, number", exit_code=2)
    told(checks, where, ["orders.total"], "needs the row's key", exit_code=2)


def changed(checks, where):
    """What does not come out the same is said to be so."""
    with sqlite3.connect(os.path.join(where, "out.db")) as connection:
        connection.execute("update people set name = 'Else' where typeof(id) = 'integer'")
        connection.execute("update _ingest_responses set obsolete_since = 9 where response_id = 2")
        connection.execute("delete from people where typeof(id) = 'text'")
    connection.close()
    told(checks, where, ["people.name", "7"], ': "Else"', 'this mapping makes "ADA" of it')
    told(checks, where, ["orders.page", "a.b", "3"], "no answer of the archive, and no loaded file, holds the row",
         "run 1: run at 20", "changed such rows")
    text = (MAPPING % {"url": "http://127.0.0.1:1", "archive": "true"}).replace("type: any}",
        "type: any}, age: {type: integer}")
    write(where, "m.yaml", text)
    told(checks, where, ["people.age", "7"], "has no column 'age' yet", exit_code=1)


def from_files(checks):
    with folder() as where:
        write(where, "m.yaml", MAPPING % {"url": "http://127.0.0.1:1", "archive": "false"})

        def load(*arguments, **options):
            checks.run("load", *arguments, "--config", "m.yaml", "--store", "sqlite:out.db", cwd=where, **options)

        write(where, "one.json", json.dumps(PAGES[0]))
        load("one.json", "--endpoint", "orders")
        write(where, "two.json", json.dumps({"orders": [order(1, "2025-01-01T00:00:00Z", sums={"gross": "3"})]}))
        load("two.json", "--path", "/orders?page=4")
        write(where, "three.ndjson", json.dumps(order(5)) + "\n" + json.dumps(order(6)) + "\n")
        load("three.ndjson", "--endpoint", "lines")
        load("-", "--endpoint", "orders", stdin=json.dumps({"orders": [order(8)]}))
        told(checks, where, ["orders.total", "a.b", "1"], ': "3"', "in two.json, unchanged since it was loaded",
            "run 2: load")
        told(checks, where, ["orders.total", "a.b", "2"], "in one.json, unchanged", "run 1: load",
            "at /orders/1/sums/net")
        told(checks, where, ["orders.total", "a.b", "6"], "in three.ndjson, line 2, unchanged",
            "at /sums/net, record the whole body")
        told(checks, where, ["orders.seen", "a.b", "2"], "at $fetched_at", "in one.json", lacks=["differs"])
        told(checks, where, ["orders.total", "a.b", "8"], "not kept: there is no archive",
            "standard input is not kept",
             "run 4: load at")
        os.rename(os.path.join(where, "one.json"), os.path.join(where, "moved.json"))
        with open(os.path.join(where, "two.json"), "a", encoding="utf-8") as file:
            file.write("\n")
        told(checks, where, ["orders.total", "a.b", "1"], "one.json, loaded by run 1: it is gone",
             "two.json, loaded by run 2: it has changed since", lacks=["unchanged"])


def older(checks):
    """With `modified`, what an older body gave and newer ones leave alone is no change by hand."""
    text = """\
ingest: 1
source: {name: ex}
store: {archive: %s}
records:
  Item:
    table: items
    key: id
    modified: at
    fields: {id: {type: integer}, at: {type: integer}, name: {type: text}}
    relationships: {tags: [{fields: {tag: .}}]}
endpoints: {items: {path: /items, fetch: false, records: {items: Item}}}
"""
    bodies = [{"id": 1, "at": 1, "name": "first", "tags": ["a"]}, {"id": 1, "at": 3},
              {"id": 1, "at": 2, "name": "late"}, {"id": 2, "at": 1, "name": "x"}, {"id": 2, "at": 2, "name": "y"}]
    for archive in ["true", "false"]:
        with folder() as where:
            write(where, "m.yaml", text % archive)
            for number, body in enumerate(bodies):
                write(where, f"{number}.json", json.dumps({"items": [body]}))
                checks.run("load", f"{number}.json", "--config", "m.yaml", "--store", "sqlite:out.db", cwd=where)
            told(checks, where, ["items.name", "1"], ': "first"', "in 0.json", "run 1: load",
                 "kept bodies of the row as it is now leave the column alone", lacks=["by hand"])
            told(checks, where, ["item_tags.tag", "1", "0"], ': "a"', "in 0.json", lacks=["by hand"])
            told(checks, where, ["items.at", "1"], ": 3 ", "in 1.json", lacks=["kept", "by hand"])
            with sqlite3.connect(os.path.join(where, "out.db")) as connection:
                connection.execute("update items set name = 'x' where id = 2")
            connection.close()
            # An older body has it, but a newer one has set something else.
            told(checks, where, ["items.name", "2"], "in 4.json", "by hand", lacks=["kept"])
            if archive == "false":
                continue
            with sqlite3.connect(os.path.join(where, "out.db")) as connection:
                connection.executescript("delete from _ingest_responses; delete from _ingest_files")
            connection.close()
            told(checks, where, ["items.name", "1"],
                 "the archive has no answer that may hold the row ('prune' removes", lacks=["there is no archive"])
            result = checks.run("replay", "--config", "m.yaml", "--store", "sqlite:out.db", cwd=where)
            checks.expect("replay does not ask for an archive that is there",
                "'prune' has removed them" in result.stderr and "are kept for" not in result.stderr, result.stderr)


def without(checks):
    """Before any archive and any note of files: a store of an older ingest."""
    with folder() as where:
        write(where, "m.yaml", MAPPING % {"url": "http://127.0.0.1:1", "archive": "false"})
        write(where, "one.json", json.dumps(PAGES[0]))
        checks.run("load", "one.json", "--endpoint", "orders", "--config", "m.yaml", "--store", "sqlite:out.db",
            cwd=where)
        with sqlite3.connect(os.path.join(where, "out.db")) as connection:
            connection.executescript(
                "drop view _ingest_last_run; drop table _ingest_files; drop table _ingest_responses;"
                "update _ingest_schema set type = '2' where \"table\" = '_ingest_schema' and \"column\" = ''")
        connection.close()
        told(checks, where, ["orders.total", "a.b", "1"], "not kept: there is no archive", "run 1: load at")
