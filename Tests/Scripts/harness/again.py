"""What was fetched once needs no server: recorded answers, and bodies in the archive, make the same tables."""
import os

import changing
import compare
from mapping import mapping
from server import serving


def check(checks, where, options):
    for number, kind in enumerate(options.kind):
        api = changing.ChangingAPI(options.seed + number, size=3, kind=kind)
        for _ in range(4):
            api.add_boat()
        api.change(40)
        with serving(api) as server:
            with open(os.path.join(where, f"again-{kind}.yaml"), "w", encoding="utf-8") as out:
                out.write(mapping(server.url, kind, api.size, archive="true"))
            again(checks, where, api, server, Runs(checks, where, kind))


class Runs:
    def __init__(self, checks, where, kind):
        self.checks, self.where, self.kind = checks, where, kind

    def __call__(self, store, *arguments):
        self.checks.run(
            *arguments, "--config", f"again-{self.kind}.yaml", "--store", f"sqlite:{self.database(store)}",
            cwd=self.where, timeout=120)
        return compare.dump(self.database(store))

    def database(self, store):
        return os.path.join(self.where, f"again-{self.kind}-{store}.db")


def again(checks, where, api, server, run):
    what = f"again: {api.kind}"
    recordings = [os.path.join(where, f"recorded-{api.kind}-{number}") for number in (1, 2)]
    first = run("live", "record", recordings[0])
    api.change(20)
    second = run("live", "record", recordings[1])
    checks.expect(f"{what}: something has changed", first != second)
    asked = len(server.seen)
    checks.expect(f"{what}: recorded, the first run", run("recorded", "--recorded", recordings[0]) == first)
    checks.expect(f"{what}: recorded, the second run", run("recorded", "--recorded", recordings[1]) == second)
    checks.expect(f"{what}: archived bodies, mapped again", run("live", "replay") == second)
    checks.equal(f"{what}: the store", compare.faults(run.database("live")), [])
    checks.equal(f"{what}: no request was made again", len(server.seen), asked)
