"""Kills at every call by which a run changes a file or speaks to the server: before it, and in its middle (R91)."""

from calls import WRITING, Calls, spread
from scenes import SCENES, CutScene, scene_api
from server import serving


class At:
    """Kills a run at the n-th call; `how`: before it, or with half of its bytes written."""

    def __init__(self, calls, number, how):
        self.calls, self.number, self.how = calls, number, how

    def __call__(self, scene, database):
        before = self.calls.before(at=self.number, do=self.how)
        scene.begin(database, before=before).communicate(timeout=120)


def check(checks, where, given):
    calls = Calls(where)
    if not calls.is_there:
        checks.skip("kills at calls: there is no C compiler")
        return
    count = given.count or (24 if given.quick else 100000)
    scenes = SCENES[:3] if given.quick else SCENES
    done, found_in_all = 0, 0
    for index, (kind, start, options) in enumerate(scenes):
        share = count * (index + 1) // len(scenes) - count * index // len(scenes)
        with serving(scene_api(kind, given.seed)) as server:
            scene = CutScene(checks, where, server, start, **options)
            names = calls.names(scene)
            found = [(n, "kill") for n in range(1, len(names) + 1)]
            found += [(n, "half") for n, name in enumerate(names, 1) if name in WRITING]
            found_in_all += len(found)
            cut = 0
            for number, how in spread(sorted(found), share):
                what = f"points: {kind} {start}: {how} at call {number} ({names[number - 1]})"
                cut += scene.cut(checks, what, [At(calls, number, how)])
            checks.expect(f"points: {kind} {start}: most calls cut a run", cut * 3 > min(share, len(found)) * 2, cut)
            done += cut
            print(f"points: {kind} {start}: {cut} runs were cut, of {len(names)} calls", flush=True)
    print(f"points: {done} runs were cut at one of {found_in_all} points")
