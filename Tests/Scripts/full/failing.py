"""A full and a broken disk, at every write and every sync of a run: once, and from there on (R130, R131, R170)."""

import errno
import subprocess

import compare
from calls import CHANGING, Calls, spread
from cut_runs import place
from scenes import CutScene, scene_api
from server import serving

ERRORS = {"ENOSPC": (errno.ENOSPC, ("write", "pwrite", "ftruncate")), "EIO": (errno.EIO, CHANGING)}
# Columns that tell by which page a row came, and in which order.
WITHOUT = ("page", "_id")
STARTS = ("existing", "fresh", "migration")


def same(checks, what, scene, database):
    """The tables hold what they hold without the fault. A run that failed has ended: walks that were complete by then
    are made again, from other cursors, so that rows may have come by other pages, and rows without a key once more."""
    held, wanted = compare.dump(database, WITHOUT), {**scene.tables}
    checks.equal(f"{what}: the tables", sorted(held), sorted(wanted))
    for table in sorted(set(wanted) - {"readings"}):
        checks.expect(
            f"{what}: {table}", held.get(table) == wanted[table],
            f"differing: {sorted(set(held.get(table, [])) ^ set(wanted[table]))[:4]}")
    times = {held["readings"].count(row) - scene.started.count(row) for row in wanted.get("readings", [])}
    most = {wanted["readings"].count(row) - scene.started.count(row) for row in wanted.get("readings", [])}
    is_whole = times in (most, {2 * n for n in most})
    checks.expect(f"{what}: readings came whole, once or twice", is_whole, f"{times} {most}")


def judge(checks, what, scene, before):
    """A run whose disk fails says so, its store is whole, and the next run ends where none had failed."""
    database = scene.database("cut")
    place(scene.start, database)
    process = scene.begin(database, before=before)
    try:
        _, said = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        _, said = process.communicate()
    code = process.returncode
    checks.expect(f"{what}: exit code 0 or 1", code in (0, 1), f"{code}\n{said}")
    if code:
        is_told = "disk" in said and "cut.db" in said and "Swift." not in said
        checks.expect(f"{what}: the disk and the file are named", is_told, said)
    else:
        same(checks, f"{what}: a run that succeeds", scene, database)
    checks.equal(f"{what}: the store", compare.faults(database), [])
    scene.server.forget()
    scene.run(checks, f"{what}: the next run", database)
    scene.server.forget()
    same(checks, what, scene, database)
    checks.equal(f"{what}: the store after it", compare.faults(database), [])
    return code != 0


def check(checks, where, given):
    calls = Calls(where)
    if not calls.is_there:
        checks.skip("disks that fail: there is no C compiler")
        return
    failed, tried = 0, 0
    for start in STARTS[:1] if given.quick else STARTS:
        with serving(scene_api("cursor", given.seed)) as server:
            scene = CutScene(checks, where, server, start)
            scene.tables = compare.dump(scene.database("whole"), WITHOUT)
            scene.started = compare.dump(scene.start, WITHOUT)["readings"] if scene.start else []
            points = []
            for name, (number, among) in ERRORS.items():
                made = calls.names(scene, among, scene.database("cut"))
                points += [
                    (name, number, among, n, called, on)
                    for n, called in enumerate(made, 1)
                    for on in (None, 1)
                ]
            count = given.count or (24 if given.quick else len(points))
            for name, number, among, n, called, on in spread(points, count):
                what = f"failing: {start}: {name} at {called} {n}{' and on' if on else ''}"
                before = calls.before(among, scene.database("cut"), at=n, do=number, on=on)
                failed += judge(checks, what, scene, before)
                tried += 1
            print(f"failing: {start}: {len(points)} points", flush=True)
    checks.expect("failing: most failures end a run", failed * 2 > tried, f"{failed} of {tried}")
    print(f"failing: {failed} of {tried} runs were ended by a disk that failed")
