#!/usr/bin/env python3
"""Runs each script of servers/: what is fetched from a server that others made is what the server holds.

    servers.py [NAME …]      such as `datasette`; without a name: all, two at a time
"""
import concurrent.futures
import os
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "servers")


def run(name):
    return subprocess.run(
        [sys.executable, os.path.join(HERE, f"with_{name}.py")], capture_output=True, text=True, timeout=600,
        check=False)


def main():
    found = sorted(name[5:-3] for name in os.listdir(HERE) if name.startswith("with_") and name.endswith(".py"))
    names = sys.argv[1:] or found
    unknown = sorted(set(names) - set(found))
    if unknown or not names:
        sys.exit(f"servers: there is no {', '.join(unknown)}; there are {', '.join(found)}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = dict(zip(names, pool.map(run, names)))
    for result in results.values():
        print(result.stdout + result.stderr, end="")
    failed = [name for name, result in results.items() if result.returncode != 0]
    print(f"servers: {len(names) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


main()
