#!/usr/bin/env python3
"""Mistakes in the shipped mappings: `ingest validate` finds each one, at its place, in words that name the cause.

A file of mistakes/ has a line that tells the mistake, the mapping, an edit of it as a patch has it (a space stays,
"-" goes, "+" comes), and behind an empty line the exit code and all that `validate` prints. `--record` writes that
anew.
"""
import os
import shutil
import sys

from checks import ROOT, Checks, folder, ingest

FIXTURES = os.path.join(ROOT, "Tests", "Scripts", "mistakes")
FEWEST = 40


def read(name):
    """Title, mapping, lines before, lines after, expected."""
    with open(os.path.join(FIXTURES, name), encoding="utf-8") as file:
        head, _, expected = file.read().partition("\n\n")
    title, mapping, *edit = head.split("\n")
    before = [line[1:] for line in edit if line[0] in " -"]
    after = [line[1:] for line in edit if line[0] in " +"]
    return title, mapping.removeprefix("mapping: "), before, after, expected


def edited(text, before, after):
    """The mapping with the mistake in it; None where the edit does not fit it exactly once."""
    lines = text.split("\n")
    places = [at for at in range(len(lines)) if lines[at:at + len(before)] == before]
    if len(places) != 1:
        return None
    return "\n".join(lines[:places[0]] + after + lines[places[0] + len(before):])


def report(where, mapping, text):
    with open(os.path.join(where, "mappings", mapping), "w", encoding="utf-8") as file:
        file.write(text)
    result = ingest("validate", "-q", f"mappings/{mapping}", cwd=where)
    shutil.copy(os.path.join(ROOT, "mappings", mapping), os.path.join(where, "mappings", mapping))
    return f"exit {result.returncode}\n{result.stdout}{result.stderr}"


def check(checks, where, name, recording):
    title, mapping, before, after, expected = read(name)
    with open(os.path.join(ROOT, "mappings", mapping), encoding="utf-8") as file:
        text = edited(file.read(), before, after)
    if not checks.expect(f"{name}: the edit fits {mapping} once", text is not None):
        return
    found = report(where, mapping, text)
    if recording and found != expected:
        with open(os.path.join(FIXTURES, name), encoding="utf-8") as file:
            head = file.read().partition("\n\n")[0]
        with open(os.path.join(FIXTURES, name), "w", encoding="utf-8") as file:
            file.write(f"{head}\n\n{found}")
    checks.expect(f"{name}: {title}", found == expected, f"expected\n{expected}\n    got\n{found}")
    first = found.split("\n")[1]
    checks.expect(f"{name}: there is a finding in the mapping", first.startswith(f"mappings/{mapping}:"), first)


def main():
    checks = Checks("mistakes")
    recording = "--record" in sys.argv[1:]
    names = sorted(name for name in os.listdir(FIXTURES) if name.endswith(".txt"))
    checks.expect(f"there are {FEWEST} mistakes at least", len(names) >= FEWEST, f"there are {len(names)}")
    with folder() as where:
        shutil.copytree(os.path.join(ROOT, "mappings"), os.path.join(where, "mappings"))
        os.symlink(os.path.join(ROOT, "samples"), os.path.join(where, "samples"))
        for name in names:
            check(checks, where, name, recording)
    checks.finish()


if __name__ == "__main__":
    main()
