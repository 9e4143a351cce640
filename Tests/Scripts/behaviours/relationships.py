"""Nested records: missing, null and empty; what is replaced, added, kept or removed."""
from table import case, load, remap, sql, validate

OWNERS = """
records:
  Owner: {table: owners, key: id, fields: [id, name], relationships: {cats: %s, house: %s}}
  Cat: {table: cats, key: id, fields: [id, name]}
  House: {table: houses, key: id, fields: [id]}
"""
PLAIN = OWNERS % ("[Cat]", "House")
FULL = '[{"id": 1, "name": "Ada", "cats": [{"id": 5}, {"id": 6}], "house": {"id": 9}}]'
LINKED = ["owner_id cat_id position", (1, 5, 0), (1, 6, 1)]
case(
    106, "an empty list unlinks the children; their rows stay", PLAIN, load(FULL, tables={"owner_cats": LINKED}),
    load('[{"id": 1, "cats": []}]', tables={
        "owner_cats": ["owner_id cat_id position"], "cats": ["id name", (5, None), (6, None)],
        "owners": ["id name house_id", (1, "Ada", 9)]}))
case(
    107, "null unlinks one child or all children; their rows stay", PLAIN, load(FULL),
    load('[{"id": 1, "cats": null, "house": null}]', tables={
        "owner_cats": ["owner_id cat_id position"], "owners": ["id name house_id", (1, "Ada", None)],
        "cats": ["id name", (5, None), (6, None)], "houses": ["id", (9,)]}))
case(
    108, "a missing relationship leaves the links alone; in a record that is replaced it is emptied", PLAIN, load(FULL),
    load('[{"id": 1, "name": "Ida"}]', tables={
        "owner_cats": LINKED, "owners": ["id name house_id", (1, "Ida", 9)]}),
    remap(PLAIN.replace("key: id, fields: [id, name], rel", "key: id, write: replace, fields: [id, name], rel")),
    load('[{"id": 1, "name": "Ida"}]', tables={
        "owner_cats": ["owner_id cat_id position"], "owners": ["id name house_id", (1, "Ida", None)]}))
case(
    109, "null where a list of children belongs is a row without children, and no error", PLAIN,
    load('[{"id": 1, "name": "Ada", "cats": null}]', counts={"Owner": "1 inserted"}, tables={
        "owners": ["id name house_id", (1, "Ada", None)], "owner_cats": ["owner_id cat_id position"]}))
case(
    110, "one object where a list of children belongs is a list of one", PLAIN,
    load('[{"id": 1, "cats": {"id": 5, "name": "Tom"}}]', tables={
        "owner_cats": ["owner_id cat_id position", (1, 5, 0)], "cats": ["id name", (5, "Tom")]}))
WATCHED = [
    f"create trigger t{number} after {event} on {table} begin insert into log values ('{table} {event}'); end"
    for number, (table, event) in enumerate(
        (table, event) for table in ("owner_cats", "cats", "owners") for event in ("insert", "update", "delete"))]
case(
    111, "the same children again write nothing: neither links nor rows", PLAIN, load(FULL),
    sql("create table log (what)", *WATCHED),
    load(FULL, counts={"Owner": "1 unchanged", "Cat": "2 unchanged", "House": "1 unchanged"},
         sql=[("select what from log", [])], tables={"owner_cats": LINKED}),
    load('[{"id": 1, "cats": [{"id": 5}, {"id": 7}]}]',
         sql=[("select what from log order by what", [
             ("cats insert",), ("owner_cats delete",), ("owner_cats insert",)])]))
UNION = OWNERS % ("{record: [Cat], policy: union}", "House")
case(
    112, "policy: union adds children behind those that are there", UNION, load(FULL),
    load('[{"id": 1, "cats": [{"id": 7}, {"id": 5}]}]', tables={
        "owner_cats": ["owner_id cat_id position", (1, 5, 0), (1, 6, 1), (1, 7, 2)]}))
case(
    113, "under policy: union, null and an empty list change nothing", UNION, load(FULL),
    load('[{"id": 1, "cats": null}]', tables={"owner_cats": LINKED}),
    load('[{"id": 1, "cats": []}]', tables={"owner_cats": LINKED}))
case(
    114, "policy: union is for lists: on one child it is refused", OWNERS % (
        "[Cat]", "{record: House, policy: union}"), validate("mapping.yaml:4:", "union"))
SWEPT = OWNERS % ("{record: [Cat], sweep: true}", "House")
case(
    115, "with sweep: true a child that lost its last parent is deleted; without it the row stays", SWEPT, load(FULL),
    load('[{"id": 1, "cats": [{"id": 6}, {"id": 7}]}]', tables={
        "owner_cats": ["owner_id cat_id position", (1, 6, 0), (1, 7, 1)], "cats": ["id name", (6, None), (7, None)]}),
    remap(PLAIN), load('[{"id": 1, "cats": []}]', tables={"cats": ["id name", (6, None), (7, None)]}))
