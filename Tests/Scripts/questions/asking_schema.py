"""`ingest schema`: SQL of two databases, diagrams, Datasette's metadata; what can be tried is tried."""
import glob
import json
import os
import shutil
import sqlite3
import subprocess
import xml.etree.ElementTree

from answering import write
from checks import folder, rows

LONG = "x" * 60
MAPPING = """\
ingest: 1
source: {name: shop, base_url: "https://api.example.test"}
variables: {unset: {type: text}}
store: {url: "sqlite:some/where/shop.v1.db"}
records:
  Order:
    table: "order"
    key: ["from", "line \\"no\\""]
    description: "what was ordered; it's all\\nthere"
    fields:
      "from": {type: integer}
      "line \\"no\\"": {type: text}
      User: {type: text, description: "who'll get it"}
      any: {type: any}
      real: {type: real}
      amount: {type: decimal}
      paid: {type: boolean}
      day: {type: date}
      hour: {type: time}
      at: {type: timestamp}
      ref: {type: uuid}
      link: {type: url}
      raw: {type: json}
      seal: {type: bytes}
      loose: {type: integer, on_invalid: keep_text}
      state: {type: text, check: {one_of: [open, closed]}}
      buyer: {references: Person}
      %(long)s_1: {type: integer, index: true}
      %(long)s_2: {type: integer, index: unique}
    indexes: [{columns: [day], where: "day > '2020-01-01'"}]
    relationships:
      seller: Person
      tags: [Tag]
      notes: [{fields: {note: .}}]
      helpers: {record: [Helper], via: child}
  Person: {table: people, key: id, fields: {id: {type: integer}}, relationships: {boss: Person}}
  Tag: {table: tags, key: name, fields: {name: {type: text}}}
  Helper: {table: helpers, key: id, fields: {id: {type: uuid}}}
  Event: {table: events, write: append, fields: {what: {type: text}}, relationships: {parts: [{fields: {part: .}}]}}
  Price: {table: prices, key: id, write: history, track: true, fields: {id: {type: integer}, price: {type: decimal}}}
endpoints:
  orders: {path: /orders, records: {orders: Order, events: Event, prices: Price}}
""" % {"long": LONG}


def schema(checks, where, *arguments, **options):
    return checks.run("schema", "--config", "m.yaml", *arguments, cwd=where, **options)


def check(checks):
    with folder() as where:
        write(where, "m.yaml", MAPPING)
        sqlite(checks, where)
        postgres(checks, where)
        diagrams(checks, where)
        metadata(checks, where)
        checks.equal("nothing is made", os.listdir(where), ["m.yaml"])
    refusals(checks)


def sqlite(checks, where):
    text = schema(checks, where).stdout
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(text)
        found = {row[0] for row in database.execute("select name from sqlite_schema where type = 'table'")}
    except sqlite3.Error as error:
        found = str(error)
    database.close()
    checks.equal("SQLite takes the schema", found, {
        "order", "order_tags", "order_notes", "people", "tags", "helpers", "events", "event_parts", "prices"})
    checks.expect("a description is a comment on each of its lines",
        "-- order: what was ordered; it's all\n-- there\n" in text, text)
    checks.expect("a reference is told", "-- order.buyer refers to people.id, not enforced\n" in text, text)


def postgres(checks, where):
    text = schema(checks, where, "--dialect", "postgres").stdout
    by_url = schema(checks, where, "--store", "postgres://u:p@127.0.0.1/x").stdout
    checks.equal("the store's URL says whose SQL it is", by_url, text)
    checks.expect("comments are quoted", """COMMENT ON COLUMN "order"."User" IS 'who''ll get it';""" in text, text)
    try_postgres(checks, text)


# What a server says of the tables, where one is installed: a line for each column.
COLUMNS = """select a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
|| case when a.attnotnull then ' not null' else '' end
from pg_attribute a where a.attrelid = '"order"'::regclass and a.attnum > 0 order by a.attnum"""
WANTED = ["from bigint not null", 'line "no" text not null', "User text", "any text", "real double precision",
    "amount numeric",
          "paid boolean", "day date", "hour time without time zone", "at timestamp with time zone", "ref uuid",
              "link text",
          "raw jsonb", "seal bytea", "loose text", "state text", "buyer bigint", LONG + "_1 bigint",
              LONG + "_2 bigint",
          "seller_id bigint"]
SEEN = """select count(*) || ' ' || bool_and(length(conname) < 64) from pg_constraint where contype in ('p', 'f')
and connamespace = 'public'::regnamespace"""


def try_postgres(checks, text):
    """A server of one's own, on a socket in a folder, by a user who is not root."""
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if not programs or (as_user and subprocess.run([*as_user, "true"], check=False, capture_output=True).returncode):
        return checks.skip("PostgreSQL is not installed: its SQL was not tried")
    initdb, control, client = (os.path.join(programs[-1], name) for name in ("initdb", "pg_ctl", "psql"))
    place = subprocess.run([*as_user, "env", "-u", "TMPDIR", "mktemp", "-d"], cwd="/", check=True,
        capture_output=True, text=True).stdout.strip()

    def run(*command, **options):
        return subprocess.run([*as_user, *command], cwd="/", capture_output=True, text=True, timeout=120,
            check=False, **options)

    def ask(sql):
        return run(client, "-h", place, "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-AtX", "-f", "-", input=sql)

    try:
        run(initdb, "-D", f"{place}/data", "-A", "trust", "-N", "-E", "UTF8", "--locale=C")
        run(control, "-D", f"{place}/data", "-w", "-l", f"{place}/log", "-o", f"-k {place} -c listen_addresses=''",
            "start")
        made = ask(text)
        checks.expect("PostgreSQL takes the schema, and cuts no name", made.returncode == 0 and not made.stderr,
                      made.stderr)
        checks.equal("with the types of the table", ask(COLUMNS).stdout.splitlines(), WANTED)
        checks.equal("and all constraints", ask(SEEN).stdout.strip(), "16 true")
    finally:
        run(control, "-D", f"{place}/data", "-m", "immediate", "stop")
        run("rm", "-rf", place)


