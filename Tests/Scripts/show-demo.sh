#!/usr/bin/env bash
# Reads the recorded articles into nyt.db in the working folder, which has mappings/ and samples/, and shows some of
# them. Needs no key and no network.
set -euo pipefail

show() {
  echo
  echo "\$ $*"
  "$@"
}

ingest() { "${INGEST:-.build/release/ingest}" "$@"; }

show ingest --config mappings/nyt.yaml --recorded samples/nyt/recorded
show sqlite3 -box nyt.db \
  "select headline, substr(published_at, 1, 10) as day, word_count as words from articles order by words desc limit 5"
show sqlite3 -box nyt.db \
  "select value as keyword, count(*) as articles from article_keywords group by value order by 2 desc, 1 limit 5"
echo
echo "The rows are in nyt.db, tables articles and article_keywords. What was done is written in mappings/nyt.yaml."
