#!/usr/bin/env python3
"""Small behaviours of older object mappers, each with the outcome that is right here; behaviours/ holds them.

    behaviours.py [--list] [NUMBER …]

Every number from 1 to 223 is a case, is covered by another one, or is not applicable; the script fails when one is
missing or double. A case may be `pending` with a reason: then it must fail, and does not count.
"""
import concurrent.futures
import importlib
import os
import sys

from checks import Checks, folder

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "behaviours"))
import performed  # noqa: E402
import table  # noqa: E402

LAST = 223
CHAPTERS = [
    "presence", "coercions", "dates", "structure", "dictionaries", "choices", "relationships", "identity", "modified",
    "references", "routing", "answers", "sweeping", "context", "requests",
]


def accounted(checks):
    """Exactly one entry for each number, every chapter read, and nothing covered by what is no case."""
    files = {name[:-3] for name in os.listdir(os.path.join(HERE, "behaviours")) if name.endswith(".py")}
    checks.equal("every file of the folder is a chapter", files - {"performed", "table"}, set(CHAPTERS))
    numbers = [entry.number for entry in table.ENTRIES]
    checks.equal("no number is double", sorted({n for n in numbers if numbers.count(n) > 1}), [])
    checks.equal("no number is missing", sorted(set(range(1, LAST + 1)) - set(numbers)), [])
    checks.equal("no number is beyond the last", sorted(set(numbers) - set(range(1, LAST + 1))), [])
    cases = {entry.number for entry in table.ENTRIES if isinstance(entry, table.Case)}
    adrift = [e.number for e in table.ENTRIES if isinstance(e, table.Covered) and e.by not in cases]
    checks.equal("what covers is a case", adrift, [])
    checks.equal("every case looks at something", [n for n in sorted(cases) if not looks(n)], [])


def looks(number):
    return any(
        step.expected.get(key) or step.exit for entry in table.ENTRIES if entry.number == number for step in entry.steps
        for key in performed.LOOKS)


def described(entry):
    if isinstance(entry, table.Case):
        return f"case: {entry.title}" + (f" (pending: {entry.pending})" if entry.pending else "")
    if isinstance(entry, table.Covered):
        return f"covered by {entry.by}: {entry.why}"
    return f"not applicable: {entry.why}"


def tried(entry):
    with folder() as where:
        try:
            return performed.differences(entry, where)
        except Exception as error:  # a fault of one case must not hide the others
            return [f"{type(error).__name__}: {error}"]


def judge(checks, entry, differences):
    name = f"behaviour {entry.number}: {entry.title}"
    if entry.pending and differences:
        checks.skip(f"behaviour {entry.number}, pending: {entry.pending}")
    elif entry.pending:
        checks.expect(name, False, "it passes: take `pending` away")
    else:
        checks.expect(name, not differences, "\n    ".join(differences))


def main():
    for chapter in CHAPTERS:
        importlib.import_module(chapter)
    entries = sorted(table.ENTRIES, key=lambda entry: entry.number)
    if "--list" in sys.argv:
        print("\n".join(f"{entry.number} {described(entry)}" for entry in entries))
        return
    checks = Checks("behaviours")
    chosen = {int(text) for text in sys.argv[1:]}
    if not chosen:
        accounted(checks)
    cases = [e for e in entries if isinstance(e, table.Case) and (not chosen or e.number in chosen)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for entry, differences in zip(cases, pool.map(tried, cases)):
            judge(checks, entry, differences)
    others = [e for e in entries if not isinstance(e, table.Case)]
    covered = sum(isinstance(e, table.Covered) for e in others)
    print(f"behaviours: {len(entries) - len(others)} cases, {covered} covered, {len(others) - covered} not applicable")
    checks.finish()


main()
