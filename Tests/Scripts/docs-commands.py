#!/usr/bin/env python3
"""Runs the commands that the documents show, so that what a reader copies works.

A fenced block that opens with ```sh run is run by bash in a fresh copy of mappings/ and samples/, the blocks of one
document one after the other in the same copy; `exit=N` after it is the code that it must end with (0). A block
```text output behind it holds lines that the command must print. Every other ```sh block may not show ingest.
"""
import glob
import os
import re
import shutil
import subprocess

from checks import INGEST, ROOT, Checks, folder, indented

FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```\s*$", re.M | re.S)


def blocks(text):
    """(line, language, words, content) of each fenced block."""
    for match in FENCE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2).split(), match.group(3)


def prepare(where):
    for name in ("mappings", "samples"):
        shutil.copytree(os.path.join(ROOT, name), os.path.join(where, name))
    os.mkdir(os.path.join(where, "bin"))
    os.symlink(INGEST, os.path.join(where, "bin", "ingest"))


def run(checks, where, place, words, content):
    wanted = next((int(word[5:]) for word in words if word.startswith("exit=")), 0)
    environment = {
        **os.environ, "PATH": os.path.join(where, "bin") + os.pathsep + os.environ["PATH"],
        "SWIFT_BACKTRACE": "enable=no"}
    environment.pop("NYT_API_KEY", None)
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", content], cwd=where, env=environment, capture_output=True, text=True,
        errors="replace", timeout=120, check=False)
    output = result.stdout + result.stderr
    checks.expect(
        f"{place}: exits with {wanted}", result.returncode == wanted,
        f"exit {result.returncode}\n{indented(content)}\n{indented(output)}")
    return output


def document(checks, name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        text = file.read()
    with folder() as where:
        prepare(where)
        output = None
        for line, language, words, content in blocks(text):
            place = f"{name}:{line}"
            if language == "sh" and "run" in words:
                output = run(checks, where, place, words, content)
            elif language == "sh":
                checks.expect(
                    f"{place}: a command of ingest is run", not re.search(r"^\s*(\S+=\S+ )*ingest ", content, re.M))
            elif language == "text" and "output" in words:
                if not checks.expect(f"{place}: output follows a command", output is not None):
                    continue
                for shown in content.rstrip("\n").split("\n"):
                    checks.expect(
                        f"{place}: the output has the line shown", shown in output.split("\n"),
                        f"{shown}\n  in\n{indented(output, 40)}")
            elif language == "yaml" and "file" in words:
                with open(os.path.join(where, words[words.index("file") + 1]), "w", encoding="utf-8") as out:
                    out.write(content)


def main():
    checks = Checks("docs-commands")
    for path in ["README.md", *sorted(glob.glob(os.path.join("docs", "*.md"), root_dir=ROOT))]:
        document(checks, path)
    checks.finish()


main()