def diagrams(checks, where):
    mermaid = schema(checks, where, "--format", "mermaid").stdout
    for line in [
        "erDiagram", '  order {', "    integer from PK", '    text line__no_ PK "line #quot;no#quot;"',
        '    text User "who\'ll get it"', '  people |o--o{ people : "boss_id"', '  people |o..o{ order : "buyer"',
        '  order ||--o{ order_tags : "order_from, order_line #quot;no#quot;"', "    integer _id PK",
    ]:
        checks.expect(f"mermaid has the line {line!r}", line in mermaid.split("\n"), mermaid)
    result = subprocess.run(["dot", "-Tplain"], input=schema(checks, where, "--format", "dot").stdout, text=True,
                            capture_output=True, check=False) if shutil.which("dot") else None
    if not result:
        checks.skip("Graphviz is not installed: nothing was drawn")
    else:
        nodes = [line for line in result.stdout.splitlines() if line.startswith("node ")]
        checks.equal("Graphviz reads the graph", (result.returncode, len(nodes), result.stderr), (0, 9, ""))
        image = xml.etree.ElementTree.fromstring(schema(checks, where, "--format", "svg").stdout)
        texts = {node.text for node in image.iter("{http://www.w3.org/2000/svg}text")}
        checks.expect("the drawing has the names", {"order", 'line "no"', "buyer"} <= texts, texts)
    refused = schema(checks, where, "--format", "svg", exit_code=1, env={"PATH": where})
    checks.expect("without Graphviz it is said what to do", "install graphviz" in refused.stderr, refused.stderr)
    os.mkdir(os.path.join(where, "bin"))
    program = write(os.path.join(where, "bin"), "dot", "#!/bin/sh\necho 'no fonts' >&2\nexit 3\n")
    os.chmod(program, 0o755)
    refused = schema(checks, where, "--format", "svg", exit_code=1,
        env={"PATH": os.path.join(where, "bin") + ":/bin"})
    checks.expect("what Graphviz says is said", "no fonts" in refused.stderr and not refused.stdout, refused.stderr)
    shutil.rmtree(os.path.join(where, "bin"))


def metadata(checks, where):
    told = json.loads(schema(checks, where, "--format", "datasette").stdout)
    checks.equal("the database is named as Datasette names it", list(told["databases"]), ["shop.v1"])
    tables = told["databases"]["shop.v1"]["tables"]
    checks.equal("descriptions and facets", tables["order"], {
        "description": "what was ordered; it's all\nthere",
        "columns": {"User": "who'll get it", "buyer": "refers to people.id"}, "facets": ["paid", "state"]})
    checks.equal("the bookkeeping is hidden", tables["_ingest_last_run"], {"hidden": True})
    write(where, "swept.yaml", "ingest: 1\nsource: {name: s}\nrecords:\n"
          "  A: {table: a, key: id, sweep: true, fields: [id]}\n  B: {table: 'b \"c\"', write: replace, fields: [id]}\n"
          "endpoints: {a: {path: /a, fetch: false, records: {a: A, b: B}}}\n")
    write(where, "swept.json", json.dumps({"a": [{"id": 1}], "b": [{"id": 1}]}))
    checks.run("load", "swept.json", "--config", "swept.yaml", "--store", "sqlite:swept.db", cwd=where)
    told = json.loads(checks.run(
        "schema", "--config", "swept.yaml", "--format", "datasette", "--store", "sqlite:swept.db", cwd=where).stdout)
    hidden = {name for name, about in told["databases"]["swept"]["tables"].items() if about.get("hidden")}
    there = {name for name, in rows(
        os.path.join(where, "swept.db"),
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name LIKE '\\_ingest%' ESCAPE '\\'")}
    checks.equal("all that a run makes for itself is hidden", hidden, there)
    checks.expect("sightings among it", "_ingest_seen_a" in hidden, hidden)


def refusals(checks):
    with folder() as where:
        write(where, "m.yaml",
            MAPPING.replace(LONG + "_1", "y" * 64).replace("      any: {type: any}\n", "      xmin: {type: text}\n"))
        refused = schema(checks, where, "--dialect", "postgres", exit_code=2)
        checks.equal("nothing is printed that PostgreSQL would cut", refused.stdout, "")
        for part in ["has a name of 64 bytes, and PostgreSQL keeps 63",
            "'xmin' of 'order' has the name of a system column"]:
            checks.expect(f"it is said: {part}", part in refused.stderr, refused.stderr)
        schema(checks, where)
        schema(checks, where, "--dialect", "postgres", "--format", "dot", exit_code=2)
        schema(checks, where, "--format", "json-schema")
