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
    ("github", {"repos": 3, "repo_topics": 3, "issues": 3, "issue_labels": 3, "comments": 2, "other_events": 1}, [
        ["github/repos.json", "--endpoint", "repos"],
        ["github/issues.json", "--path", "/repos/harbor-works/tide-tables/issues"],
        ["github/comments.json", "--path", "/repos/harbor-works/tide-tables/issues/comments"],
        ["github/events.json", "--endpoint", "events"],
        ["github/search.json", "--endpoint", "search"]]),
    ("stripe", {"customers": 3, "charges": 2, "refunds": 2}, [
        ["stripe/customers.json", "--endpoint", "customers"], ["stripe/charges-1.json", "--endpoint", "charges"]]),
    ("shopify", {"products": 1, "variants": 2, "orders": 2, "line_items": 3, "order_discount_codes": 1}, [
        ["shopify/products.json", "--endpoint", "products"], ["shopify/orders-1.json", "--endpoint", "orders"]]),
    ("slack", {"users": 3, "channels": 2, "messages": 4, "message_reactions": 1}, [
        ["slack/users.json", "--endpoint", "users"], ["slack/channels-1.json", "--endpoint", "channels"],
        ["slack/history.json", "--path", "/conversations.history?channel=C0HARBOR"],
        ["slack/replies.json", "--path", "/conversations.replies?channel=C0HARBOR&ts=1714557600.000200"]]),
    ("jira", {"projects": 2, "issues": 2, "users": 2, "comments": 2, "worklogs": 1, "issue_labels": 2}, [
        ["jira/projects.json", "--endpoint", "projects"], ["jira/search-1.json", "--endpoint", "issues"],
        ["jira/comments.json", "--path", "/rest/api/2/issue/10002/comment"],
        ["jira/worklogs.json", "--path", "/rest/api/2/issue/10002/worklog"]]),
    ("salesforce", {"accounts": 2, "contacts": 2}, [["salesforce/query-1.json"]]),
    ("linear", {"issues": 2, "comments": 2, "issue_labels": 1, "teams": 1, "users": 1}, [
        ["linear/issues-1.json", "--endpoint", "issues"], ["linear/comments-1.json", "--endpoint", "comments"]]),
]

# mapping, and table → rows after its recorded answers were fetched, once and twice
FETCHES = {
    "nyt": {"articles": 25, "article_keywords": 64},
    "github": {"repos": 3, "issues": 3, "issue_labels": 3, "comments": 2, "pushes": 1, "issue_events": 1},
    "stripe": {"customers": 3, "charges": 3, "refunds": 2},
    "shopify": {"products": 1, "variants": 2, "orders": 2, "line_items": 3},
    "slack": {"users": 3, "channels": 2, "messages": 4},
    "jira": {"projects": 2, "issues": 3, "comments": 2, "worklogs": 1, "users": 2},
    "salesforce": {"accounts": 3, "contacts": 2},
    "linear": {"issues": 3, "comments": 2, "users": 1},
}


# mapping → records with `modified`, and what is nested in them: a second load skips them
SKIPPING = {
    "shopify": {"Order", "Customer", "LineItem", "Order.discount_codes"},
    "salesforce": {"Account", "Contact"},
    "linear": {"Issue", "User", "Team", "Label"},
}


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
                nothing_changed(checks, f"{mapping}: the second time, {name}", mapping, counts)
            rows_are_there(checks, f"{mapping}: the {time} time", database, tables)


def nothing_changed(checks, what, mapping, counts):
    """Where a record says what makes a row newer (`modified`), one that is not is skipped; others are unchanged."""
    for record, (received, inserted, updated, unchanged, rejected) in counts.items():
        checks.equal(f"{what}: nothing is new in {record}", (inserted, updated, rejected), (0, 0, 0))
        if record not in SKIPPING.get(mapping, ()):
            checks.equal(f"{what}: {record} is unchanged", unchanged, received)


def rows_are_there(checks, what, database, tables):
    for table, count in tables.items():
        checks.equal(f"{what}: rows of {table}", rows(database, f'select count(*) from "{table}"'), [(count,)])
    checks.equal(f"{what}: foreign keys hold", rows(database, "pragma foreign_key_check"), [])


def fetch_twice(checks, mapping, tables):
    """The whole run, with every page, from recorded answers: no request is asked for that was not foreseen."""
    with folder() as where:
        database = os.path.join(where, "out.db")
        for time in ("first", "second"):
            checks.run(
                "--config", f"mappings/{mapping}.yaml", "--recorded", f"samples/{mapping}/recorded", "--store",
                f"sqlite:{database}", timeout=60)
            checks.equal(f"{mapping}: the run leaves one file", os.listdir(where), ["out.db"])
            rows_are_there(checks, f"{mapping}, fetched the {time} time", database, tables)
        nothing_changed(checks, f"{mapping}, fetched the second time", mapping, last_counts(database))


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
    recorded = [name for name in names if os.path.isdir(os.path.join(ROOT, "samples", name, "recorded"))]
    checks.equal("every folder of recorded answers is fetched", sorted(FETCHES), recorded)
    for mapping, tables in FETCHES.items():
        fetch_twice(checks, mapping, tables)
    refusals(checks)
    checks.finish()


if __name__ == "__main__":
    main()
