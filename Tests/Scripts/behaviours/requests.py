"""Requests and pages; files as input; tests of a mapping; what may change in a mapping when there are rows."""
from table import answer, case, load, not_applicable, remap, run, sql, validate

WRITES = "it makes a request's body from stored rows; `ingest` reads only"
for number in (208, 209, 210, 211, 212, 213):
    not_applicable(number, WRITES)
case(
    214, "a name is given once: two endpoints of one name are refused at the second", """
records:
  Item: {table: items, key: id, fields: [id]}
endpoints:
  one: {path: /items, records: {.: Item}}
  one: {path: /more, records: {.: Item}}
""", validate("mapping.yaml:7:3", "error[duplicate-key]", "line 6"))
PAGED = """
ingest: 1
source: {name: demo, base_url: "BASE_URL", retry: {attempts: 1}}
records:
  Item: {table: items, key: id, fields: [id]}
endpoints:
  items: {path: /items, records: {items: Item}, paginate: {by: page, param: page, start: 1%s}}
"""
PAGES = ['{"items": [{"id": 1}, {"id": 2}, {"id": 3}], "total": 6}',
         '{"items": [{"id": 4}, {"id": 5}, {"id": 6}], "total": 6}']
case(
    215, "the page's number and size are parameters of the request, in a fixed order",
    PAGED % ", size_param: per_page, size: 3, max_pages: 1",
    run(requests=["GET /items?per_page=3&page=1"], counts={"Item": "3 inserted"}),
    server=[answer("GET /items", PAGES[0])])
case(
    216, "pages are asked for until an empty one comes, or until the total is reached", PAGED % "",
    run(requests=["GET /items?page=1", "GET /items?page=2", "GET /items?page=3"], counts={"Item": "6 inserted"}),
    remap(PAGED % ", total: total"),
    run(requests=["GET /items?page=1", "GET /items?page=2"], counts={"Item": "6 unchanged"}),
    server=[answer("GET /items?page=1", PAGES[0]), answer("GET /items?page=2", PAGES[1]),
            answer("GET /items?page=3", '{"items": []}')])
case(
    217, "when the third page fails, the run fails, and what the first two brought stays", PAGED % "",
    run(exit=1, has=["503", "/items"], counts={"Item": "6 inserted"}, sql=[("select count(*) from items", [(6,)])]),
    server=[answer("GET /items?page=1", PAGES[0]), answer("GET /items?page=2", PAGES[1]),
            answer("GET /items?page=3", status=503)])
ITEMS = "records:\n  Item: {table: items, key: id, fields: {id: {type: integer}, name: {type: text}}}\n"
case(
    218, "several files count together; a missing file, a file of another type and a broken one are three failures",
    ITEMS, load('[{"id": 1}, {"id": 2}]', '[{"id": 3}]', "[]", counts={"Item": "3 inserted"}),
    load(args=["missing.json"], exit=2, has=["missing.json"]),
    load("<items/>", ending="xml", exit=1, has=["4.xml"]),
    load('[{"id": 7}]', '[{"id": 8', exit=1, has=["6.json"],
         tables={"items": ["id name", (1, None), (2, None), (3, None), (7, None)]}))
TESTED = ITEMS + """endpoints: {all: {path: /all, records: {items: Item}}}
tests:
  - name: the case
    endpoint: all
    body: %s
    expect: %s
"""
GOOD = ("{items: [{id: 1, name: a}]}", "{items: [{id: 1, name: a}]}")
case(
    219, "a test of a mapping says what is wrong: a value, a row, a count, a reject, a body without its list",
    TESTED % GOOD, validate(),
    *(step for test, text in [
        ((GOOD[0], "{items: [{id: 1, name: b}]}"), "name"), ((GOOD[0], "{items: [{id: 1}, {id: 2}]}"), "items"),
        ((GOOD[0], "{items: {count: 2}}"), "expected are 2"), ((GOOD[0], "{rejects: 1}"), "expected are 1"),
        (("{others: []}", "{items: []}"), "others")]
      for step in (remap(TESTED % test), validate("mapping.yaml:7:", "the case", text))))
case(
    220, "what adds to a mapping is done at once: a table, a column, an index, another order", ITEMS,
    load('[{"id": 1, "name": "a"}]'),
    remap("""
records:
  Item:
    table: items
    key: id
    fields: {name: {type: text, index: true}, size: {type: integer}, id: {type: integer}}
    relationships: {parts: [Part]}
  Part: {table: parts, key: id, fields: [id]}
"""), load('[{"id": 1, "size": 2, "parts": [{"id": 5}]}]', tables={
        "items": ["id name size", (1, "a", 2)], "parts": ["id", (5,)],
        "item_parts": ["item_id part_id position", (1, 5, 0)]},
               sql=[("select count(*) from pragma_index_list('items') where origin = 'c'", [(1,)])]),
    remap(ITEMS.replace("name: {type: text}", "name: {type: integer}")),
    load('[{"id": 2}]', exit=2, has=["name", "--allow-loss"], sql=[("select name from items", [("a",)])]))
KEYED = "records:\n  Item: {table: items, key: %s, fields: {id: {type: integer}, code: {type: integer}}}\n"
case(
    221, "a new key that two rows would share is refused, and the database stays as it was", KEYED % "id",
    load('[{"id": 1, "code": 7}, {"id": 2, "code": 7}]'), remap(KEYED % "code"),
    load('[{"id": 3, "code": 8}]', exit=2, has=["code"], sql=[("select id, code from items", [(1, 7), (2, 7)])]),
    remap(KEYED % "id"), load('[{"id": 3, "code": 8}]', counts={"Item": "1 inserted"}))
NAMED = ITEMS.replace("name: {type: text}", "name: {type: text%s}")
case(
    222, "a column that becomes required, or no longer is, keeps the stored values, nulls included", NAMED % "",
    load('[{"id": 1, "name": "a"}, {"id": 2}]'), remap(NAMED % ", required: true"),
    load('[{"id": 3, "name": "c"}, {"id": 4}]', exit=3, rejects=["Item /1 name: required"], tables={
        "items": ["id name", (1, "a"), (2, None), (3, "c")]}),
    remap(NAMED % ""), load('[{"id": 4}]', tables={"items": ["id name", (1, "a"), (2, None), (3, "c"), (4, None)]}))
RENAMED = "records:\n  Item: {table: items, key: id, fields: {id: {type: integer}, title: {%s}}}\n"
case(
    223, "a column that is renamed keeps its values; a database that a newer version has written is refused", ITEMS,
    load('[{"id": 1, "name": "a"}]'), remap(RENAMED % "from: name, type: text, renamed_from: name"),
    load('[{"id": 2, "name": "b"}]', tables={"items": ["id title", (1, "a"), (2, "b")]}),
    sql("update _ingest_schema set type = '99' where \"table\" = '_ingest_schema'"),
    load('[{"id": 3}]', exit=2, has=["newer"], sql=[("select count(*) from items", [(2,)])]))
