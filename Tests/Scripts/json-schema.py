#!/usr/bin/env python3
"""The JSON Schema of the mapping language, looked at by check-jsonschema: every shipped mapping is valid, what breaks
the structure is not, and nothing that `ingest validate` takes is refused.

check-jsonschema is set up by .ci/deps. YAML of the fixtures is read by it, not by ingest.
"""
import glob
import os
import subprocess

from checks import ROOT, Checks, folder, indented, ingest

CHECKER = os.path.join(ROOT, ".build", "servers", "python", "bin", "check-jsonschema")
BROKEN = os.path.join(ROOT, "Tests", "MappingLanguageTests", "Fixtures", "broken")
# Codes of findings that a schema can have too.
STRUCTURAL = ("unknown-key", "wrong-kind", "missing-key", "missing-version", "unknown-type", "unknown-version")
# Fixtures of these codes whose fault lies in a file that is included, or between keys.
BEYOND = {
    "missing-key-of-a-client", "missing-key-of-a-grant", "missing-key-of-a-refresh-token", "missing-key-of-a-record",
    "missing-key-of-paging", "unknown-key-within-inclusion", "unknown-type-in-an-included-file",
    "unknown-type-with-postgresql", "wrong-kind-of-the-whole", "missing-version-in-an-empty-file",
}


def check(schema, *names):
    return subprocess.run(
        [CHECKER, "--schemafile", schema, *names], capture_output=True, text=True, timeout=300, check=False)


def main():
    checks = Checks("json-schema")
    if not os.path.exists(CHECKER):
        checks.skip("check-jsonschema is not set up; 'make deps' does it")
        checks.finish()
    with folder() as where:
        schema = os.path.join(where, "mapping.schema.json")
        with open(schema, "w", encoding="utf-8") as file:
            file.write(checks.run("schema", "--format", "json-schema").stdout)
        result = subprocess.run(
            [CHECKER, "--check-metaschema", schema], capture_output=True, text=True, timeout=300, check=False)
        checks.expect("it is a schema of draft 2020-12", result.returncode == 0, indented(result.stdout))
        mappings = sorted(glob.glob(os.path.join(ROOT, "mappings", "*.yaml")))
        result = check(schema, *mappings)
        checks.expect(
            f"all {len(mappings)} shipped mappings are valid", bool(mappings) and result.returncode == 0,
            indented(result.stdout))
        fixtures = sorted(glob.glob(os.path.join(BROKEN, "*.yaml")))
        for path in fixtures:
            name = os.path.splitext(os.path.basename(path))[0]
            if name in BEYOND or not name.startswith(STRUCTURAL):
                continue
            checks.expect(f"{name} is refused", check(schema, path).returncode == 1)
        taken = [path for path in fixtures if ingest("validate", path).returncode == 0]
        for path in taken:
            result = check(schema, path)
            checks.expect(f"{path}, which 'validate' takes, is valid", result.returncode == 0, indented(result.stdout))
        checks.expect("some fixtures have warnings alone", len(taken) > 3)
    checks.finish()


main()
