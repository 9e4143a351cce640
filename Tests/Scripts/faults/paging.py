"""Walks that do not end, circles, and cursors of odd shapes (R96 to R103, R152 to R156)."""

import json

from cases import case, table
from raw_server import whole

BY_CURSOR = "    paginate: {by: cursor, param: after, from: next}\n"
BY_URL = "    paginate: {by: next_url, from: next}\n"
BY_PAGE = "    paginate: {by: page, param: page, start: 1%s}\n"


def page(*ids, **more):
    return whole(json.dumps({"rows": [{"id": number, "name": f"n{number}"} for number in ids], **more}))


def pages(*contents):
    return [page(*ids, **more) for ids, more in contents]


def cursor(value, text=None):
    """A first page with this cursor, and a second, last one."""
    first = page(1, 2, next=value) if text is None else whole('{"rows": [{"id": 1}, {"id": 2}], "next": %s}' % text)
    return [first, page(3)]


FIVE = [page(n, n + 1, next=f"c{n}") for n in range(1, 6)]

CASES = [
    case(
        "R96",
        "the same next URL for ever",
        page(1, 2, 3, next="/rows?page=2"),
        1,
        "page=2",
        requests=2,
        endpoint=BY_URL,
    ),
    case(
        "R97",
        "a circle of three",
        [page(n % 3 + 1, next=f"c{n % 3}", n=n) for n in range(9)],
        1,
        "c0",
        requests=4,
        endpoint=BY_CURSOR,
    ),
    case("R98", "new URLs, the same body", page(1, 2, 3), 1, "same body", requests=2, endpoint=BY_PAGE % ""),
    case(
        "R99",
        "new cursors, never a record",
        [page(next=f"c{n}") for n in range(30)],
        0,
        "names a next",
        requests=1,
        endpoint=BY_CURSOR,
        stored=[],
    ),
    case(
        "R101",
        "has_more for ever, without records",
        page(more=True),
        1,
        requests=3,
        endpoint=BY_PAGE % ", has_more: more",
        source="  limits: {pages: 3}\n",
    ),
    case(
        "R101",
        "a total that is not reached",
        [page(1, 2, total=9), page(total=9), page(total=9)],
        1,
        "9",
        requests=3,
        endpoint=BY_PAGE % ", total: total",
    ),
    case(
        "R101",
        "a total that shrinks",
        [page(1, 2, total=4), page(3, total=3)],
        0,
        requests=2,
        endpoint=BY_PAGE % ", total: total",
    ),
    case("R102", "a cursor that is null", page(1, 2, 3, next=None), 0, requests=1, endpoint=BY_CURSOR),
    case("R102", "a cursor that is empty", page(1, 2, 3, next=""), 0, requests=1, endpoint=BY_CURSOR),
    case("R102", "a cursor that is the word null", cursor("null"), 0, requests=2, endpoint=BY_CURSOR),
    case("R102", "a cursor that is 0", cursor(0), 0, requests=2, endpoint=BY_CURSOR),
    case("R102", "a cursor of 20 digits", cursor(None, "12345678901234567890"), 0, requests=2, endpoint=BY_CURSOR),
    case(
        "R102", "a cursor that is an object", page(1, 2, 3, next={"a": 1}), 1, "next", requests=1, endpoint=BY_CURSOR
    ),
    case(
        "R103", "max_pages", FIVE, 0, "max_pages", requests=2, stored=[1, 2, 3], endpoint=BY_PAGE % ", max_pages: 2"
    ),
    case(
        "R103",
        "limits.pages",
        FIVE,
        1,
        "limits.pages",
        requests=2,
        stored=[1, 2, 3],
        endpoint=BY_CURSOR,
        source="  limits: {pages: 2}\n",
    ),
    case(
        "R155", "an empty list: the walk is complete, and what it has not seen goes", page(), 0, requests=1, stored=[]
    ),
    case("R155", "null in place of the list", whole('{"rows": null}'), 0, "null", requests=1),
    case("R155", "null in the list", whole('{"rows": [null]}'), 0, "null", requests=1),
    case(
        "R156",
        "one object in place of the list",
        whole('{"rows": {"id": 1, "name": "one"}}'),
        0,
        requests=1,
        stored=[1],
    ),
    case("R156", "rows under a changing name", whole('{"rows2": [{"id": 1}]}'), 1, "rows2", requests=1),
]


PARTS = {"cases": table(CASES)}
