"""The tables of docs/reliability.md and docs/security.md name every row, and tests that there are."""

import glob
import os
import re

from checks import ROOT

ROWS, REQUIREMENTS = 177, 23
# R119 to R128 and R157 to R170 stand in another table than their neighbours; none is left out.
NUMBERS = re.compile(r"([RS])(\d+)(?:–[RS](\d+))?")


def text(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def numbers(document, letter):
    """Those of the first column, as often as they stand there."""
    found = []
    for cell in re.findall(r"^\| ([RS]\d[^|]*) \|", document, re.M):
        for kind, first, last in NUMBERS.findall(cell):
            found += range(int(first), int(last or first) + 1) if kind == letter else []
    return sorted(found)


def check(checks, parts, cases):
    reliability, security = text("docs", "reliability.md"), text("docs", "security.md")
    checks.equal("rows of docs/reliability.md", numbers(reliability, "R"), list(range(1, ROWS + 1)))
    checks.equal("requirements of docs/security.md", numbers(security, "S"), list(range(1, REQUIREMENTS + 1)))
    suites = {os.path.basename(path)[:-6] for path in glob.glob(os.path.join(ROOT, "Tests", "*Tests", "*.swift"))}
    groups = {part.split(".")[0] for part in parts}
    harness, full = (
        set(re.findall(r'^    "(\w+)": ', text("Tests", "Scripts", name), re.M)) for name in ("harness.py", "full.py")
    )
    known_parts = {"faults.py": groups | set(parts), "harness.py": harness, "full.py": full}
    for name, document in (("reliability.md", reliability), ("security.md", security)):
        for suite in set(re.findall(r"`(\w+Tests)`", document)):
            checks.expect(f"{name}: there is a suite {suite}", suite in suites)
        for script, words in re.findall(r"`(?:Tests/Scripts/)?([\w-]+\.py)((?: [\w.]+)*)`", document):
            checks.expect(
                f"{name}: there is a script {script}", os.path.exists(os.path.join(ROOT, "Tests", "Scripts", script))
            )
            known = known_parts.get(script)
            for word in words.split():
                checks.expect(f"{name}: '{word}' is a part of {script}", known is not None and word in known)
    for number in {given.row for given in cases}:
        checks.expect(
            f"reliability.md: {number} is there", re.search(rf"\b{number}\b", reliability) or number == "R177"
        )
