#!/usr/bin/env python3
"""Commands that answer questions about a store, on the built binary: each part is a file of the folder questions."""
import importlib
import os
import sys

from checks import Checks

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "questions"))
PARTS = ["asking_status", "asking_schema", "asking_prune", "asking_explain", "asking_plan"]


def main():
    checks = Checks("questions")
    for name in [part for part in PARTS if not sys.argv[1:] or part in sys.argv[1:]]:
        importlib.import_module(name).check(checks)
    checks.finish()


if __name__ == "__main__":
    main()
