"""What becomes of a value in a column of a type: a closed table, nothing guessed."""
from table import case, covered, load


def one(type, **more):
    """A mapping with one typed column, `v`."""
    options = "".join(f", {name}: {value}" for name, value in more.items())
    return "records:\n  Item: {table: items, key: id, fields: {id: , v: {type: %s%s}}}\n" % (type, options)


def values(*texts):
    return "[%s]" % ", ".join('{"id": %d, "v": %s}' % pair for pair in enumerate(texts))


def taken(type, pairs, **more):
    """One row for each pair of a JSON value and what is stored."""
    return one(type, **more), load(
        values(*(text for text, _ in pairs)),
        tables={"items": ["id v", *((index, stored) for index, (_, stored) in enumerate(pairs))]})


def refused(texts):
    """Every value is a reject of its own, and nothing is stored."""
    return load(
        values(*texts), exit=3, rejects=[f"Item /{index} v: " for index in range(len(texts))],
        tables={"items": ["id v"]})


case(21, "a boolean in a text column is `true` or `false`", *taken("text", [("true", "true"), ("false", "false")]))
case(
    22, "a number in a text column is its digits as they were written",
    *taken("text", [("123", "123"), ("1.50", "1.50"), ("1e3", "1e3"), ("-0", "-0")]))
case(
    23, "a long integer in a text is stored to the last digit",
    *taken("integer", [('"72057594037927937"', 72057594037927937), ('"-9007199254740993"', -9007199254740993)]))
case(
    24, "a text with a fraction becomes a real number",
    *taken("real", [('"98.765"', 98.765), ('"1e-3"', 0.001), ("2", 2.0)]))
WORDS = {1: ["true", "True", "T", "t", "yes", "YES", "Y", "y", "on", "1"],
         0: ["false", "FALSE", "F", "f", "no", "No", "N", "n", "off", "0"]}
covered(25, 26, "the words for true and false are one table")
case(
    26, "the words for true and false, in any letter case, and no other",
    *taken("boolean", [(f'"{word}"', value) for value, words in WORDS.items() for word in words]),
    load(values('"ja"', '"2"', '"tru"', '"yes please"'), exit=3, rejects=[f"Item /{n} v: boolean" for n in range(4)]))
NONSENSE = ['":-)"', '"12abc"', '"0x10"', '"1,5"', '"--1"', '"1 000"', "[1]", "{}"]
case(27, "a text that is no number is a reject in a number column, never a 0", one("integer"), refused(NONSENSE))
case(
    28, "the numbers 1 and 0 are true and false, and no other number is",
    *taken("boolean", [("1", 1), ("0", 0), ("true", 1), ("false", 0)]),
    load('[{"id": 8, "v": 2}, {"id": 9, "v": 0.5}]', exit=3, rejects=["Item /0 v: ", "Item /1 v: "]))
case(29, "a text that is no number is a reject in a decimal column", one("decimal"), refused(NONSENSE))
case(
    30, "numbers and texts become decimals with every digit",
    *taken("decimal", [('"214"', "214"), ("214", "214"), ("1.50", "1.50"), ("1e3", "1000"), ("-0.0", "0.0"),
                       ('"0.10000000000000000000000000001"', "0.10000000000000000000000000001")]))
case(
    31, "what is no absolute address is a reject in a url column",
    one("url"), refused(['"not an address"', '"/relative"', '"http://"', "17", '["https://example.test"]', "true"]))
case(
    32, "one value where a list is expected is a list of one", """
records:
  Post: {table: posts, key: id, fields: [id], relationships: {labels: [Label]}}
  Label: {fields: {label: .}}
""", load('[{"id": 1, "labels": "solo"}, {"id": 2, "labels": ["a", "b"]}]', tables={
    "post_labels": ["post_id position label", (1, 0, "solo"), (2, 0, "a"), (2, 1, "b")]}))
case(
    33, "an object in a json column is kept whole, digit for digit",
    *taken("json", [('{ "b" : [1.10, {"c": null}],  "a": "x y" }', '{"b":[1.10,{"c":null}],"a":"x y"}'),
                    ('"text"', '"text"'), ("12", "12")]))
case(
    34, "the type holds for a value from deep within as for one from the top",
    "records:\n  Item: {table: items, key: id, fields: {id: , v: {from: a.b.c, type: integer}}}",
    load('[{"id": 1, "a": {"b": {"c": "12"}}}, {"id": 2, "a": {"b": {"c": "x"}}}]', exit=3,
         rejects=["Item /1 v: not an integer"], tables={"items": ["id v", (1, 12)]}))
