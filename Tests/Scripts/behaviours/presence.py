"""Missing, null and value; what counts as a change; checks of a value."""
from table import case, load, mapped, remap

PEOPLE = """
records:
  Person: {table: people, key: id, fields: {id: {type: integer}, name: {type: text}, city: {type: text}}}
"""
ADA = '[{"id": 1, "name": "Ada", "city": "Turin"}]'

case(
    1, "null empties the column of a stored row", PEOPLE, load(ADA),
    load('[{"id": 1, "name": null}]', counts={"Person": "1 updated"},
         tables={"people": ["id name city", (1, None, "Turin")]}))
case(
    2, "a missing member leaves the column of a stored row alone", PEOPLE, load(ADA),
    load('[{"id": 1, "city": "Pisa"}]', counts={"Person": "1 updated"},
         tables={"people": ["id name city", (1, "Ada", "Pisa")]}))
case(
    3, "on_missing: null empties the column when the member is missing",
    PEOPLE.replace("name: {type: text}", 'name: {type: text, on_missing: "null"}'), load(ADA),
    load('[{"id": 1}]', counts={"Person": "1 updated"}, tables={"people": ["id name city", (1, None, "Turin")]}))
case(
    4, "on_missing: default writes the default on an update too; alone, a default serves new rows only",
    PEOPLE.replace("name: {type: text}", "name: {type: text, default: nobody, on_missing: default}").replace(
        "city: {type: text}", "city: {type: text, default: nowhere}"), load(ADA),
    load('[{"id": 1}, {"id": 2}]', counts={"Person": "1 updated, 1 inserted"},
         tables={"people": ["id name city", (1, "nobody", "Turin"), (2, "nobody", "nowhere")]}))
case(
    5, "the same values again are no change: the row counts as unchanged", PEOPLE, load(ADA),
    load(ADA, counts={"Person": "1 unchanged"}, tables={"people": ["id name city", (1, "Ada", "Turin")]}))
case(
    6, "null where null is stored is no change", PEOPLE, load('[{"id": 1, "name": null}]'),
    load('[{"id": 1, "name": null}]', counts={"Person": "1 unchanged"},
         tables={"people": ["id name city", (1, None, None)]}))
case(
    7, "the report tells rows that became null from rows that stayed as they were", PEOPLE,
    load('[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]'),
    load('[{"id": 1, "name": null}, {"id": 2, "name": "Bob"}]', counts={"Person": "1 updated, 1 unchanged"}))
case(
    8, "an equal address is no change",
    "records:\n  Page: {table: pages, key: id, fields: {id: , home: {type: url}}}",
    load('[{"id": 1, "home": "https://example.test/a?b=c"}]'),
    load('[{"id": 1, "home": " https://example.test/a?b=c "}]', counts={"Page": "1 unchanged"},
         tables={"pages": ["id home", (1, "https://example.test/a?b=c")]}))
case(
    9, "a record whose mapped members are all null is a row", """
records:
  Person: {table: people, key: id, fields: {id: $route.id, name: , city: }}
endpoints: {one: {path: "/people/:id", fetch: false, records: {.: Person}}}
""", load('{"name": null, "city": null}', args=["--path", "/people/7"], counts={"Person": "1 inserted"},
          tables={"people": ["id name city", ("7", None, None)]}))
case(
    10, "an object without a single mapped member is rejected, and the rest is stored", PEOPLE,
    load('[{"nothing": "x"}, {"id": 2}]', exit=3, counts={"Person": "1 inserted, 1 rejected"},
         rejects=["Person /0 id: the key is missing"], tables={"people": ["id name city", (2, None, None)]}))
case(
    11, "null for a required number is a reject, never a 0",
    "records:\n  Person: {table: people, key: id, fields: {id: , age: {type: integer, required: true}}}",
    load('[{"id": 1, "age": null}, {"id": 2, "age": 0}]', exit=3, rejects=["Person /0 age: required"],
         tables={"people": ["id age", (2, 0)]}))
