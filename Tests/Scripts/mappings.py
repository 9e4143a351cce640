#!/usr/bin/env python3
"""Every mapping of the repository checks clean, and loads its samples twice: the second time nothing changes."""
import os

from checks import ROOT, Checks, folder, indented, ingest, last_counts, rows

# mapping, table → rows afterwards, and the arguments of each load, samples first
LOADS = [
    ("nyt", {"articles": 5, "article_keywords": 11}, [["nyt/articlesearch.json"]]),
    ("prefectures", {"prefectures": 3, "prefecture_areas": 4}, [["prefectures/root.json", "--endpoint", "list"]]),
    ("prefectures", {"prefectures": 2, "prefecture_areas": 2}, [
        ["prefectures/pref.json", "--path", "/v2/prefectures"]]),
    ("prefectures", {"prefectures": 1, "prefecture_areas": 1}, [
        ["prefectures/one.json", "--path", "/v1/prefectures/3"]]),
    ("accounts", {"users": 3, "teams": 1, "team_members": 2, "user_contact": 1}, [
        ["accounts/login.json", "--path", "/api/v2/users/login", "--method", "POST"],
        ["accounts/register.json", "--path", "/api/v2/users/register", "--method", "POST", "--status", "201"]]),
    ("accounts", {"items": 2, "item_related": 2, "pages": 1, "users": 1}, [
        ["accounts/items.json", "--endpoint", "items"]]),
    ("notices", {"notices": 2}, [["notices/trailing-commas.json", "--endpoint", "tolerant"]]),
    ("notices", {"notices": 1}, [["notices/plain.json", "--endpoint", "strict"]]),
    ("kraken", {"candles": 3}, [["kraken/ohlc.json"]]),
    ("usgs-quakes", {"quakes": 2}, [["usgs-quakes/feed.geojson"]]),
]


def sample(name):
    return os.path.join("samples", *name.split("/"))


def load_twice(checks, mapping, tables, loads):
    with folder() as where:
        database = os.path.join(where, "out.db")
        for time in ("first", "second"):
            for name, *more in loads:
                checks.run(
                    "load", sample(name), "--config", f"mappings/{mapping}.yaml", "--store", f"sqlite:{database}",
                    *more)
                if time == "first":
                    continue
                counts = last_counts(database)
                checks.expect(f"{mapping}: {name} is counted", bool(counts))
                for record, (received, inserted, updated, unchanged, rejected) in counts.items():
                    checks.equal(
                        f"{mapping}: the second time, {record} of {name} is unchanged",
                        (inserted, updated, unchanged, rejected), (0, 0, received, 0))
            for table, count in tables.items():
                checks.equal(
                    f"{mapping}: rows of {table} the {time} time", rows(database, f'select count(*) from "{table}"'),
                    [(count,)])
        checks.equal(f"{mapping}: foreign keys hold", rows(database, "pragma foreign_key_check"), [])


def refusals(checks):
    """What a mapping forbids leaves no row, and says where it stands."""
    with folder() as where:
        database = os.path.join(where, "out.db")
        commas = sample("notices/trailing-commas.json")
        result = checks.run(
            "load", commas, "--config", "mappings/notices.yaml", "--endpoint", "strict", "--store",
            f"sqlite:{database}", exit_code=1)
        checks.expect("a trailing comma is named with its file and line", all(
            part in result.stderr for part in ("trailing-commas.json", "line 9")), result.stderr)
        tables = rows(database, "select name from sqlite_schema where name = 'notices'") \
            if os.path.exists(database) else []
        checks.expect(
            "nothing of that body is stored",
            not tables or rows(database, "select count(*) from notices") == [(0,)], repr(tables))
        result = checks.run(
            "load", sample("accounts/refused.json"), "--config", "mappings/accounts.yaml", "--path",
            "/api/v2/users/login", "--method", "POST", "--status", "401", "--store", f"sqlite:{database}", exit_code=1)
        checks.expect("an error body is read by its rule", "Wrong password" in result.stderr, result.stderr)
        checks.equal("and is kept", rows(
            database, "select status, code, message from _ingest_errors where code = 'bad_password'"),
            [(401, "bad_password", "Wrong password")])
        checks.equal("no user is made of it", rows(database, "select count(*) from users"), [(0,)])


def main():
    checks = Checks("mappings")
    result = ingest("validate", "mappings")
    checks.expect(
        "ingest validate mappings exits with 0", result.returncode == 0, indented(result.stdout + result.stderr))
    checks.expect("without a warning", "warning[" not in result.stdout, indented(result.stdout))
    names = sorted(os.path.splitext(name)[0] for name in os.listdir(os.path.join(ROOT, "mappings")))
    checks.equal("every mapping has samples here", sorted({mapping for mapping, *_ in LOADS}), names)
    for mapping in names:
        result = ingest("validate", f"mappings/{mapping}.yaml")
        checks.expect(f"{mapping} is valid", result.returncode == 0, indented(result.stdout + result.stderr))
    for mapping, tables, loads in LOADS:
        load_twice(checks, mapping, tables, loads)
    refusals(checks)
    checks.finish()


main()
