#!/usr/bin/env python3
"""`sweep` of a relationship: which children go when a parent no longer has them, and what keeps one.

Cases are written in the words of behaviours/table.py.
"""
import concurrent.futures
import os
import sys

from checks import Checks, folder

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "behaviours"))
import performed  # noqa: E402
import table  # noqa: E402
from table import load, remap, validate  # noqa: E402

CASES = []


def case(title, mapping, *steps):
    CASES.append(table.Case(len(CASES) + 1, title, mapping, steps, (), None))


def houses(*ids):
    return {"houses": ["id"] + [(number,) for number in ids]}


OWNERS = """
records:
  Owner: {table: owners, key: id%s, fields: [id], relationships: {house: {record: House, sweep: true}%s}}
  House: {table: houses, key: id%s, fields: [id]}
"""
PLAIN = OWNERS % ("", "", "")
THREE = '[{"id": 1, "house": {"id": 8}}, {"id": 2, "house": {"id": 8}}, {"id": 3, "house": {"id": 9}}]'
case(
    "one child goes when its last parent has null, or another one", PLAIN, load(THREE, tables=houses(8, 9)),
    load('[{"id": 3, "house": {"id": 7}}]', counts={"Owner": "1 updated", "House": "1 inserted"}, tables=houses(7, 8)),
    load('[{"id": 1, "house": null}]', tables=houses(7, 8)), load('[{"id": 2, "house": {}}]', tables=houses(7)))
case(
    "a missing member, and a parent that is not in the body, say nothing", PLAIN, load(THREE),
    load('[{"id": 3}]', tables=houses(8, 9)), load("[]", tables=houses(8, 9)))
case(
    "without `sweep` the row stays", PLAIN.replace(", sweep: true", ""), load(THREE),
    load('[{"id": 3, "house": null}]', tables=houses(8, 9)))
case(
    "a child of a deleted parent goes with it", OWNERS % (", delete_when: {gone: true}", "", ""), load(THREE),
    load('[{"id": 3, "gone": true}, {"id": 2, "gone": true}]', counts={"Owner": "2 deleted"}, tables=houses(8)),
    load('[{"id": 1, "gone": true}]', tables=houses()))
case(
    "a child of a swept parent goes with it, unless the walk has seen it", OWNERS % (", sweep: true", "", ""),
    load(THREE), load('[{"id": 1, "house": {"id": 8}}]', tables=houses(8)),
    remap((OWNERS % (", sweep: true", "", "")) + "endpoints: {all: {path: /a, fetch: false, records: "
          "{owners: Owner, houses: House}}}"),
    load('{"owners": [], "houses": [{"id": 8}]}', counts={"House": "1 unchanged"}, tables=houses(8)))
case(
    "a child that moves, or that the body brings elsewhere, stays", PLAIN + "endpoints: {all: {path: /a, fetch: false, "
    "records: {owners: Owner, houses: House}}}",
    load('{"owners": [{"id": 1, "house": {"id": 7}}, {"id": 2, "house": {"id": 8}}, {"id": 3, "house": {"id": 9}}]}'),
    load('{"owners": [{"id": 1, "house": {"id": 8}}, {"id": 2, "house": {"id": 7}}, {"id": 3, "house": null}, '
         '{"id": 4, "house": null}, {"id": 4, "house": {"id": 5}}, {"id": 4, "house": {"id": 6}}], '
         '"houses": [{"id": 9}]}', tables=houses(5, 6, 7, 8, 9)),
    load('{"owners": [{"id": 1, "house": null}, {"id": 5, "house": {"id": 8}}]}', tables=houses(5, 6, 7, 8, 9)))
case(
    "each line of NDJSON is a body of its own", PLAIN,
    load('[{"id": 1, "house": {"id": 8}}]\n[{"id": 1, "house": {"id": 9}}]\n[{"id": 2, "house": {"id": 8}}]\n'
         '[{"id": 2, "house": null}]\n', ending="ndjson", tables=houses(9)))
