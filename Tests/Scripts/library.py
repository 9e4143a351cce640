#!/usr/bin/env python3
"""Uses the Swift library as a program of somebody else does, and builds its documentation.

    library.py

The program that README.md shows under "As a Swift library" becomes a package of its own, which depends on this one by
path; it is built and run beside the files that README.md shows, and has to print what README.md says. Then every public
symbol of the library has to be documented, and DocC has to build the documentation without a warning.

The package is in .build/library and is built anew when the sources have changed: about a minute and a half of two
processors.
"""
import glob
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess

from checks import ROOT, Checks, folder, indented

PACKAGE = os.path.join(ROOT, ".build", "library")
FENCE = re.compile(r"^```(\w+) ([^\n]*)\n(.*?)^```\s*$", re.M | re.S)
MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "program",
  dependencies: [.package(path: "ingest")],
  targets: [.executableTarget(name: "program", dependencies: [.product(name: "Ingest", package: "ingest")])]
)
"""
# What the compiler makes by itself.
MADE = re.compile(r"::SYNTHESIZED::|O8rawValue\w+fc$")


def blocks():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        text = file.read()
    return [(match.group(2).split(), match.group(3)) for match in FENCE.finditer(text)]


def the_block(checks, word):
    found = [content for words, content in blocks() if words[0] == word]
    checks.equal(f"README.md has one block '{word}'", len(found), 1)
    return found[0] if found else ""


def write(path, text):
    """Writes a file when it differs, so that nothing is built without need."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def forget_other_sources():
    """Removes what was built from other sources.

    A later build neither knows of files that came or went behind the link, nor compiles all that depends on what has
    changed.
    """
    digest = hashlib.sha256()
    folders = os.walk(os.path.join(ROOT, "Sources"))
    paths = sorted(os.path.join(where, name) for where, _, names in folders for name in names)
    for path in [os.path.join(ROOT, "Package.swift"), *paths]:
        with open(path, "rb") as file:
            digest.update(os.path.relpath(path, ROOT).encode() + b"\0" + hashlib.sha256(file.read()).digest())
    mark = os.path.join(PACKAGE, "sources.sha256")
    if os.path.exists(mark):
        with open(mark, encoding="utf-8") as file:
            if file.read() == digest.hexdigest():
                return
    shutil.rmtree(PACKAGE, ignore_errors=True)
    write(mark, digest.hexdigest())


def build(checks, program):
    """The built program; None when it could not be built."""
    forget_other_sources()
    write(os.path.join(PACKAGE, "Package.swift"), MANIFEST)
    write(os.path.join(PACKAGE, "Sources", "program", "main.swift"), program)
    link = os.path.join(PACKAGE, "ingest")
    if not os.path.islink(link):
        os.symlink(ROOT, link)
    result = subprocess.run(
        ["swift", "build", "--disable-sandbox", "--disable-automatic-resolution"], cwd=PACKAGE,
        env={key: value for key, value in os.environ.items() if key != "INGEST_FAULT"}, capture_output=True,
        text=True, check=False)
    said = result.stdout + result.stderr
    built = checks.expect("the program is built", result.returncode == 0, indented(said[-4000:]))
    checks.expect("without a warning", " warning: " not in said, indented(said))
    return os.path.join(PACKAGE, ".build", "debug", "program") if built else None


def run(checks, program, wanted):
    with folder() as where:
        for words, content in blocks():
            if words[0] == "file":
                write(os.path.join(where, words[1]), content)
        for time in ("first", "second"):
            result = subprocess.run(
                [program], cwd=where, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"}, capture_output=True,
                text=True, timeout=120, check=False)
            checks.equal(f"the program ends well, the {time} time", (result.returncode, result.stderr), (0, ""))
            if time == "first":
                checks.equal("it prints what README.md says", result.stdout, wanted)
            else:
                checks.expect("what came again is unchanged", "1 unchanged" in result.stdout, indented(result.stdout))


