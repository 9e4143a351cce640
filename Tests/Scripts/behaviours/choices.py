"""Choices: which record an element becomes, decided by what is in it."""
from table import case, covered, load, remap

KINDS = """
records:
  Animal:
    switch:
%s
  Cat: {table: cats, key: id, fields: [id, lives]}
  Dog: {table: dogs, key: id, fields: [id, tricks]}
endpoints: {all: {path: /all, records: {.: Animal}}}
"""


def kinds(*cases):
    return KINDS % "\n".join(f"      - {text}" for text in cases)


BY_KIND = ("{when: {kind: cat}, record: Cat}", "{when: {kind: [dog, wolf]}, record: Dog}")
case(
    94, "a member's value decides between two tables; several values may lead to one", kinds(*BY_KIND),
    load('[{"kind": "cat", "id": 1, "lives": 9}, {"kind": "dog", "id": 1}, {"kind": "wolf", "id": 2, "tricks": 0}]',
         counts={"Cat": "1 inserted", "Dog": "2 inserted"},
         tables={"cats": ["id lives", (1, 9)], "dogs": ["id tricks", (1, None), (2, 0)]}))
case(
    95, "numbers decide as texts do, and a number equals the text that is that number, though never a boolean",
    kinds("{when: {kind: 0}, record: Cat}", "{when: {kind: 1}, record: Dog}", "{else: skip}"),
    load('[{"kind": 0, "id": 1}, {"kind": "0", "id": 2}, {"kind": 1.0, "id": 3}, {"kind": true, "id": 4}, '
         '{"kind": " 1", "id": 5}]', counts={"Cat": "2 inserted", "Dog": "1 inserted", "Animal": "2 skipped"},
         tables={"cats": ["id lives", (1, None), (2, None)], "dogs": ["id tricks", (3, None)]}))
case(
    96, "the kind of the JSON value decides",
    kinds("{when: {tag: {type: number}}, record: Cat}", "{when: {tag: {type: string}}, record: Dog}"),
    load('[{"tag": 1.5, "id": 1}, {"tag": "1.5", "id": 2}]', tables={
        "cats": ["id lives", (1, None)], "dogs": ["id tricks", (2, None)]}))
case(
    97, "conditions decide: order, search, presence, and these combined",
    kinds("{when: {any: [{age: {lt: 1}}, {name: {matches: \"^k\"}}]}, record: Cat}",
          "{when: {tricks: {exists: true}, not: {tricks: null}}, record: Dog}", "{else: skip}"),
    load('[{"id": 1, "age": 0.5}, {"id": 2, "name": "kitty"}, {"id": 3, "age": 2, "tricks": 4}, '
         '{"id": 4, "tricks": null}, {"id": 5, "age": 1}]', counts={
             "Cat": "2 inserted", "Dog": "1 inserted", "Animal": "2 skipped"}))
OVERLAP = ("{when: {kind: cat}, record: Cat}", "{when: {kind: {exists: true}}, record: Dog}")
case(
    98, "of two cases that hold the first in the file wins", kinds(*OVERLAP),
    load('[{"kind": "cat", "id": 1}]', counts={"Cat": "1 inserted"}, absent=["dogs"]),
    remap(kinds(*OVERLAP[::-1])), load('[{"kind": "cat", "id": 2}]', counts={"Dog": "1 inserted"}))
covered(99, 94, "a mixed list fills both tables")
FRIENDS = """
records:
  Person: {table: people, key: id, fields: [id], relationships: {pets: [Animal]}}
  Animal:
    switch:
      - {when: {kind: cat}, record: Cat}
      - {when: {kind: dog}, record: Dog}
%s
  Cat: {table: cats, key: id, fields: [id]}
  Dog: {table: dogs, key: id, fields: [id]}
"""
case(
    100, "a list of children may be of several kinds: one link table for each, one count of positions", FRIENDS % "",
    load('[{"id": 1, "pets": [{"kind": "dog", "id": 5}, {"kind": "cat", "id": 6}, {"kind": "dog", "id": 7}]}]',
         tables={"cats": ["id", (6,)], "dogs": ["id", (5,), (7,)],
                 "person_pets_cat": ["person_id cat_id position", (1, 6, 1)],
                 "person_pets_dog": ["person_id dog_id position", (1, 5, 0), (1, 7, 2)]}))
case(
    101, "elements that no case wants are skipped and counted, in a list of children too; the others are stored",
    FRIENDS % "      - {else: skip}",
    load('[{"id": 1, "pets": [{"kind": "eel", "id": 5}, {"kind": "cat", "id": 6}]}]',
         counts={"Person": "1 inserted", "Cat": "1 inserted", "Animal": "1 skipped"},
         tables={"people": ["id", (1,)], "cats": ["id", (6,)]}))
case(
    102, "without `else`, an element that no case wants is a reject", kinds(*BY_KIND),
    load('{"kind": "eel", "id": 1}', exit=3, counts={"Animal": "1 rejected"}, rejects=["Animal . -: "],
         absent=["cats", "dogs"]))
covered(103, 102, "an element that no case wants is an error by default")
covered(104, 94, "a mixed list gives two kinds of rows")
case(
    105, "a sweep of kinds in one list removes the stale row of its kind, and children are no hindrance", """
records:
  Event:
    switch:
      - {when: {kind: meeting}, record: Meeting}
      - {when: {kind: party}, record: Party}
  Meeting: {table: meetings, key: id, fields: [id], sweep: true}
  Party: {table: parties, key: id, fields: [id], sweep: true, relationships: {guests: [{fields: [name]}]}}
endpoints: {all: {path: /all, records: {.: Event}}}
""", load('[{"kind": "meeting", "id": 1}, {"kind": "party", "id": 2, "guests": [{"name": "x"}]}, '
          '{"kind": "party", "id": 3, "guests": [{"name": "y"}]}]'),
    load('[{"kind": "meeting", "id": 1}, {"kind": "party", "id": 2, "guests": [{"name": "x"}]}]', tables={
        "meetings": ["id", (1,)], "parties": ["id", (2,)], "party_guests": ["party_id position name", (2, 0, "x")]}))
