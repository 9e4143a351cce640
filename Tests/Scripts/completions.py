#!/usr/bin/env python3
"""Completions, asked of the shells themselves: bash always, zsh and fish where they are installed; the manual page."""
import os
import pty
import re
import select
import shutil
import subprocess
import time

from checks import Checks, folder, ingest

# The words of a line up to the cursor, and what is offered.
ASKED = [
    (["va"], ["validate"]), (["validate", "--fo"], ["--format"]),
    (["validate", "--format", ""], ["text", "json", "sarif", "github", "junit"]),
    (["validate", "--format", "=", "j"], ["json", "junit"]), (["validate", "--format", "="], 5),
    (["validate", "m"], ["maps", "mapping.yaml"]), (["validate", "mapping.yaml", "--deny"], ["--deny-warnings"]),
    (["--co"], ["--config"]), (["--ver"], ["--version"]), (["--config", "mapp"], ["mapping.yaml"]),
    (["load", "a", "--config", "mapping.yaml", "m"], ["maps", "mapping.yaml"]),
    (["run", "--recorded", "m"], ["maps"]), (["record", "m"], ["maps"]), (["record", "maps", "m"], []),
    (["explain", "unknown-k"], ["unknown-key"]), (["explain", "unused", "u"], []),
    (["completions", ""], ["bash", "zsh", "fish"]), (["help", "comp"], ["completions"]),
    (["route", "PU"], ["PUT"]), (["route", "--config", "mapping.yaml", "G"], ["GET"]),
    (["load", "--endpoint", ""], []), (["nonsense", ""], []), (["try", "x", "--log-format", "t"], ["text"]),
]

BASH = """
source /dev/stdin <<< "$SCRIPT"
complete -p ingest
COMP_WORDS=(ingest "$@") COMP_CWORD=$#
_ingest
printf '%s\\n' "${COMPREPLY[@]}"
"""


def files(where):
    os.makedirs(os.path.join(where, "maps"))
    with open(os.path.join(where, "mapping.yaml"), "w", encoding="utf-8") as file:
        file.write("ingest: 1\n")


def in_bash(checks, where, script):
    for words, wanted in ASKED:
        result = subprocess.run(
            ["bash", "--norc", "-c", BASH, "bash", *words], cwd=where, env={**os.environ, "SCRIPT": script},
            capture_output=True, text=True, timeout=60, check=False)
        lines = [line for line in result.stdout.split("\n") if line]
        checks.equal(f"bash {words}: it is set up, in silence", (lines[:1], result.stderr), (
            ["complete -F _ingest ingest"], ""))
        offered = sorted(lines[1:])
        if isinstance(wanted, int):
            checks.equal(f"bash {words}", len(offered), wanted)
        else:
            checks.equal(f"bash {words}", offered, sorted(wanted))


def typed(command, where, script, text, wanted):
    """What a shell on a terminal shows after the text was typed; it is waited for as long as it does not show it."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(where)
        os.execvpe(command[0], command, {
            "PATH": os.environ["PATH"], "TERM": "dumb", "HOME": where, "SCRIPT": script, "PS1": "> "})
    seen, deadline = "", time.monotonic() + 30
    try:
        os.write(terminal, text.encode())
        while time.monotonic() < deadline and not re.search(wanted, seen):
            if select.select([terminal], [], [], 0.2)[0]:
                seen += os.read(terminal, 1 << 16).decode(errors="replace")
    except OSError:
        pass
    finally:
        os.kill(process, 9)
        os.waitpid(process, 0)
        os.close(terminal)
    return seen


def in_zsh(checks, where, script):
    with open(os.path.join(where, "ready.zsh"), "w", encoding="utf-8") as file:
        file.write("autoload -U compinit; compinit -u -D; source <(print -r -- \"$SCRIPT\")\n")
    for text, wanted in [
            ("ingest vali\t", r"ingest validate "), ("ingest validate --form\t", r"--format"),
            ("ingest validate --format sa\t", r"--format sarif"), ("ingest explain unknown-k\t", r"unknown-key"),
            ("ingest --conf\t", r"--config")]:
        seen = typed(["zsh", "-f", "-i"], where, script, "source ready.zsh\n" + text, wanted)
        checks.expect(f"zsh {text!r}", re.search(wanted, seen), repr(seen))


def in_fish(checks, where, script):
    with open(os.path.join(where, "ingest.fish"), "w", encoding="utf-8") as file:
        file.write(script)
    for line, wanted in [
            ("ingest vali", ["validate"]), ("ingest validate --deny", ["--deny-warnings"]),
            ("ingest validate --format s", ["sarif"]), ("ingest validate mapp", ["mapping.yaml"]),
            ("ingest explain unknown-k", ["unknown-key"]), ("ingest --conf", ["--config"]),
            ("ingest completions z", ["zsh"])]:
        result = subprocess.run(
            ["fish", "-N", "-c", "source ingest.fish; complete -C $argv[1]", line], cwd=where,
            env={"PATH": os.environ["PATH"], "HOME": where}, capture_output=True, text=True, timeout=60, check=False)
        offered = [entry.split("\t")[0] for entry in result.stdout.split("\n") if entry]
        checks.equal(f"fish {line!r}", (offered, result.stderr), (wanted, ""))


def main():
    checks = Checks("completions")
    shells = {"bash": in_bash, "zsh": in_zsh, "fish": in_fish}
    for name, ask in shells.items():
        script = checks.run("completions", name).stdout
        if shutil.which(name) is None:
            checks.skip(f"{name} is not installed")
            continue
        with folder() as where:
            files(where)
            ask(checks, where, script)
    page = checks.run("help", "--man").stdout
    for command in re.findall(r"^  (\w+) ", ingest("help").stdout.split("\noptions:")[0], re.M):
        checks.expect(f"the manual page has {command}", f".SS ingest {command}" in page)
    if shutil.which("groff") is None:
        checks.skip("groff is not installed")
    else:
        result = subprocess.run(
            ["groff", "-man", "-ww", "-z"], input=page, capture_output=True, text=True, timeout=60, check=False)
        checks.equal("groff finds nothing wrong with it", (result.returncode, result.stderr), (0, ""))
    checks.finish()


main()
