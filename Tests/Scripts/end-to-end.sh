#!/usr/bin/env bash
# Runs every end-to-end script on the built binary, all of them even when one fails, and says how each ended.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [ ! -x "${INGEST:-.build/release/ingest}" ]; then
  echo "end-to-end: there is no binary; run 'make build' first" >&2
  exit 1
fi

failed=()
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for script in \
  Tests/Scripts/demo.py \
  Tests/Scripts/mappings.py \
  Tests/Scripts/validating.py \
  Tests/Scripts/mistakes.py \
  Tests/Scripts/conditions.py \
  Tests/Scripts/json-schema.py \
  Tests/Scripts/completions.py \
  Tests/Scripts/promises.py \
  Tests/Scripts/tests-of-mappings.py \
  Tests/Scripts/drift.py \
  Tests/Scripts/map-formats.py \
  Tests/Scripts/input-files.py \
  Tests/Scripts/infer.py \
  Tests/Scripts/import-openapi.py \
  Tests/Scripts/import-others.py \
  Tests/Scripts/archive.py \
  Tests/Scripts/interruptions.py \
  Tests/Scripts/progress.py \
  Tests/Scripts/credentials.py \
  Tests/Scripts/cut-bodies.py \
  Tests/Scripts/behaviours.py \
  Tests/Scripts/questions.py \
  Tests/Scripts/orphans.py \
  Tests/Scripts/faults.py \
  Tests/Scripts/naughty-strings.py \
  Tests/Scripts/real-bodies.py \
  Tests/Scripts/docs-commands.py \
  Tests/Scripts/library.py \
  Tests/Scripts/harness.py \
  "Tests/Scripts/harness.py walks kills --concurrency 3" \
  "Tests/Scripts/full.py --quick" \
  Tests/Scripts/servers.py \
  Tests/Scripts/conformance.py \
  Tests/Scripts/broken.py \
  "Tests/Scripts/full.py sanitized --quick --sanitizer thread" \
  "Tests/Scripts/fuzzing.py --readers --runs 200000" \
  benchmarks/instructions.py; do
  # Words behind a script's name are its arguments.
  # shellcheck disable=SC2086
  python3 -u $script | tee -a "$said" || failed+=("$script")
done

if ((${#failed[@]} > 0)); then
  # Once more at the end, which is all that some keep of a log.
  grep -A 6 'FAILED' "$said" | head -100
  echo "end-to-end: failed: ${failed[*]}" >&2
  exit 1
fi
