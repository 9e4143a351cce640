#!/usr/bin/env python3
"""What `make demo` promises: recorded articles in typed tables, without a key; a second run changes nothing."""
import os

from checks import ROOT, Checks, folder, last_counts, rows

KEY = "plum-7f3k-quince"
MAPPING = os.path.join(ROOT, "mappings", "nyt.yaml")
RECORDED = os.path.join(ROOT, "samples", "nyt", "recorded")
ARTICLE_TYPES = {
    "id": "text", "url": "text", "headline": "text", "published_at": "text", "print_page": "integer",
    "word_count": "integer",
}


def first_run(checks, where):
    database = os.path.join(where, "nyt.db")
    result = checks.run("--config", MAPPING, "--recorded", RECORDED, cwd=where, env={"NYT_API_KEY": None}, timeout=20)
    checks.expect("the report counts inserted rows", "inserted" in (result.stdout + result.stderr))
    checks.equal("articles", rows(database, "select count(*) from articles"), [(25,)])
    checks.equal("keywords", rows(database, "select count(*) from article_keywords"), [(64,)])
    for column, wanted in ARTICLE_TYPES.items():
        types = rows(database, f'select distinct typeof("{column}") from articles where "{column}" is not null')
        checks.equal(f"the type of articles.{column}", types, [(wanted,)])
    checks.equal(
        "an article", rows(
            database, "select headline, abstract, published_at, print_page, word_count, section from articles"
            " where id = '5596e7ac38f0d84c0655cb28'"),
        [("Herons Sign a Guard From the Coastal League", None, "2015-07-04 00:00:00", 1, 879, "Sports")])
    checks.equal(
        "its keywords", rows(
            database, "select position, name, value, rank, is_major from article_keywords"
            " where article_id = '5596e7ac38f0d84c0655cb28' order by position"),
        [(0, "subject", "Basketball", 1, 1), (1, "organizations", "Port Alder Herons", 2, 0),
         (2, "glocations", "Port Alder", 3, 0)])
    checks.equal("no strange dates", rows(
        database, "select count(*) from articles where datetime(published_at) is not published_at"), [(0,)])
    checks.equal("foreign keys hold", rows(database, "pragma foreign_key_check"), [])
    checks.equal("the database is sound", rows(database, "pragma integrity_check"), [("ok",)])
    checks.equal("counts", last_counts(database).get("Article"), (25, 25, 0, 0, 0))
    return database


def second_run(checks, where, database):
    result = checks.run("--config", MAPPING, "--recorded", RECORDED, cwd=where, env={"NYT_API_KEY": None}, timeout=20)
    checks.expect("the report says unchanged", "unchanged" in (result.stdout + result.stderr))
    counts = last_counts(database)
    checks.equal("counts of the second run", counts.get("Article"), (25, 0, 0, 25, 0))
    checks.equal(
        "keywords of the second run", [counts[name] for name in sorted(counts) if name != "Article"],
        [(64, 0, 0, 64, 0)])
    checks.equal("articles afterwards", rows(database, "select count(*) from articles"), [(25,)])


def secrets(checks, where):
    database = os.path.join(where, "keyed.db")
    result = checks.run(
        "--config", MAPPING, "--recorded", RECORDED, "--store", f"sqlite:{database}", cwd=where,
        env={"NYT_API_KEY": KEY})
    checks.expect("the key is in no output", KEY not in result.stdout + result.stderr)
    for name in os.listdir(where):
        with open(os.path.join(where, name), "rb") as file:
            checks.expect(f"the key is not in {name}", KEY.encode() not in file.read())
    result = checks.run("--config", MAPPING, exit_code=2, cwd=where, env={"NYT_API_KEY": None})
    checks.expect("a missing key is named", "NYT_API_KEY" in result.stderr, result.stderr)


def main():
    checks = Checks("demo")
    with folder() as where:
        database = first_run(checks, where)
        second_run(checks, where, database)
        left = sorted(set(os.listdir(where)) - {"nyt.db"})
        checks.equal("nothing else is left behind", left, [])
        result = checks.run(
            "--config", MAPPING, "--recorded", RECORDED, "--set", "query=Theater", exit_code=1, cwd=where,
            env={"NYT_API_KEY": None})
        checks.expect("a request that was not recorded is named", "q=Theater" in result.stderr, result.stderr)
        secrets(checks, where)
    checks.finish()


main()
