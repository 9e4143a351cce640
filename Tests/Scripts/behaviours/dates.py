"""Dates and times: which texts are one, what is kept, what is refused."""
from table import case, covered, load


def one(type, **more):
    options = "".join(f", {name}: {value}" for name, value in more.items())
    return "records:\n  Event: {table: events, key: id, fields: {id: , at: {type: %s%s}}}\n" % (type, options)


def times(*texts):
    return "[%s]" % ", ".join('{"id": %d, "at": %s}' % pair for pair in enumerate(texts))


def read(type, pairs, **more):
    return one(type, **more), load(times(*(text for text, _ in pairs)), tables={
        "events": ["id at", *((number, stored) for number, (_, stored) in enumerate(pairs))]})


def refused(*texts):
    return load(times(*texts), exit=3, rejects=[f"Event /{number} at: " for number in range(len(texts))],
                tables={"events": ["id at"]})


NOON = "2018-02-03 14:15:16"
case(
    48, "one instant in all the spellings of a timestamp is stored in one spelling, with its fraction",
    *read("timestamp", [(f'"{text}"', stored) for text, stored in [
        ("2018-02-03 14:15:16", NOON), ("2018-02-03T14:15:16", NOON), ("2018-02-03T10:15:16-04:00", NOON),
        ("2018-02-03T10:15:16-0400", NOON), ("2018-02-03T10:15:16-04", NOON), ("2018-02-03T14:15:16-0000", NOON),
        ("2018-02-03T14:15:16Z", NOON), ("2018-02-03T14:15:16.777Z", NOON + ".777"),
        ("2018-02-03T14:15:16,5", NOON + ".5"), ("2018-02-03T14:15:16.500Z", NOON + ".5")]]))
case(
    49, "week dates, days of the year, bare years and half times are no timestamps", one("timestamp"),
    refused('"2018-W05-6"', '"2018-034"', '"2019"', '"20180203"', '"2018-02-03 14"', '"14:15:16"', '"yesterday"'))
case(
    50, "every digit of a fraction is kept",
    *read("timestamp", [('"2018-02-03T14:15:16.123456Z"', NOON + ".123456"),
                        ('"2018-02-03T14:15:16.123456789Z"', NOON + ".123456789")]))
case(
    51, "years beyond 2038 are years like any other",
    *read("timestamp", [('"2999-12-31T20:30:40-04:00"', "3000-01-01 00:30:40"),
                        ('"1901-01-01T00:00:00Z"', "1901-01-01 00:00:00")]))
case(52, "blank text in a date column is null, not some date", *read("timestamp", [('""', None), ('"  "', None)]))
case(
    53, "seconds since 1970 in a text are an instant when the format says so",
    *read("timestamp", [('"500000000"', "1985-11-05 00:53:20"), ('"-1"', "1969-12-31 23:59:59")], format="epoch_s"))
case(
    54, "seconds, milliseconds and smaller units as numbers are told apart by the format, never by their size", """
records:
  Event:
    table: events
    key: id
    fields:
      id:
      s: {type: timestamp, format: epoch_s}
      ms: {type: timestamp, format: epoch_ms}
      us: {type: timestamp, format: epoch_us}
      plain: {type: timestamp, on_invalid: "null"}
""", load('[{"id": 1, "s": 500000000.25, "ms": 500000000250, "us": 500000000250000, "plain": 500000000}]', tables={
        "events": ["id s ms us plain", (1, *["1985-11-05 00:53:20.25"] * 3, None)]}))
case(
    55, "day and month in figures are read only where a format gives their order; alone they are refused",
    *read("date", [('"04/05/2017"', "2017-04-05")], format="MM/dd/yyyy"),
    load('[{"id": 9, "at": "2016-10-11"}]', exit=3, rejects=["Event /0 at: "]))
case(
    56, "the format that the mapping writes is the only one tried",
    *read("date", [('"02/06/2018"', "2018-06-02")], format="dd/MM/yyyy"),
    load('[{"id": 9, "at": "02/26/2018"}]', exit=3, rejects=["Event /0 at: "]))
case(
    57, "a timestamp may do without seconds, or be a date alone, which is midnight",
    *read("timestamp", [('"2016-10-11T00:00Z"', "2016-10-11 00:00:00"), ('"2016-10-11"', "2016-10-11 00:00:00")]))
covered(58, 48, "a text in UTC keeps its instant")
case(
    59, "a text without an offset is read in the zone of the mapping, summer time included",
    *read("timestamp", [('"12-24-1995"', "1995-12-24 05:00:00"), ('"07-14-1995"', "1995-07-14 04:00:00")],
          format="MM-dd-yyyy", timezone="America/New_York"))
covered(60, 57, "a date alone is midnight in UTC")
case(
    61, "the date styles of mail and HTTP headers are formats",
    *read("timestamp", [('"Sun, 24 Dec 1995 05:00:00 GMT"', "1995-12-24 05:00:00"),
                        ('"24 Dec 1995 05:00:00 +0100"', "1995-12-24 04:00:00"),
                        ('"Sunday, 24-Dec-95 05:00:00 GMT"', "1995-12-24 05:00:00"),
                        ('"Sun Dec 24 05:00:00 1995"', "1995-12-24 05:00:00")],
          format="""[rfc2822, "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"]"""))
case(
    62, "an impossible date is refused, never rolled over into the next month",
    one("date", format='["MMMM d yyyy", yyyy-MM-dd]'),
    refused('"October 42 2013"', '"2013-02-29"', '"2013-13-01"', '"2013-00-10"'))
case(
    63, "a value of another kind is refused in a timestamp column", one("timestamp"),
    refused("true", "12", "{}", '["2016-10-11"]', '"11.10.2016"'))
