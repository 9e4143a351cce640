#!/usr/bin/env python3
"""Writes three small inputs, always the same bytes, for counting instructions.

    fixed-inputs.py FOLDER

articles.ndjson   pages of articles with three lists each, one page a line
events.ndjson     events of several kinds with nested objects, some with a list
flat.ndjson       rows of twelve plain columns
"""
import json
import os
import sys

WORDS = (
    "harbor pier tide ferry anchor rope net gull tern heron lantern market bridge canal lock quay mast sail keel deck "
    "storm chart compass signal beacon island shore cliff meadow orchard mill bakery school library court council"
).split()
ACCENTED = ["café", "Łódź", "東京", "naïve", "Ōhashi", "“quoted”"]


class Numbers:
    """A small generator of its own, so that no version of Python changes the bytes."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound

    def pick(self, values):
        return values[self.below(len(values))]

    def text(self, low, high):
        words = [self.pick(ACCENTED if self.below(30) == 0 else WORDS) for _ in range(low + self.below(high - low + 1))]
        text = " ".join(words)
        if self.below(8) == 0:
            text += ' "so to say"\nand on'
        return text.capitalize()

    def time(self, zone="Z"):
        return "2019-%02d-%02dT%02d:%02d:%02d%s" % (
            1 + self.below(12), 1 + self.below(28), self.below(24), self.below(60), self.below(60), zone)


def article(numbers, n):
    return {
        "_id": "example://article/%08x" % (n * 2654435761 % 2**32), "web_url": f"https://news.example.test/a/{n}.html",
        "snippet": numbers.text(10, 30), "lead_paragraph": numbers.text(25, 60),
        "abstract": numbers.text(10, 25) if numbers.below(3) else None, "print_page": str(1 + numbers.below(30)),
        "headline": {"main": numbers.text(4, 10), "kicker": None, "print_headline": numbers.text(3, 6)},
        "keywords": [
            {"name": numbers.pick(["subject", "persons"]), "value": numbers.text(1, 4), "rank": rank + 1, "major": "N"}
            for rank in range(numbers.below(7))],
        "pub_date": numbers.time("+0000"), "document_type": "article", "section_name": numbers.pick(WORDS).title(),
        "byline": {
            "original": "By " + numbers.text(2, 3),
            "person": [
                {"firstname": "Ada", "lastname": numbers.pick(WORDS), "rank": 1} for _ in range(numbers.below(3))]},
        "multimedia": [
            {"url": f"images/{n}/{i}.jpg", "height": 75 * (i + 1), "width": 100 * (i + 1), "subType": "wide"}
            for i in range(numbers.below(6))],
        "word_count": str(numbers.below(4000)) if numbers.below(2) else numbers.below(4000),
    }


def articles(numbers):
    n = 0
    for page in range(12):
        docs = []
        for _ in range(20 + numbers.below(30)):
            docs.append(article(numbers, n))
            n += 1
        yield {"status": "OK", "copyright": "none", "response": {"docs": docs, "meta": {"hits": 10**6, "offset": page}}}


def events(numbers):
    for n in range(1200):
        kind = numbers.pick(["push", "push", "create", "watch"])
        login = numbers.pick(WORDS) + str(numbers.below(1000))
        event = {
            "id": str(22249084964 + n), "type": kind, "public": True, "created_at": numbers.time(),
            "actor": {"id": numbers.below(10**8), "login": login, "url": f"https://api.example.test/users/{login}"},
            "repo": {"id": numbers.below(10**9), "name": f"{login}/{numbers.pick(WORDS)}"}, "payload": {}}
        if kind == "push":
            event["payload"] = {"push_id": 10125000000 + n, "ref": "refs/heads/main", "commits": [
                {"sha": "%040x" % (n * 7919 + i), "author": {"email": f"{login}@example.test", "name": "Ada"},
                 "message": numbers.text(3, 20), "distinct": i % 2 == 0} for i in range(1 + numbers.below(4))]}
        if numbers.below(4) == 0:
            event["org"] = {"id": n, "login": "org-" + numbers.pick(WORDS)}
        yield event


def flat(numbers):
    for n in range(4000):
        yield {
            "id": n, "big": 2**60 + n * 7919, "ratio": numbers.below(10**9) / 7, "price": numbers.below(10**4) / 100,
            "active": numbers.below(2) == 0, "flag": numbers.pick([True, False, None]),
            "created_at": numbers.time(".%03dZ" % numbers.below(1000)), "day": numbers.time()[:10],
            "name": numbers.text(1, 3), "city": numbers.pick(ACCENTED), "note": numbers.pick([None, "a note"]),
            "category": "c%d" % numbers.below(40)}


def main():
    folder = sys.argv[1]
    for seed, (name, values) in enumerate((("articles", articles), ("events", events), ("flat", flat)), 1):
        with open(os.path.join(folder, name + ".ndjson"), "w", encoding="utf-8", newline="") as out:
            for value in values(Numbers(seed)):
                out.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")


main()
