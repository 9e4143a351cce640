"""The preloaded counter of calls (calls.c), and what runs under it."""

import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
CHANGING = ("write", "pwrite", "fsync", "fdatasync", "ftruncate", "unlink", "rename")
ALL = (*CHANGING, "open", "connect", "send", "recv")
# Those of which a half can be done.
WRITING = ("write", "pwrite", "send")


class Calls:
    """Compiles the counter; `is_there` is False where there is no compiler."""

    def __init__(self, where):
        self.library = os.path.join(where, "calls.so")
        self.log = os.path.join(where, "calls.log")
        compiler = shutil.which("cc") or shutil.which("gcc")
        self.is_there = compiler is not None
        if compiler:
            source = os.path.join(HERE, "calls.c")
            subprocess.run(
                [compiler, "-shared", "-fPIC", "-O1", "-o", self.library, source], check=True, capture_output=True
            )

    def before(self, names=ALL, path=None, **more):
        """The words in front of a command; `more` are the counter's settings: at, do, on."""
        settings = {"names": f",{','.join(names)},", "path": path, **more}
        words = [f"CALLS_{name.upper()}={value}" for name, value in settings.items() if value is not None]
        return ["env", f"LD_PRELOAD={self.library}", *words]

    def names(self, scene, names=ALL, path=None):
        """The calls of a run of the scene, in their order."""
        if os.path.exists(self.log):
            os.remove(self.log)
        scene.once(self.before(names, path, log=self.log))
        with open(self.log, encoding="ascii") as lines:
            return lines.read().split()


def spread(items, count):
    """So many of them, evenly."""
    return items if count >= len(items) else [items[index * len(items) // count] for index in range(count)]