case(
    12, "an object where a number is expected is a reject that names the field, never a 0",
    "records:\n  Person: {table: people, key: id, fields: {id: , age: {type: integer}}}",
    load('[{"id": 1, "age": {"years": 30}}]', exit=3, rejects=["Person /0 age: object"],
         tables={"people": ["id age"]}))
case(
    13, "within one record, null empties a column and a missing member keeps its neighbour", PEOPLE, load(ADA),
    load('[{"id": 1, "city": null}]', tables={"people": ["id name city", (1, "Ada", None)]}))
case(
    14, "on_null: keep leaves the column alone, on_null: default writes the default",
    PEOPLE.replace("name: {type: text}", "name: {type: text, on_null: keep}").replace(
        "city: {type: text}", "city: {type: text, default: nowhere, on_null: default}"), load(ADA),
    load('[{"id": 1, "name": null, "city": null}]', tables={"people": ["id name city", (1, "Ada", "nowhere")]}))
case(
    15, "a body that is no JSON fails with its place and leaves the tables alone", PEOPLE, load(ADA),
    load('[{"id": 1, "name": nil}]', exit=1, has=["2.json", "line 1, byte 19"],
         tables={"people": ["id name city", (1, "Ada", "Turin")]},
         sql=[("select count(*) from _ingest_errors", [(1,)])]))
case(
    16, "null on the way to a value is a missing value: new rows are null, stored ones keep theirs",
    "records:\n  Person: {table: people, key: id, fields: {id: , city: home.city}}",
    load('[{"id": 1, "home": null}, {"id": 2, "home": {"city": "Pisa"}}]',
         tables={"people": ["id city", (1, None), (2, "Pisa")]}),
    load('[{"id": 2, "home": null}]', tables={"people": ["id city", (1, None), (2, "Pisa")]}))
case(
    17, "members that no field names are passed over; `unmapped` can warn of them, keep them or refuse them", PEOPLE,
    load('[{"id": 1, "shoe": {"size": 43}}]', lacks=["shoe"], tables={"people": ["id name city", (1, None, None)]}),
    remap(PEOPLE.replace("key: id", "key: id, unmapped: warn")),
    load('[{"id": 1, "shoe": {"size": 43}}]', has=["warning", "shoe"]),
    remap(PEOPLE.replace("key: id", "key: id, unmapped: capture")),
    load('[{"id": 1, "shoe": {"size": 43}}]',
         tables={"people": ["id name city _extra", (1, None, None, '{"shoe":{"size":43}}')]}),
    remap(PEOPLE.replace("key: id", "key: id, unmapped: fail")),
    load('[{"id": 2, "shoe": {"size": 43}}]', exit=1, has=["shoe"], sql=[("select count(*) from people", [(1,)])]))
CHECKED = """
records:
  Person: {table: people, key: id, fields: {id: , age: {type: integer, check: {min: 0, max: 150}%s}, name: }}
"""
case(
    18, "a value that fails its check rejects the record", CHECKED % "",
    load('[{"id": 1, "age": -1, "name": "Ada"}, {"id": 2, "age": 150, "name": "Bob"}]', exit=3,
         rejects=["Person /0 age: "], tables={"people": ["id age name", (2, 150, "Bob")]}))
case(
    19, "with on_invalid: null a value that fails its check becomes null, and the row is stored",
    CHECKED % ', on_invalid: "null"',
    load('[{"id": 1, "age": -1, "name": "Ada"}]', tables={"people": ["id age name", (1, None, "Ada")]}))
case(
    20, "a value can be rewritten before it is checked and stored",
    "records:\n  Person: {table: people, key: id, fields: {id: , code: {type: text, transform: [trim, uppercase, "
    "{replace: [\"[^A-Z]\", \"\"]}], check: {pattern: \"^[A-Z]{3}$\"}}}}",
    mapped('[{"id": 1, "code": " a-b c "}, {"id": 2, "code": "ab"}]', exit=3,
           lines=['people {"id": 1, "code": "ABC"}']))
