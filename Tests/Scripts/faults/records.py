"""Records that are odd: keys, numbers, texts, depth (R126 to R128, R157 to R169)."""

import json

from cases import STORED, case, table
from checks import rows
from raw_server import raw, whole

FIELDS = ", amount: {type: decimal}, ratio: {type: real}, raw: {type: json}, any: "
GOOD = STORED[:-2]


def beside(*records):
    """Odd records behind the good ones; the page goes on."""
    return whole(GOOD + "".join(f", {record}" for record in records) + "]}")


def row(row_name, what, *records, code=3, stored=(1, 2, 3), words=(), **options):
    return case(
        row_name, what, beside(*records), code, *words, requests=1, fields=FIELDS, stored=list(stored), **options
    )


CASES = [
    row(
        "R126",
        "keys that are none",
        '{"id": null}',
        "{}",
        '{"id": ""}',
        '{"id": true}',
        '{"id": {"a": 1}}',
        words=["id"],
    ),
    row("R127", "spellings of one key", '{"id": "1"}', '{"id": 1.0}', '{"id": 1e0}', '{"id": "01"}', code=0),
    row(
        "R157", "a type that changes", '{"id": 4, "name": {"first": "x"}}', '{"id": 5, "name": ["x"]}', words=["name"]
    ),
    row("R158", "new members, and one that is gone", '{"id": 4, "nick": "x"}', code=0, stored=(1, 2, 3, 4)),
    row(
        "R159",
        "integers up to 64 bits",
        '{"id": 9223372036854775807}',
        '{"id": -9223372036854775808}',
        code=0,
        stored=(-9223372036854775808, 1, 2, 3, 9223372036854775807),
    ),
    row(
        "R159",
        "integers beyond 64 bits",
        '{"id": 9223372036854775808}',
        '{"id": -9223372036854775809}',
        '{"id": 18446744073709551616}',
        '{"id": ' + "9" * 40 + "}",
        words=["id"],
    ),
    row(
        "R159",
        "100,000 digits",
        '{"id": 4, "any": ' + "7" * 100000 + "}",
        '{"id": ' + "9" * 100000 + "}",
        stored=(1, 2, 3, 4),
    ),
    row(
        "R160",
        "numbers that no double holds",
        '{"id": 4, "ratio": 1e400}',
        '{"id": 5, "ratio": -1e400}',
        '{"id": 6, "amount": 1.10, "ratio": 1e-400}',
        stored=(1, 2, 3, 6),
    ),
    row(
        "R168",
        "texts that are no numbers",
        '{"id": 4, "amount": "NaN"}',
        '{"id": 5, "ratio": "+Inf"}',
        '{"id": 6, "amount": "1,5"}',
        '{"id": 7, "ratio": "0x1p3"}',
    ),
    row("R162", "a member twice", '{"id": 4, "name": "a", "name": "b"}', code=0, stored=(1, 2, 3, 4)),
    row(
        "R164",
        "a key twice in one page",
        '{"id": 4, "name": "a"}',
        '{"id": 4, "name": "b"}',
        code=0,
        stored=(1, 2, 3, 4),
    ),
    row("R161", "a zero character in a text", '{"id": 4, "name": "a\\u0000b"}', code=0, stored=(1, 2, 3, 4)),
    case("R161", "half a surrogate", beside('{"id": 4, "name": "\\ud800"}'), 1, "line 1", requests=1),
    case(
        "R163",
        "a depth of 512",
        beside('{"id": 4, "deep": ' + "[" * 509 + "]" * 509 + "}"),
        0,
        requests=1,
        stored=[1, 2, 3, 4],
    ),
    case(
        "R163",
        "a depth of 513",
        beside('{"id": 4, "deep": ' + "[" * 510 + "]" * 510 + "}"),
        1,
        "limits.depth",
        requests=1,
    ),
    case(
        "R163",
        "a depth of 100,000",
        beside('{"id": 4, "deep": ' + "[" * 100000 + "]" * 100000 + "}"),
        1,
        "limits.depth",
        requests=1,
    ),
    case("R163", "a depth of 100,000 that never ends", whole('{"rows": ' + '{"a": ' * 100000), 1, requests=1),
    case(
        "R163",
        "100,000 members",
        beside("{" + ", ".join(f'"k{n}": {n}' for n in range(100000)) + ', "id": 4}'),
        0,
        requests=1,
        stored=[1, 2, 3, 4],
    ),
    case(
        "R163",
        "a record beyond its limit",
        beside('{"id": 4, "name": "' + "x" * 70000 + '"}'),
        1,
        "limits.record",
        requests=1,
        source="  limits: {record: 64KB}\n",
    ),
    case(
        "R163",
        "a text of 20 MB",
        beside('{"id": 4, "name": "' + "x" * (20 << 20) + '"}'),
        0,
        requests=1,
        stored=[1, 2, 3, 4],
    ),
    case("R167", "no record can be mapped", whole('{"rows": [{"id": "a"}, {"id": "b"}]}'), 3, "id", requests=1),
    case("R167", "the place is not there", whole('{"items": [{"id": 1}]}'), 1, "items", "rows", requests=1),
]