case(
    35, "a value of the wrong kind rejects the record, which is kept in the rejects as it came", one("date"),
    load('[{"id":1,"v":12}]', exit=3, rejects=["Item /0 v: "], tables={"items": ["id v"]},
         sql=[("select value from _ingest_rejects", [('{"id":1,"v":12}',)])]))
case(36, "a text that is no boolean is a reject", one("boolean"), refused(['"Perhaps"', "[true]"]))
case(
    37, "a column without a type takes every scalar as it came",
    "records:\n  Item: {table: items, key: id, fields: [id, v]}",
    load(values('"7"', "7", "7.5", "null", "true", '[1, "a"]'), tables={
        "items": ["id v", (0, "7"), (1, 7), (2, 7.5), (3, None), (4, 1), (5, '[1,"a"]')]}))
case(
    38, "a table of values turns codes into words, with a word for all others",
    *taken("text", [('"h"', "hot"), ('"c"', "cold"), ('"q"', "unknown"), ("null", None)],
           map="{h: hot, c: cold}", map_else="unknown"),
    load(values("12", '"H"'), tables={
        "items": ["id v", (0, "unknown"), (1, "unknown"), (2, "unknown"), (3, None)]}))
case(
    39, "the reject of a number says what is wrong with it", one("integer"),
    load(values('"12x"', "1.5", "9223372036854775808", "[1]"), exit=3, rejects=[
        "Item /0 v: text of 3 characters is not an integer", "Item /1 v: fraction", "Item /2 v: 64 bits",
        "Item /3 v: array"]))
case(
    40, "an identifier of 32 hexadecimal digits is stored in one spelling; another text is a reject",
    *taken("uuid", [('"6C1F9A00-9E07-4DB0-8E5F-0A4B5C6D7E8F"', "6c1f9a00-9e07-4db0-8e5f-0a4b5c6d7e8f"),
                    ('"{6c1f9a009e074db08e5f0a4b5c6d7e8f}"', "6c1f9a00-9e07-4db0-8e5f-0a4b5c6d7e8f")]),
    load('[{"id": 9, "v": "6c1f9a00-9e07"}]', exit=3, rejects=["Item /0 v: "]))
case(
    41, "the largest and smallest integers of 64 bits survive",
    *taken("integer", [("9223372036854775807", 2**63 - 1), ("-9223372036854775808", -2**63),
                       ('"9223372036854775807"', 2**63 - 1), ("5.0", 5), ("1e3", 1000)]))
case(
    42, "an integer beyond 64 bits, or a number beyond a double, is a reject, never another number",
    "records:\n  Item: {table: items, key: id, fields: {id: , v: {type: integer}, w: {type: real}}}",
    load('[{"id": 1, "v": 9223372036854775808}, {"id": 2, "v": 1e30}, {"id": 3, "w": 1e999}]', exit=3,
         rejects=["Item /0 v: ", "Item /1 v: ", "Item /2 w: "], tables={"items": ["id v w"]}))
case(
    43, "base64 and its form for addresses become bytes",
    *taken("bytes", [('"aGk/fj8="', b"hi?~?"), ('"aGk_fj8"', b"hi?~?"), ('""', None)]),
    load('[{"id": 9, "v": "a!"}]', exit=3, rejects=["Item /0 v: "]))
case(
    44, "a fraction is no integer, 2 and 1.0 are no booleans, and the message names record and field",
    "records:\n  Item: {table: items, key: id, fields: {id: , v: {type: integer}, ok: {type: boolean}}}",
    load('[{"id": 1, "v": 1.1}, {"id": 2, "ok": 2}, {"id": 3, "ok": 1}, {"id": 4, "ok": 0}]', exit=3,
         has=["/0: Item.v", "/1: Item.ok"], rejects=["Item /0 v: ", "Item /1 ok: "],
         tables={"items": ["id v ok", (3, None, 1), (4, None, 0)]}))
case(
    45, "a transform of the field comes before what its type does",
    "records:\n  Item: {table: items, key: id, fields: {id: , v: {type: decimal, transform: [{shift: -2}]}, "
    "w: {type: integer, transform: [{extract: \"([0-9]+) kg\"}]}}}",
    load('[{"id": 1, "v": 2000, "w": "about 12 kg"}, {"id": 2, "v": "5"}]', tables={
        "items": ["id v w", (1, "20.00", 12), (2, "0.05", None)]}))
case(
    46, "of several formats the first that fits wins: day and month go by the order in which they are written",
    *taken("date", [('"02/06/2018"', "2018-06-02"), ('"02/26/2018"', "2018-02-26")],
           format="[dd/MM/yyyy, MM/dd/yyyy]"))
case(
    47, "when no format fits, one reject says so for all of them", one("date", format="[dd/MM/yyyy, yyyy-MM-dd]"),
    load(values('"next week"'), exit=3, rejects=["Item /0 v: none of the 2 formats"]))