SHARED = """
records:
  Owner:
    table: owners
    key: id
    fields: [id]
    relationships:
      home: {record: House, sweep: true}
      work: House
      let: {record: [House], sweep: true}
      sold: {record: [House], via: child}
  House: {table: houses, key: id, fields: [id]}
"""
case(
    "every relationship makes a parent: a column with or without `sweep`, a link, a child that holds its parent",
    SHARED,
    load('[{"id": 1, "home": {"id": 5}, "work": {"id": 5}, "let": [{"id": 5}], "sold": [{"id": 5}]}]'),
    load('[{"id": 1, "home": null}]', tables={"houses": ["id owner_id", (5, 1)]}),
    load('[{"id": 1, "home": {"id": 5}, "work": null, "sold": []}]', tables={"houses": ["id owner_id", (5, None)]}),
    load('[{"id": 1, "home": null}]', tables={"houses": ["id owner_id", (5, None)]}),
    load('[{"id": 1, "let": []}]', tables={"houses": ["id owner_id"]}))
case(
    "what leaves a relationship without `sweep` stays, whoever had it last", SHARED,
    load('[{"id": 1, "home": {"id": 5}, "work": {"id": 5}}]'), load('[{"id": 1, "home": null}]'),
    load('[{"id": 1, "work": null}]', tables={"houses": ["id owner_id", (5, None)]}))
CHOICE = """
records:
  Event: {table: events, key: id, fields: [id], relationships: {actor: {record: Actor, sweep: true}}}
  Actor:
    switch:
      - {when: {kind: user}, record: User}
      - {when: {kind: org}, record: Org}
      - {when: {kind: bot}, record: Bot}
      - {when: {kind: none}, record: Nobody}
  Nobody: {switch: [{else: skip}]}
  User: {table: users, key: id, fields: [id]}
  Org: {table: orgs, key: id, fields: [id]}
  Bot: {fields: [id]}
"""


def actors(user=(), org=(), bot=()):
    return {"users": ["id"] + [(n,) for n in user], "orgs": ["id"] + [(n,) for n in org],
            "event_actor_bot": ["event_id id"] + list(bot)}


case(
    "of a choice, each kind of child goes when another one, or none, takes its place", CHOICE,
    load('[{"id": 1, "actor": {"kind": "user", "id": 5}}]', tables=actors(user=[5])),
    load('[{"id": 1, "actor": {"kind": "org", "id": 6}}]', tables=actors(org=[6])),
    load('[{"id": 1, "actor": {"kind": "bot", "id": 7}}]', tables=actors(bot=[(1, 7)])),
    load('[{"id": 1, "actor": {"kind": "user", "id": 5}}]', tables=actors(user=[5])),
    load('[{"id": 1, "actor": {"kind": "none", "id": 5}}]', counts={"Event": "1 updated", "Nobody": "1 skipped"},
         tables=actors()))
case(
    "a child that no case takes may be the one that is there: the column loses it, and its row stays", CHOICE,
    load('[{"id": 1, "actor": {"kind": "user", "id": 5}}]'),
    load('[{"id": 1, "actor": {"kind": "?", "id": 5}}]', exit=3, tables=dict(
        actors(user=[5]), events=["id actor_user_id actor_org_id", (1, None, None)])))
GROUPS = """
records:
  Group: {table: groups, key: id, fields: [id], relationships: {lead: {record: Group, sweep: true}}}
"""
case(
    "records that refer to their own kind go in a chain; one that refers to itself is no parent of its own", GROUPS,
    load('[{"id": 1, "lead": {"id": 2, "lead": {"id": 3, "lead": {"id": 4, "lead": {"id": 4}}}}}]', tables={
        "groups": ["id lead_id", (1, 2), (2, 3), (3, 4), (4, 4)]}),
    load('[{"id": 1, "lead": null}]', tables={"groups": ["id lead_id", (1, None)]}))
case(
    "records that refer to one another keep one another", GROUPS,
    load('[{"id": 1, "lead": {"id": 2, "lead": {"id": 3, "lead": {"id": 2}}}}]'),
    load('[{"id": 1, "lead": null}]', tables={"groups": ["id lead_id", (1, None), (2, 3), (3, 2)]}))
