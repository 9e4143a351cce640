#!/usr/bin/env bash
# The tree is as it was committed: nothing that is generated or recorded has changed by building and testing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

changed=$(git status --porcelain)
if [ -n "$changed" ]; then
  echo "check: these files differ from what is committed; commit them, or make them anew:" >&2
  echo "$changed" >&2
  exit 1
fi
echo "check: the tree is clean"