def symbol_graph(checks, where):
    """Extracts what a program sees of the library into a folder; its symbols."""
    debug = os.path.join(PACKAGE, ".build", "debug")
    command = [
        "swift", "symbolgraph-extract", "-module-name", "Ingest", "-minimum-access-level", "public", "-target",
        f"{platform.machine()}-unknown-linux-gnu", "-output-dir", where, "-I", os.path.join(debug, "Modules")]
    maps = glob.glob(os.path.join(ROOT, "Sources", "C*", "module.modulemap"))
    maps += glob.glob(os.path.join(debug, "C*.build", "module.modulemap"))
    for path in sorted(maps):
        command += ["-Xcc", f"-fmodule-map-file={path}"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if not checks.expect("the symbol graph is extracted", result.returncode == 0, indented(result.stderr)):
        return []
    symbols = []
    for path in glob.glob(os.path.join(where, "*.symbols.json")):
        with open(path, encoding="utf-8") as file:
            symbols += json.load(file)["symbols"]
    return symbols


def documented(checks, symbols):
    own = [symbol for symbol in symbols if not MADE.search(symbol["identifier"]["precise"])]
    checks.expect("the library has public symbols", len(own) > 100, str(len(own)))
    for symbol in own:
        name = ".".join(symbol["pathComponents"])
        lines = symbol.get("docComment", {}).get("lines", [])
        text = " ".join(line["text"] for line in lines)
        inherited = symbol.get("docComment", {}).get("module", "Ingest") != "Ingest"
        checks.expect(f"{name} is documented", text.strip() and not inherited, symbol["identifier"]["precise"])
        declaration = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
        if re.search(r"\bthrows\b", declaration):
            checks.expect(f"{name} says what it throws", "- Throws:" in text, text)
        for path in re.findall(r"`(docs/[^`]+)`", text):
            checks.expect(f"{name}: {path} is there", os.path.exists(os.path.join(ROOT, path)))


def only_own_types(checks, symbols):
    """No declaration names a type of another target."""
    others = [f"s:{len(name)}{name}" for name in os.listdir(os.path.join(ROOT, "Sources")) if name != "Ingest"]
    for symbol in symbols:
        names = [part for part in symbol.get("declarationFragments", []) if "preciseIdentifier" in part]
        foreign = [part["spelling"] for part in names if part["preciseIdentifier"].startswith(tuple(others))]
        checks.equal(f"{'.'.join(symbol['pathComponents'])} names no type of another target", foreign, [])


def documentation(checks, graph, where):
    catalogue = os.path.join(ROOT, "Sources", "Ingest", "Ingest.docc")
    result = subprocess.run(
        ["docc", "convert", catalogue, "--additional-symbol-graph-dir", graph, "--output-dir", where,
         "--fallback-display-name", "Ingest", "--fallback-bundle-identifier", "ingest.Ingest", "--warnings-as-errors"],
        capture_output=True, text=True, check=False)
    said = result.stdout + result.stderr
    checks.expect("DocC builds without a warning", result.returncode == 0 and "warning:" not in said, indented(said))
    pages = glob.glob(os.path.join(where, "data", "documentation", "**", "*.json"), recursive=True)
    checks.expect("DocC writes a page for each type", len(pages) > 50, str(len(pages)))


def main():
    checks = Checks("library")
    program, printed = the_block(checks, "program"), the_block(checks, "printed")
    checks.expect("the program has about thirty lines", 20 <= program.count("\n") <= 36, str(program.count("\n")))
    built = build(checks, program)
    if built:
        run(checks, built, printed)
        with folder() as where:
            graph, site = os.path.join(where, "graph"), os.path.join(where, "site")
            os.mkdir(graph)
            symbols = symbol_graph(checks, graph)
            documented(checks, symbols)
            only_own_types(checks, symbols)
            documentation(checks, graph, site)
    checks.finish()


if __name__ == "__main__":
    main()