HISTORY = OWNERS % (", write: history, delete_when: {gone: true}", ", other: House", "")
VERSIONS = "select id, house_id, other_id, valid_to is null from owners order by id, valid_from"
case(
    "of a record that keeps its history the current version is the parent; those before it lose the child that goes",
    HISTORY, load(THREE), load('[{"id": 3, "house": {"id": 7}}]', tables=houses(7, 8), sql=[
        (VERSIONS, [(1, 8, None, 1), (2, 8, None, 1), (3, None, None, 0), (3, 7, None, 1)])]),
    load('[{"id": 2, "house": null}, {"id": 2, "house": {"id": 7}}, {"id": 2, "house": {"id": 8}}]',
         counts={"Owner": "3 unchanged", "House": "2 unchanged"}, tables=houses(7, 8)),
    load('[{"id": 1, "gone": true}, {"id": 3, "house": {"id": 7}, "other": {"id": 8}}]', tables=houses(7, 8)),
    load('[{"id": 2, "gone": true}]', tables=houses(7, 8)), load('[{"id": 3, "other": null}]', tables=houses(7, 8)),
    load('[{"id": 3, "gone": true}]', counts={"Owner": "1 updated"}, tables=houses(8)))
case(
    "a version that a sweep closes is a parent no more", OWNERS % (", write: history, sweep: true", "", ""),
    load(THREE), load('[{"id": 1, "house": {"id": 8}}]', tables=houses(8)), load("[]", tables=houses()))
ROOMS = """
records:
  Hotel:
    table: hotels
    key: id
    delete_when: {gone: true}
    fields: [id]
    relationships:
      rooms: [{fields: [name], relationships: {bed: {record: Bed, sweep: true}, lamps: [{fields: [{no: .}],
        relationships: {bulb: {record: Bulb, from: $parent.bulb, sweep: true}}}]}}]
      lobby: {record: {fields: [name], relationships: {bed: {record: Bed, sweep: true}}}}
  Bed: {table: beds, key: id, fields: [id]}
  Bulb: {table: bulbs, key: id, fields: [id]}
"""
HOTEL = ('[{"id": 1, "rooms": [{"bed": {"id": 5}, "bulb": {"id": 1}, "lamps": [1]}, {"bed": {"id": 6}, '
         '"bulb": {"id": 2}, "lamps": [1, 2]}], "lobby": {"bed": {"id": 7}}}]')


def furniture(beds, bulbs):
    return {"beds": ["id"] + [(n,) for n in beds], "bulbs": ["id"] + [(n,) for n in bulbs]}


case(
    "rows without a key are parents too: when they change, leave their list, or go with what is above them", ROOMS,
    load(HOTEL, tables=furniture([5, 6, 7], [1, 2])),
    load('[{"id": 1, "lobby": {"bed": {"id": 8}}}]', tables=furniture([5, 6, 8], [1, 2])),
    load('[{"id": 1, "lobby": null}]', tables=furniture([5, 6], [1, 2])),
    load('[{"id": 1, "rooms": [{"lamps": [1]}, {"bed": {"id": 6}, "bulb": {"id": 2}, "lamps": [1, 2]}]}]',
         tables=furniture([6], [2])),
    load('[{"id": 1, "rooms": [{}]}]', tables=furniture([], [])),
    load(HOTEL, tables=furniture([5, 6, 7], [1, 2])), load('[{"id": 1, "gone": true}]', tables=furniture([], [])))
REJECTS = OWNERS.replace("fields: [id]}\n", "fields: [{id: {type: integer}}, {n: {type: integer}}]}\n") % ("", "", "")
IN_HOUSES = ["id n", (8, None), (9, None)]
case(
    "a rejected child counts as present: one of the same key keeps its column, of another key its row", REJECTS,
    load(THREE), load('[{"id": 3, "house": {"id": 9, "n": "x"}}]', exit=3, tables={
        "houses": IN_HOUSES, "owners": ["id house_id", (1, 8), (2, 8), (3, 9)]}),
    load('[{"id": 1, "house": {"id": 9, "n": "x"}}, {"id": 3, "house": null}]', exit=3, tables={
        "houses": IN_HOUSES, "owners": ["id house_id", (1, None), (2, 8), (3, None)]}),
    load('[{"id": 2, "house": {"id": 9, "n": "x"}}]', exit=3, tables={"houses": ["id n", (9, None)]}))
case(
    "a rejected child without a key may be the one that is there: no sweep takes it", REJECTS, load(THREE),
    load('[{"id": 3, "house": {"n": 1}}]', exit=3, tables={
        "houses": IN_HOUSES, "owners": ["id house_id", (1, 8), (2, 8), (3, None)]}),
    load('[{"id": 1, "house": 7}, {"id": 2, "house": null}]', exit=3, tables={"houses": IN_HOUSES}))
