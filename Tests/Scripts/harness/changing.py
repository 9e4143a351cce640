"""An API whose data change between requests, as a seed has it, and which remembers what it has served.

Boats are listed whole: a deleted one is simply no longer there. Trips belong to a boat and are asked for by it; they
can be asked for since a time, may come late (with a time that has passed), and leave a tombstone. Events are only ever
added or, between runs, changed, many of them in the same second. Readings have no key.
"""
import base64
import datetime
import json
import random
import urllib.parse

from server import answer

START = datetime.datetime(2024, 5, 1, tzinfo=datetime.timezone.utc)
KINDS = ["cursor", "next_url", "link_header", "last_value", "page", "offset"]
# Kinds that do not lose a row when rows are added while they walk.
STEADY = ["cursor", "next_url", "link_header", "last_value"]
WORDS = ["ebb", "flood", "slack", "neap", "spring", "swell", "fog", "gale"]
CHANGES = ["trip", "trip", "note", "stops", "event", "gone", "boat", "name", "word", "no boat"]
# A late row is at most this much behind; a mapping that wants it looks back further.
LATE = 4


def text(seconds):
    return (START + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(text):
    return int((datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) - START).total_seconds())


class ChangingAPI:
    def __init__(self, seed, size=3, kind="cursor"):
        self.random, self.size, self.kind = random.Random(seed), size, kind
        self.now, self.last_id, self.generation = 100, 0, 1
        self.boats, self.trips, self.events, self.readings = {}, {}, {}, []
        # While it is walked: how many changes follow each request.
        self.moves, self.repeats_old = 0, False
        # What a store has to hold, had it stored every page in the order in which it was served.
        self.served = {"boats": {}, "trips": {}, "events": {}}
        self.old = {}

    # MARK: changes

    def new_id(self):
        self.last_id += 1
        return self.last_id

    def tick(self):
        """Time goes on, often not at all: equal times are the rule."""
        self.now += self.random.choice([0, 0, 0, 1])

    def add_boat(self):
        boat = {"id": self.new_id(), "name": self.random.choice(WORDS), "version": 1}
        self.boats[boat["id"]] = boat

    def add_trip(self, boat=None):
        live = sorted(self.boats)
        late = self.random.choice([0, 0, 0, 0, 1, 2, LATE])
        trip = {
            "id": self.new_id(), "boat": boat or self.random.choice(live), "updated_at": self.now - late, "version": 1,
            "note": self.random.choice(WORDS), "stops": self.random.choices(WORDS, k=self.random.randrange(4))}
        self.trips[trip["id"]] = trip

    def add_event(self, at=None):
        event = {"id": self.new_id(), "at": at or self.now, "version": 1, "word": self.random.choice(WORDS)}
        self.events[event["id"]] = event

    def same_second(self):
        """In the second of the last event that was read, one more comes, and one that was read changes."""
        last = max((event["at"] for event in self.events.values()), default=self.now)
        self.add_event(last)
        self.update({n: event for n, event in self.events.items() if event["at"] == last}, word="same second")

    def add_reading(self):
        self.readings.append({"n": len(self.readings) + 1, "level": self.random.randrange(100)})

    def update(self, rows, **values):
        if rows:
            row = rows[self.random.choice(sorted(rows))]
            self.old[row["id"]] = dict(row)
            row.update(values, version=row["version"] + 1)

    def change(self, count, between_runs=True):
        """So many changes. Some are made only while nobody walks: no walk could see them all."""
        if between_runs:
            self.same_second()
        for _ in range(count):
            self.tick()
            kind = self.random.choice(CHANGES)
            if kind == "trip" and self.boats:
                self.add_trip()
            elif kind == "note":
                self.update(self.live_trips(), updated_at=self.now, note=self.random.choice(WORDS))
            elif kind == "stops":
                self.update(self.live_trips(), updated_at=self.now, stops=self.random.choices(WORDS, k=3))
            elif kind == "event":
                self.add_event()
            elif kind == "gone":
                self.update(self.live_trips(), updated_at=self.now, deleted=True)
            elif between_runs and kind == "boat":
                self.add_boat()
            elif between_runs and kind == "name":
                self.update(self.boats, name=self.random.choice(WORDS))
            elif between_runs and kind == "word":
                self.update(self.events, at=self.now, word=self.random.choice(WORDS))
            elif between_runs and kind == "no boat" and len(self.boats) > 3:
                self.boats.pop(self.random.choice(sorted(self.boats)))
        if between_runs:
            self.generation += 1

    def live_trips(self):
        return {number: trip for number, trip in self.trips.items() if not trip.get("deleted")}

    # MARK: answers

    def __call__(self, request):
        if self.moves:
            self.change(self.random.randrange(self.moves + 1), between_runs=False)
        names = request.path.strip("/").split("/")
        if names == ["boats"]:
            rows = sorted(self.boats.values(), key=lambda row: row["id"])
            return self.page(request, rows, "id", lambda row: self.serve("boats", row))
        if names == ["events"]:
            rows = self.since(request, self.events.values(), "at")
            return self.page(request, rows, "at", lambda row: self.serve("events", row, at=text(row["at"])))
        if names == ["readings"]:
            return self.page(request, self.readings, "n", dict)
        if len(names) == 3 and names[0] == "boats" and names[2] == "trips":
            of_boat = [trip for trip in self.trips.values() if trip["boat"] == int(names[1])]
            return self.page(request, self.since(request, of_boat, "updated_at"), "updated_at", self.serve_trip)
        return answer({"message": f"no such list: {request.path}"}, 404)

    def since(self, request, rows, column):
        """Those not older than the time asked from, in the order of time."""
        start = seconds(request.query["since"]) if "since" in request.query else 0
        key = (lambda row: (row["id"],)) if self.kind == "last_value" else lambda row: (row[column], row["id"])
        return sorted((row for row in rows if row[column] >= start), key=key)

    def serve(self, table, row, **shown):
        self.served[table][row["id"]] = dict(row)
        return {**row, **shown}

    def serve_trip(self, row):
        held = self.served["trips"].get(row["id"])
        if row.get("deleted"):
            self.served["trips"].pop(row["id"], None)
        elif held is None or held["version"] < row["version"]:
            self.served["trips"][row["id"]] = dict(row)
        shown = {**row, "updated_at": text(row["updated_at"])}
        if row.get("deleted"):
            return {name: shown[name] for name in ("id", "updated_at", "version", "deleted")}
        return shown

    def page(self, request, rows, column, serve):
        choose = self.by_key if self.kind in ("cursor", "next_url", "link_header") else self.by_number
        chosen, next_query = choose(request.query, rows, column)
        served = [serve(row) for row in chosen]
        if self.repeats_old:
            served += [shown for row in chosen for shown in self.outdated(row)]
        body = {"rows": served, "page": f"{self.generation} {request.target}", "total": len(rows)}
        if next_query is None:
            return answer({**body, "next": None, "more": False})
        url = request.path + "?" + urllib.parse.urlencode({**request.query, **next_query})
        if self.kind == "link_header":
            return answer(body, Link=f'<{url}>; rel="next"')
        return answer({**body, "next": url if self.kind == "next_url" else next_query.get("cursor"), "more": True})

    def outdated(self, row):
        """A replica that lags behind: the row once more, as it was."""
        old = self.old.get(row["id"])
        if old and "boat" in old and not row.get("deleted") and self.random.random() < 0.3:
            yield {**old, "updated_at": text(old["updated_at"])}

    def by_key(self, query, rows, column):
        """A cursor names the last row: what comes behind it is next, wherever it stands by then."""
        number = "n" if column == "n" else "id"
        if "cursor" in query:
            last = tuple(json.loads(base64.urlsafe_b64decode(query["cursor"])))
            rows = [row for row in rows if (row[column], row[number]) > last]
        chosen = rows[:self.size]
        if len(rows) <= self.size:
            return chosen, None
        last = [chosen[-1][column], chosen[-1][number]]
        return chosen, {"cursor": base64.urlsafe_b64encode(json.dumps(last).encode()).decode()}

    def by_number(self, query, rows, column):
        if self.kind == "last_value":
            number = "n" if column == "n" else "id"
            rows = [row for row in rows if row[number] > int(query.get("after", 0))]
            return rows[:self.size], {} if len(rows) > self.size else None
        start = int(query["offset"]) if self.kind == "offset" else (int(query["page"]) - 1) * self.size
        return rows[start:start + self.size], {} if start + self.size < len(rows) else None
