"""Identity: which stored row a record is, and what an update leaves alone."""
from table import case, covered, load, not_applicable, remap, together, validate

PEOPLE = "records:\n  Person: {table: people, key: id, fields: {id: {type: integer}, name: , city: }}\n"
case(
    124, "a record whose key is stored updates that row", PEOPLE, load('[{"id": 77, "name": "Ada", "city": "Pisa"}]'),
    load('[{"id": 77, "name": "Ida"}]', counts={"Person": "1 updated"},
         tables={"people": ["id name city", (77, "Ida", "Pisa")]}))
case(
    125, "the key may come from deep within", PEOPLE.replace("{type: integer}", "{from: tag.code, type: integer}"),
    load('[{"tag": {"code": 1}, "name": "Ada"}]'),
    load('[{"tag": {"code": "1"}, "city": "Pisa"}]', counts={"Person": "1 updated"},
         tables={"people": ["id name city", (1, "Ada", "Pisa")]}))
case(
    126, "a timestamp as key is an instant: its other spellings find the same row",
    "records:\n  Tide: {table: tides, key: at, fields: {at: {type: timestamp}, height: }}",
    load('[{"at": "2016-04-09T08:07:06Z", "height": 1}]'),
    load('[{"at": "2016-04-09 09:07:06.000+01:00", "height": 2}]', counts={"Tide": "1 updated"},
         tables={"tides": ["at height", ("2016-04-09 08:07:06", 2)]}))
case(
    127, "a key of several columns is compared part by part, each by its type, and never as joined text",
    "records:\n  Visit: {table: visits, key: [id, name, at], fields: {id: {type: integer}, name: {type: text}, "
    "at: {type: timestamp}, n: }}",
    load('[{"id": "4711", "name": "a:b", "at": "2016-04-09T08:07:06Z", "n": 1}]'),
    load('[{"id": 4711, "name": "a:b", "at": "2016-04-09T08:07:06+0000", "n": 2}, '
         '{"id": 4711, "name": "a", "at": "2016-04-09T08:07:06Z", "n": 3}]',
         counts={"Visit": "1 updated, 1 inserted"}, tables={"visits": [
             "id name at n", (4711, "a:b", "2016-04-09 08:07:06", 2), (4711, "a", "2016-04-09 08:07:06", 3)]}),
    remap("records:\n  Pair: {table: pairs, key: [a, b], fields: [a, b]}"),
    load('[{"a": "x:y", "b": "z"}, {"a": "x", "b": "y:z"}]', counts={"Pair": "2 inserted"}))
case(
    128, "a key as text and as number is one row when the column has a type, and the row keeps the type", PEOPLE,
    load('[{"id": 4711, "name": "Ada"}, {"id": "4711", "city": "Pisa"}, {"id": 4711.0}]',
         counts={"Person": "1 inserted, 2 unchanged"}, tables={"people": ["id name city", (4711, "Ada", "Pisa")]}),
    load('[{"id": " 4711 ", "city": "Rome"}]', counts={"Person": "1 updated"},
         tables={"people": ["id name city", (4711, "Ada", "Rome")]}))
case(
    129, "a null key is a reject and matches no row, and never the child that the parent has now", """
records:
  Person: {table: people, key: id, fields: [id], relationships: {home: Home}}
  Home: {table: homes, key: id, fields: [id, street]}
""", load('[{"id": 1, "home": {"id": 7, "street": "old"}}]'),
    load('[{"id": null}, {"id": 1, "home": {"id": null, "street": "new"}}]', exit=3,
         rejects=["Person /0 id: key", "Home /1/home id: key"],
         tables={"homes": ["id street", (7, "old")], "people": ["id home_id", (1, None)]}))
not_applicable(130, "a key is unique in its table, so there is never more than one candidate to choose from")
case(
    131, "a child that several parents name in one body is one row", """
records:
  Post: {table: posts, key: id, fields: [id], relationships: {author: Person}}
  Person: {table: people, key: id, fields: [id, name]}
""", load('[{"id": 1, "author": {"id": 5, "name": "Ada"}}, {"id": 2, "author": {"id": 5}}]',
          counts={"Post": "2 inserted", "Person": "1 inserted, 1 unchanged"},
          tables={"people": ["id name", (5, "Ada")], "posts": ["id author_id", (1, 5), (2, 5)]}))
case(
    132, "a list of bare ids is a list of children known by them, shared between parents", """
records:
  Person: {table: people, key: id, fields: [id], relationships: {cats: {record: [Cat], from: tag_codes}}}
  Cat: {table: cats, key: id, fields: {id: {from: ., type: integer}}}
""", load('[{"id": 1, "tag_codes": ["31", "32"]}]'),
    load('[{"id": 1, "tag_codes": ["31", "32", "33"]}, {"id": 2, "tag_codes": [33, 31]}]',
         counts={"Person": "1 inserted, 1 unchanged", "Cat": "1 inserted, 4 unchanged"},
         tables={"cats": ["id", (31,), (32,), (33,)], "person_cats": [
             "person_id cat_id position", (1, 31, 0), (1, 32, 1), (1, 33, 2), (2, 33, 0), (2, 31, 1)]}))
