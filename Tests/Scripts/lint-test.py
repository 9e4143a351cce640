#!/usr/bin/env python3
"""The lint finds what it is for, and nothing else."""
import os

import lint
from checks import Checks, folder

LONG = "\n".join("    x += 1" for _ in range(41))
FINE = "\n".join("    x += 1" for _ in range(40))
WORD = "TO" + "DO"

# file, its text, and the lines that have a finding
CASES = [
    ("Sources/Records/Row.swift",
     f"struct Row {{\n  func f(_ a: Int = 3) throws(E) -> [Int: String]\n  where T: Q {{\n{LONG}\n  }}\n}}\n", [2]),
    ("Sources/Records/Row.swift", f"struct Row {{\n  func f() {{\n{FINE}\n  }}\n}}\n", []),
    ("Sources/Records/Row.swift", f"// lint: long: a state machine\n@inlinable func f() {{\n{LONG}\n  }}\n", []),
    ("Sources/Records/Row.swift", f"// lint: long\nfunc f() {{\n{LONG}\n  }}\n", [2]),
    ("Sources/Records/Row.swift", "func f() {\n" + "  case .a: 1\n" * 60 + "}\n", []),
    ("Sources/Records/Row.swift", "func f() {\n" + "  case .a:\n    1\n" * 60 + "}\n", [1]),
    ("Sources/Records/Row.swift", f"var wide: Int {{\n{LONG}\n}}\n", [1]),
    ("Sources/Records/Row.swift", f"let text = \"func f() {{\"\n// func g() {{\n{LONG}\n", []),
    ("Sources/Records/Row.swift", "protocol P {\n  func f() -> Int\n  init(a: Int)\n}\n", []),
    ("Sources/Records/Row.swift", "import Foundation\n", [1]),
    ("Sources/IngestCLI/Row.swift", "import Foundation\n", []),
    ("Sources/Records/Row.swift", "let a = try! f()\nlet b = \"try! f()\"\n", [1]),
    ("Sources/Records/Row.swift", "public struct Row {}\n", [1]),
    ("Sources/Ingest/Row.swift", "public struct Row {}\n", []),
    ("Sources/Records/Row.swift", f"let a = 1\n// {WORD}: later\n", [2]),
    ("Sources/Records/Row.swift", "let a = 1\n" * 401, [1]),
    ("Tests/RecordsTests/RowTests.swift", "let a = 1\n" * 401, []),
    ("Sources/SQLiteStore/A.swift", 'let a = "SELECT \\(Identifier.quoted(name)) FROM \\(table) WHERE a = ?1"\n', []),
    ("Sources/SQLiteStore/A.swift", "let a = \"SELECT 1 WHERE a = '\\(key)'\"\n", [1]),
    ("Sources/SQLiteStore/A.swift", 'let b = 1\nlet a = "INSERT INTO t VALUES (\\(cell.text))"\n', [2]),
    ("Sources/SQLiteStore/A.swift", "let a = \"no row of '\\(key)'\"\n// SELECT '\\(key)'\n", []),
    ("Sources/SQLiteStore/Script/A.swift", "let a = \"SELECT '\\(key)' FROM t\"\n", []),
    ("Sources/Records/RowUtils.swift", "let a = 1\n", [1]),
    ("Sources/Records/Row.swift", "extension Row: @unchecked Sendable {}\n", [1]),
    ("Sources/Records/Row.swift", "// It is never shared: see `take`.\nextension Row: @unchecked Sendable {}\n", []),
]


def main():
    checks = Checks("lint-test")
    for number, (name, text, wanted) in enumerate(CASES):
        with folder() as root:
            os.makedirs(os.path.join(root, os.path.dirname(name)))
            with open(os.path.join(root, name), "w", encoding="utf-8") as out:
                out.write(text)
            checks.equal(f"case {number}, {name}", sorted(line for line, _ in lint.findings(root, name)), wanted)
    checks.finish()


main()
