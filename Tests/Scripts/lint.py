#!/usr/bin/env python3
"""Checks of the house style that neither the compiler nor swift-format makes: sizes, names, words.

    lint.py [ROOT]

A function may have 40 lines between its braces, unless `// lint: long` and a reason stand directly above it. Cases of a
switch that take one line are not counted: such a switch is a table.
"""
import os
import re
import sys

FILE_LINES, TEST_FILE_LINES, FUNCTION_LINES = 400, 600, 40
CODE = (".swift", ".cpp", ".c", ".h", ".py", ".sh")
SKIPPED_FOLDERS = {".git", ".build", "data", "__pycache__"}
FORBIDDEN_NAME = re.compile(r"(Utils?|Helpers?|Managers?|Common|Misc|New|Placeholder)$")
WITHOUT_FOUNDATION = {
    "Diagnostics", "Records", "JSONReading", "Values", "MarkedYAML", "MappingLanguage", "PlanCompiler", "Mapper",
    "Store", "SQLiteStore", "Drafting",
}
ONE_LINE_CASE = re.compile(r"\s*case [^:]+: *\S")
FUNCTION = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+|[a-z]+(?:\([a-z]+\))?[ \t]+)*"
    r"(?:func\b[^\n]*|init[?!]?[(<][^\n]*|deinit\b[^\n]*|subscript\b[^\n]*|var\b[^=\n{]*\{)", re.M)

# Of a literal of SQL, and what is put into one that may be a value; names come quoted, by Identifier.
SQL = re.compile(
    r"\b(SELECT|INSERT|UPDATE \S+ SET|DELETE FROM|CREATE|ALTER TABLE|DROP TABLE|FROM|WHERE|VALUES|TYPEOF)\b|typeof\(")
QUOTED_VALUE = re.compile(r"'\\\(")
VALUE = re.compile(
    r"\b(cells?|record|rejection|row|message|payload|text|plainText|integer|real|blob|body|secret)\b(?!\.sql)"
    r"|StoredValue")
# Words that the code itself has, none of a record.
FIXED = {"value.typeName", "name"}


def blanked(text):
    """The text with comments and literals replaced by spaces, line breaks kept. Each character is looked at once."""
    out, at = list(text), 0
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
        elif text.startswith("/*", at):
            end = text.find("*/", at) + 2
        elif text[at] in '#"' and re.match(r'#*"', text[at:at + 8]):
            end = end_of_literal(text, at)
        else:
            at += 1
            continue
        end = len(text) if end < at + 1 else min(end, len(text))
        for index in range(at, end):
            if out[index] != "\n":
                out[index] = " "
        at = end
    return "".join(out)


def end_of_literal(text, at):
    """The offset behind a string literal, with the expressions that are interpolated in it."""
    hashes = len(re.match(r"#*", text[at:at + 8]).group())
    at += hashes
    quote = '"""' if text.startswith('"""', at) else '"'
    close, escape = quote + "#" * hashes, "\\" + "#" * hashes
    at += len(quote)
    while at < len(text) and not text.startswith(close, at):
        if text.startswith(escape + "(", at):
            at, depth = at + len(escape) + 1, 1
            while at < len(text) and depth:
                if text[at] == '"':
                    at = end_of_literal(text, at)
                    continue
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
        elif text.startswith(escape, at):
            at += len(escape) + 1
        else:
            at += 1
    return at + len(close)


def literals(text):
    """(offset, text) of each literal of Swift."""
    at = 0
    while at < len(text):
        if text.startswith("//", at):
            at = text.find("\n", at) % (len(text) + 1)
        elif text[at] in '#"' and re.match(r'#*"', text[at:at + 8]):
            end = end_of_literal(text, at)
            yield at, text[at:end]
            at = end
        else:
            at += 1


def put_into(literal):
    """The expressions that are interpolated in a literal."""
    at = 0
    while (at := literal.find("\\(", at)) >= 0:
        depth, end = 1, at + 2
        while depth and end < len(literal):
            depth += {"(": 1, ")": -1}.get(literal[end], 0)
            end += 1
        yield at, literal[at + 2:end - 1]
        at = end


def sql_findings(text):
    """Values are bound: no SQL is made of one."""
    for start, literal in literals(text):
        if not SQL.search(literal):
            continue
        for at, expression in put_into(literal):
            is_quoted = QUOTED_VALUE.match(literal[at - 1:at + 2])
            if expression not in FIXED and (is_quoted or VALUE.search(re.sub(r'"[^"]*"', "", expression))):
                yield text.count("\n", 0, start + at) + 1, f"a value in SQL, which is to be bound: {expression}"


