#!/usr/bin/env bash
# Reads the recorded articles into nyt.db in the working folder, which has mappings/ and samples/, and shows some of
# them. Needs no key and no network.
set -euo pipefail

query() {
  echo
  echo "\$ sqlite3 -box nyt.db \"$1\""
  sqlite3 -box nyt.db "$1"
}

echo
echo "\$ ingest --config mappings/nyt.yaml --recorded samples/nyt/recorded"
"${INGEST:-.build/release/ingest}" --config mappings/nyt.yaml --recorded samples/nyt/recorded

query "select headline, date(published_at) as day, word_count as words from articles order by words desc limit 3"
query "select value as keyword, count(*) as articles from article_keywords group by value order by 2 desc, 1 limit 3"

echo
echo "The rows are in nyt.db, tables articles and article_keywords. What was done is written in mappings/nyt.yaml."
