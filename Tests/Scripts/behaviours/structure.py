"""Key paths: how a value, a list or an object deep in a body is reached."""
from table import case, covered, load, validate

case(
    64, "a member of a nested object becomes a column",
    "records:\n  Person: {table: people, key: id, fields: {id: , city: home.city}}",
    load('[{"id": 1, "home": {"city": "Pisa", "zip": "56121"}}]', tables={"people": ["id city", (1, "Pisa")]}))
case(
    65, "a list of texts is one json column, or a child table with a row for each", """
records:
  Person:
    table: people
    key: id
    fields: {id: , tongues: {type: json}}
    relationships: {spoken: {record: [{fields: {tongue: .}}], from: tongues}}
""", load('[{"id": 1, "tongues": ["it", "la"]}]', tables={
        "people": ["id tongues", (1, '["it","la"]')],
        "person_spoken": ["person_id position tongue", (1, 0, "it"), (1, 1, "la")]}))
case(
    66, "a list of three objects is three rows, in their order",
    "records:\n  Item: {table: items, write: append, fields: [name]}",
    load('[{"name": "c"}, {"name": "a"}, {"name": "b"}]', counts={"Item": "3 inserted"},
         sql=[("select _id, name from items order by _id", [(1, "c"), (2, "a"), (3, "b")])]))
case(
    67, "null elements of a list give no row and no reject",
    "records:\n  Item: {table: items, key: id, fields: [id]}",
    load('[null, {"id": 1}, null, {"id": 2}]', counts={"Item": "2 inserted"}, tables={"items": ["id", (1,), (2,)]}))
case(
    68, "one object below a key path is one row", """
records:
  Person: {table: people, key: id, fields: [id]}
endpoints: {one: {path: /me, records: {user: Person}}}
""", load('{"user": {"id": 1}, "ok": true}', tables={"people": ["id", (1,)]}))
case(
    69, "several key paths of one body give records of several kinds", """
records:
  Product: {table: products, key: id, fields: [id]}
  Shelf: {table: shelves, key: id, fields: [id]}
endpoints: {all: {path: /all, records: {products: Product, shelves: Shelf}}}
""", load('{"products": [{"id": 1}, {"id": 2}], "shelves": [{"id": "a"}, {"id": "b"}]}', tables={
        "products": ["id", (1,), (2,)], "shelves": ["id", ("a",), ("b",)]}))
case(
    70, "a list where one object was thought of gives a row for each, without an error", """
records:
  Person: {table: people, key: id, fields: [id]}
endpoints: {one: {path: "/people/:id", fetch: false, records: {.: Person}}}
""", load('[{"id": 1}, {"id": 2}, {"id": 3}]', args=["--path", "/people/1"], counts={"Person": "3 inserted"}))
case(
    71, "when no key path is in a body, the error names those that were sought and the members that are there", """
records:
  Item: {table: items, key: id, fields: [id]}
  Thing: {table: things, key: id, fields: [id]}
endpoints: {all: {path: /all, records: {first.items: Item, others: Thing}}}
""", load('{"user": {"id": 1}, "total": 1}', exit=1, has=["first.items", "others", "user", "total"],
          absent=["items", "things"]))
PLACE = """
records:
  Shop: {table: shops, key: id, fields: [id], relationships: {spot: {record: Spot, from: .}}}
  Spot: {fields: {lat: {type: real}, lng: {type: real}}}
"""
case(
    72, "a child may be made of the parent's own members", PLACE,
    load('[{"id": 1, "lat": 43.5, "lng": "10.25"}]', tables={
        "shops": ["id", (1,)], "shop_spot": ["shop_id lat lng", (1, 43.5, 10.25)]}))
case(
    73, "such a child comes into being only when one of its members is there", PLACE,
    load('[{"id": 1}, {"id": 2, "lng": 1}]', tables={
        "shops": ["id", (1,), (2,)], "shop_spot": ["shop_id lat lng", (2, None, 1.0)]}))
case(
    74, "a column may be computed from the whole object, by a jq program",
    "records:\n  Shop: {table: shops, key: id, fields: {id: , spot: {jq: '\"\\(.lat)/\\(.lng)\"', type: text}, "
    "raw: {from: ., type: json}}}",
    load('[{"id": 1, "lat": 43.5, "lng": 10}]', tables={
        "shops": ["id spot raw", (1, "43.5/10", '{"id":1,"lat":43.5,"lng":10}')]}))
case(
    75, "two sources of one column are refused, so that no order decides between them",
    "records:\n  Shop: {table: shops, key: id, fields: {id: , city: town.name, City: city}}",
    validate("shops", "error[duplicate-column]"))
