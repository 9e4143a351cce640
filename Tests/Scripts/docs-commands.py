#!/usr/bin/env python3
"""Runs the commands that the documents show, so that what a reader copies works.

A fenced block that opens with ```sh run is run by bash in a fresh copy of mappings/ and samples/, the blocks of one
document one after the other in the same copy; `exit=N` after it is the code that it must end with (0). A block
```text output behind it holds lines that the command must print, and ```text demo lines of `make demo`. A block with
`file NAME` is written into the copy. Every other ```sh block may not show ingest, unless a NAME=… stands before it.
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


def bash(where, content):
    """Exit code and whole output of commands that find the built ingest."""
    environment = {
        **os.environ, "PATH": os.path.join(where, "bin") + os.pathsep + os.environ["PATH"], "INGEST": INGEST,
        "SWIFT_BACKTRACE": "enable=no"}
    environment.pop("NYT_API_KEY", None)
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", content], cwd=where, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120, check=False)
    return result.returncode, result.stdout


def run(checks, where, place, words, content):
    wanted = next((int(word[5:]) for word in words if word.startswith("exit=")), 0)
    code, output = bash(where, content)
    checks.expect(
        f"{place}: exits with {wanted}", code == wanted, f"exit {code}\n{indented(content)}\n{indented(output)}")
    return output


def shown(checks, place, content, output):
    if not checks.expect(f"{place}: output follows a command", output is not None):
        return
    printed = [line.rstrip() for line in output.split("\n")]
    for line in content.rstrip("\n").split("\n"):
        checks.expect(
            f"{place}: the output has the line shown", line in printed, f"{line}\n  in\n{indented(output, 40)}")


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
                checks.expect(f"{place}: a command of ingest is run", not re.search(r"^\s*ingest ", content, re.M))
            elif "output" in words:
                shown(checks, place, content, output)
            elif "demo" in words:
                script = os.path.join(ROOT, "Tests", "Scripts", "show-demo.sh")
                shown(checks, place, content, bash(where, f"'{script}'")[1])
            elif "file" in words:
                with open(os.path.join(where, words[words.index("file") + 1]), "w", encoding="utf-8") as out:
                    out.write(content)


def main():
    checks = Checks("docs-commands")
    for path in ["README.md", *sorted(glob.glob(os.path.join("docs", "*.md"), root_dir=ROOT))]:
        document(checks, path)
    checks.finish()


main()
