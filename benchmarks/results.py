"""Figures that were measured, kept for docs/performance.md and its plots."""
import json
import os
import platform

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results.json")


def read():
    if not os.path.exists(PATH):
        return {}
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


def keep(section, command, figures):
    """Replaces one section: the command that made it, and what it found."""
    kept = read()
    machine = {"processors": os.cpu_count(), "machine": platform.machine()}
    kept[section] = {"command": command, **machine, "figures": figures}
    with open(PATH, "w", encoding="utf-8") as file:
        json.dump(kept, file, indent=1, sort_keys=True)
        file.write("\n")