case(
    "a list where one child belongs changes nothing", REJECTS, load(THREE),
    load('[{"id": 3, "house": [{"id": 7}]}]', exit=3, tables={
        "houses": IN_HOUSES, "owners": ["id house_id", (1, 8), (2, 8), (3, 9)]}))
case(
    "a child that rejects its parent changes nothing",
    REJECTS.replace("sweep: true", "sweep: true, on_item_error: fail"), load(THREE),
    load('[{"id": 3, "house": {"id": 7, "n": "x"}}]', exit=3, tables={
        "houses": IN_HOUSES, "owners": ["id house_id", (1, 8), (2, 8), (3, 9)]}))
case(
    "a filtered child, and one with a tombstone, are none", OWNERS % (
        "", "", ", where: {hidden: {not: true}}, delete_when: {gone: true}"), load(THREE),
    load('[{"id": 3, "house": {"id": 9, "hidden": true}}]', counts={"Owner": "1 updated", "House": "1 filtered"},
         tables=houses(8)),
    load('[{"id": 1, "house": {"id": 8, "gone": true}}]', counts={"Owner": "1 updated", "House": "1 deleted"},
         tables=dict(houses(), owners=["id house_id", (1, None), (2, None), (3, None)])))
case(
    "a skipped parent keeps its child", OWNERS.replace("fields: [id], rel", "fields: [id, v], rel") % (
        ", modified: v", "", ""),
    load('[{"id": 1, "v": 2, "house": {"id": 8}}]'),
    load('[{"id": 1, "v": 1, "house": null}]', counts={"Owner": "1 skipped"}, tables=houses(8)),
    load('[{"id": 1, "v": 3, "house": null}]', tables=houses()))
case(
    "in a record that is replaced a missing child is none", OWNERS % (", write: replace", "", ""), load(THREE),
    load('[{"id": 1, "house": {"id": 8}}, {"id": 2}, {"id": 3}]', tables=houses(8)),
    load('[{"id": 2, "house": {"id": 7}}]', tables=houses(7)))
case(
    "rows without a key of their own that are replaced, or only added", """
records:
  Visit: {table: visits, write: replace, fields: [at], relationships: {house: {record: House, sweep: true},
    stops: [{fields: [n], relationships: {house: {record: House, sweep: true}}}]}}
  House: {table: houses, key: id, fields: [id]}
""", load('[{"at": 1, "house": {"id": 5}, "stops": [{"house": {"id": 6}}]}, {"at": 2, "house": {"id": 7}}]'),
    load('[{"at": 2, "house": {"id": 7}}]', tables=houses(7)), load("[]", tables=houses()),
    remap("""
records:
  Visit: {table: notes, write: append, fields: [at], relationships: {house: {record: House, sweep: true}}}
  House: {table: houses, key: id, fields: [id]}
"""), load('[{"at": 1, "house": {"id": 5}}, {"at": 1, "house": null}]', tables=houses(5)))
case(
    "a key of several columns", """
records:
  Owner: {table: owners, key: id, fields: [id], relationships: {house: {record: House, sweep: true}}}
  House: {table: houses, key: [zip, no], fields: [zip, no]}
""", load('[{"id": 1, "house": {"zip": 1, "no": 2}}, {"id": 2, "house": {"zip": 2, "no": 1}}]'),
    load('[{"id": 1, "house": {"zip": 2, "no": 1}}]', tables={"houses": ["zip no", (2, 1)]}))
case(
    "a unique index that lets rows change places", """
records:
  Owner: {table: owners, key: id, fields: [id], relationships: {rooms: [{indexes: [{columns: [bed_id], unique: true}],
    fields: [n], relationships: {bed: {record: Bed, sweep: true}}}]}}
  Bed: {table: beds, key: id, fields: [{id: {type: integer}}]}
""", load('[{"id": 1, "rooms": [{"bed": {"id": 5}}, {"bed": {"id": 6}}, {"bed": {"id": 7}}]}]'),
    load('[{"id": 1, "rooms": [{"bed": {"id": 6}}, {"bed": {"id": 5}}, {"bed": null}]}]', tables={
        "beds": ["id", (5,), (6,)], "owner_rooms": ["owner_id position n bed_id", (1, 0, None, 6), (1, 1, None, 5),
                                                    (1, 2, None, None)]}))
