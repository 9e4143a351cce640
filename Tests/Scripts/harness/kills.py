"""Kills at random moments of a run of some 60 pages, and at system calls of a shorter one."""
import os
import random
import shutil
import tempfile
import time

import compare
from cut_runs import Scene, place, scene_api
from server import serving

# What a run does to files and to the network.
ENDS = 8
CALLS = ["pwrite64", "fdatasync", "fsync", "ftruncate", "unlink", "openat", "write", "sendto", "recvfrom"]


class AtRandom:
    """Kills once so many requests have come and a moment has passed: the moments spread over the run on any machine."""

    def __init__(self, chance):
        self.chance = chance

    def __call__(self, scene, database):
        count = self.chance.randrange(len(scene.requests) + 2)
        pause = self.chance.uniform(0, 2 * scene.took / len(scene.requests))
        process = scene.begin(database)
        while process.poll() is None and not scene.server.wait_for(count, 0.05):
            pass
        time.sleep(pause)
        process.kill()
        process.communicate()


class AtCall:
    """Kills when the system call is made for the n-th time, before it is done."""

    def __init__(self, call, number):
        self.call, self.number = call, number

    def __call__(self, scene, database):
        inject = f"inject={self.call}:signal=KILL:when={self.number}"
        process = scene.begin(database, before=["strace", "-f", "-qq", "-o", "/dev/null", "-e", inject])
        process.communicate(timeout=120)


def at_random(checks, where, options):
    """Half of the runs begin with nothing, half with cursors; of four, one is cut twice."""
    chance = random.Random(options.seed)
    done = 0
    for index, kind in enumerate(options.kind):
        share = options.kills * (index + 1) // len(options.kind) - options.kills * index // len(options.kind)
        with serving(scene_api(kind, options.seed + index)) as server:
            scene = Scene(where, server, server.respond, concurrency=options.concurrency)
            for half in ("from nothing", "from cursors"):
                if half == "from cursors":
                    scene.move_on()
                scene.whole(checks)
                for number in range(share // 2 if half == "from nothing" else share - share // 2):
                    what = f"kills: {kind} {half}, seed {options.seed}, number {number}"
                    # What was not cut in time is tried again.
                    for _ in range(20):
                        cuts = [AtRandom(chance) for _ in range(chance.choice([1, 1, 1, 2]))]
                        if scene.cut(checks, what, cuts):
                            done += 1
                            break
    checks.equal("kills: runs that were cut", done, options.kills)
    print(f"kills: {done} runs of {len(scene.requests)} pages were cut at random moments, seed {options.seed}")


def as_a_whole(checks, where, options):
    """`commit: run`: a run that was cut has left the tables as they were, and the next one brings everything."""
    chance = random.Random(options.seed)
    kind, done = options.kind[0], 0
    with serving(scene_api(kind, options.seed)) as server:
        scene = Scene(where, server, server.respond, boats=4, trips=9, others=6, commit="run")
        for half in ("from nothing", "from cursors"):
            if half == "from cursors":
                scene.move_on()
            scene.whole(checks)
            before = filled(compare.dump(scene.start)) if scene.start else {}
            for number in range(options.kills // 4):
                what = f"whole: {kind} {half}, seed {options.seed}, number {number}"
                database = scene.database("cut")
                place(scene.start, database)
                AtRandom(chance)(scene, database)
                if not os.path.exists(database) or scene.has_ended(database):
                    continue
                done += 1
                left = filled(compare.dump(database))
                checks.expect(f"{what}: the cut run left nothing", left == before, f"{sorted(left)}")
                scene.server.forget()
                scene.run(checks, f"{what}: the next run", database)
                checks.equal(f"{what}: it asks for everything", sorted(scene.asked()), sorted(scene.requests))
                scene.equal(checks, what, database)
    checks.expect("whole: some runs were cut", done > options.kills // 8, f"{done}")
    print(f"whole: {done} runs that take effect as a whole were cut")


def filled(tables):
    return {name: held for name, held in tables.items() if held}


def at_calls(checks, where, options):
    if not shutil.which("strace"):
        checks.skip("kills at system calls: strace is not installed")
        return
    points = 0
    with serving(scene_api(options.kind[0], options.seed)) as server:
        scene = Scene(where, server, server.respond, boats=2, trips=6, others=6)
        scene.whole(checks)
        scene.move_on()
        scene.whole(checks)
        counts = counted(scene)
        found = [(call, n + 1) for call, count in counts.items() for n in range(count)]
        # The last writes end the run: none of them may be left out.
        ends = [("pwrite64", counts["pwrite64"] - n) for n in range(ENDS)]
        for call, number in dict.fromkeys(spread(found, options.points) + ends):
            points += scene.cut(checks, f"kills: before {call} number {number}", [AtCall(call, number)])
    checks.expect("kills: most calls cut a run", points * 2 > min(len(found), options.points), f"{points} points")
    print(f"kills: {points} runs were cut at one of {len(found)} system calls")


def spread(items, count):
    """So many of them, evenly."""
    return items if count >= len(items) else [items[index * len(items) // count] for index in range(count)]


def counted(scene):
    """How often a run makes each call."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as out:
        database = scene.database("traced")
        place(scene.start, database)
        before = ["strace", "-f", "-qq", "-c", "-U", "name,calls", "-o", out.name]
        process = scene.begin(database, before=before)
        process.communicate(timeout=120)
        scene.server.forget()
        lines = [line.split() for line in out.read().splitlines()]
    counts = {line[0]: int(line[1]) for line in lines if len(line) == 2 and line[1].isdigit()}
    return {call: counts[call] for call in CALLS if call in counts}
