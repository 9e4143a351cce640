"""Runs against an API that changes: whatever it has served is in the tables as it was served last."""
import os
import random

import changing
import compare
from mapping import mapping
from server import serving

ROUNDS = 4


def check(checks, where, options):
    for number, kind in enumerate(options.kind):
        seed = options.seed + number
        api = changing.ChangingAPI(seed, size=random.Random(seed).choice([1, 2, 3, 5]), kind=kind)
        for _ in range(5):
            api.add_boat()
        api.change(60)
        with serving(api) as server:
            config = write(where, f"walks-{kind}.yaml", mapping(
                server.url, kind, api.size, concurrency=options.concurrency))
            one_kind(checks, where, api, config, f"{kind}, seed {seed}")


def write(where, name, text):
    with open(os.path.join(where, name), "w", encoding="utf-8") as out:
        out.write(text)
    return name


def one_kind(checks, where, api, config, what):
    database = os.path.join(where, f"{config}.db")

    def run(when):
        api.served["boats"] = {}
        checks.run("--config", config, "--store", f"sqlite:{database}", cwd=where, timeout=120)
        checks.equal(f"walks: {what}, {when}", compare.differences(database, api.served), [])

    run("the first run")
    for turn in range(ROUNDS):
        api.change(25)
        if api.kind in changing.STEADY:
            api.moves, api.repeats_old = 3, True
        run(f"round {turn + 1}")
        api.moves, api.repeats_old = 0, False
    run("at rest")
    checks.equal(f"walks: {what}, against what the API holds", compare.differences(database, truth(api)), [])
    before = compare.dump(database)
    run("once more")
    checks.expect(f"walks: {what}: once more, nothing changes", compare.dump(database) == before)


def truth(api):
    """What the API holds; the trips of a boat that is gone cannot be asked for, and stay as they were."""
    trips = {number: trip for number, trip in api.live_trips().items() if trip["boat"] in api.boats}
    left = {n: trip for n, trip in api.served["trips"].items() if trip["boat"] not in api.boats}
    return {"boats": api.boats, "trips": {**left, **trips}, "events": api.events}