WRONG = """
records:
  Item: {table: items, key: id, fields: {id: , owner: owner.name}}
"""
case(
    76, "a path through a text is a reject of that record, and the others are stored", WRONG,
    load('[{"id": 1, "owner": "Ada"}, {"id": 2, "owner": {"name": "Bob"}}]', exit=3,
         rejects=["Item /0 owner: text"], tables={"items": ["id owner", (2, "Bob")]}))
covered(77, 76, "a path through a text")
case(
    78, "a path through a list is a reject whose message gives the two paths that would work", WRONG,
    load('[{"id": 1, "owner": [{"name": "Ada"}]}]', exit=3, has=["owner[*].name", "owner[0].name"],
         rejects=["Item /0 owner: "]))
case(
    79, "several members come together in one column by jq; with a list of paths, the first that is there is taken",
    "records:\n  Item: {table: items, key: id, fields: {id: , range: {jq: '[.from, .length]', type: json}, "
    "name: {from: [label.long, label.short]}}}",
    load('[{"id": 1, "from": 20, "length": 12, "label": {"short": "s"}}, '
         '{"id": 2, "from": 0, "length": 1, "label": {"long": "l", "short": "s"}}]', tables={
             "items": ["id range name", (1, "[20,12]", "s"), (2, "[0,1]", "l")]}))
case(
    80, "a deep path works for a column of every type", """
records:
  Item:
    table: items
    key: id
    fields:
      id: a.id
      t: {from: a.b.t, type: text}
      i: {from: a.b.i, type: integer}
      r: {from: a.b.c.r, type: real}
      d: {from: a.b.c.d, type: decimal}
      o: {from: a.b.c.o, type: boolean}
      day: {from: a.b.c.day, type: date}
      at: {from: a.b.c.at, type: timestamp}
      u: {from: a.b.c.u, type: url}
      j: {from: a.b.c, type: json}
""", load('[{"a": {"id": 1, "b": {"t": "x", "i": 2, "c": {"r": 0.5, "d": 1.10, "o": true, "day": "2016-10-11", '
          '"at": "2016-10-11T01:02:03Z", "u": "https://example.test/"}}}}]', sql=[
              ("select id, t, i, r, d, o, day, at, u, json_extract(j, '$.o') from items", [
                  (1, "x", 2, 0.5, "1.10", 1, "2016-10-11", "2016-10-11 01:02:03", "https://example.test/", 1)])]))
case(
    81, "a member whose name has dots, blanks or quotes in it is reached by its name in quotes", """
records:
  Item:
    table: items
    key: id
    fields:
      id: id
      deep: 'a."b.c".d'
      spaced: '"the name"'
      said: '"say \\"hi\\""'
      at: "@id"
      oid: '"$oid"'
""", load('[{"id": 1, "a": {"b.c": {"d": 2}, "b": {"c": {"d": 3}}}, "the name": 4, "say \\"hi\\"": 5, "@id": 6, '
          '"$oid": 7}]', tables={"items": ["id deep spaced said at oid", (1, 2, 4, 5, 6, 7)]}))
case(
    82, "an element of a list is reached by its number, from the end too; behind the end it is missing",
    "records:\n  Item: {table: items, key: id, fields: {id: , first: 'a[0].v', last: 'a[-1].v', sixth: 'a[5].v', "
    "all: {from: 'a[*].v', type: json}}}",
    load('[{"id": 1, "a": [{"v": 37}, {}, {"v": 7}]}, {"id": 2, "a": []}]', tables={
        "items": ["id first last sixth all", (1, 37, 7, None, "[37,null,7]"), (2, None, None, None, "[]")]}))
case(
    83, "one object where a list was expected is a list of one; an empty list gives no row and is no error",
    "records:\n  Item: {table: items, key: id, fields: [id]}",
    load('{"id": 1}', tables={"items": ["id", (1,)]}), load("[]", counts={"Item": ""}, tables={"items": ["id", (1,)]}))
case(
    84, "lists of lists, and objects of lists, are stepped through; empty ones give nothing", """
records:
  Cell: {table: cells, key: id, fields: [id]}
  Member: {table: members, key: [club, id], fields: {club: $key, id: }}
endpoints: {all: {path: /all, records: {"rows[*][*]": Cell, "clubs.*[*]": Member}}}
""", load('{"rows": [[{"id": 1}, {"id": 2}], [], [{"id": 3}]], "clubs": {"chess": [{"id": 1}], "go": []}}', sql=[
        ("select id from cells order by id", [(1,), (2,), (3,)]), ("select id from members", [(1,)])]))
case(
    85, "a list deep in a body is reached by its path", """
records:
  Item: {table: items, key: id, fields: [id]}
endpoints: {all: {path: /all, records: {response.data.items: Item}}}
""", load('{"response": {"data": {"items": [{"id": 1}, {"id": 2}]}}}', tables={"items": ["id", (1,), (2,)]}))
covered(86, 2, "a stored row keeps what a body lacks")
