#!/usr/bin/env python3
"""How long `ingest validate` takes for a mapping of many endpoints, in milliseconds, the best of some rounds.

    validate.py [--endpoints 1000] [--rounds 5]

INGEST names the binary (.build/release/ingest). The aim is 300 ms for 1,000 endpoints. Smaller mappings are timed too:
a time that grows faster than the mapping does means that something is looked at once for each of all.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INGEST = os.path.abspath(os.environ.get("INGEST", os.path.join(ROOT, ".build", "release", "ingest")))


def mapping(count):
    """Endpoints with a record each: fields, a nested list, paging; some are walked for the rows of the one before."""
    lines = ["ingest: 1", "source: {name: wide, base_url: 'https://api.example.test', params: {q: '${word}'}}"]
    lines += ["variables: {word: tree}", "records:"]
    for n in range(count):
        lines += [
            f"  Item{n}:", f"    table: items_{n}", "    key: id", "    fields:", "      id: {type: integer}",
            "      name: {from: attributes.name, type: text}", "      url: {from: links.self, type: url}",
            "      created_at: {type: timestamp, format: [iso8601, 'yyyy/MM/dd HH:mm']}",
            "      price: {from: price.amount, type: decimal, check: {min: 0}}",
            "      code: {type: text, check: {pattern: '^[A-Z]{3}$'}}",
            f"    relationships: {{tags_{n}: [{{fields: {{tag: .}}}}], parent: Item{n - n % 10}}}"]
    lines.append("endpoints:")
    for n in range(count):
        each = f", for_each: {{record: Item{n - 1}, bind: {{owner: id}}}}" if n % 7 == 1 else ""
        path = f"/v1/{{owner}}/items{n}" if each else f"/v1/items{n}"
        lines.append(
            f"  items{n}: {{path: '{path}', records: {{data.items: Item{n}}}, paginate: {{by: page, param: page,"
            f" start: 1}}{each}}}")
    return "\n".join(lines) + "\n"


def best(path, rounds):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        result = subprocess.run([INGEST, "validate", path], capture_output=True, text=True, check=False)
        times.append(time.perf_counter() - start)
        if result.returncode != 0 or result.stdout:
            sys.exit(f"validate: exit {result.returncode}\n{result.stdout[:2000]}{result.stderr[:2000]}")
    return min(times) * 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--endpoints", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ingest-") as where:
        for count in (options.endpoints // 4, options.endpoints // 2, options.endpoints):
            path = os.path.join(where, f"{count}.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(mapping(count))
            print(f"validate: {count} endpoints, {os.path.getsize(path) >> 10} KB: {best(path, options.rounds):.0f} ms")


main()
