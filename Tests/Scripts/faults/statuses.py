"""Statuses, waits that servers ask for, and error pages (R47 to R56)."""

import email.utils
import time

from cases import STORED, case, table
from raw_server import whole

GOOD = whole(STORED)


def limited(wait):
    return whole('{"message": "slow down"}', f"Retry-After: {wait}", status="429 Too Many")


def once(answer):
    return [answer, GOOD]


def soon():
    return email.utils.formatdate(time.time() + 2, usegmt=True)


CASES = [
    case("R47", "Retry-After of seconds", once(limited(1)), 0, "1 s"),
    case("R47", "Retry-After of a date", once(limited(soon())), 0),
    case("R47", "Retry-After of none", once(limited(0)), 0),
    case("R47", "Retry-After below none", once(limited(-1)), 0),
    case("R47", "Retry-After of a word", once(limited("soon")), 0),
    case("R47", "Retry-After of years", limited(10**9), 1, "max_wait", requests=1),
    case(
        "R47",
        "a reset of years",
        whole(
            "{}",
            f"X-RateLimit-Reset: {int(time.time()) + 10 ** 6}",
            "X-RateLimit-Remaining: 0",
            status="429 Too Many",
        ),
        1,
        "max_wait",
        requests=1,
    ),
    case("R48", "a storm of 429", limited(0), 1, "429", "tried 5 times", attempts=5),
    *(
        case("R49", f"{status} once", once(whole("{}", status=f"{status} X")), 0)
        for status in (408, 425, 500, 502, 503, 504)
    ),
    *(
        case("R51", f"{status}", whole('{"message": "no"}', status=f"{status} X"), 1, str(status), requests=1)
        for status in (400, 403, 404, 405, 409, 410, 422, 501, 505)
    ),
    case(
        "R51",
        "400 behind the last page",
        [whole('{"rows": [{"id": 1}, {"id": 2}, {"id": 3}]}'), whole("{}", status="400 Bad")],
        1,
        "400",
        later=[1, 2, 3, 4],
        endpoint="    paginate: {by: page, param: page, start: 1}\n",
    ),
    case(
        "R51",
        "400 behind the last page, declared as the end",
        [whole(STORED), whole('{"code": "no_page"}', status="400 Bad")],
        0,
        endpoint="    paginate: {by: page, param: page, start: 1}\n"
        "    errors: [{status: 400, when: {code: no_page}, action: stop}]\n",
    ),
    case(
        "R52",
        "a key that is refused",
        whole('{"message": "who are you"}', status="401 Unauthorized"),
        1,
        "401",
        requests=1,
    ),
    case(
        "R55",
        "a POST that timed out is not sent again",
        [[2.0, GOOD]],
        1,
        "idempotent",
        requests=1,
        timeout="300ms",
        endpoint="    method: POST\n",
    ),
    case(
        "R56",
        "an error page of 50 MB",
        lambda: [whole(b"x" * (50 << 20), status="500 X", kind="text/plain")],
        1,
        "500",
    ),
    case(
        "R56",
        "a binary error page",
        whole(bytes(range(256)) * 9, status="400 X", kind="image/png"),
        1,
        "400",
        requests=1,
        not_said=["\x1b", "\x07"],
    ),
    case("R56", "a deep error page", whole("[" * 100000, status="500 X"), 1, "500"),
    case(
        "R56",
        "an error page in gzip that is cut",
        whole(b"\x1f\x8b\x08\0", "Content-Encoding: gzip", status="503 X"),
        1,
    ),
    case(
        "R87",
        "colours, direction and line ends in the API's words",
        whole('{"message": "\\u001b[31mred\\u202eevil\\r\\nerror: fake\\u0000\\u0085"}', status="400 X"),
        1,
        "red",
        requests=1,
        not_said=["\x1b", "\u202e", "\nerror: fake", "\0", "\x85"],
        endpoint="errors: [{status: 4xx, message: message}]\n",
    ),
    case(
        "R87",
        "100 KB of the API's words",
        whole('{"message": "' + "w" * 100000 + '"}', status="400 X"),
        1,
        "www",
        requests=1,
        not_said=["w" * 2500],
        endpoint="errors: [{status: 4xx, message: message}]\n",
    ),
]


PARTS = {"cases": table(CASES)}
