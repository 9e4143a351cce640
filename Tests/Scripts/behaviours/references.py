"""Columns that name a row of another table, and what holds when that row is not there."""
from table import case, covered, load, not_applicable

CATS = """
records:
  Person: {table: people, key: id, fields: {id: , cat: {type: integer, references: Cat}}}
  Cat: {table: cats, key: id, fields: {id: {type: integer}, name: , owner: {from: owner_id, references: Person}}}
endpoints: {all: {path: /all, records: {cats: Cat, people: Person}}}
"""
JOINED = "select p.id, c.name from people p left join cats c on c.id = p.cat order by 1"
case(
    150, "a column that names a row of another table finds it, whatever the JSON type of the id", CATS,
    load('{"people": [{"id": 1, "cat": "61"}], "cats": [{"id": 61, "name": "Tom"}]}', sql=[(JOINED, [(1, "Tom")])]))
not_applicable(151, "rows that are equal in any columns are a join, which a view says; a mapping links by keys")
case(
    152, "a reference that points nowhere keeps its value, and the old link is gone", CATS,
    load('{"people": [{"id": 1, "cat": 61}], "cats": [{"id": 61, "name": "Tom"}]}'),
    load('{"people": [{"id": 1, "cat": 9}]}', tables={"people": ["id cat", (1, 9)]}, sql=[(JOINED, [(1, None)])]))
case(
    153, "the row that is named may come later: in the same body, or in a later run", CATS,
    load('{"cats": [{"id": 1, "name": "Tom", "owner_id": 7}, {"id": 2, "owner_id": 8}], "people": [{"id": 7}]}',
         sql=[("select c.id, p.id from cats c left join people p on p.id = c.owner order by 1", [(1, 7), (2, None)])]),
    load('{"people": [{"id": 8}]}', sql=[
        ("select c.id, p.id from cats c left join people p on p.id = c.owner order by 1", [(1, 7), (2, 8)])]))
covered(154, 132, "a list of ids is a list of links")
case(
    155, "null in a reference clears the link", CATS,
    load('{"people": [{"id": 1, "cat": 61}], "cats": [{"id": 61, "name": "Tom"}]}'),
    load('{"people": [{"id": 1, "cat": null}]}', tables={"people": ["id cat", (1, None)]}))
case(
    156, "a child's key with a null part matches no row, though one part is there", """
records:
  Person: {table: people, key: id, fields: [id], relationships: {pet: Pet}}
  Pet: {table: pets, key: [kind, name], fields: [kind, name]}
""", load('[{"id": 1, "pet": {"kind": "cat", "name": "Tom"}}, {"id": 2, "pet": {"kind": "cat", "name": null}}]',
          exit=3, rejects=["Pet /1/pet name: key"], tables={
              "people": ["id pet_kind pet_name", (1, "cat", "Tom"), (2, None, None)],
              "pets": ["kind name", ("cat", "Tom")]}))
case(
    157, "children that a condition leaves out are no rows, get no link and are counted", """
records:
  Person: {table: people, key: id, fields: [id], relationships: {cats: [Cat]}}
  Cat: {table: cats, key: id, fields: [id], where: {born: {gte: 2011}}}
""", load('[{"id": 1, "cats": [{"id": 5, "born": 2010}, {"id": 6, "born": 2011}, {"id": 7}]}]',
          counts={"Person": "1 inserted", "Cat": "1 inserted, 2 filtered"},
          tables={"cats": ["id", (6,)], "person_cats": ["person_id cat_id position", (1, 6, 1)]}))
covered(158, 100, "tables have no subtypes: a relationship names a choice, and each kind has its table")
not_applicable(159, "a path over links of links is a join, which a view says")
case(
    160, "a parent that only the path names is a column, though the body lacks it", """
records:
  Post: {table: posts, key: id, fields: [id]}
  Tag:
    table: tags
    key: [post_id, name]
    fields: {post_id: {from: $route.post, type: integer, references: Post}, name: }
endpoints:
  posts: {path: /posts, records: {.: Post}}
  tags: {path: "/posts/:post/tags", fetch: false, records: {.: Tag}}
""",
    load('[{"name": "a"}, {"name": "b"}]', args=["--path", "/posts/88/tags"], tables={
        "tags": ["post_id name", (88, "a"), (88, "b")]}))
covered(161, 153, "records of two places in one body are linked by their ids")
case(
    162, "records that refer to each other in one body are both stored: links are judged at its end", """
records:
  Person: {table: people, key: id, fields: [id], relationships: {friend: Person}}
""", load('[{"id": 1, "friend": {"id": 2, "friend": {"id": 1}}}, {"id": 3, "friend": {"id": 4, "friend": {"id": 5}}}]',
          tables={"people": ["id friend_id", (1, 2), (2, 1), (3, 4), (4, 5), (5, None)]}))
