"""Mappings of the changing API, one for each way of paging."""

PAGING = {
    "cursor": "{by: cursor, param: cursor, from: next}",
    "next_url": "{by: next_url, from: next}",
    "link_header": "{by: link_header}",
    "last_value": '{by: last_value, param: after, from: "rows[-1].%s", has_more: more}',
    "page": "{by: page, param: page, start: 1}",
    "offset": "{by: offset, param: offset, size: %d, total: total}",
}

# Where `page` is a column, it tells from which page a row came.
MAPPING = """\
ingest: 1
source: {name: harbor, base_url: "%(url)s", retry: {attempts: 1}, concurrency: %(concurrency)d}
store: {commit: %(commit)s, archive: %(archive)s}
records:
  Boat:
    table: boats
    key: id
    sweep: {max_delete: 100%%}
    fields:
      - id: {type: integer}
      - name: {type: text}
      - version: {type: integer}%(page)s
  Trip:
    table: trips
    key: id
    modified: version
    delete_when: {deleted: true}
    fields:
      - id: {type: integer}
      - boat: {type: integer}
      - updated_at: {type: timestamp}
      - version: {type: integer}
      - note: {type: text}%(page)s
    relationships:
      stops: [{fields: {name: {from: ., type: text}}}]
  Event:
    table: events
    key: id
    fields:
      - id: {type: integer}
      - at: {type: timestamp}
      - version: {type: integer}
      - word: {type: text}%(page)s
%(readings record)sendpoints:
  boats:
    path: /boats
    records: {rows: Boat}
    paginate: %(paging by id)s
  trips:
    path: /boats/:boat/trips
    for_each: {record: Boat, bind: {boat: id}}
    records: {rows: Trip}
    paginate: %(paging by id)s
    incremental: {column: updated_at, param: since, lookback: 5m}
  events:
    path: /events
    records: {rows: Event}
    paginate: %(paging by id)s
    incremental: {column: at, param: since}
%(readings)s"""
READING = """\
  Reading:
    table: readings
    write: append
    fields: [{n: {type: integer}}, {level: {type: integer}}, {page: {from: $root.page, type: text}}]
"""
READINGS = """\
  readings:
    path: /readings
    records: {rows: Reading}
    paginate: %s
"""


def paging(kind, size, number="id"):
    form = PAGING[kind]
    return form % (size if kind == "offset" else number) if "%" in form else form


def mapping(url, kind, size, pages=False, readings=False, **options):
    """`pages`: every row tells its page. `readings`: with the list that has no key."""
    form = {"commit": "page", "concurrency": 1, "archive": "false", **options}
    return MAPPING % {
        **form, "url": url, "page": "\n      - page: {from: $root.page, type: text}" if pages else "",
        "paging by id": paging(kind, size),
        "readings record": READING if readings else "",
        "readings": READINGS % paging(kind, size, "n") if readings else "",
    }