case(
    133, "two loads at one time give one row: they follow each other, or one of them says that it cannot run", PEOPLE,
    together(load('[{"id": 1, "name": "Ada"}]'), load('[{"id": 1, "name": "Ada"}]'), exit=[0, 1]),
    load('[{"id": 1, "name": "Ada"}]', counts={"Person": "1 unchanged"},
         tables={"people": ["id name city", (1, "Ada", None)]}))
case(
    134, "the key may be a part of the path that was asked for", """
records:
  Person: {table: people, key: id, fields: {id: {from: $route.file, type: integer,
    transform: [{extract: "^[0-9]+"}]}, name: }}
endpoints: {one: {path: "/people/{file}", fetch: false, records: {.: Person}}}
""",
    load('{"name": "Ada"}', args=["--path", "/people/4.json"]),
    load('{"name": "Ida"}', args=["--path", "/people/4.json"], counts={"Person": "1 updated"},
         tables={"people": ["id name", (4, "Ida")]}))
case(
    135, "the key of a nested record may have parts of its parent, its parent's parent and the body", """
records:
  Street: {table: streets, key: id, fields: [id], relationships: {houses: [House]}}
  House:
    table: houses
    key: [street, number]
    fields: {street: $parent.id, number: }
    relationships: {flats: [Flat]}
  Flat:
    table: flats
    key: [town, street, house, door]
    fields: {town: $root.town, street: $parent.$parent.id, house: $parent.number, door: }
endpoints: {all: {path: /all, records: {streets: Street}}}
""", load('{"town": "Pisa", "streets": [{"id": "a", "houses": [{"number": 1, "flats": [{"door": 1}, {"door": 2}]}]}, '
          '{"id": "b", "houses": [{"number": 1, "flats": [{"door": 1}]}]}]}', tables={
              "houses": ["street number", ("a", 1), ("b", 1)],
              "flats": ["town street house door", ("Pisa", "a", 1, 1), ("Pisa", "a", 1, 2), ("Pisa", "b", 1, 1)]}))
case(
    136, "a key that is no column, or an empty key, is refused", PEOPLE.replace("key: id", "key: idd"),
    validate("mapping.yaml:4:", "idd"), remap(PEOPLE.replace("key: id", "key: []")),
    validate("mapping.yaml:4:", "error["))
covered(137, 2, "columns that a body lacks are kept")
covered(138, 4, "a default serves new rows only")
case(
    139, "a list of values is replaced, not merged: by position, the surplus deleted", """
records:
  Post: {table: posts, key: id, fields: [id], relationships: {tags: [{fields: {tag: .}}]}}
""", load('[{"id": 1, "tags": ["a", "b"]}]'),
    load('[{"id": 1, "tags": ["c"]}]', counts={"Post": "1 unchanged", "Post.tags": "1 updated"},
         tables={"post_tags": ["post_id position tag", (1, 0, "c")]}))
case(
    140, "a child with a key is found again; one without is known by its position, so that nothing piles up", """
records:
  Post: {table: posts, key: id, fields: [id], relationships: {author: Person, notes: [Note]}}
  Person: {table: people, key: id, fields: [id, name]}
  Note: {fields: [text]}
""", *[load('[{"id": 1, "author": {"id": 5, "name": "Ada"}, "notes": [{"text": "x"}, {"text": "y"}]}]', tables={
        "people": ["id name", (5, "Ada")], "post_notes": ["post_id position text", (1, 0, "x"), (1, 1, "y")]})] * 2)
covered(141, 129, "a null key matches no row")
case(
    142, "one key twice in one body is one row; the later values win, also in a list of children", """
records:
  Person: {table: people, key: id, fields: [id], relationships: {pets: [Pet]}}
  Pet: {table: pets, key: name, fields: [name, age, kind]}
""", load('[{"id": 1, "pets": [{"name": "a", "age": 1, "kind": "cat"}, {"name": "a", "age": 2}]}]',
          counts={"Person": "1 inserted", "Pet": "1 inserted, 1 unchanged"},
          tables={"pets": ["name age kind", ("a", 2, "cat")],
                  "person_pets": ["person_id pet_name position", (1, "a", 0)]}))
case(
    143, "a new row without a required member is a reject that names it",
    "records:\n  Person: {table: people, key: id, fields: {id: , name: {required: true}, city: {default: Pisa, "
    "required: true}}}",
    load('[{"id": 1, "city": "Rome"}, {"id": 2, "name": "Bob"}]', exit=3, rejects=["Person /0 name: required"],
         tables={"people": ["id name city", (2, "Bob", "Pisa")]}))
case(
    144, "records at the top need a key, or a way of writing that does without",
    "records:\n  Person: {table: people, fields: [name]}", validate("mapping.yaml:4:", "key"),
    remap("records:\n  Person: {table: people, write: append, fields: [name]}"), validate())
