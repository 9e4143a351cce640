"""Are the tables that ingest filled the same, row for row, as those of the other program?"""
import sqlite3

# data set → our table → their table, our columns in their order where the names differ, and columns that are instants
ALIKE = {
    "nyt": {
        "articles": ("articles", {}, {"pub_date"}),
        "keywords": ("keywords", {"position": "pos"}, set()),
        "authors": ("authors", {"position": "pos"}, set()),
        "media": ("media", {"position": "pos"}, set()),
    },
    "events": {
        "events": ("events", {}, {"created_at"}),
        "commits": ("commits", {"position": "pos"}, set()),
    },
    "flat": {"flat": ("flat", {}, {"created_at"})},
    "issues": {
        "issues": ("issues", {}, {"created_at", "updated_at", "closed_at"}),
        "users": ("users", {}, set()),
        "labels": ("labels", {}, set()),
        "milestones": ("milestones", {}, {"due_on"}),
        "issue_labels": ("issue_labels", {}, set()),
        "issue_assignees": ("issue_assignees", {}, set()),
    },
}


def differences(name, ours, theirs):
    """Sentences about what differs; empty when every table has the same rows."""
    connection = sqlite3.connect(ours)
    try:
        connection.execute("attach ? as theirs", (theirs,))
        found = []
        for our_table, (their_table, names, instants) in ALIKE[name].items():
            found += compare(connection, our_table, their_table, names, instants)
        return found
    finally:
        connection.close()


def columns(connection, schema, table):
    return [row[1] for row in connection.execute(f'pragma {schema}.table_info("{table}")')]


def compare(connection, our_table, their_table, names, instants):
    """Our `_id` and what only bookkeeping needs aside, both tables must have the same columns under known names."""
    ours, theirs = columns(connection, "main", our_table), columns(connection, "theirs", their_table)
    if not ours:
        return [f"{our_table}: ingest made no such table"]
    back = {theirs_name: our_name for our_name, theirs_name in names.items()}
    wanted = [back.get(column, column) for column in theirs]
    if sorted(wanted) != sorted(ours):
        return [f"{our_table}: columns {sorted(ours)}, expected {sorted(wanted)}"]
    ours_query = select("main", our_table, wanted, instants)
    theirs_query = select("theirs", their_table, theirs, instants)
    found = []
    counts = [
        connection.execute(f'select count(*) from {schema}."{table}"').fetchone()[0]
        for schema, table in (("main", our_table), ("theirs", their_table))]
    if counts[0] != counts[1] or not counts[0]:
        found.append(f"{our_table}: {counts[0]} rows, expected {counts[1]}")
    for what, query in (
            ("is not expected", f"{ours_query} except {theirs_query}"),
            ("is missing", f"{theirs_query} except {ours_query}")):
        row = connection.execute(query + " limit 1").fetchone()
        if row:
            found.append(f"{our_table}: this row {what}: {row!r}"[:600])
    return found


def select(schema, table, names, instants):
    """Both sides' instants in one notation: ours has a space and no Z, theirs T and Z, with zeros behind a fraction."""
    plain = "rtrim(replace(\"{0}\", 'T', ' '), 'Z')"
    instant = f"case when instr({plain}, '.') then rtrim(rtrim({plain}, '0'), '.') else {plain} end"
    listed = ", ".join(
        instant.format(name) if name in instants else f'typeof("{name}"), "{name}"' for name in names)
    return f'select {listed} from {schema}."{table}"'