def body_of(code, start):
    """Offsets of the braces of the function that starts there; None for a requirement of a protocol."""
    depth = 0
    for offset in range(start, len(code)):
        character = code[offset]
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "{" and depth == 0:
            return offset, end_of(code, offset)
        elif character == "\n" and depth == 0 and not re.match(
                r"\s*(\{|where\b|->|throws\b|async\b|rethrows\b)", code[offset:offset + 200]):
            if not code[start:offset].rstrip().endswith(("->", "where", ",", "throws")):
                return None
        elif character == "}":
            return None
    return None


def end_of(code, brace):
    depth = 0
    for offset in range(brace, len(code)):
        if code[offset] == "{":
            depth += 1
        elif code[offset] == "}":
            depth -= 1
            if depth == 0:
                return offset
    return len(code)


def may_be_long(lines, number):
    """Does `// lint: long` stand in the comments and attributes directly above the line (counted from 1)?"""
    number -= 2
    while number >= 0 and re.match(r"\s*(//|@)", lines[number]):
        if re.match(r"\s*// lint: long\b.{3,}", lines[number]):
            return True
        number -= 1
    return False


def swift_findings(name, text):
    lines, code = text.split("\n"), blanked(text)
    for match in FUNCTION.finditer(code):
        body = body_of(code, match.start())
        if body is None or code.count("\n", *body) < 2:
            continue
        first = code.count("\n", 0, match.start()) + 1
        size = sum(not ONE_LINE_CASE.match(line) for line in text[slice(*body)].split("\n")[1:-1])
        if size > FUNCTION_LINES and not may_be_long(lines, first):
            yield first, f"a function of {size} lines; {FUNCTION_LINES} are allowed"
    target = name.split(os.sep)[1] if name.startswith("Sources" + os.sep) else None
    for number, line in enumerate(code.split("\n"), 1):
        if target:
            if re.search(r"\btry!", line):
                yield number, "'try!'"
            if re.search(r"\bfatalError\(", line):
                yield number, "'fatalError': say preconditionFailure and a sentence"
            if target in WITHOUT_FOUNDATION and re.search(r"\bimport Foundation", line):
                yield number, f"{target} does without Foundation"
            if target != "Ingest" and re.match(r"\s*(public\b|open (class|func|var|subscript)\b)", line):
                yield number, "'public' belongs to the target Ingest alone"
        if re.search(r"@unchecked Sendable|@testable", line):
            above = "\n".join(lines[max(0, number - 5):number])
            if "//" not in above:
                yield number, "'@unchecked Sendable' and '@testable' need a comment that says why"


def findings(root, name):
    stem = os.path.splitext(os.path.basename(name))[0]
    if FORBIDDEN_NAME.search(stem):
        yield 1, f"'{stem}' says nothing about what is in the file"
    with open(os.path.join(root, name), encoding="utf-8") as file:
        text = file.read()
    limit = TEST_FILE_LINES if name.startswith("Tests" + os.sep) else FILE_LINES
    count = text.count("\n")
    head = "\n".join(text.split("\n")[:5])
    if count > limit and not re.search(r"// lint: long\b.{3,}", head):
        yield 1, f"{count} lines; {limit} are allowed"
    for number, line in enumerate(text.split("\n"), 1):
        if re.search(r"\b(TO" r"DO|FIX" r"ME)\b", line):
            yield number, "unfinished work"
        if line != line.rstrip():
            yield number, "white space at the end of the line"
        if len(line) > 120 and not name.endswith(".swift"):
            yield number, "more than 120 characters"
    if name.endswith(".swift"):
        yield from swift_findings(name, text)
    # Scripts of SQL are for people and other tools; there is nobody to bind a value.
    if name.startswith(os.path.join("Sources", "SQLiteStore")) and os.sep + "Script" + os.sep not in name:
        yield from sql_findings(text)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    checked = failed = 0
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS and not f.startswith(".build"))
        for file in sorted(files):
            name = os.path.relpath(os.path.join(folder, file), root)
            if not name.endswith(CODE) and file not in ("Makefile", "run", "deps"):
                continue
            checked += 1
            for number, message in sorted(findings(root, name)):
                failed += 1
                print(f"{name}:{number}: {message}")
    print(f"lint: {checked} files, {failed} findings")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