def one_of_many(checks, where, _):
    """R166: one bad record of 10,000 is rejected with its pointer and its JSON, and the others are stored."""
    records = [{"id": n, "name": f"n{n}"} for n in range(10000)]
    records[7777] = {"id": "x7777", "name": "odd"}
    with raw(lambda *_: [whole(json.dumps({"rows": records}))]) as server:
        with open(f"{where}/many.yaml", "w", encoding="utf-8") as out:
            out.write(
                f'ingest: 1\nsource: {{name: many, base_url: "{server.url}"}}\n'
                "records: {Row: {table: rows, key: id, fields: {id: {type: integer}, name: {type: text}}}}\n"
                "endpoints: {rows: {path: /rows, records: {rows: Row}}}\n"
            )
        checks.run("--config", "many.yaml", "--store", "sqlite:many.db", cwd=where, exit_code=3)
    database = f"{where}/many.db"
    checks.equal("R166: rows", rows(database, "select count(*) from rows"), [(9999,)])
    checks.equal(
        "R166: what is kept of it",
        rows(database, "select pointer, field, json(value) from _ingest_rejects"),
        [("/rows/7777", "id", '{"id":"x7777","name":"odd"}')],
    )
    checks.equal(
        "R166: counts", rows(database, "select received, inserted, rejected from _ingest_counts"), [(10000, 9999, 1)]
    )


def verbatim(checks, where, _):
    """R160, R169: what is kept as JSON, decimal or text has the digits and the order of the source."""
    raw_text = '{"b": 1.10, "a": [1e2,  -0, -0.0], "é": "\\u00e9"}'
    body = '{"rows": [{"id": 1, "raw": %s, "amount": -0.0, "name": 1.10}]}' % raw_text
    with raw(lambda *_: [whole(body)]) as server:
        with open(f"{where}/raw.yaml", "w", encoding="utf-8") as out:
            out.write(
                f'ingest: 1\nsource: {{name: raw, base_url: "{server.url}"}}\n'
                "records: {Row: {table: rows, key: id, fields: {id: {type: integer}, raw: {type: json},"
                " amount: {type: decimal}, name: {type: text}}}}\n"
                "endpoints: {rows: {path: /rows, records: {rows: Row}}}\n"
            )
        checks.run("--config", "raw.yaml", "--store", "sqlite:raw.db", cwd=where)
    checks.equal(
        "R169: it is stored as it came",
        rows(f"{where}/raw.db", "select raw, amount, name from rows"),
        [('{"b":1.10,"a":[1e2,-0,-0.0],"é":"\\u00e9"}', "0.0", "1.10")],
    )


PARTS = {"cases": table(CASES), "one_of_many": one_of_many, "verbatim": verbatim}
