"""Runs with which a store is made, filled further, and changed, each of them small enough to be cut at every call."""

import os

from cut_runs import Scene, place, scene_api

# What another version of the mapping has: a column and a table of other names, an index, another type, one column more.
CHANGED = {
    "    table: trips\n": "    table: voyages\n    renamed_from: trips\n",
    "      - note: {type: text}": "      - remark: {type: text, from: note, renamed_from: note}",
    "      - word: {type: text}": "      - word: {type: text, index: true}\n      - more: {type: text, from: word}",
    "      - at: {type: timestamp}\n      - version: {type: integer}": (
        "      - at: {type: timestamp}\n      - version: {type: text}"
    ),
}


class CutScene(Scene):
    """A scene whose runs can be cut: from nothing (`fresh`), from cursors (`existing`), with a mapping that has changed
    (`migration`)."""

    def __init__(self, checks, where, server, start, **options):
        super().__init__(where, server, server.respond, boats=2, trips=6, others=6, **options)
        if start != "fresh":
            self.whole(checks)
            self.move_on()
        if start == "migration":
            self.change_mapping(checks)
        self.whole(checks)

    def change_mapping(self, checks):
        path = os.path.join(self.where, f"{self.name}.yaml")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for old, new in CHANGED.items():
            checks.expect(f"the mapping has {old!r}", text.count(old) == 1)
            text = text.replace(old, new)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def once(self, before):
        """A run under a command, whose result nobody looks at."""
        database = self.database("cut")
        place(self.start, database)
        self.begin(database, before=before).communicate(timeout=120)
        self.server.forget()


# Paging, where a run begins, and options of the mapping.
SCENES = [
    ("cursor", "existing", {}),
    ("cursor", "fresh", {}),
    ("cursor", "migration", {}),
    ("offset", "existing", {"archive": "true"}),
    ("next_url", "migration", {"archive": "true"}),
    ("link_header", "fresh", {"concurrency": 3}),
]

__all__ = ["SCENES", "CutScene", "scene_api"]
