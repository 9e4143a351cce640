"""A column that says when a record was changed: what is not newer is skipped."""
from table import case, load


def kept(type):
    return f"records:\n  Item: {{table: items, key: id, modified: v, fields: {{id: , v: {{type: {type}}}, name: }}}}"


def mark(first, *others):
    return "[%s]" % ", ".join(
        '{"id": %d, "v": %s, "name": "%s"}' % (number, text, "old" if first else "new")
        for number, text in enumerate(others))


case(
    145, "a mark that is text skips when it is equal, for text has no order", kept("text"),
    load(mark(True, '"b"', '"b"', '"b"')),
    load(mark(False, '"b"', '"c"', '"a"'), counts={"Item": "1 skipped, 2 updated"}, tables={
        "items": ["id v name", (0, "b", "old"), (1, "c", "new"), (2, "a", "new")]}))
case(
    146, "a mark that is an instant skips what is equal or older; null never skips", kept("timestamp"),
    load(mark(True, '"2020-01-02T00:00:00Z"', '"2020-01-02T00:00:00Z"', '"2020-01-02T00:00:00Z"', "null")),
    load(mark(False, '"2020-01-02T01:00:00+01:00"', '"2020-01-01T23:59:59Z"', '"2020-01-02T00:00:00.001Z"',
              '"2019-01-01T00:00:00Z"'), counts={"Item": "2 skipped, 2 updated"}, tables={"items": [
                  "id v name", (0, "2020-01-02 00:00:00", "old"), (1, "2020-01-02 00:00:00", "old"),
                  (2, "2020-01-02 00:00:00.001", "new"), (3, "2019-01-01 00:00:00", "new")]}))
case(
    147, "a mark that is a number skips what is equal or smaller, as numbers compare", kept("integer"),
    load(mark(True, "9", "9", "9")),
    load(mark(False, "9", "8", "10"), counts={"Item": "2 skipped, 1 updated"}, tables={
        "items": ["id v name", (0, 9, "old"), (1, 9, "old"), (2, 10, "new")]}))
POSTS = """
records:
  Post:
    table: posts
    key: id
    modified: v
    fields: [id, {v: {type: integer}}]
    relationships: {tags: [Tag]}
    sweep: %s
  Tag: {table: tags, key: id, fields: [id, name]%s}
"""
case(
    148, "the children of a skipped record are skipped with it, and counted so", POSTS % ("false", ""),
    load('[{"id": 1, "v": 2, "tags": [{"id": 5, "name": "old"}]}]'),
    load('[{"id": 1, "v": 2, "tags": [{"id": 5, "name": "new"}, {"id": 6}]}]',
         counts={"Post": "1 skipped", "Tag": "2 skipped"},
         tables={"tags": ["id name", (5, "old")], "post_tags": ["post_id tag_id position", (1, 5, 0)]}))
case(
    149, "a skipped record and its children count as seen: no sweep removes them", POSTS % ("true", ", sweep: true"),
    load('[{"id": 1, "v": 2, "tags": [{"id": 5}]}, {"id": 2, "v": 1, "tags": [{"id": 6}]}]'),
    load('[{"id": 1, "v": 2, "tags": []}]', tables={
        "posts": ["id v", (1, 2)], "tags": ["id name", (5, None)]}))