case(
    116, "children that are there before and after are neither deleted nor made anew", SWEPT, load(FULL),
    sql("alter table cats add column mine text", "update cats set mine = 'kept'"),
    load(FULL, counts={"Owner": "1 unchanged", "Cat": "2 unchanged", "House": "1 unchanged"}),
    load('[{"id": 1, "cats": [{"id": 6}, {"id": 5}]}]', tables={
        "owner_cats": ["owner_id cat_id position", (1, 6, 0), (1, 5, 1)],
        "cats": ["id name mine", (5, None, "kept"), (6, None, "kept")]}))
case(
    117, "with sweep: true, null deletes a single child that nobody else has; a missing member deletes nothing",
    OWNERS % ("[Cat]", "{record: House, sweep: true}"),
    load('[{"id": 1, "house": {"id": 9}}, {"id": 2, "house": {"id": 9}}, {"id": 3, "house": {"id": 8}}]'),
    load('[{"id": 1}, {"id": 3}]', tables={"houses": ["id", (8,), (9,)]}),
    load('[{"id": 1, "house": null}, {"id": 3, "house": null}]', tables={
        "houses": ["id", (9,)], "owners": ["id name house_id", (1, None, None), (2, None, 9), (3, None, None)]}))
case(
    118, "under policy: union a missing list changes nothing", UNION, load(FULL),
    load('[{"id": 1, "name": "Ada"}]', counts={"Owner": "1 unchanged"}, tables={"owner_cats": LINKED}))
case(
    119, "records and children without keys are new rows each time, each with its own children", """
records:
  Note: {table: notes, write: append, fields: [text], relationships: {tags: [{fields: {tag: .}}]}}
""", load('[{"text": "a", "tags": ["x", "y"]}]'),
    load('[{"text": "a", "tags": ["x", "y"]}]', tables={
        "notes": ["_id text", (1, "a"), (2, "a")],
        "note_tags": ["note__id position tag", (1, 0, "x"), (1, 1, "y"), (2, 0, "x"), (2, 1, "y")]}))
GROUPS = """
records:
  Page: {table: pages, key: id, fields: [id], relationships: {media: {record: [Medium], from: "%s"}}}
  Medium: {table: media, key: id, fields: [id]}
"""
GROUPED = '[{"id": 1, "groups": [{"items": [{"id": 5}, {"id": 6}]}, {"items": []}, {"items": [{"id": 7}]}]}]'
case(
    120, "children in lists within a list: a bare path is a reject that gives the right one, which flattens them",
    GROUPS % "groups.items",
    load(GROUPED, exit=3, has=["groups[*].items"], counts={"Page": "1 inserted", "Medium": "1 rejected"}),
    remap(GROUPS % "groups[*].items[*]"),
    load(GROUPED, tables={"page_media": ["page_id medium_id position", (1, 5, 0), (1, 6, 1), (1, 7, 2)]}))
case(
    121, "the order of children is kept in their positions, and followed when it changes", PLAIN,
    load('[{"id": 1, "cats": [{"id": 9}, {"id": 5}, {"id": 7}]}]', tables={
        "owner_cats": ["owner_id cat_id position", (1, 9, 0), (1, 5, 1), (1, 7, 2)]}),
    load('[{"id": 1, "cats": [{"id": 7}, {"id": 9}, {"id": 5}]}]', tables={
        "owner_cats": ["owner_id cat_id position", (1, 7, 0), (1, 9, 1), (1, 5, 2)]}))
case(
    122, "a record may hold records of its own kind, to any depth", """
records:
  Group: {table: groups, key: id, fields: [id], relationships: {groups: [Group], lead: Group}}
""", load('[{"id": 1, "groups": [{"id": 2, "groups": [{"id": 3, "lead": {"id": 4, "lead": null}}]}]}]', tables={
        "groups": ["id lead_id", (1, None), (2, None), (3, 4), (4, None)],
        "group_groups": ["group_id groups_id position", (1, 2, 0), (2, 3, 0)]}))
BAD = '[{"id": 1, "cats": [{"id": 5}, {"name": "no key"}, 7]}, {"id": 2, "cats": [{"id": 6}]}]'
case(
    123, "a bad child is a reject of its own, or takes its parent along, as on_item_error says", PLAIN,
    load(BAD, exit=3, counts={"Owner": "2 inserted", "Cat": "2 inserted, 2 rejected"},
         rejects=["Cat /0/cats/1 id: key", "Cat /0/cats/2 id: object"],
         tables={"owner_cats": ["owner_id cat_id position", (1, 5, 0), (2, 6, 0)]}),
    remap(OWNERS % ("{record: [Cat], on_item_error: fail}", "House")),
    load(BAD.replace('"id": 1', '"id": 3'), exit=3,
         sql=[("select id from owners order by id", [(1,), (2,)]), ("select count(*) from owner_cats", [(2,)])]))
