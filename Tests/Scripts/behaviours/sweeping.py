"""Rows that the API no longer has: what a sweep removes, and all that keeps it from doing so."""
from table import answer, case, load, not_applicable, remap, run, sql

ITEMS = """
records:
  Item: {table: items, key: id, fields: [id, name], sweep: %s}
  Other: {table: others, key: id, fields: [id]}
endpoints: {all: {path: /all, records: {items: Item, others: Other}}}
"""
THREE = '{"items": [{"id": 1}, {"id": 2}, {"id": 3}], "others": [{"id": 9}]}'
ALL = ["id name", (1, None), (2, None), (3, None)]
POSTS = """
records:
  Post:
    table: posts
    key: id
    sweep: true
    fields: [id]
    relationships: {tags: {record: [Tag], sweep: true}, notes: [{fields: [text]}]}
  Tag: {table: tags, key: id, fields: [id]}
"""
case(
    193, "a row that is no longer in a complete answer is deleted, with what belongs to it alone", POSTS,
    load('[{"id": 1, "notes": [{"text": "a"}]}, {"id": 2, "notes": [{"text": "b"}], "tags": [{"id": 5}]}]'),
    load('[{"id": 1, "notes": [{"text": "a"}]}]', tables={
        "posts": ["id", (1,)], "post_notes": ["post_id position text", (1, 0, "a")],
        "post_tags": ["post_id tag_id position"]}))
case(
    194, "a tag that its last post has lost is deleted; one that another post has stays", POSTS,
    load('[{"id": 1, "tags": [{"id": 5}, {"id": 6}]}, {"id": 2, "tags": [{"id": 6}, {"id": 7}]}]'),
    load('[{"id": 1, "tags": []}, {"id": 2, "tags": [{"id": 6}, {"id": 7}]}]', tables={
        "tags": ["id", (6,), (7,)], "posts": ["id", (1,), (2,)]}))
case(
    195, "rows that the sweep's condition leaves out survive, and so do rows that no answer has brought",
    ITEMS % "{where: \"name is not 'mine'\"}",
    load('{"items": [{"id": 1}, {"id": 2, "name": "mine"}, {"id": 3, "name": "x"}]}'),
    sql("insert into items values (4, 'by hand')"),
    load('{"items": [{"id": 1}]}', tables={
        "items": ["id name", (1, None), (2, "mine"), (4, "by hand")]}))
case(
    196, "an empty list at its place deletes all rows of its scope, and none of another's", """
records:
  Item: {table: items, key: id, fields: [id], sweep: true}
endpoints: {all: {path: "/shops/:shop", fetch: false, records: {items: Item}}}
""", load('{"items": [{"id": 1}, {"id": 2}]}', args=["--path", "/shops/1"]),
    load('{"items": [{"id": 3}]}', args=["--path", "/shops/2"]),
    load('{"items": []}', args=["--path", "/shops/1"], tables={"items": ["id", (3,)]}))
SERVED = """
ingest: 1
source: {name: demo, base_url: "BASE_URL", retry: {attempts: 1}}
records:
  Item: {table: items, key: id, fields: [id], sweep: true}
endpoints: {items: {path: /items, records: {items: Item}}}
"""
case(
    197, "a failure and a broken body delete nothing; the next complete answer does", SERVED,
    run(), run(exit=1, tables={"items": ["id", (1,), (2,)]}), run(exit=1, tables={"items": ["id", (1,), (2,)]}),
    run(tables={"items": ["id", (1,)]}),
    server=[answer("GET /items", '{"items": [{"id": 1}, {"id": 2}]}', times=1),
            answer("GET /items", '{"items": []}', status=500, times=1),
            answer("GET /items", '{"items": [{"id": 1}', times=1), answer("GET /items", '{"items": [{"id": 1}]}')])
case(
    198, "a body without the list, or with null in its place, deletes nothing, though it has other records",
    ITEMS % "true", load(THREE),
    load('{"others": [{"id": 8}]}', tables={"items": ALL}),
    load('{"items": null, "others": [{"id": 8}]}', tables={"items": ALL}),
    load('{"items": [{"id": 1}, null], "others": []}', tables={"items": ALL}))
case(
    199, "rows that occur only within other rows of their kind count as seen, in circles too", """
records:
  Part: {table: parts, key: id, fields: [id], sweep: true, relationships: {parts: [Part], spare: Part}}
""", load('[{"id": 1, "parts": [{"id": 2, "spare": {"id": 1}}]}, {"id": 3}, {"id": 4}]'),
    load('[{"id": 1, "parts": [{"id": 2, "spare": {"id": 1}}, {"id": 3}]}]',
         tables={"parts": ["id spare_id", (1, None), (2, 1), (3, None)]}))
case(
    200, "a record that says it is gone removes its row and no other; for an unknown row it changes nothing",
    "records:\n  Item: {table: items, key: id, fields: [id, name], delete_when: {gone: true}}",
    load('[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]'),
    load('[{"id": 1, "gone": true}, {"id": 2, "gone": false}, {"id": 7, "gone": true}]',
         counts={"Item": "1 deleted, 2 unchanged"}, tables={"items": ["id name", (2, "b")]}))
KIND = "records:\n  Item: {table: items, key: id, fields: {id: , n: {type: integer%s}}}"
case(
    201, "a bad new record is left out and the rest is stored, or the whole body fails, as on_invalid says", KIND % "",
    load('[{"id": 1, "n": 1}, {"id": 2, "n": "x"}, {"id": 3, "n": 3}]', exit=3,
         counts={"Item": "2 inserted, 1 rejected"}, tables={"items": ["id n", (1, 1), (3, 3)]}),
    remap(KIND % ", on_invalid: fail"),
    load('[{"id": 4, "n": 4}, {"id": 5, "n": "x"}]', exit=1, has=["n"], tables={"items": ["id n", (1, 1), (3, 3)]}))
not_applicable(202, "it sends DELETE to the API and removes the row itself; `ingest` reads only")