UNIQUE = OWNERS.replace("fields: [id]}\n", "fields: [id, {name: {index: unique}}]}\n")
TAKEN = '[{"id": 1, "house": {"id": 5, "name": "a"}}, {"id": 2, "house": {"id": 6, "name": "b"}}]'
for kind, written, versions in [
        ("a record", "", [(1, 5, 1), (2, None, 1)]),
        ("one that keeps its history", ", write: history", [(1, 5, 1), (2, None, 0), (2, None, 1)])]:
    case(
        f"{kind} does not refer to a child that a unique index refuses; the one before it goes",
        UNIQUE % (written, "", ""), load(TAKEN),
        load('[{"id": 2, "house": {"id": 7, "name": "a"}}]', exit=3, counts={
            "Owner": "1 updated", "House": "1 rejected"}, tables={"houses": ["id name", (5, "a")]},
            sql=[("select id, house_id, %s from owners order by 1, rowid" % ("valid_to is null" if written else "1"),
                  versions)]),
        load('[{"id": 1, "house": {"id": 5, "name": "a"}}]', counts={"Owner": "1 unchanged", "House": "1 unchanged"}))
LISTS = """
records:
  Owner: {table: owners, key: id, fields: [id], relationships: {cats: {record: [Cat], sweep: true%s}}}
  Cat: {table: cats, key: id, fields: [{id: {type: integer}}]}
"""
CATS = '[{"id": 1, "cats": [{"id": 5}, {"id": 6}, {"id": 7}]}]'
case(
    "in a list with a rejected element without a key, what it does not name may be that one: no sweep takes it",
    LISTS % "", load(CATS),
    load('[{"id": 1, "cats": [{"id": 7}, {"name": "?"}]}]', exit=3, tables={
        "cats": ["id", (5,), (6,), (7,)], "owner_cats": ["owner_id cat_id position", (1, 6, 1), (1, 7, 0)]}),
    load('[{"id": 1, "cats": []}]', tables={"cats": ["id", (5,)]}), remap(LISTS % ", via: child"), load(CATS),
    load('[{"id": 1, "cats": [{"id": 7}, {"name": "?"}]}]', exit=3, tables={
        "cats": ["id owner_id", (5, None), (6, None), (7, 1)]}),
    load('[{"id": 1, "cats": []}]', tables={"cats": ["id owner_id", (5, None), (6, None)]}))
case(
    "an element that no case takes keeps what stood at its position", """
records:
  Owner: {table: owners, key: id, fields: [id], relationships: {pets: {record: [Pet], sweep: true}}}
  Pet: {switch: [{when: {kind: cat}, record: Cat}, {when: {kind: toy}, record: Toy}]}
  Cat: {table: cats, key: id, fields: [id]}
  Toy: {fields: [name]}
""", load('[{"id": 1, "pets": [{"kind": "cat", "id": 5}, {"kind": "toy", "name": "a"}, {"kind": "cat", "id": 6}]}]'),
    load('[{"id": 1, "pets": [{"kind": "?"}, {"kind": "?"}, {"kind": "cat", "id": 6}]}]', exit=3, tables={
        "cats": ["id", (5,), (6,)], "owner_pets_cat": ["owner_id cat_id position", (1, 5, 0), (1, 6, 2)],
        "owner_pets_toy": ["owner_id position name", (1, 1, "a")]}))
case(
    "a child without a key goes with its parent, and has no `sweep`", """
records:
  Owner: {table: owners, key: id, fields: [id], relationships: {house: {record: {fields: [n]}, sweep: true}}}
""", validate("mapping.yaml:4:", "needs a child with a key"))


def tried(entry):
    with folder() as where:
        try:
            return performed.differences(entry, where)
        except Exception as error:  # a fault of one case must not hide the others
            return [f"{type(error).__name__}: {error}"]


def main():
    checks = Checks("orphans")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for entry, differences in zip(CASES, pool.map(tried, CASES)):
            checks.expect(f"orphans: {entry.title}", not differences, "\n    ".join(differences))
    checks.finish()


main()
